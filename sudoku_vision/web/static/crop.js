// @ts-check
/** Pieces of the photo on small canvases: a cell set straight, and the colour of its paper. */
import { cellAffine } from "./geometry.js";
import { coverInk } from "./paper.js";

/** @typedef {import("./types.js").Point} Point */
/** @typedef {{image: HTMLImageElement | HTMLCanvasElement | ImageBitmap, size: [number, number]}} Picture `size` as the service read it */

/** Side in pixels of the patch that a cell's paper is measured on, and what is left out of it on each side. */
const PATCH = 16;
const INSET = 0.12;
/** The same of the patch on which ink is covered. */
const COVER = 48;

/**
 * Draw a cell of the photo, set straight, onto a canvas; *margin* in cells shows what lies round it.
 * @param {HTMLCanvasElement} canvas @param {Picture} picture
 * @param {import("./types.js").Crossings} crossings @param {number} cell @param {number} margin
 */
export function drawCell(canvas, { image, size }, crossings, cell, margin) {
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen || (image instanceof HTMLImageElement && !image.naturalWidth)) return;
  const scale = canvas.width / (1 + 2 * margin);
  const place = new DOMMatrix(cellAffine(crossings, cell)).inverse().translate(-0.5, -0.5);
  pen.setTransform(new DOMMatrix().scale(scale).translate(margin, margin).multiply(place));
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, size[0], size[1]);
}

/** What was measured, as long as the crossings of its grid are known. @type {WeakMap<object, Map<string, string>>} */
const measured = new WeakMap();

/**
 * Return what is known of the paper of a grid in the photo: each cell is measured once.
 * @param {Picture} picture @param {import("./types.js").Crossings} crossings
 * @param {string} usual colour, where it can't be measured @returns {import("./draw.js").Paper}
 */
export function paperOf(picture, crossings, usual) {
  const known = measured.get(crossings) ?? new Map();
  measured.set(crossings, known);
  const once = (/** @type {string} */ key, /** @type {() => string} */ measure) => {
    if (!known.get(key)) known.set(key, measure());
    return known.get(key) ?? "";
  };
  return {
    colourOf: (cell) => once(`${cell}`, () => paperColour(picture, crossings, cell)) || usual,
    coverOf: (cell, strength) =>
      once(`${cell} ${strength}`, () => coverOf(picture, crossings, cell, strength)),
    size: picture.size,
  };
}

/** @param {Picture} picture @param {import("./types.js").Crossings} crossings @param {number} cell @param {number} side @param {number} margin */
function cellPatch(picture, crossings, cell, side, margin) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  drawCell(canvas, picture, crossings, cell, margin);
  return canvas.getContext("2d");
}

/**
 * Return the address of a picture of a cell that shows paper where there is ink, and nothing elsewhere.
 * @param {Picture} picture @param {import("./types.js").Crossings} crossings @param {number} cell
 * @param {number} strength
 */
function coverOf(picture, crossings, cell, strength) {
  const pen = cellPatch(picture, crossings, cell, COVER, 0);
  const patch = pen?.getImageData(0, 0, COVER, COVER);
  if (!pen || !patch || !patch.data[(4 * COVER * (COVER + 1)) / 2 + 3]) return "";
  coverInk(patch.data, COVER, strength);
  pen.putImageData(patch, 0, 0);
  return pen.canvas.toDataURL();
}

/**
 * Return the colour of the paper in a cell: the median of its pixels, as most of it is paper; "" where none are there.
 * @param {Picture} picture @param {import("./types.js").Crossings} crossings @param {number} cell
 */
function paperColour(picture, crossings, cell) {
  const data = cellPatch(picture, crossings, cell, PATCH, -INSET)?.getImageData(0, 0, PATCH, PATCH).data;
  if (!data?.[3]) return "";
  const middle = [0, 1, 2].map((channel) => {
    const values = data.filter((_, at) => at % 4 === channel).sort();
    return values[values.length / 2];
  });
  return `#${middle.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
