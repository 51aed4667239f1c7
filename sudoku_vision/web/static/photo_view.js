// @ts-check
/** The photo, with the drawings over it, a ring round each chosen cell, and the outlines of several grids. */
/** @import { Crossings, Drawing, Lit, Point, Workspace } from "./types.js" */
import { onRest } from "./board_view.js";
import { byId, svg } from "./dom.js";
import { drawInto, measureLayers, pathThrough } from "./draw.js";
import { cellAffine, cellAt, cellCorners, gridBorder, isInside } from "./geometry.js";
import { Zoom } from "./photo_zoom.js";

export class PhotoView {
  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    this.frame = byId("photo-frame");
    this.image = /** @type {HTMLImageElement} */ (byId("photo"));
    /** @type {[number, number]} */
    this.size = [1, 1];
    /** @type {Blob | string | null} */
    this.shown = null;
    /**
     * The pixels of the photo, from which crops are cut. They are unpacked in the background while the service reads.
     * @type {ImageBitmap | null}
     */
    this.bitmap = null;
    /** @type {Promise<ImageBitmap | null>} */
    this.unpacked = Promise.resolve(null);
    this.zoom = new Zoom(this.frame, byId("photo-layer"), {
      tap: (event) => this.#tapped(event, false),
      sweep: (from, event) => this.#swept(from, event),
    });
    onRest(
      this.frame,
      (event) => this.zoom.enabled && this.zoom.moved !== Infinity && this.#tapped(event, true),
    );
    this.frame.addEventListener("contextmenu", (event) => this.zoom.fingers.size && event.preventDefault());
    byId("zoom-in").addEventListener("click", () => this.zoom.by(1.5));
    byId("zoom-out").addEventListener("click", () => this.zoom.by(1 / 1.5));
    byId("zoom-fit").addEventListener("click", () => this.lookAt(this.zoom.part ? [] : this.grids));
    this.image.addEventListener("load", () => this.#seen());
    this.image.addEventListener("error", () => this.frame.classList.add("unseen"));
  }

  /** The crossings of the grids on the open page. */
  get grids() {
    const { session } = this.space;
    return session ? session.grids[session.page].map((one) => one.view.crossings) : [];
  }

  /**
   * Show a file, if the browser can, or the picture of a data: address; do nothing if it is shown already.
   * @param {Blob | string} picture
   */
  async show(picture) {
    if (picture === this.shown) return;
    this.#forget();
    this.shown = picture;
    const isFile = picture instanceof Blob;
    this.clear();
    this.image.src = isFile ? URL.createObjectURL(picture) : picture;
    const decoded = isFile ? createImageBitmap(picture) : this.image.decode().then(() => null);
    this.unpacked = decoded.catch(() => null);
    const bitmap = await this.unpacked;
    if (picture === this.shown) this.bitmap = bitmap;
  }

  /** Show no picture, only the paper on which the next picture will appear. */
  showNothing() {
    this.#forget();
    this.image.removeAttribute("src");
    this.frame.classList.add("unseen");
    this.clear();
  }

