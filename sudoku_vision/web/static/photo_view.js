// @ts-check
/** The photo, with what is drawn over it in SVG, the cell in hand, and the outlines of several grids. */
import { byId, make } from "./dom.js";
import { nothingDrawn } from "./draw.js";
import { cellAt, cellCorners, gridBorder, isInside } from "./geometry.js";
import { Zoom } from "./photo_zoom.js";
import { svgElement } from "./svg.js";

/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Crossings} Crossings */

const LAYERS = /** @type {const} */ (["multiply", "screen", "ink"]);

export class PhotoView {
  /** @param {{onCell: (cell: number) => void, onGrid: (number: number) => void}} taps */
  constructor(taps) {
    this.taps = taps;
    this.frame = byId("photo-frame");
    this.image = /** @type {HTMLImageElement} */ (byId("photo"));
    /** @type {[number, number]} */
    this.size = [1, 1];
    this.drawing = nothingDrawn();
    /** @type {Crossings[]} */
    this.grids = [];
    this.number = 0;
    this.address = "";
    /** The file that a person chose, as large as it is. @type {Blob | null} */
    this.original = null;
    this.zoom = new Zoom(this.frame, byId("photo-layer"), (event) => this.#tapped(event));
    byId("zoom-in").addEventListener("click", () => this.zoom.by(1.5));
    byId("zoom-out").addEventListener("click", () => this.zoom.by(1 / 1.5));
    byId("zoom-fit").addEventListener("click", () => this.lookAt(this.zoom.part ? [] : this.grids));
    this.image.addEventListener("load", () => this.#seen());
    this.image.addEventListener("error", () => this.frame.classList.add("unseen"));
  }

  /** Show a file, as far as the browser can, which may be a smaller copy. @param {Blob} file @param {Blob} original */
  showFile(file, original) {
    this.#forget();
    this.original = original;
    this.address = URL.createObjectURL(file);
    this.#show(this.address);
  }

  /** Show a picture by its data address, as the service sends it. @param {string} address */
  async showPreview(address) {
    this.#forget();
    this.#show(address);
    await this.image.decode().catch(() => {});
  }

  /** Show no picture, but the paper it will appear on. */
  showNothing() {
    this.#forget();
    this.image.removeAttribute("src");
    this.frame.classList.add("unseen");
    this.clear();
  }

  /** @param {string} address */
  #show(address) {
    this.clear();
    this.image.src = address;
  }

  #forget() {
    if (this.address) URL.revokeObjectURL(this.address);
    this.address = "";
    this.original = null;
  }

  #seen() {
    this.frame.classList.remove("unseen");
    const ratio = this.image.naturalWidth / this.image.naturalHeight;
    this.frame.style.setProperty("--ratio", String(ratio));
    this.zoom.measure(ratio);
  }

  /** Look at grids, as large as the frame shows them; at the whole photo where there are none. @param {Crossings[]} grids */
  lookAt(grids) {
    const border = grids.flatMap(gridBorder);
    const [xs, ys] = [0, 1].map((axis) => border.map((point) => (point[axis] + 0.5) / this.size[axis]));
    this.zoom.look(
      border.length ? [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] : null,
    );
  }

  /** The photo as other modules cut pieces from it. */
  get picture() {
    return { image: this.image, size: this.size };
  }

  /** Take all drawings away. */
  clear() {
    this.draw(nothingDrawn());
    this.select(-1);
    this.outline([], 0, () => "");
  }

  /** Say how large the picture was when it was read, in pixels. @param {[number, number]} size */
  measure(size) {
    this.size = size;
    const box = `-0.5 -0.5 ${size[0]} ${size[1]}`;
    for (const name of [...LAYERS, "marks"]) byId(`layer-${name}`).setAttribute("viewBox", box);
  }

  /** @param {import("./draw.js").Drawing} drawing */
  draw(drawing, fresh = false) {
    this.drawing = drawing;
    for (const name of LAYERS) byId(`layer-${name}`).replaceChildren(...drawing[name].map(svgElement));
    const ink = byId("layer-ink");
    ink.classList.toggle("writing", fresh);
    if (fresh) delayPens(ink);
  }

  /**
   * Outline the grids of the picture, where there are several.
   * @param {Crossings[]} grids @param {number} number @param {(number: number) => string} nameOf
   */
  outline(grids, number, nameOf) {
    this.grids = grids;
    this.number = number;
    const several = grids.length > 1;
    byId("outlines").replaceChildren(
      ...(several ? grids : []).map((crossings, place) => {
        const points = gridBorder(crossings).join(" ");
        const element = svgElement({
          tag: "polygon",
          set: { points, class: place === number ? "outline current" : "outline" },
        });
        element.append(svgElement({ tag: "title", set: {} }));
        element.lastElementChild?.append(nameOf(place));
        return element;
      }),
    );
  }

  /** Ring a cell of the current grid, -1 for none. @param {number} cell */
  select(cell) {
    const crossings = this.grids[this.number];
    const ring = byId("ring");
    const shown = cell >= 0 && Boolean(crossings);
    ring.toggleAttribute("hidden", !shown);
    ring.setAttribute("points", shown ? cellCorners(crossings, cell).join(" ") : "");
  }

  /** Return where on the photo a pointer is. @param {{clientX: number, clientY: number}} event @returns {Point} */
  pointOf(event) {
    const box = this.image.getBoundingClientRect();
    return [
      ((event.clientX - box.left) / box.width) * this.size[0] - 0.5,
      ((event.clientY - box.top) / box.height) * this.size[1] - 0.5,
    ];
  }

  /** @param {PointerEvent} event */
  #tapped(event) {
    const point = this.pointOf(event);
    const current = this.grids[this.number];
    const cell = current ? cellAt(current, point) : -1;
    if (cell >= 0) return this.taps.onCell(cell);
    const other = this.grids.findIndex((crossings) => isInside(gridBorder(crossings), point));
    if (other >= 0) this.taps.onGrid(other);
  }
}

/** Let each answer be written a little after the one before it. @param {Element} ink */
function delayPens(ink) {
  const digits = /** @type {NodeListOf<SVGElement>} */ (ink.querySelectorAll("g[data-cell]"));
  digits.forEach((digit, place) => {
    digit.style.animationDelay = `${place * 14}ms`;
  });
}

/**
 * Fill a strip of buttons of which one is chosen; a strip of one is hidden.
 * @param {string} id @param {string[]} names @param {number} chosen @param {(place: number) => void} choose
 */
export function fillStrip(id, names, chosen, choose) {
  const strip = byId(id);
  strip.hidden = names.length < 2;
  strip.replaceChildren(
    ...names.map((name, place) =>
      make(
        "button",
        { type: "button", class: "chip", "aria-pressed": String(place === chosen), on: () => choose(place) },
        name,
      ),
    ),
  );
}
