/** All that a person has done on one grid, with undo and redo. No value is changed in place. */
import { NO_DIGITS, placeOf } from "./board.js";

const MAX_CHANGES = 300; // at most this many changes can be undone

/** @type {Solving} */
export const NOTHING_DONE = Object.freeze({ past: [], now: { corrections: {}, entries: NO_DIGITS, notes: {} }, future: [] });

/** Return the digit of each cell: its clue, entry, or handwriting in the photo; 0 for none. @param {Paper} paper @param {Work} work */
export const standing = ({ puzzle, written }, { entries }) =>
  [...puzzle].map((clue, cell) => [clue, entries[cell], written[cell]].find((digit) => digit !== "0") ?? "0").join("");

const NOTES = /** @type {const} */ (["notes", "centre"]);

/** Return the notes or the colour of each cell. A cell with a digit has no notes. @param {Paper} paper @param {Work} work @param {NoteKind} kind */
export const textsOf = (paper, work, kind) =>
  [...standing(paper, work)].map((digit, cell) => {
    if (digit !== "0" && kind !== "colours") return "";
    return work[kind]?.[cell] ?? (kind === "notes" ? paper.marks[cell] : "") ?? "";
  });

/** @param {Solving} solving @param {Partial<Work>} part @returns {Solving} */
export const changed = ({ past, now, hints }, part) =>
  ({ hints, past: [...past.slice(-MAX_CHANGES), now], now: { ...now, ...part }, future: [] });

/** Correct the reading of some cells. If nothing changes, return *solving*. @param {Solving} solving @param {ByCell} some */
export const correct = (solving, some) =>
  Object.entries(some).every(([cell, content]) => solving.now.corrections[cell] === content)
    ? solving
    : changed(solving, { corrections: { ...solving.now.corrections, ...some }, struck: {} });

/** Correct the reading of a cage. @param {Solving} solving @param {string} override */
export const correctCage = (solving, override) =>
  changed(solving, { cages: [...(solving.now.cages ?? []), override], struck: {} });

/**
 * Write a digit into cells; 0 erases. If all of the cells have this entry already, erase it. Remove the digit from the notes
 * of the cells' *peers*, which are listed by cell.
 * @param {Solving} solving @param {Paper} paper @param {readonly number[]} cells @param {number} digit @param {number[][]} [peers]
 */
export function enter(solving, paper, cells, digit, peers = []) {
  const { entries } = solving.now;
  const written = cells.every((cell) => Number(entries[cell]) === digit) ? 0 : digit;
  const ruledOut = written ? cells.flatMap((cell) => peers[cell] ?? []) : [];
  return changed(solving, {
    entries: [...entries].map((entry, cell) => (cells.includes(cell) ? written : entry)).join(""),
    ...withoutNotes(solving, paper, ruledOut, String(digit)),
  });
}

/** Return all notes, but without *digit* in the notes of *cells*. @param {Solving} solving @param {Paper} paper @param {number[]} cells @param {string} digit */
const withoutNotes = ({ now }, paper, cells, digit) =>
  Object.fromEntries(
    NOTES.map((kind) => {
      const before = textsOf(paper, now, kind);
      const losing = cells.filter((cell) => before[cell].includes(digit));
      return [kind, { ...now[kind], ...Object.fromEntries(losing.map((cell) => [cell, before[cell].replace(digit, "")])) }];
    }),
  );

/**
 * Note a digit or a colour in cells. A cell has only one colour. If all cells have this digit or colour already, remove it.
 * @param {Solving} solving @param {Paper} paper @param {NoteKind} kind @param {readonly number[]} cells @param {number} digit
 */
export function note(solving, paper, kind, cells, digit) {
  const before = textsOf(paper, solving.now, kind);
  const [one, isThere] = [String(digit), cells.every((cell) => before[cell].includes(String(digit)))];
  const after = (/** @type {string} */ text) => {
    if (isThere) return text.replace(one, "");
    return kind === "colours" ? one : [...new Set(text + one)].sort().join("");
  };
  return changed(solving, {
    [kind]: { ...solving.now[kind], ...Object.fromEntries(cells.map((cell) => [cell, after(before[cell])])) },
  });
}

