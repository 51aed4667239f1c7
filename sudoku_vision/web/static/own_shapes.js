// @ts-check
/** What is drawn into the photo of a person's own: entries and notes in their pen, and the signs on them. */
import { digitShapes } from "./draw.js";

/** @typedef {import("./types.js").Shape} Shape */
/** @typedef {import("./session.js").GridSession} GridSession */

/** The person's pen on light and on dark paper: neither that of the answers, nor the warm one of doubts. */
const PEN = { light: "#6a1bb0", dark: "#dcb8ff" };
const RED = { light: "#c81414", dark: "#ff8f8f" };
/** Highlighters, and how strong they are. */
const CLASH = { colour: "#ff3b30", strength: 0.38 };
const LOOK_HERE = { colour: "#ffd400", strength: 0.5 };
/** Lengths in cells. */
const NOTE = { height: 0.23, weight: 0.032 };
const LINE = 0.055;
const RADIUS = 0.4;

/** @param {GridSession} one */
const paperKind = ({ view }) => (view.look.dark ? "dark" : "light");

/**
 * Return the shapes of entries, and of notes where *isFree*.
 * @param {GridSession} one @param {string} entries 81 digits @param {(cell: number) => boolean} isFree @returns {Shape[]}
 */
export function ownShapes(one, entries, isFree) {
  const { grid, view, now, notes } = one;
  const look = { ...view.look, colour: PEN[paperKind(one)], hollow: false };
  const isOverInk = (/** @type {number} */ cell) => Boolean(grid.marks[cell]) || grid.written[cell] !== "0";
  const noted = Object.keys(now.notes).map(Number).filter(isFree);
  return [
    ...digitShapes(entries, look, isOverInk),
    ...noted.flatMap((cell) => [
      .../** @type {Shape[]} */ (isOverInk(cell) ? [{ shape: "fade", cell, strength: 1 }] : []),
      ...[...notes[cell]].map((digit) => noteShape(cell, Number(digit), look.colour)),
    ]),
  ];
}

/** @param {number} cell @param {number} digit @param {string} colour @returns {Shape} */
const noteShape = (cell, digit, colour) => ({
  shape: "digit",
  cell,
  digit,
  ...NOTE,
  middle: [0.2 + 0.3 * ((digit - 1) % 3), 0.2 + 0.3 * Math.floor((digit - 1) / 3)],
  colour,
  hollow: false,
  halo: false,
  ground: null,
});

/** Highlight cells that contradict one another. @param {GridSession} one @param {number[]} cells @returns {Shape[]} */
export const clashShapes = (one, cells) => washed(one, cells, CLASH);

/** Highlight cells that a person is to look at. @param {GridSession} one @param {number[]} cells @returns {Shape[]} */
export const lookShapes = (one, cells) => washed(one, cells, LOOK_HERE);

/** @param {GridSession} one @param {number[]} cells @param {{colour: string, strength: number}} pen @returns {Shape[]} */
const washed = ({ view }, cells, pen) =>
  cells.length ? [{ shape: "wash", cells, ...pen, dark: view.look.dark }] : [];

/** Ring cells whose entries are wrong. @param {GridSession} one @param {Iterable<number>} cells @returns {Shape[]} */
export const wrongShapes = (one, cells) =>
  [...cells].map((cell) => {
    const [row, column] = [Math.floor(cell / 9), cell % 9];
    const points = Array.from({ length: 30 }, (_, at) => {
      const turn = (at * Math.PI) / 15;
      return /** @type {import("./types.js").Point} */ ([
        column + 0.5 + RADIUS * Math.cos(turn),
        row + 0.5 + RADIUS * Math.sin(turn),
      ]);
    });
    return { shape: "line", points, width: LINE, colour: RED[paperKind(one)], closed: true };
  });

/** The frame that is drawn round a puzzle when it is done. @param {GridSession} one @returns {Shape[]} */
export const finishShapes = (one) => [
  {
    shape: "line",
    points: [
      [0, 0],
      [9, 0],
      [9, 9],
      [0, 9],
    ],
    width: 0.14,
    colour: PEN[paperKind(one)],
    closed: true,
  },
];
