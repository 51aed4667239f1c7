/** Boards, written as 81 digits in reading order, 0 for blank; their cells and units, and the names of cells. */
import { listed, t } from "./language.js";

export const NO_DIGITS = "0".repeat(81);

export const CELLS = [...NO_DIGITS].map((_, cell) => cell);

/** Return the row and the column of a cell, from 1. @param {number} cell */
export const placeOf = (cell) => ({ row: Math.floor(cell / 9) + 1, column: (cell % 9) + 1 });

/** Return "row 3 column 5". @param {number} cell */
export const placeName = (cell) => t("cell.place", placeOf(cell));

/** Return "r3c5". @param {number} cell */
export const cellName = (cell) => t("cell.short", placeOf(cell));

const NAMED = 4; // if there are many cells, a sentence names this many of them, and the number of the other cells

/** Return the names of cells as part of a sentence: "r3c5 and r4c1". @param {number[]} cells */
export function cellsNamed(cells) {
  const count = cells.length - NAMED;
  if (count < 2) return listed(cells.map(cellName));
  return listed([...cells.slice(0, NAMED).map(cellName), t("cell.more", { count })]);
}

/** @type {Rules} */
export const CLASSIC = Object.freeze({ name: "classic" });

/** @param {Rules} rules */
export const isDiagonal = ({ name }) => name.startsWith("diagonal");

/** @param {Rules} rules @param {{diagonal?: boolean, regions?: string, cages?: Cage[]}} parts the parts to replace @returns {Rules} */
export function rulesWith(rules, parts) {
  const { diagonal, regions, cages } = { diagonal: isDiagonal(rules), ...rules, ...parts };
  const killer = Boolean(cages?.length);
  const name = [diagonal && "diagonal", regions && "jigsaw", killer && "killer"].filter(Boolean).join(" ");
  return { name: name || CLASSIC.name, ...(regions && { regions }), ...(killer && { cages }) };
}

/** Return the peers of each cell: the cells that must hold other digits. @param {Object<string, number[]>} units @param {Cage[]} [cages] */
export function peersOf(units, cages = []) {
  const groups = [...Object.values(units), ...cages.map(({ cells }) => cells)];
  const groupsWith = (/** @type {number} */ cell) => groups.filter((group) => group.includes(cell)).flat();
  return CELLS.map((cell) => [...new Set(groupsWith(cell))].filter((one) => one !== cell));
}

/**
 * Return the cells with the same digit as one of their peers, and the cells of full cages with a wrong sum.
 * @param {string} board @param {number[][]} peers @param {Cage[]} [cages]
 */
export function clashesOf(board, peers, cages = []) {
  const sumOf = (/** @type {number[]} */ cells) => cells.reduce((sum, cell) => sum + Number(board[cell]), 0);
  const isFull = (/** @type {number[]} */ cells) => cells.every((cell) => board[cell] !== "0");
  const wrong = cages.filter(({ sum, cells }) => isFull(cells) && sumOf(cells) !== sum).flatMap(({ cells }) => cells);
  const isSeen = (/** @type {number} */ cell) => peers[cell].some((peer) => board[peer] === board[cell]);
  return CELLS.filter((cell) => board[cell] !== "0" && (wrong.includes(cell) || isSeen(cell)));
}

/** @param {string} board @param {[number, number][]} placements cells and digits to fill in */
export const filledWith = (board, placements) =>
  CELLS.map((cell) => placements.find(([one]) => one === cell)?.[1] ?? board[cell]).join("");

/** @param {string} board @param {(cell: number, digit: string) => unknown} isLeftOut whether a cell becomes blank */
export const without = (board, isLeftOut) =>
  [...board].map((digit, cell) => (isLeftOut(cell, digit) ? "0" : digit)).join("");

/** Count the blank cells. @param {string} board */
export const blanksOf = (board) => board.split("0").length - 1;
