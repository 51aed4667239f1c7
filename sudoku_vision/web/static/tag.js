// @ts-check
/** The word that a frame carries, on a patch of its colour, upright as the puzzle is: see overlay/tag.py. */
import { hasText, t } from "./language.js";

/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Crossings} Crossings */
/** @typedef {{corner: Point, along: Point, down: Point, width: number, height: number}} TagPlace */

/** The numbers of overlay/tag.py. Of heights: in cells and in pixels; the rest in heights of the tag. */
const HEIGHT = 0.62;
const NARROW = 0.3;
const SMALLEST = 14;
const LETTERS = 0.72;
const MARGIN = 0.3;
const RIM = 0.06;
/** Between the middle of the frame's line and the tag, in cells: half the line, and a gap. */
const OFF = 0.035 + 0.08;
const BRIGHT = 150;
/** Half the height of a capital, and the mean width of a letter, in em. */
const HALF_CAPITAL = 0.358;
const LETTER = 0.53;

/**
 * Return where a tag lies whose words are so many em wide.
 * @param {Crossings} crossings @param {number} letters @param {number} cell
 * @param {[number, number]} size of the photo @returns {TagPlace}
 */
export function placeTag(crossings, letters, cell, size) {
  const length = Math.hypot(crossings[0][9][0] - crossings[0][0][0], crossings[0][9][1] - crossings[0][0][1]);
  const shape = letters * LETTERS + 2 * MARGIN;
  const most = Math.min(Math.max(length, SMALLEST) / shape, Math.min(...size) / shape);
  /** @type {TagPlace[]} */
  let places = [];
  for (const share of [HEIGHT, NARROW]) {
    const height = Math.min(Math.max(share * cell, SMALLEST), most);
    places = [
      beside(crossings[0], -1, shape * height, height, cell),
      beside(crossings[9], 1, shape * height, height, cell),
    ];
    if (places.some((place) => farthest(shiftOf(place, size)) === 0)) break;
  }
  const [above, below] = places;
  const best = farthest(shiftOf(below, size)) < farthest(shiftOf(above, size)) ? below : above;
  const [x, y] = shiftOf(best, size);
  return { ...best, corner: [best.corner[0] + x, best.corner[1] + y] };
}

/** Return the red, green and blue of a colour, 0..255. @param {string} colour "#rrggbb" */
export const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** @param {Point} shift */
const farthest = ([x, y]) => Math.max(Math.abs(x), Math.abs(y));

/** @param {Point[]} edge @param {number} outwards @param {number} width @param {number} height @param {number} cell @returns {TagPlace} */
function beside(edge, outwards, width, height, cell) {
  const [dx, dy] = [edge[9][0] - edge[0][0], edge[9][1] - edge[0][1]];
  const length = Math.hypot(dx, dy) || 1e-9;
  /** @type {Point} */
  const along = [dx / length, dy / length];
  /** @type {Point} */
  const down = [-along[1], along[0]];
  const bulges = edge.map(([x, y]) => outwards * ((x - edge[0][0]) * down[0] + (y - edge[0][1]) * down[1]));
  const start = outwards * (Math.max(...bulges) + OFF * cell) - (outwards < 0 ? height : 0);
  return { corner: [edge[0][0] + start * down[0], edge[0][1] + start * down[1]], along, down, width, height };
}

/** @param {TagPlace} place @param {[number, number]} size @returns {Point} how far it must be moved to be seen */
function shiftOf({ corner, along, down, width, height }, size) {
  const moves = [0, 1].map((axis) => {
    const ends = [0, width].flatMap((w) =>
      [0, height].map((h) => corner[axis] + w * along[axis] + h * down[axis]),
    );
    return Math.max(-Math.min(...ends), 0) - Math.max(Math.max(...ends) - (size[axis] - 1), 0);
  });
  return [moves[0], moves[1]];
}

/**
 * Return a tag at the frame of a grid, in the language of the page.
 * @param {import("./types.js").TagShape} shape @param {Crossings} crossings @param {number} cell
 * @param {[number, number]} size @returns {import("./draw.js").Node}
 */
export function tagged(shape, crossings, cell, size) {
  const key = `tag.${shape.status}`;
  const words = hasText(key) ? t(key) : shape.words;
  const letters = LETTER * words.length;
  const { corner, along, down, width, height } = placeTag(crossings, letters, cell, size);
  const [red, green, blue] = channels(shape.colour);
  const paint = 0.299 * red + 0.587 * green + 0.114 * blue > BRIGHT ? "#000000" : "#ffffff";
  const rim = RIM * height;
  const em = LETTERS * height;
  const patch = { x: -rim / 2, y: -rim / 2, width: width + rim, height: height + rim };
  const text = {
    x: MARGIN * height,
    y: height / 2 + HALF_CAPITAL * em,
    fill: paint,
    "font-size": em,
    "font-weight": 700,
    "font-family": "Arimo, Arial, Helvetica, sans-serif",
    textLength: letters * em,
    lengthAdjust: "spacingAndGlyphs",
  };
  return {
    tag: "g",
    set: {
      transform: `matrix(${[...along, ...down, ...corner].join(" ")})`,
      class: "tag",
      "data-status": shape.status,
    },
    inside: [
      { tag: "rect", set: { ...patch, fill: shape.colour, stroke: paint, "stroke-width": rim } },
      { tag: "text", set: text, text: words },
    ],
  };
}