/**
 * Erase the entries in cells. If there are none, erase the notes, and otherwise the colours. If nothing changes, return *solving*.
 * @param {Solving} solving @param {Paper} paper @param {readonly number[]} cells @param {boolean} colours whether to erase colours first
 */
export function erase(solving, paper, cells, colours) {
  const { now } = solving;
  const isIn = (/** @type {NoteKind} */ kind) => cells.some((cell) => textsOf(paper, now, kind)[cell]);
  const none = (/** @type {NoteKind} */ kind) => ({ ...now[kind], ...Object.fromEntries(cells.map((cell) => [cell, ""])) });
  if (colours && isIn("colours")) return changed(solving, { colours: none("colours") });
  if (cells.some((cell) => now.entries[cell] !== "0")) return enter(solving, paper, cells, 0);
  if (NOTES.some(isIn)) return changed(solving, { notes: none("notes"), centre: none("centre") });
  return isIn("colours") ? changed(solving, { colours: none("colours") }) : solving;
}

/** Erase everything but the corrections of the reading. @param {Solving} solving @returns {Solving} */
export const startAgain = (solving) => ({
  ...changed(solving, { entries: NO_DIGITS, notes: {}, centre: {}, colours: {}, struck: {} }),
  hints: 0,
});

/** Eliminate candidates, and remove them from the notes. @param {Solving} solving @param {[number, number][]} eliminations cells and digits */
export function strike(solving, eliminations) {
  const { notes, centre, struck } = solving.now;
  const [after, inCentre, gone] = [{ ...notes }, { ...centre }, { ...struck }];
  for (const [cell, digit] of eliminations) {
    gone[cell] = (gone[cell] ?? "") + digit;
    for (const some of [after, inCentre]) if (some[cell]) some[cell] = some[cell].replace(String(digit), "");
  }
  return changed(solving, { notes: after, centre: inCentre, struck: gone });
}

/** In each blank cell, note all digits that no peer of the cell has and no hint has eliminated. @param {Solving} solving @param {string} board @param {number[][]} peers */
export function noteAll(solving, board, peers) {
  const { struck } = solving.now;
  const isLeft = (/** @type {number} */ cell, /** @type {string} */ digit) =>
    !struck?.[cell]?.includes(digit) && peers[cell].every((peer) => board[peer] !== digit);
  const left = (/** @type {number} */ cell) => [..."123456789"].filter((digit) => isLeft(cell, digit)).join("");
  const notes = [...board].flatMap((digit, cell) => (digit === "0" ? [[cell, left(cell)]] : []));
  return changed(solving, { notes: Object.fromEntries(notes) });
}

/** @param {Solving} solving @returns {Solving} */
export function undo(solving) {
  const { past, now, future } = solving;
  const last = past.at(-1);
  return last ? { ...solving, past: past.slice(0, -1), now: last, future: [now, ...future] } : solving;
}

/** @param {Solving} solving @returns {Solving} */
export function redo(solving) {
  const { past, now, future } = solving;
  const [next, ...rest] = future;
  return next ? { ...solving, past: [...past, now], now: next, future: rest } : solving;
}

/** Return the corrections in the form that the service reads: "r3c5=8,r4c1=blank". @param {Work} work */
export const overridesText = ({ corrections, cages = [] }) =>
  [...Object.entries(corrections).map(([cell, content]) => `${nameOf(Number(cell))}=${content}`), ...cages].join(",");

/** Return the correction of the cage of a cell. Without the cells of the cage, only its sum is corrected. @param {number} cell @param {Cage} cage */
export const overrideOfCage = (cell, { sum, cells }) =>
  `${cells.length ? `cage=${cells.map(nameOf).join("+")},` : ""}${nameOf(cell)}=sum${sum}`;

/** Return the correction which says that some cells are in no cage. @param {number[]} cells */
export const overrideOfNoCage = (cells) => `nocage=${cells.map(nameOf).join("+")}`;

/** Return the name of a cell in a correction. @param {number} cell */
const nameOf = (cell) => `r${placeOf(cell).row}c${placeOf(cell).column}`;
