// @ts-check
/** Shapes that don't come from the service: a person's entries, notes and colours, and highlighted cells. */
/** @import { Crossings, DigitShape, GridSession, Look, Point, Rules, Shape } from "./types.js" */
import { CELLS } from "./board.js";
import { cellAffine, cellCorners, gridBorder, gridCorners, meanSide } from "./geometry.js";

/** The colour of entries and notes on light and on dark paper. Answers and doubts have other colours. */
const PEN = { light: "#6a1bb0", dark: "#dcb8ff" };
/** The other colour of entries and notes, for puzzles whose answers are violet (`beside`) because there is blue handwriting. */
const OTHER = { pen: "#00707a", beside: "#6e14aa" };
const RED = { light: "#c81414", dark: "#ff8f8f" };
/** Colours of highlighted cells: light paper is multiplied by them, dark paper is blended with them by "screen". */
export const CLASH = { light: "#ffb5b0", dark: "#270907" };
export const LOOK_HERE = { light: "#ffea80", dark: "#332a00" };
/** How notes are written: their height in cells; for each stroke, its width as a share of that height, and its opacity. */
const NOTE = { height: 0.198, strokes: [[0.16, 1]] };
/** How notes in the middle of a cell are written. */
const CENTRE = { height: 0.27, strokes: [[0.16, 1]] };
/** If there are more notes than this in the middle of a cell, they are smaller. */
const CENTRE_ROOM = 4;
/** The distance from one digit of a line to the next, as a share of their height. */
const ADVANCE = 0.78;
/** The colours of the keys 1 to 9, which a person can give to cells. */
export const COLOURS = ["#ff9f9f", "#ffc58f", "#fbe36d", "#b9e68c", "#8fe0c8", "#9fd0ff", "#bcb4ff", "#f3aee6", "#c9ced6"];
/** The width of the line that strikes an entry out, in cells. */
const STRIKE = 0.055;
/** The width of the frame round a completed puzzle, in cells. */
const FRAME = 0.14;

/** @param {GridSession} one */
const paperKind = ({ view }) => (view.look.dark ? "dark" : "light");

/** @param {GridSession} one */
const penOf = (one) => (one.view.look.colour === OTHER.beside ? OTHER.pen : PEN[paperKind(one)]);

/**
 * @param {Crossings} crossings @param {number} cell @param {number} digit
 * @param {Pick<Look, "height" | "middle" | "strokes">} look @param {string} colour @returns {DigitShape}
 */
function digitShape(crossings, cell, digit, { height, middle: [x, y], strokes }, colour) {
  const [a, b, c, d, e, f] = cellAffine(crossings, cell);
  return {
    shape: "digit",
    cell,
    digit,
    matrix: [a * height, b * height, c * height, d * height, a * x + c * y + e, b * x + d * y + f],
    strokes: strokes.map(([width, strength]) => [`${digit}`, width, strength < 1 ? null : colour, strength]),
  };
}

/**
 * Return the shapes of entries, and of notes in free cells.
 * @param {GridSession} one @param {string} entries 81 digits
 * @param {Shape[]} drawn a note is left out if one of these shapes is its digit in its cell
 * @param {(cell: number) => boolean} isFree @returns {Shape[]}
 */
export function ownShapes(one, entries, drawn, isFree) {
  const { grid, view, now, notes, centre } = one;
  const { crossings, look } = view;
  const colour = penOf(one);
  return CELLS.flatMap((cell) => {
    const isOverInk = grid.marks[cell] || grid.written[cell] !== "0";
    const cover = /** @type {Shape[]} */ (isOverInk ? [{ shape: "cover", cell, strength: 1 }] : []);
    const entry = Number(entries[cell]);
    if (entry) {
      const strokes = isOverInk ? look.strokes : look.strokes.slice(-1);
      return [...cover, digitShape(crossings, cell, entry, { ...look, strokes }, colour)];
    }
    if (!isFree(cell) || !(cell in now.notes || centre[cell])) return [];
    const isDrawn = (/** @type {DigitShape} */ { digit }) =>
      drawn.some((shape) => shape.shape === "digit" && shape.cell === cell && shape.digit === digit);
    const written = (/** @type {string} */ digits, /** @type {(digit: number, at: number) => NotePlace} */ placeOf) =>
      [...digits].map((digit, at) => digitShape(crossings, cell, Number(digit), placeOf(Number(digit), at), colour));
    const raster = centre[cell] ? inLine(notes[cell].length, NOTE, 0.16) : inRaster(one.rules);
    const size = { ...CENTRE, height: CENTRE.height * Math.min(1, CENTRE_ROOM / centre[cell].length) };
    const shapes = [...written(notes[cell], raster), ...written(centre[cell], inLine(centre[cell].length, size, 0.52))];
    return [...cover, ...shapes.filter((shape) => !isDrawn(shape))];
  });
}

/** @typedef {Pick<Look, "height" | "middle" | "strokes">} NotePlace */

/**
 * Return a function for the places of notes in three rows and columns. In a killer, they leave room for sums.
 * @param {Rules} rules @returns {(digit: number) => NotePlace}
 */
const inRaster = ({ cages }) => (digit) => {
  const [x, y] = [0.2 + 0.3 * ((digit - 1) % 3), 0.2 + 0.3 * Math.floor((digit - 1) / 3)];
  return cages ? { ...NOTE, height: 0.75 * NOTE.height, middle: [x, 0.2 + 0.75 * y] } : { ...NOTE, middle: [x, y] };
};

/**
 * Return a function for the places of notes in a line across the cell.
 * @param {number} count @param {Omit<NotePlace, "middle">} size @param {number} y @returns {(digit: number, at: number) => NotePlace}
 */
const inLine = (count, size, y) => {
  const advance = Math.min(ADVANCE * size.height, 0.9 / count);
  return (_, at) => ({ ...size, middle: [0.5 + (at - (count - 1) / 2) * advance, y] });
};

/** @param {GridSession} one */
export const colourShapes = (one) =>
  COLOURS.flatMap((colour, at) => {
    const cells = CELLS.filter((cell) => one.now.colours?.[cell] === String(at + 1));
    return washed(one, cells, { light: colour, dark: `${colour}55` });
  });

/** Highlight cells. @param {GridSession} one @param {number[]} cells @param {typeof CLASH} colours @returns {Shape[]} */
export function washed(one, cells, colours) {
  const polygons = cells.map((cell) => cellCorners(one.view.crossings, cell));
  const blend = one.view.look.dark ? "screen" : "multiply";
  return cells.length ? [{ shape: "area", polygons, colour: colours[paperKind(one)], blend }] : [];
}

/** @param {Crossings} crossings */
const cellSize = (crossings) => meanSide(gridCorners(crossings)) / 9;

/** Strike out entries. @param {GridSession} one @param {number[]} cells @returns {Shape[]} */
export function wrongShapes(one, cells) {
  const { crossings } = one.view;
  const width = STRIKE * cellSize(crossings);
  return cells.map((cell) => {
    const [a, b, c, d, e, f] = cellAffine(crossings, cell);
    const ends = [0.15, 0.85].map((u) => [a * u + c * (1 - u) + e, b * u + d * (1 - u) + f]);
    return { shape: "line", points: /** @type {Point[]} */ (ends), width, colour: RED[paperKind(one)], closed: false };
  });
}

/** Frame a completed puzzle. @param {GridSession} one @returns {Shape[]} */
export function finishShapes(one) {
  const { crossings } = one.view;
  const width = FRAME * cellSize(crossings);
  return [{ shape: "line", points: gridBorder(crossings), width, colour: penOf(one), closed: true }];
}
