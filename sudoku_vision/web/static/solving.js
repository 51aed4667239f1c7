// @ts-check
/**
 * All that a person did on one grid, with one undo and redo for all of it. Pure values: every change is a new one.
 *
 * `said` corrects the reading: cell (0..80) to "8", "blank" or "w7". `entries` are 81 digits written on the page, 0 for
 * none. `notes` are the person's own candidates in a cell, "135", in place of the marks that the photo shows there.
 *
 * @typedef {Readonly<Object<string, string>>} ByCell
 * @typedef {{readonly said: ByCell, readonly entries: string, readonly notes: ByCell}} Work
 * @typedef {{readonly past: readonly Work[], readonly now: Work, readonly future: readonly Work[]}} Solving
 * @typedef {{readonly puzzle: string, readonly written: string, readonly marks: readonly string[]}} Paper a grid as read
 */

const NO_DIGITS = "0".repeat(81);
/** Changes that can be taken back. */
const MOST = 300;

/** @type {Solving} */
export const NOTHING_DONE = Object.freeze({
  past: [],
  now: { said: {}, entries: NO_DIGITS, notes: {} },
  future: [],
});

/** The 20 cells that share a row, a column or a box with each cell. */
const PEERS = Array.from({ length: 81 }, (_, one) =>
  Array.from({ length: 81 }, (_, cell) => cell).filter(
    (cell) => cell !== one && unitsOf(cell).some((unit, kind) => unit === unitsOf(one)[kind]),
  ),
);

/** Return the row, column and box (each 0..8) of a cell. @param {number} cell */
function unitsOf(cell) {
  const [row, column] = [Math.floor(cell / 9), cell % 9];
  return [row, column, 3 * Math.floor(row / 3) + Math.floor(column / 3)];
}

/** Return the cells of a unit 0..26: rows, columns, boxes. @param {number} unit */
export const cellsOfUnit = (unit) =>
  Array.from({ length: 81 }, (_, cell) => cell).filter(
    (cell) => unitsOf(cell)[Math.floor(unit / 9)] === unit % 9,
  );

/** Return the cells of a board of 81 digits whose digit stands twice in a row, column or box. @param {string} board */
export const clashesOf = (board) =>
  PEERS.flatMap((peers, cell) =>
    board[cell] !== "0" && peers.some((peer) => board[peer] === board[cell]) ? [cell] : [],
  );

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

/** @param {Solving} solving @param {ByCell} notes of some cells, in place of theirs */
const renoted = (solving, notes) => changed(solving, { notes: { ...solving.now.notes, ...notes } });

/** Correct what was read in cells; what is said twice is no change. @param {Solving} solving @param {ByCell} said */
export const say = (solving, said) =>
  Object.entries(said).every(([cell, what]) => solving.now.said[cell] === what)
    ? solving
    : changed(solving, { said: { ...solving.now.said, ...said } });

/**
 * Write a digit into a cell, 0 to erase; with *tidy* it goes from the notes of all cells that it rules it out for.
 * @param {Solving} solving @param {Paper} paper @param {number} cell @param {number} digit @param {boolean} tidy
 */
export function enter(solving, paper, cell, digit, tidy) {
  const { entries } = solving.now;
  if (Number(entries[cell]) === digit) return solving;
  const before = notesOf(paper, solving.now);
  const ruledOut = PEERS[cell].filter((peer) => tidy && digit && before[peer].includes(String(digit)));
  const notes = Object.fromEntries(ruledOut.map((peer) => [peer, before[peer].replace(String(digit), "")]));
  return changed(solving, {
    entries: entries.slice(0, cell) + digit + entries.slice(cell + 1),
    notes: { ...solving.now.notes, ...notes },
  });
}

/** Note a digit in a cell, or take the note away. @param {Solving} solving @param {Paper} paper @param {number} cell @param {number} digit */
export function note(solving, paper, cell, digit) {
  const before = notesOf(paper, solving.now)[cell];
  const after = before.includes(String(digit))
    ? before.replace(String(digit), "")
    : [...before, digit].sort().join("");
  return renoted(solving, { [cell]: after });
}

/** Strike digits out of the notes of cells. @param {Solving} solving @param {Paper} paper @param {[number, number][]} eliminations */
export function strike(solving, paper, eliminations) {
  const notes = notesOf(paper, solving.now);
  for (const [cell, digit] of eliminations) notes[cell] = notes[cell].replace(String(digit), "");
  return renoted(solving, Object.fromEntries(eliminations.map(([cell]) => [cell, notes[cell]])));
}

/** Take all notes of a cell away. @param {Solving} solving @param {number} cell */
export const noteNothing = (solving, cell) => renoted(solving, { [cell]: "" });

/** Note in each blank cell all digits that its row, column and box leave. @param {Solving} solving @param {Paper} paper */
export function noteAll(solving, paper) {
  const board = standing(paper, solving.now);
  const left = (/** @type {number} */ cell) =>
    [..."123456789"].filter((digit) => PEERS[cell].every((peer) => board[peer] !== digit)).join("");
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
    .map(([cell, what]) => `r${Math.floor(Number(cell) / 9) + 1}c${(Number(cell) % 9) + 1}=${what}`)
    .join(",");
