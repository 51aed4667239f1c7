// @ts-check
/** A board as the page has it, 81 digits in reading order, 0 for blank: its cells, their units and their names. */
import { t } from "./language.js";

export const NO_DIGITS = "0".repeat(81);

/** Every cell, 0..80. */
export const CELLS = [...NO_DIGITS].map((_, cell) => cell);

/** Return the row and the column of a cell, from 1. @param {number} cell */
export const placeOf = (cell) => ({ row: Math.floor(cell / 9) + 1, column: (cell % 9) + 1 });

/** Name the place of a cell: "row 3 column 5". @param {number} cell */
export const placeName = (cell) => t("cell.place", placeOf(cell));

/** Name a cell shortly: "r3c5". @param {number} cell */
export const cellName = (cell) => t("cell.short", placeOf(cell));

/** @typedef {import("./types.js").Rules} Rules */

/** @type {Rules} */
export const CLASSIC = Object.freeze({ name: "classic" });

/** The classic regions: of each cell the number of its box, 1..9. */
const BOXES = CELLS.map((cell) => 3 * Math.floor(cell / 27) + Math.floor((cell % 9) / 3) + 1).join("");

/** Name rules as the service does. @param {boolean} diagonal @param {string} [regions] of a jigsaw @returns {Rules} */
export function rulesWith(diagonal, regions) {
  const isJigsaw = regions && regions !== BOXES;
  const name = [diagonal && "diagonal", isJigsaw && "jigsaw"].filter(Boolean).join(" ") || "classic";
  return isJigsaw ? { name, regions } : { name };
}

/** Tell whether both diagonals are units. @param {Rules} rules */
export const isDiagonal = ({ name }) => name.startsWith("diagonal");

/** Return the numbers of the units of a cell: rows from 0, columns 9, boxes 18, diagonals 27, regions 29. @param {number} cell @param {Rules} rules */
function unitsOf(cell, rules) {
  const { row, column } = placeOf(cell);
  const region = (rules.regions ? 28 : 17) + Number((rules.regions ?? BOXES)[cell]);
  const on = [row === column, row + column === 10].map((lies) => lies && isDiagonal(rules));
  return [row - 1, column + 8, region, ...on.flatMap((lies, at) => (lies ? [27 + at] : []))];
}

/** Return the cells of a unit by its number. @param {number} unit @param {Rules} [rules] */
export const cellsOfUnit = (unit, rules = CLASSIC) =>
  CELLS.filter((cell) => unitsOf(cell, rules).includes(unit));

/** The peers of each cell, by the rules that were asked for. @type {Map<string, number[][]>} */
const PEERS = new Map();

/** Return the cells that share a unit with each cell. @param {Rules} [rules] */
export function peersOf(rules = CLASSIC) {
  const key = JSON.stringify(rules);
  const units = CELLS.map((cell) => unitsOf(cell, rules));
  const peers =
    PEERS.get(key) ??
    CELLS.map((one) =>
      CELLS.filter((cell) => cell !== one && units[cell].some((unit) => units[one].includes(unit))),
    );
  PEERS.set(key, peers);
  return peers;
}

/** Return the cells of a board of 81 digits whose digit stands twice in a unit. @param {string} board @param {Rules} [rules] */
export const clashesOf = (board, rules) =>
  peersOf(rules).flatMap((peers, cell) =>
    board[cell] !== "0" && peers.some((peer) => board[peer] === board[cell]) ? [cell] : [],
  );

/**
 * Return the cells to the right of, left of, below and above a cell, each with the number of the border between them:
 * twice the cell to the right of or below which it lies, and one more if it lies below. No cell is null.
 * @param {number} cell @returns {({other: number, border: number} | null)[]}
 */
export const neighboursOf = (cell) => [
  cell % 9 < 8 ? { other: cell + 1, border: 2 * cell } : null,
  cell % 9 ? { other: cell - 1, border: 2 * cell - 2 } : null,
  cell < 72 ? { other: cell + 9, border: 2 * cell + 1 } : null,
  cell > 8 ? { other: cell - 9, border: 2 * cell - 17 } : null,
];

/** Return the numbers of the borders between regions. @param {Rules} [rules] */
export const bordersOf = ({ regions = BOXES } = CLASSIC) =>
  new Set(
    CELLS.flatMap((cell) =>
      neighboursOf(cell).flatMap((one) => (one && regions[one.other] !== regions[cell] ? [one.border] : [])),
    ),
  );

/** Return a board with digits filled in. @param {string} board @param {[number, number][]} placements cells and digits */
export const filledWith = (board, placements) =>
  CELLS.map((cell) => placements.find(([one]) => one === cell)?.[1] ?? board[cell]).join("");

/** Return a board without the digits of some cells. @param {string} board @param {(cell: number, digit: string) => unknown} isLeftOut */
export const without = (board, isLeftOut) =>
  [...board].map((digit, cell) => (isLeftOut(cell, digit) ? "0" : digit)).join("");

/** Count the blank cells. @param {string} board */
export const blanksOf = (board) => board.split("0").length - 1;
