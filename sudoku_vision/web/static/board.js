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

/** The 20 cells that share a row, a column or a box with each cell. */
export const PEERS = CELLS.map((one) =>
  CELLS.filter((cell) => cell !== one && unitsOf(cell).some((unit, kind) => unit === unitsOf(one)[kind])),
);

/** Return the row, column and box (each 0..8) of a cell. @param {number} cell */
function unitsOf(cell) {
  const [row, column] = [Math.floor(cell / 9), cell % 9];
  return [row, column, 3 * Math.floor(row / 3) + Math.floor(column / 3)];
}

/** Return the cells of a unit 0..26: rows, columns, boxes. @param {number} unit */
export const cellsOfUnit = (unit) => CELLS.filter((cell) => unitsOf(cell)[Math.floor(unit / 9)] === unit % 9);

/** Return the cells of a board of 81 digits whose digit stands twice in a row, column or box. @param {string} board */
export const clashesOf = (board) =>
  PEERS.flatMap((peers, cell) =>
    board[cell] !== "0" && peers.some((peer) => board[peer] === board[cell]) ? [cell] : [],
  );

/** Return a board with digits filled in. @param {string} board @param {[number, number][]} placements cells and digits */
export const filledWith = (board, placements) =>
  CELLS.map((cell) => placements.find(([one]) => one === cell)?.[1] ?? board[cell]).join("");

/** Return a board without the digits of some cells. @param {string} board @param {(cell: number, digit: string) => unknown} isLeftOut */
export const without = (board, isLeftOut) =>
  [...board].map((digit, cell) => (isLeftOut(cell, digit) ? "0" : digit)).join("");

/** Count the blank cells. @param {string} board */
export const blanksOf = (board) => board.split("0").length - 1;
