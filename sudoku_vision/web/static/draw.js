// @ts-check
/**
 * What is drawn on a grid, as SVG: the same shapes that the command line inks into pixels.
 *
 * Everything here is pure: shapes in, descriptions of SVG elements out. A drawing has layers, as a highlighter is
 * laid over the picture by multiplication, ink is not, and paper that hides what is there lies below both.
 */
import { bordersOf, diagonalsOf } from "./board.js";
import {
  affineAt,
  affineBack,
  borderEnds,
  cellAffine,
  cellCorners,
  gridBorder,
  gridCorners,
  homographyOfSquare,
  latticePoint,
  meanSide,
  project,
} from "./geometry.js";
import { channels, tagged } from "./tag.js";

/** @typedef {import("./types.js").Shape} Shape */
/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Crossings} Crossings */
/** @typedef {{width: number, paths: Object<string, Point[]>}} PenPaths */
/** @typedef {{tag: string, set: Object<string, string | number>, inside?: Node[], text?: string}} Node */
/** @typedef {Record<typeof LAYERS[number], Node[]>} Drawing */
/**
 * What is known of the photo below a drawing.
 * @typedef {object} Paper
 * @property {(cell: number) => string} colourOf the colour of the paper in a cell
 * @property {(cell: number, strength: number) => string} coverOf the address of a picture that covers its ink
 * @property {[number, number]} size of the photo, in pixels
 */

/** The numbers of overlay/ink.py, so that both pictures look alike. Lengths in cells, unless said. */
const HALO = { width: 0.075, strength: 0.92 };
const HOLLOW = { edge: 0.42, wider: 1.3, thinnest: 0.65 /* pixels */, from: 22 /* pixels to a cell */ };
const DARK_STRENGTH = 0.4;
const THINNEST_PEN = 0.55; /* radius in pixels */
const SMALLEST = 0.1;
/** Of every line: its ends and corners are round. */
const PEN = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };

/** What lies over the photo, from the lowest: paper over its ink, highlighters on light and on dark paper, ink. */
export const LAYERS = /** @type {const} */ (["cover", "multiply", "screen", "ink"]);

/** Return an empty drawing. */
export const nothingDrawn = () => drawnTogether([]);

/**
 * Return the drawing of shapes on one grid.
 * @param {Shape[]} shapes in painting order @param {Crossings} crossings @param {PenPaths} pens
 * @param {Paper} paper @returns {Drawing}
 */
export function drawShapes(shapes, crossings, pens, paper) {
  const drawing = nothingDrawn();
  const cellSize = meanSide(gridCorners(crossings)) / 9;
  for (const shape of shapes) {
    if (shape.shape === "wash") {
      drawing[shape.dark ? "screen" : "multiply"].push(washed(shape, crossings));
    } else if (shape.shape === "fade") {
      drawing.cover.push(...faded(shape, crossings, paper));
    } else if (shape.shape === "tag") {
      drawing.ink.push(tagged(shape, crossings, cellSize, paper.size));
    } else if (shape.shape === "line") {
      drawing.ink.push(lined(shape, crossings, cellSize));
    } else {
      const { rim, digit } = inked(shape, crossings, pens, paper, cellSize >= HOLLOW.from);
      drawing.cover.push(...rim);
      drawing.ink.push(digit);
    }
  }
  return drawing;
}

/** Put drawings over one another. @param {Drawing[]} drawings @returns {Drawing} */
export const drawnTogether = (drawings) =>
  /** @type {Drawing} */ (
    Object.fromEntries(LAYERS.map((name) => [name, drawings.flatMap((one) => one[name])]))
  );

/**
 * Return the lines of a grid: shaded diagonals, thin lines, and thick ones about it and between its regions.
 * @param {Crossings} crossings @param {string} name @param {import("./types.js").Rules} [rules] @returns {Node[]}
 */
export function gridLines(crossings, name, rules) {
  const columns = crossings.map((_, at) => crossings.map((row) => row[at]));
  const thin = [...crossings, ...columns].map((points) => pathThrough(points, false));
  const thick = bordersOf(rules).map((one) => pathThrough(borderEnds(crossings, one), false));
  const paths = [
    [`${name} shaded`, ...diagonalsOf(rules).map((cell) => pathThrough(cellCorners(crossings, cell), true))],
    [name, ...thin],
    [`${name} thick`, pathThrough(gridBorder(crossings), true), ...thick],
  ];
  return paths.map(([look, ...parts]) => ({ tag: "path", set: { d: parts.join(""), class: look } }));
}

/** @param {Point[]} points @param {boolean} closed */
const pathThrough = (points, closed) =>
  `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}${closed ? "Z" : ""}`;

/** @param {number} value */
const round = (value) => Math.round(value * 1000) / 1000;

/**
 * A highlighter's cells in one path, so that no seam shows between them.
 * @param {import("./types.js").WashShape} shape @param {Crossings} crossings @returns {Node}
 */
function washed(shape, crossings) {
  const d = shape.cells.map((cell) => pathThrough(cellCorners(crossings, cell), true)).join("");
  return { tag: "path", set: { d, fill: washColour(shape.colour, shape.strength, shape.dark) } };
}

