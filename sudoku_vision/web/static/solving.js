// @ts-check
/**
 * All that a person has done on one grid, with one undo and redo for all of it. Every change makes new values.
 *
 * @typedef {Readonly<Object<string, string>>} ByCell by cell, 0..80
 * @typedef {object} Work
 * @property {ByCell} corrections of the reading: "8", "blank" or "w7"
 * @property {string} entries 81 digits, 0 for none
 * @property {ByCell} notes the person's own candidates, "135", which replace the marks in the photo
 * @property {ByCell} [struck] digits that hints have eliminated
 * @property {Rules} [rules] those that the person chose, if they are not the ones that were read
 * @typedef {{readonly past: readonly Work[], readonly now: Work, readonly future: readonly Work[]}} Solving
 * @typedef {{readonly puzzle: string, readonly written: string, readonly marks: readonly string[],
 *   readonly rules?: Rules}} Paper a grid as read
 */
/** @import { Rules } from "./types.js" */
import { NO_DIGITS, peersOf, placeOf } from "./board.js";

/** Changes that can be undone. */
const MAX_CHANGES = 300;

/** @type {Solving} */
export const NOTHING_DONE = Object.freeze({
  past: [],
  now: { corrections: {}, entries: NO_DIGITS, notes: {} },
  future: [],
});

/** Return the 81 digits in a grid: clues, a person's entries, handwriting in the photo. @param {Paper} paper @param {Work} work */
export const standing = ({ puzzle, written }, { entries }) =>
  [...puzzle]
    .map((clue, cell) => [clue, entries[cell], written[cell]].find((digit) => digit !== "0") ?? "0")
    .join("");

/** Return the notes of each cell without a digit. @param {Paper} paper @param {Work} work */
export const notesOf = (paper, work) =>
  [...standing(paper, work)].map((digit, cell) =>
    digit === "0" ? (work.notes[cell] ?? paper.marks[cell] ?? "") : "",
  );

/** @param {Solving} solving @param {Partial<Work>} part @returns {Solving} */
const changed = ({ past, now }, part) => ({
  past: [...past.slice(-MAX_CHANGES), now],
  now: { ...now, ...part },
  future: [],
});

/** Correct the reading of cells; the same correction again changes nothing. @param {Solving} solving @param {ByCell} some */
export const correct = (solving, some) =>
  Object.entries(some).every(([cell, content]) => solving.now.corrections[cell] === content)
    ? solving
    : changed(solving, { corrections: { ...solving.now.corrections, ...some }, struck: {} });

/** Choose the rules of the puzzle. @param {Solving} solving @param {Rules} rules */
export const playBy = (solving, rules) => changed(solving, { rules, struck: {} });

/**
 * Write a digit into a cell, 0 to erase. With *tidy*, the notes in all peers of the cell lose this digit.
 * @param {Solving} solving @param {Paper} paper @param {number} cell @param {number} digit
 * @param {boolean} tidy
 */
export function enter(solving, paper, cell, digit, tidy) {
  const { entries } = solving.now;
  if (Number(entries[cell]) === digit) return solving;
  const before = notesOf(paper, solving.now);
  const ruledOut = peersOf(paper.rules)[cell].filter((peer) => tidy && digit && before[peer].includes(String(digit)));
  const notes = Object.fromEntries(ruledOut.map((peer) => [peer, before[peer].replace(String(digit), "")]));
  return changed(solving, {
    entries: entries.slice(0, cell) + digit + entries.slice(cell + 1),
    notes: { ...solving.now.notes, ...notes },
  });
}

/** Note a digit in a cell, or remove the note; 0 removes all notes. @param {Solving} solving @param {Paper} paper @param {number} cell @param {number} digit */
export function note(solving, paper, cell, digit) {
  const before = notesOf(paper, solving.now)[cell];
  const after = before.includes(String(digit))
    ? before.replace(String(digit), "")
    : [...before, digit].sort().join("");
  return changed(solving, { notes: { ...solving.now.notes, [cell]: digit ? after : "" } });
}

/** Eliminate digits in cells, also from the person's notes. @param {Solving} solving @param {[number, number][]} eliminations */
export function strike(solving, eliminations) {
  const [notes, struck] = [{ ...solving.now.notes }, { ...solving.now.struck }];
  for (const [cell, digit] of eliminations) {
    struck[cell] = (struck[cell] ?? "") + digit;
    if (notes[cell]) notes[cell] = notes[cell].replace(String(digit), "");
  }
  return changed(solving, { notes, struck });
}

/** Note in each blank cell all digits that none of its peers has. @param {Solving} solving @param {Paper} paper */
export function noteAll(solving, paper) {
  const [board, peers, struck] = [standing(paper, solving.now), peersOf(paper.rules), solving.now.struck];
  const isLeft = (/** @type {number} */ cell, /** @type {string} */ digit) =>
    !struck?.[cell]?.includes(digit) && peers[cell].every((peer) => board[peer] !== digit);
  const left = (/** @type {number} */ cell) => [..."123456789"].filter((digit) => isLeft(cell, digit)).join("");
  const notes = [...board].flatMap((digit, cell) => (digit === "0" ? [[cell, left(cell)]] : []));
  return changed(solving, { notes: Object.fromEntries(notes) });
}

/** Undo the last change. @param {Solving} solving @returns {Solving} */
export function undo(solving) {
  const { past, now, future } = solving;
  const last = past.at(-1);
  return last ? { past: past.slice(0, -1), now: last, future: [now, ...future] } : solving;
}

/** Redo the last change that was undone. @param {Solving} solving @returns {Solving} */
export function redo(solving) {
  const { past, now, future } = solving;
  const [next, ...rest] = future;
  return next ? { past: [...past, now], now: next, future: rest } : solving;
}

/** Return the corrections as the service reads them: "r3c5=8,r4c1=blank". @param {Work} work */
export const overridesText = ({ corrections }) =>
  Object.entries(corrections)
    .map(([cell, content]) => {
      const { row, column } = placeOf(Number(cell));
      return `r${row}c${column}=${content}`;
    })
    .join(",");
