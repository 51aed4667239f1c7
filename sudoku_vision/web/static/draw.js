/**
 * Drawings over a picture, as SVG, made of shapes in pixels of the picture. The service sends the shapes of answers. The page
 * makes those of a person's own digits (scene.js). The lowest layer of a drawing is paper that covers ink of the picture. Over
 * it lie highlighters, whose colours are blended with the picture. The top layer is ink.
 */
import { CELLS, CLASSIC, placeOf } from "./board.js";
import { byId, svg } from "./dom.js";
import { t } from "./language.js";

/** The layers over a picture, from the lowest to the top: paper, highlighters for light and for dark paper, ink. */
export const LAYERS = /** @type {const} */ (["cover", "multiply", "screen", "ink"]);

for (const [place, picture] of [["layer", "photo"], ["camera", "camera-picture"]])
  byId(picture).after(...LAYERS.map((name) => svg("svg", { id: `${place}-${name}`, class: `layer ${name}`, "aria-hidden": "true" })));

/**
 * @param {Shape[]} shapes the lowest first @param {Object<number, InkCover>} [covers] by cell
 * @param {string} [paper] the colour of the paper in cells that have no cover @returns {Drawing}
 */
export function drawShapes(shapes, covers = {}, paper = "#ffffff") {
  const drawn = (/** @type {Shape} */ { cell = -1, svg: text }) => {
    const { svg: cover, paper: behind } = covers[cell] ?? { svg: "", paper };
    const known = /** @type {Object<string, string>} */ ({ cover, paper: behind });
    return text.replace(/\{([\w.]+)\}/g, (_, name) => known[name] ?? t(name));
  };
  const layers = LAYERS.map((name) => [name, shapes.filter(({ layer }) => layer === name).map(drawn).join("")]);
  return Object.fromEntries(layers);
}

/** Show drawings in the layers whose ids begin with *place*. @param {string} place @param {Drawing[]} drawings */
export function drawInto(place, drawings) {
  const set = 'fill="none" stroke-linecap="round" stroke-linejoin="round"';
  for (const name of LAYERS)
    byId(`${place}-${name}`).innerHTML = drawings.map((drawing) => `<g ${set}>${drawing[name]}</g>`).join("");
}

/** Fit the layers whose ids begin with *place* to the picture behind them. @param {string} place @param {[number, number]} size in pixels */
export function measureLayers(place, [width, height]) {
  for (const layer of document.querySelectorAll(`.layer[id^=${place}-]`))
    layer.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
}

/** The height of capital letters and digits, as a share of the size of their font. */
export const CAPITALS = 0.716;
/** Height of a note at its usual place, and height of a note in the middle of a cell, both in cells. */
const [SMALL, CENTRE] = [0.198, 0.27];
const CENTRE_ROOM = 4; // if there are more notes than this in the middle of a cell, these notes are smaller
const ADVANCE = 0.78; // the distance from one digit of a line to the next, as a share of their height

/**
 * Return the notes of a cell with their places, in three rows and columns. In a killer, rows and columns leave room for sums. If
 * there are notes in the middle (*centre*), all other notes stand in a line above the notes in the middle.
 * @param {string} notes @param {string} centre @param {Rules} rules @returns {Note[]}
 */
export function notesIn(notes, centre, { cages }) {
  if (centre) return [...inLine(notes, SMALL, 0.16), ...inLine(centre, CENTRE * Math.min(1, CENTRE_ROOM / centre.length), 0.52)];
  return [...notes].map(Number).map((digit) => {
    const [x, y] = [0.2 + 0.3 * ((digit - 1) % 3), 0.2 + 0.3 * Math.floor((digit - 1) / 3)];
    return { digit, height: (cages ? 0.75 : 1) * SMALL, middle: [x, cages ? 0.26 + 0.7 * y : y] };
  });
}

/** Place digits in a line across a cell. @param {string} digits @param {number} height @param {number} y @returns {Note[]} */
function inLine(digits, height, y) {
  const advance = Math.min(ADVANCE * height, 0.9 / digits.length);
  const xOf = (/** @type {number} */ at) => 0.5 + (at - (digits.length - 1) / 2) * advance;
  return [...digits].map((digit, at) => ({ digit: Number(digit), height, middle: [xOf(at), y] }));
}

/** Return the lines of a board as an element. @param {string} lines as SVG, from the service */
export const linesOf = (lines) => document.createRange().createContextualFragment(lines);

/**
 * Return a drawing of a board, black on white unless style sheets change it.
 * @param {Paper & {centre?: string[]}} paper @param {string} lines the lines of the board, as SVG @param {number} margin in cells
 */
export function plainBoard({ puzzle, written, marks, centre = [], rules = CLASSIC }, lines, margin) {
  const text = (/** @type {string} */ digit, /** @type {Point} */ [x, y], /** @type {number} */ height, look = {}) => {
    const place = { x, y: y + height / 2, "text-anchor": "middle", "font-size": height / CAPITALS };
    return svg("text", { ...place, stroke: "none", "font-family": "Arimo, Arial, sans-serif", ...look }, digit);
  };
  const [clue, own] = [{ fill: "#000", "font-weight": 700 }, { fill: "#5f5f5f", class: "own" }];
  const digits = CELLS.flatMap((cell) => {
    const [x, y] = [placeOf(cell).column - 0.5, placeOf(cell).row - 0.5];
    if (puzzle[cell] !== "0") return [text(puzzle[cell], [x, y], 0.54, clue)];
    if (written[cell] !== "0") return [text(written[cell], [x, y], 0.54, own)];
    return notesIn(marks[cell] ?? "", centre[cell] ?? "", rules).map(({ digit, height, middle: [u, v] }) =>
      text(String(digit), [x - 0.5 + u, y - 0.5 + v], height, own),
    );
  });
  const side = 9 + 2 * margin;
  const sheet = { x: -margin, y: -margin, width: side, height: side, fill: "#fff", stroke: "none" };
  const set = { viewBox: `${-margin} ${-margin} ${side} ${side}`, "aria-hidden": "true" };
  const drawing = svg("svg", set, svg("rect", sheet));
  drawing.append(linesOf(lines), ...digits); // the grey of diagonals lies below the digits
  return drawing;
}

/** Return a drawing as a data: address of a picture; *size* is in pixels. @param {Element} drawing @param {[number, number]} size */
export function addressOf(drawing, [width, height]) {
  const copy = /** @type {Element} */ (drawing.cloneNode(true));
  for (const [side, pixels] of Object.entries({ width, height })) copy.setAttribute(side, String(pixels));
  copy.prepend(byId("pens").cloneNode(true));
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
}

/** @param {Point[]} points @param {boolean} closed */
export const pathThrough = (points, closed) =>
  `M${points.map((point) => point.map((value) => value.toFixed(2)).join(" ")).join("L")}${closed ? "Z" : ""}`;
