// @ts-check
/**
 * Drawings over a picture, as SVG. They are made of shapes, in pixels of the picture: of the answers, which the service
 * sends, and of a person's own digits (scene.js).
 *
 * A drawing has layers. The lowest layer is paper that covers ink of the picture. Highlighters lie over the paper: the
 * picture is multiplied by their colour. Ink is the top layer.
 */
/** @import { InkCover, Paper, Point, Shape, TagShape } from "./types.js" */
import { penPaths } from "./api.js";
import { CELLS, placeOf } from "./board.js";
import { byId, svg } from "./dom.js";
import { hasText, t } from "./language.js";

/** @typedef {Record<typeof LAYERS[number], SVGElement[]>} Drawing */

/** The layers over a picture, from the lowest to the top: paper, highlighters for light and for dark paper, ink. */
export const LAYERS = /** @type {const} */ (["cover", "multiply", "screen", "ink"]);

const PEN = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };

/** The path of each digit, as SVG writes it, by its name. It is 1 high, and its middle is at (0, 0). @type {Object<string, string> | null} */
let pens = null;

/** Ask the service for the paths of the digits, unless they are known. */
export const learnPens = async () => (pens ??= await penPaths());

/**
 * @param {Shape[]} shapes the lowest first @param {Object<number, InkCover>} [covers] by cell
 * @param {string} [paper] the colour of the paper in cells that have no cover @returns {Drawing}
 */
export function drawShapes(shapes, covers = {}, paper = "#ffffff") {
  /** @type {Drawing} */
  const drawing = { cover: [], multiply: [], screen: [], ink: [] };
  for (const shape of shapes) {
    if (shape.shape === "line") {
      const { points, width, colour, closed } = shape;
      const look = { ...PEN, stroke: colour, "stroke-width": width, pathLength: 1 };
      drawing.ink.push(svg("path", { d: pathThrough(points, closed), ...look }));
    } else if (shape.shape === "area") {
      // One path for all cells, so that no seam shows between them.
      const d = shape.polygons.map((points) => pathThrough(points, true)).join("");
      drawing[shape.blend].push(svg("path", { d, fill: shape.colour }));
    } else if (shape.shape === "cover") {
      if (covers[shape.cell]) drawing.cover.push(covered(covers[shape.cell], shape.strength));
    } else if (shape.shape === "tag") {
      drawing.ink.push(tagged(shape));
    } else {
      const { cell, digit, strokes } = shape;
      const transform = `matrix(${shape.matrix.join(" ")})`;
      const paths = strokes.map(([pen, width, colour, opacity]) => {
        const stroke = colour ?? covers[cell]?.paper ?? paper;
        return svg("path", { d: pens?.[pen] ?? "", ...PEN, stroke, "stroke-width": width, "stroke-opacity": opacity });
      });
      const rims = paths.filter((_, at) => strokes[at][3] < 1);
      for (const rim of rims) rim.setAttribute("transform", transform);
      drawing.cover.push(...rims);
      const set = { transform, "data-cell": cell, "data-digit": digit };
      drawing.ink.push(svg("g", set, ...paths.filter((path) => !rims.includes(path))));
    }
  }
  return drawing;
}

/** Return a patch of paper that covers the ink of a cell. @param {InkCover} cover @param {number} opacity */
function covered({ href, box: [x, y, width, height] }, opacity) {
  return svg("image", { href, x, y, width, height, opacity, preserveAspectRatio: "none" });
}

/** Return the tag at the frame of a grid, with its words in the language of the page. @param {TagShape} shape */
function tagged({ status, colour, ink, matrix, width, height, em }) {
  const key = `tag.${status}`;
  const words = hasText(key) ? t(key) : status;
  const rim = 0.06 * height;
  const patch = { x: -rim / 2, y: -rim / 2, width: width + rim, height: height + rim };
  const text = {
    x: width / 2,
    y: height / 2 + 0.358 * em, // half the height of a capital letter
    fill: ink,
    "text-anchor": "middle",
    "font-size": em,
    "font-weight": 700,
    "font-family": "Arimo, Arial, Helvetica, sans-serif",
    textLength: Math.min(0.53 * em * words.length, width - 0.5 * height),
    lengthAdjust: "spacingAndGlyphs",
  };
  return svg(
    "g",
    { transform: `matrix(${matrix.join(" ")})`, class: "tag", "data-status": status },
    svg("rect", { ...patch, fill: colour, stroke: ink, "stroke-width": rim }),
    svg("text", text, words),
  );
}

/** Show drawings in the layers whose ids begin with *place*. @param {string} place @param {Drawing[]} drawings */
export function drawInto(place, drawings) {
  for (const name of LAYERS)
    byId(`${place}-${name}`).replaceChildren(...drawings.flatMap((drawing) => drawing[name]));
}

/** Set the size of the picture behind these layers, in pixels. @param {string} place @param {[number, number]} size */
export function measureLayers(place, [width, height]) {
  for (const name of LAYERS) byId(`${place}-${name}`).setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
}

/** Return the lines of a board as an element. @param {string} lines as SVG, from the service */
export const linesOf = (lines) => document.createRange().createContextualFragment(lines);

/**
 * Return a drawing of a board, black on white unless style sheets change it.
 * @param {Paper} paper @param {string} lines those of the board, as SVG @param {number} margin in cells
 */
export function plainBoard({ puzzle, written, marks, rules }, lines, margin) {
  const text = (/** @type {string} */ digit, /** @type {Point} */ [x, y], /** @type {number} */ height, look = {}) => {
    const place = { x, y: y + height / 2, "text-anchor": "middle", "font-size": height / 0.716 }; // capital letters
    return svg("text", { ...place, stroke: "none", "font-family": "Arimo, Arial, sans-serif", ...look }, digit);
  };
  const [clue, own] = [{ fill: "#000", "font-weight": 700 }, { fill: "#5f5f5f", class: "own" }];
  const digits = CELLS.flatMap((cell) => {
    const [x, y] = [placeOf(cell).column - 0.5, placeOf(cell).row - 0.5];
    if (puzzle[cell] !== "0") return [text(puzzle[cell], [x, y], 0.54, clue)];
    if (written[cell] !== "0") return [text(written[cell], [x, y], 0.54, own)];
    return [...(marks[cell] ?? "")].map((mark) => {
      const [across, down] = [(Number(mark) - 1) % 3, Math.floor((Number(mark) - 1) / 3)];
      const below = rules?.cages ? 0.075 + 0.21 * (down - 1) : 0.28 * (down - 1); // below the sums of a killer
      return text(mark, [x + 0.28 * (across - 1), y + below], 0.18, own);
    });
  });
  const side = 9 + 2 * margin;
  const sheet = { x: -margin, y: -margin, width: side, height: side, fill: "#fff", stroke: "none" };
  const box = `${-margin} ${-margin} ${side} ${side}`;
  const set = { viewBox: box, "aria-hidden": "true" };
  const drawing = svg("svg", set, svg("rect", sheet), ...digits);
  drawing.append(linesOf(lines));
  return drawing;
}

/** Return a drawing as a data: address of a picture; *size* is in pixels. @param {Element} drawing @param {[number, number]} size */
export function addressOf(drawing, [width, height]) {
  const copy = /** @type {Element} */ (drawing.cloneNode(true));
  for (const [side, pixels] of Object.entries({ width, height })) copy.setAttribute(side, String(pixels));
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
}

/** @param {Point[]} points @param {boolean} closed */
export const pathThrough = (points, closed) =>
  `M${points.map((point) => point.map((value) => value.toFixed(2)).join(" ")).join("L")}${closed ? "Z" : ""}`;