  #forget() {
    URL.revokeObjectURL(this.image.src);
    this.shown = this.bitmap = null;
  }

  #seen() {
    this.frame.classList.remove("unseen");
    const ratio = this.image.naturalWidth / this.image.naturalHeight;
    if (ratio === this.zoom.ratio && this.zoom.part) return; // a board that is drawn again keeps its place and scale
    this.frame.style.setProperty("--ratio", String(ratio));
    this.zoom.measure(ratio);
  }

  /** Show grids as large as the frame allows, or the whole photo if there are none. @param {Crossings[]} grids */
  lookAt(grids) {
    const border = grids.flatMap(gridBorder);
    const [xs, ys] = [0, 1].map((axis) => border.map((point) => (point[axis] + 0.5) / this.size[axis]));
    this.zoom.look(
      border.length ? [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] : null,
    );
  }

  /**
   * Draw a cell of the photo onto a canvas, as an upright square with a *margin* round it, in cells.
   * @param {HTMLCanvasElement} canvas @param {Crossings} crossings @param {number} cell @param {number} margin
   */
  drawCell(canvas, crossings, cell, margin) {
    const [pen, image] = [canvas.getContext("2d"), this.bitmap ?? this.image];
    if (!pen || (image instanceof HTMLImageElement && !image.naturalWidth)) return;
    const scale = canvas.width / (1 + 2 * margin);
    const place = new DOMMatrix(cellAffine(crossings, cell)).inverse().translate(-0.5, -0.5);
    pen.setTransform(new DOMMatrix().scale(scale).translate(margin, margin).multiply(place));
    pen.imageSmoothingQuality = "high";
    pen.drawImage(image, 0, 0, ...this.size);
  }

  /** Let a person mark corners or borders on the photo; null ends the marking. @param {"corner" | "border" | null} what */
  mark(what) {
    this.zoom.enabled = !what;
    byId("work").classList.toggle("cornering", Boolean(what));
    for (const kind of ["corner", "border"])
      byId(`${kind}-layer`).hidden = byId(`${kind}s-panel`).hidden = kind !== what;
    byId("corner-grid").replaceChildren();
    byId("magnifier").hidden = true;
  }

  /** Remove all drawings. */
  clear() {
    this.draw([]);
    this.select([]);
    byId("outlines").replaceChildren();
  }

  /** Set the size of the picture that was read, in pixels. @param {[number, number]} size */
  measure(size) {
    this.size = size;
    measureLayers("layer", size);
    byId("layer-marks").setAttribute("viewBox", `-0.5 -0.5 ${size[0]} ${size[1]}`);
  }

  /** Show drawings, that of the chosen grid first. If *fresh*, its answers appear one after the other. @param {Drawing[]} drawings */
  draw(drawings, fresh = false) {
    drawInto("layer", drawings);
    const ink = byId("layer-ink");
    ink.classList.toggle("writing", fresh);
    ink.classList.remove("finishing");
    if (fresh) delayPens(drawings);
  }

  /** Outline the grids of the picture if there are several. @param {(number: number) => string} nameOf */
  outline(nameOf) {
    const { grids } = this;
    const number = this.space.session?.number;
    byId("outlines").replaceChildren(
      ...(grids.length > 1 ? grids : []).map((crossings, place) => {
        const points = gridBorder(crossings).join(" ");
        const set = { points, class: place === number ? "outline current" : "outline" };
        return svg("polygon", set, svg("title", {}, nameOf(place)));
      }),
    );
  }

  /**
   * Draw a ring round cells of the current grid, and highlight the related cells *lit*.
   * @param {readonly number[]} cells @param {Partial<Lit>} [lit]
   */
  select(cells, { peers = [], noted = [], same = [] } = {}) {
    const crossings = this.space.current?.view.crossings;
    for (const [id, some] of Object.entries({ ring: cells, peers, noted, same })) {
      const outlines = crossings ? some.map((cell) => pathThrough(cellCorners(crossings, cell), true)) : [];
      byId(id).setAttribute("d", outlines.join(""));
    }
  }

  /** Scroll until the chosen cell is visible above the pad. */
  bringIntoView() {
    byId("ring").scrollIntoView({ block: "nearest" });
  }

  /** Return the point of the photo where a pointer is. @param {{clientX: number, clientY: number}} event @returns {Point} */
  pointOf(event) {
    const box = this.image.getBoundingClientRect();
    return [
      ((event.clientX - box.left) / box.width) * this.size[0] - 0.5,
      ((event.clientY - box.top) / box.height) * this.size[1] - 0.5,
    ];
  }

  /** @param {PointerEvent} event @param {boolean} rested */
  #tapped(event, rested) {
    const cell = this.#cellAt(event);
    const { selection } = this.space;
    if (cell >= 0) return rested ? selection.noteIn(cell, this) : selection.point(cell, event, this);
    const other = this.grids.findIndex((crossings) => isInside(gridBorder(crossings), this.pointOf(event)));
    if (other >= 0) this.space.chooseGrid(other);
  }

  /** @param {PointerEvent | null} from where the finger came down; null after the beginning of a movement @param {PointerEvent} event */
  #swept(from, event) {
    const { selection } = this.space;
    const [first, cell] = [from ? this.#cellAt(from) : -1, this.#cellAt(event)];
    if (first >= 0) selection.point(first, event, this);
    if (cell >= 0 && selection.cell >= 0) selection.add(cell);
  }

  /** @param {PointerEvent} event */
  #cellAt(event) {
    const crossings = this.space.current?.view.crossings;
    return crossings ? cellAt(crossings, this.pointOf(event)) : -1;
  }
}

/** Milliseconds from the appearance of one answer to the next. */
const PACE = 14;

/**
 * Let the answers of each grid appear one after the other; all other grids begin when the first grid is complete.
 * @param {Drawing[]} drawings
 */
function delayPens(drawings) {
  const pens = drawings.map(({ ink }) => ink.filter((one) => one.dataset.cell));
  pens.forEach((digits, number) => {
    const start = number && pens[0].length;
    digits.forEach((digit, place) => (digit.style.animationDelay = `${PACE * (start + place)}ms`));
  });
}
