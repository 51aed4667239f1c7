/** The photo. Over it lie drawings, the cells of the open grid and, if there are several grids, their outlines. */
import { CELLS } from "./board.js";
import { byId, svg } from "./dom.js";
import { drawInto } from "./draw.js";
import { cellAffine, cellCorners, gridBorder } from "./geometry.js";
import { t } from "./language.js";
import { Zoom } from "./photo_zoom.js";
import { current, openGrids, pictureSize, state } from "./state.js";

export const frame = byId("photo-frame");
export const image = /** @type {HTMLImageElement} */ (byId("photo"));
export const zoom = new Zoom(frame, byId("photo-layer"));

/** The picture that is shown; null if there is none. @type {Blob | string | null} */
let shown = null;
/** This promise ends when the picture can be painted. The browser unpacks the picture while the service reads it. @type {Promise<unknown>} */
let unpacking = Promise.resolve();

image.addEventListener("error", () => frame.classList.add("unseen"));
image.addEventListener("load", () => {
  frame.classList.remove("unseen");
  const ratio = image.naturalWidth / image.naturalHeight;
  if (ratio === zoom.ratio && zoom.part) return; // another drawing of the same board: the zoom stays
  frame.style.setProperty("--ratio", String(ratio));
  zoom.ratio = ratio;
  zoom.look(null, false);
});

/**
 * Show a picture, and wait until its pixels are unpacked. Browsers can't show all files.
 * @param {Blob | string | null} picture a file, the data: address of a drawing, or null for empty paper
 */
export async function showPicture(picture) {
  if (picture !== shown) {
    URL.revokeObjectURL(image.src);
    shown = picture;
    drawPhoto([]);
    if (picture === null) {
      image.removeAttribute("src");
      frame.classList.add("unseen");
      return;
    }
    image.src = picture instanceof Blob ? URL.createObjectURL(picture) : picture;
    unpacking = image.decode().catch(() => {});
  }
  await unpacking;
}

export const pictureReady = () => unpacking;

/** Zoom to grids or, if there are none, to the whole photo. @param {{view: {crossings: Crossings}}[]} grids */
export function lookAt(grids) {
  const border = grids.flatMap(({ view }) => gridBorder(view.crossings));
  const size = pictureSize();
  const [xs, ys] = [0, 1].map((axis) => border.map((point) => (point[axis] + 0.5) / size[axis]));
  zoom.look(border.length ? [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] : null);
}

/**
 * Show a part of the photo in an SVG element. The part is in pixels of the photo or, if there is a *map*, in the units of the map.
 * @param {Element} element @param {[number, number, number, number]} part left, top, width and height @param {DOMMatrix} [map]
 */
export function showPart(element, part, map = new DOMMatrix()) {
  const [width, height] = pictureSize();
  const set = { href: image.src, x: -0.5, y: -0.5, width, height, transform: String(map), preserveAspectRatio: "none" };
  element.setAttribute("viewBox", part.join(" "));
  element.replaceChildren(...(image.naturalWidth ? [svg("image", set)] : []));
}

/** Show a cell of the photo as an upright square, with *margin* cells on each side. @param {Element} element @param {Crossings} crossings @param {number} cell @param {number} margin */
export function showCell(element, crossings, cell, margin) {
  const side = 1 + 2 * margin;
  showPart(element, [-margin, -margin, side, side], new DOMMatrix(cellAffine(crossings, cell)).inverse());
}

const PACE = 14; // milliseconds from the appearance of one answer to the next

/**
 * Draw over the photo. If *fresh*, the answers appear one after the other: first in the first grid, then in all other grids at
 * once. If the person has just completed the puzzle (*finishes*), its frame is drawn slowly.
 * @param {Drawing[]} drawings first the drawing of the open grid, and then those of other grids
 */
export function drawPhoto(drawings, fresh = false, finishes = false) {
  drawInto("layer", drawings);
  byId("layer-ink").classList.toggle("writing", fresh);
  byId("layer-ink").classList.toggle("finishing", finishes);
  if (!fresh) return;
  const digitsOf = (/** @type {Element} */ grid) => grid.querySelectorAll(/** @type {"g"} */ ("[data-cell]"));
  [...byId("layer-ink").children].map(digitsOf).forEach((digits, number, grids) => {
    const start = number && grids[0].length;
    digits.forEach((digit, place) => (digit.style.animationDelay = `${PACE * (start + place)}ms`));
  });
}

/** Lay the cells of the open grid over the photo and, if the page has several grids, their outlines. */
export function outlineGrids() {
  const grids = openGrids();
  const outlines = (grids.length > 1 ? grids : []).map(({ grid, view }, place) => {
    const points = gridBorder(view.crossings).join(" ");
    const set = { points, class: place === state.session?.number ? "outline current" : "outline", "data-grid": place };
    const status = t(`status.${state.answersShown ? grid.status : "read"}`);
    return svg("polygon", set, svg("title", {}, t("grids.named", { number: place + 1, status })));
  });
  byId("outlines").replaceChildren(...outlines);
  const crossings = current()?.view.crossings;
  const cells = (crossings ? CELLS : []).map((cell) => {
    const points = cellCorners(/** @type {Crossings} */ (crossings), cell).join(" ");
    return svg("polygon", { points, "data-cell": cell });
  });
  byId("cells").replaceChildren(...cells);
}

/** Mark chosen cells, and highlight the cells related to them. @param {readonly number[]} chosen @param {Partial<Lit>} [lit] */
export function selectInPhoto(chosen, { peers = [], noted = [], same = [] } = {}) {
  const kinds = Object.entries({ chosen, peers, noted, same });
  [...byId("cells").children].forEach((element, cell) => {
    const names = kinds.filter(([, cells]) => cells.includes(cell)).map(([name]) => name);
    element.setAttribute("class", names.join(" "));
  });
}

/** @param {{clientX: number, clientY: number}} event of a pointer @returns {Point} where it is in the photo */
export function pointOf({ clientX, clientY }) {
  const { left, top, width, height } = image.getBoundingClientRect();
  const size = pictureSize();
  return [((clientX - left) / width) * size[0] - 0.5, ((clientY - top) / height) * size[1] - 0.5];
}
