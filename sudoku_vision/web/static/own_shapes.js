// @ts-check
/** What is drawn into the photo of a person's own: entries and notes in their pen, and the signs on them. */
import { CELLS } from "./board.js";
import { digitShape, digitShapes } from "./draw.js";

/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Shape} Shape */
/** @typedef {import("./session.js").GridSession} GridSession */

/** The person's pen on light and on dark paper, neither that of the answers nor the warm one of doubts. */
const PEN = { light: "#6a1bb0", dark: "#dcb8ff" };
/** The pen beside violet answers, as they are where somebody wrote in blue. */
const OTHER = { pen: "#00707a", beside: "#6e14aa" };
const RED = { light: "#c81414", dark: "#ff8f8f" };
/** Highlighters, and how strong they are. */
const CLASH = { colour: "#ff3b30", strength: 0.38 };
const LOOK_HERE = { colour: "#ffd400", strength: 0.5 };
/** Lengths in cells. */
const NOTE = { height: 0.23, weight: 0.032 };

/** @param {GridSession} one */
const paperKind = ({ view }) => (view.look.dark ? "dark" : "light");

/** @param {GridSession} one */
const penOf = (one) => (one.view.look.colour === OTHER.beside ? OTHER.pen : PEN[paperKind(one)]);

/**
 * Return the shapes of entries, and of notes where *isFree*, but for those that *drawn* shapes show in their places.
 * @param {GridSession} one @param {string} entries 81 digits @param {Shape[]} drawn @param {(cell: number) => boolean} isFree
 * @returns {Shape[]}
 */
export function ownShapes(one, entries, drawn, isFree) {
  const { grid, view, now, notes } = one;
  const look = { ...view.look, colour: penOf(one), hollow: false };
  const isOverInk = (/** @type {number} */ cell) => Boolean(grid.marks[cell]) || grid.written[cell] !== "0";
  const isDrawn = (/** @type {number} */ cell, /** @type {string} */ digit) =>
    drawn.some((shape) => shape.shape === "digit" && shape.cell === cell && shape.digit === Number(digit));
  const noted = CELLS.filter((cell) => cell in now.notes && isFree(cell) && entries[cell] === "0");
  return [
    ...digitShapes(entries, look, isOverInk),
    ...noted.flatMap((cell) => [
      .../** @type {Shape[]} */ (isOverInk(cell) ? [{ shape: "fade", cell, strength: 1 }] : []),
      ...[...notes[cell]].flatMap((digit) =>
        isDrawn(cell, digit) ? [] : noteShape(cell, Number(digit), look.colour),
      ),
    ]),
  ];
}

/** @param {number} cell @param {number} digit @param {string} colour */
function noteShape(cell, digit, colour) {
  const middle = /** @type {Point} */ ([(digit - 1) % 3, Math.floor((digit - 1) / 3)].map((at) => 0.2 + 0.3 * at));
  return digitShape(cell, digit, { ...NOTE, middle, colour, hollow: false, ground: "" }, false);
}

/** Highlight cells that contradict one another. @param {GridSession} one @param {number[]} cells @returns {Shape[]} */
export const clashShapes = (one, cells) => washed(one, cells, CLASH);

/** Highlight cells that a person is to look at. @param {GridSession} one @param {number[]} cells @returns {Shape[]} */
export const lookShapes = (one, cells) => washed(one, cells, LOOK_HERE);

/** @param {GridSession} one @param {number[]} cells @param {{colour: string, strength: number}} pen @returns {Shape[]} */
const washed = ({ view }, cells, pen) =>
  cells.length ? [{ shape: "wash", cells, ...pen, dark: view.look.dark }] : [];

/** @param {Point[]} points @param {number} width @param {string} colour @param {boolean} closed @returns {Shape} */
const line = (points, width, colour, closed) => ({ shape: "line", points, width, colour, closed });

/** Strike entries out that are wrong. @param {GridSession} one @param {number[]} cells @returns {Shape[]} */
export const wrongShapes = (one, cells) =>
  cells.map((cell) => {
    const [u, v] = [cell % 9, Math.floor(cell / 9)];
    return line([[u + 0.15, v + 0.85], [u + 0.85, v + 0.15]], 0.055, RED[paperKind(one)], false);
  });

/** The frame that is drawn round a puzzle when it is done. @param {GridSession} one @returns {Shape[]} */
export const finishShapes = (one) => [line([[0, 0], [9, 0], [9, 9], [0, 9]], 0.14, penOf(one), true)];