/**
 * Return what a highlighter multiplies light paper by, or screens dark paper with.
 * @param {string} colour @param {number} strength @param {boolean} dark
 */
function washColour(colour, strength, dark) {
  const laid = channels(colour).map((value) =>
    dark ? strength * DARK_STRENGTH * value : 255 - strength * (255 - value),
  );
  return `rgb(${laid.map(Math.round).join(",")})`;
}

/**
 * Paper over the ink of a cell, as a picture of it in the place of the cell.
 * @param {import("./types.js").FadeShape} shape @param {Crossings} crossings @param {Paper} paper
 * @returns {Node[]}
 */
function faded(shape, crossings, paper) {
  const href = paper.coverOf(shape.cell, shape.strength);
  if (!href) return [];
  const matrix = cellAffine(crossings, shape.cell).map(round).join(" "); // as the picture was taken
  const set = { href, x: 0, y: 0, width: 1, height: 1, transform: `matrix(${matrix})`, class: "cover" };
  return [{ tag: "image", set }];
}

/**
 * @param {import("./types.js").LineShape} shape @param {Crossings} crossings @param {number} cellSize
 * @returns {Node}
 */
function lined(shape, crossings, cellSize) {
  const points = shape.points.map((place) => latticePoint(crossings, place));
  const width = Math.max(1, round(shape.width * cellSize));
  const d = pathThrough(points, shape.closed);
  return { tag: "path", set: { d, ...PEN, stroke: shape.colour, "stroke-width": width, pathLength: 1 } };
}

/**
 * Return a digit, and the rim of paper round it. The pen's path runs through the cell's own perspective;
 * the pen is an ellipse, as its affine map near the digit makes it.
 * @param {import("./types.js").DigitShape} shape @param {Crossings} crossings @param {PenPaths} pens
 * @param {Paper} paper @param {boolean} roomy whether there is room for hollow strokes
 * @returns {{rim: Node[], digit: Node}}
 */
function inked(shape, crossings, pens, paper, roomy) {
  const corners = cellCorners(crossings, shape.cell);
  const scale = Math.max(shape.height - shape.weight, SMALLEST);
  const pixel = 1 / Math.max(meanSide(corners), 1e-6);
  const radius = Math.max(shape.weight / 2, THINNEST_PEN * pixel);
  const map = homographyOfSquare(corners);
  const affine = affineAt(map, shape.middle);
  const points = pens.paths[String(shape.digit)].map(([x, y]) =>
    affineBack(
      affine,
      project(map, [shape.middle[0] + scale * (x - pens.width / 2), shape.middle[1] + scale * (y - 0.5)]),
    ),
  );
  const d = pathThrough(points, false);
  /** @type {(width: number, stroke: string, more?: Object<string, string | number>) => Node} */
  const stroke = (width, colour, more = {}) => ({
    tag: "path",
    set: { d, ...PEN, stroke: colour, "stroke-width": round(width), ...more },
  });
  const transform = `matrix(${affine.map(round).join(" ")})`;
  const inside = [];
  const ground = shape.ground ?? (shape.halo ? paper.colourOf(shape.cell) : "");
  if (shape.hollow && roomy) {
    // The two edges of a stroke: a wide one, with a narrower one of the ground in it.
    const edge = Math.max(HOLLOW.edge * radius, HOLLOW.thinnest * pixel);
    const middle = HOLLOW.wider * radius;
    inside.push(stroke(2 * (middle + edge), shape.colour), stroke(2 * Math.max(middle - edge, 0), ground));
  } else {
    inside.push(stroke(2 * radius, shape.colour, { class: "pen" }));
  }
  const rim = { transform, "stroke-opacity": HALO.strength };
  return {
    rim: shape.halo ? [stroke(2 * (radius + HALO.width), ground, rim)] : [],
    digit: { tag: "g", set: { transform, "data-cell": shape.cell, "data-digit": shape.digit }, inside },
  };
}

/** @typedef {Omit<import("./types.js").Look, "ink" | "paper" | "dark">} DigitLook */

/** Return the shape of a digit. @param {number} cell @param {number} digit @param {DigitLook} look @param {boolean} halo @returns {Shape} */
export const digitShape = (cell, digit, { hollow, ground, ...look }, halo) => {
  return { shape: "digit", cell, digit, ...look, hollow, halo: halo || hollow, ground: hollow ? ground : null };
};

/**
 * Return the shapes of digits in cells, written as the answers of a grid are.
 * @param {string} board 81 digits, 0 for none @param {DigitLook} look
 * @param {(cell: number) => boolean} isOverMarks @returns {Shape[]}
 */
export function digitShapes(board, look, isOverMarks) {
  return [...board].flatMap((text, cell) => {
    if (text === "0") return [];
    const halo = isOverMarks(cell);
    const digit = digitShape(cell, Number(text), look, halo);
    return halo ? [{ shape: "fade", cell, strength: 1 }, digit] : [digit];
  });
}
