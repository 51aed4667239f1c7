// @ts-check
/** Boards, written as 81 digits in reading order, 0 for blank; their cells and units, and the names of cells. */
/** @import { Cage, Rules } from "./types.js" */
import { listed, t } from "./language.js";

export const NO_DIGITS = "0".repeat(81);

export const CELLS = [...NO_DIGITS].map((_, cell) => cell);

/** Return the row and the column of a cell, from 1. @param {number} cell */
export const placeOf = (cell) => ({ row: Math.floor(cell / 9) + 1, column: (cell % 9) + 1 });

/** Return "row 3 column 5". @param {number} cell */
export const placeName = (cell) => t("cell.place", placeOf(cell));

/** Return "r3c5". @param {number} cell */
export const cellName = (cell) => t("cell.short", placeOf(cell));

/** If there are many cells, a sentence names this many of them, and says how many more there are. */
const NAMED = 4;

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

/** @param {Rules} rules @param {{diagonal?: boolean, regions?: string, cages?: Cage[]}} parts replace those of the rules @returns {Rules} */
export function rulesWith(rules, parts) {
  const { diagonal, regions, cages } = { diagonal: isDiagonal(rules), ...rules, ...parts };
  const killer = Boolean(cages?.length);
  const name = [diagonal && "diagonal", regions && "jigsaw", killer && "killer"].filter(Boolean).join(" ");
  return { name: name || CLASSIC.name, ...(regions && { regions }), ...(killer && { cages }) };
}

/** The number of the 3x3 box of each cell, 1..9, as text. */
const BOXES = CELLS.map((cell) => 3 * Math.floor(cell / 27) + Math.floor((cell % 9) / 3) + 1).join("");

/**
 * Return the cells of each unit, by the number that the service gives to the unit: rows have the numbers from 0, columns
 * from 9, boxes from 18, diagonals from 27, and other regions from 29.
 * @param {Rules} [rules]
 */
export function unitsOf(rules = CLASSIC) {
  /** @type {Object<number, number[]>} */
  const units = {};
  for (const cell of CELLS) {
    const { row, column } = placeOf(cell);
    const numbers = [row - 1, column + 8, (rules.regions ? 28 : 17) + Number((rules.regions ?? BOXES)[cell])];
    if (isDiagonal(rules) && row === column) numbers.push(27);
    if (isDiagonal(rules) && row + column === 10) numbers.push(28);
    for (const number of numbers) (units[number] ??= []).push(cell);
  }
  return units;
}

/** The peers of each cell, by the rules as JSON: every digit that is written needs them. @type {Map<string, number[][]>} */
const peersByRules = new Map();

/** Return the peers of each cell: the cells that must hold other digits. @param {Rules} [rules] */
export function peersOf(rules = CLASSIC) {
  const key = JSON.stringify(rules);
  const known = peersByRules.get(key);
  if (known) return known;
  const units = [...Object.values(unitsOf(rules)), ...(rules.cages ?? []).map(({ cells }) => cells)];
  const unitsWith = (/** @type {number} */ cell) => units.filter((unit) => unit.includes(cell)).flat();
  const peers = CELLS.map((cell) => [...new Set(unitsWith(cell))].filter((one) => one !== cell));
  peersByRules.set(key, peers);
  return peers;
}

/** Return the cells with the same digit as a peer, or in a full cage with a wrong sum. @param {string} board @param {Rules} [rules] */
export function clashesOf(board, rules = CLASSIC) {
  const sumOf = (/** @type {number[]} */ cells) => cells.reduce((sum, cell) => sum + Number(board[cell]), 0);
  const isFull = (/** @type {number[]} */ cells) => cells.every((cell) => board[cell] !== "0");
  const wrong = (rules.cages ?? []).filter(({ sum, cells }) => isFull(cells) && sumOf(cells) !== sum);
  const inWrong = new Set(wrong.flatMap(({ cells }) => cells));
  return peersOf(rules).flatMap((peers, cell) =>
    board[cell] !== "0" && (inWrong.has(cell) || peers.some((peer) => board[peer] === board[cell])) ? [cell] : [],
  );
}

/** @param {string} board @param {[number, number][]} placements cells and digits to fill in */
export const filledWith = (board, placements) =>
  CELLS.map((cell) => placements.find(([one]) => one === cell)?.[1] ?? board[cell]).join("");

/** @param {string} board @param {(cell: number, digit: string) => unknown} isLeftOut whether the digit of a cell becomes blank */
export const without = (board, isLeftOut) =>
  [...board].map((digit, cell) => (isLeftOut(cell, digit) ? "0" : digit)).join("");

/** Count the blank cells. @param {string} board */
export const blanksOf = (board) => board.split("0").length - 1;
