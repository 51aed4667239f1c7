// @ts-check
/**
 * All that a person did on one grid, with one undo and redo for all of it. Pure values: every change is a new one.
 *
 * `said` corrects the reading: cell (0..80) to "8", "blank" or "w7". `entries` are 81 digits written on the page, 0 for
 * none. `notes` are the person's own candidates in a cell, "135", in place of the marks that the photo shows there.
 * `struck` are the digits of a cell that hints have crossed out. `rules` are those that the person says, none where those
 * hold that were read.
 *
 * @typedef {Readonly<Object<string, string>>} ByCell
 * @typedef {{readonly said: ByCell, readonly entries: string, readonly notes: ByCell,
 *   readonly struck?: ByCell, readonly rules?: import("./types.js").Rules}} Work
 * @typedef {{readonly past: readonly Work[], readonly now: Work, readonly future: readonly Work[]}} Solving
 * @typedef {{readonly puzzle: string, readonly written: string, readonly marks: readonly string[],
 *   readonly rules?: import("./types.js").Rules}} Paper a grid as read
 */
import { NO_DIGITS, peersOf, placeOf } from "./board.js";

/** Changes that can be taken back. */
const MOST = 300;

/** @type {Solving} */
export const NOTHING_DONE = Object.freeze({
  past: [],
  now: { said: {}, entries: NO_DIGITS, notes: {} },
  future: [],
});

/** Return the 81 digits that stand in a grid: clues, a person's entries, what is written in the photo. @param {Paper} paper @param {Work} work */
export const standing = ({ puzzle, written }, { entries }) =>
  [...puzzle]
    .map((clue, cell) => [clue, entries[cell], written[cell]].find((digit) => digit !== "0") ?? "0")
    .join("");

/** Return the notes of each cell that holds no digit. @param {Paper} paper @param {Work} work */
export const notesOf = (paper, work) =>
  [...standing(paper, work)].map((digit, cell) =>
    digit === "0" ? (work.notes[cell] ?? paper.marks[cell] ?? "") : "",
  );

/** @param {Solving} solving @param {Partial<Work>} part @returns {Solving} */
const changed = ({ past, now }, part) => ({
  past: [...past.slice(-MOST), now],
  now: { ...now, ...part },
  future: [],
});

/** Correct what was read in cells; what is said twice is no change. @param {Solving} solving @param {ByCell} said */
export const say = (solving, said) =>
  Object.entries(said).every(([cell, what]) => solving.now.said[cell] === what)
    ? solving
    : changed(solving, { said: { ...solving.now.said, ...said }, struck: {} });

/** Say by which rules the puzzle is played. @param {Solving} solving @param {import("./types.js").Rules} rules */
export const playBy = (solving, rules) => changed(solving, { rules, struck: {} });

/**
 * Write a digit into a cell, 0 to erase; with *tidy* it goes from the notes of all cells that it rules it out for.
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

/** Note a digit in a cell, or take the note away; 0 takes all notes away. @param {Solving} solving @param {Paper} paper @param {number} cell @param {number} digit */
export function note(solving, paper, cell, digit) {
  const before = notesOf(paper, solving.now)[cell];
  const after = before.includes(String(digit))
    ? before.replace(String(digit), "")
    : [...before, digit].sort().join("");
  return changed(solving, { notes: { ...solving.now.notes, [cell]: digit ? after : "" } });
}

/** Cross digits out in cells, and in the notes that a person has there. @param {Solving} solving @param {[number, number][]} eliminations */
export function strike(solving, eliminations) {
  const [notes, struck] = [{ ...solving.now.notes }, { ...solving.now.struck }];
  for (const [cell, digit] of eliminations) {
    struck[cell] = (struck[cell] ?? "") + digit;
    if (notes[cell]) notes[cell] = notes[cell].replace(String(digit), "");
  }
  return changed(solving, { notes, struck });
}

/** Note in each blank cell all digits that its units leave. @param {Solving} solving @param {Paper} paper */
export function noteAll(solving, paper) {
  const [board, peers, struck] = [standing(paper, solving.now), peersOf(paper.rules), solving.now.struck];
  const isLeft = (/** @type {number} */ cell, /** @type {string} */ digit) =>
    !struck?.[cell]?.includes(digit) && peers[cell].every((peer) => board[peer] !== digit);
  const left = (/** @type {number} */ cell) => [..."123456789"].filter((digit) => isLeft(cell, digit)).join("");
  const notes = [...board].flatMap((digit, cell) => (digit === "0" ? [[cell, left(cell)]] : []));
  return changed(solving, { notes: Object.fromEntries(notes) });
}

/** Take the last change back. @param {Solving} solving @returns {Solving} */
export function undo(solving) {
  const { past, now, future } = solving;
  const last = past.at(-1);
  return last ? { past: past.slice(0, -1), now: last, future: [now, ...future] } : solving;
}

/** Make the last change that was taken back again. @param {Solving} solving @returns {Solving} */
export function redo(solving) {
  const { past, now, future } = solving;
  const [next, ...rest] = future;
  return next ? { past: [...past, now], now: next, future: rest } : solving;
}

/** Write the corrections as the service reads them: "r3c5=8,r4c1=blank". @param {Work} work */
export const overridesText = ({ said }) =>
  Object.entries(said)
    .map(([cell, what]) => ({ ...placeOf(Number(cell)), what }))
    .map(({ row, column, what }) => `r${row}c${column}=${what}`)
    .join(",");
