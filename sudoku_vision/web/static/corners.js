// @ts-check
/** Four corners that a person drags onto a puzzle, or moves with the arrow keys, with a magnifier. */
/** @import { Point, Workspace } from "./types.js" */
import { buttonById, byId, say, svg } from "./dom.js";
import { gridLines } from "./draw.js";
import { flatCrossings, gridCorners, isProperQuad } from "./geometry.js";
import { t } from "./language.js";

/** The distance of unmoved corners from the sides of the picture, as a share of its width and height. */
const INSET = 0.15;
/** The step of an arrow key, and of an arrow key with Shift, as a share of the longer side of the picture. */
const STEP = 0.0025;
const LARGE_STEP = 0.02;
/** The magnifier shows the photo so many times larger than the screen does. */
const MAGNIFIED = 2.5;

export class Corners {
  /** @type {Point[]} */
  corners = [];
  magnifier = /** @type {HTMLCanvasElement} */ (byId("magnifier"));
  handles = [1, 2, 3, 4].map((number) => buttonById(`corner-${number}`));

  /** @param {Workspace} space @param {(corners: Point[]) => void} read */
  constructor(space, read) {
    this.space = space;
    this.photo = space.photo;
    this.read = read;
    this.handles.forEach((handle, at) => this.#listen(handle, at));
    buttonById("mark-corners").addEventListener("click", () => this.#open());
    buttonById("corners-read").addEventListener("click", () => this.#read());
    buttonById("corners-cancel").addEventListener("click", async () => {
      this.photo.mark(null);
      await space.showPage();
      buttonById("mark-corners").focus();
    });
  }

  /** Let a person move the corners, from those of the known grid, or from a place well within the picture. */
  #open() {
    const crossings = this.space.current?.view.crossings;
    const known = crossings && gridCorners(crossings);
    this.space.selection.choose();
    const [width, height] = this.photo.size;
    const [left, top] = [width * INSET, height * INSET];
    const [right, bottom] = [width - left, height - top];
    this.corners = known?.map((point) => this.#within(point)) ?? [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ];
    this.photo.lookAt([]);
    this.photo.clear();
    this.photo.mark("corner");
    this.#render();
    this.handles[0].focus({ preventScroll: true });
    say(`${t("corners.title")}. ${t("corners.help")}`, true);
  }

  #read() {
    if (!isProperQuad(this.corners)) return say(t("corners.bad"));
    this.photo.mark(null);
    this.read(this.corners);
  }

  /** @param {HTMLElement} handle @param {number} at */
  #listen(handle, at) {
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      handle.focus({ preventScroll: true });
      this.#magnify(at);
      event.preventDefault();
    });
    handle.addEventListener("pointermove", (event) => {
      if (handle.hasPointerCapture(event.pointerId)) this.#moveTo(at, this.photo.pointOf(event));
    });
    for (const name of ["pointerup", "pointercancel", "blur"])
      handle.addEventListener(name, () => (this.magnifier.hidden = true));
    handle.addEventListener("keydown", (event) => {
      const way = /** @type {Object<string, Point>} */ ({
        ArrowLeft: [-1, 0],
        ArrowRight: [1, 0],
        ArrowUp: [0, -1],
        ArrowDown: [0, 1],
      })[event.key];
      if (event.key === "Escape") buttonById("corners-cancel").click();
      if (!way) return;
      const step = Math.max(...this.photo.size) * (event.shiftKey ? LARGE_STEP : STEP);
      const [x, y] = this.corners[at];
      this.#moveTo(at, [x + way[0] * step, y + way[1] * step]);
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** @param {number} at @param {Point} point */
  #moveTo(at, point) {
    this.corners[at] = this.#within(point);
    this.#render();
    this.#magnify(at);
  }

  /** @param {Point} point @returns {Point} */
  #within([x, y]) {
    const [width, height] = this.photo.size;
    return [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))];
  }

  #render() {
    const [width, height] = this.photo.size;
    this.corners.forEach(([x, y], at) => {
      this.handles[at].style.left = `${(100 * (x + 0.5)) / width}%`;
      this.handles[at].style.top = `${(100 * (y + 0.5)) / height}%`;
    });
    const proper = isProperQuad(this.corners);
    byId("corner-layer").classList.toggle("improper", !proper);
    const outline = svg("polygon", { points: this.corners.join(" "), class: "corner-outline" });
    const lines = proper ? gridLines(flatCrossings(this.corners), "corner-line") : [];
    byId("corner-grid").replaceChildren(...lines, outline);
  }

  /** Show the photo round a corner in the magnifier, on the side of the frame where the finger is not. @param {number} at */
  #magnify(at) {
    const { magnifier } = this;
    const { image, size } = this.photo;
    const pen = magnifier.getContext("2d");
    if (!pen || !image.naturalWidth) return;
    const [x, y] = this.corners[at];
    magnifier.hidden = false;
    magnifier.classList.toggle("right", x < size[0] / 2);
    const scale =
      (MAGNIFIED * magnifier.width * image.clientWidth) /
      (magnifier.clientWidth || magnifier.width) /
      size[0];
    const half = magnifier.width / 2;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, magnifier.width, magnifier.height);
    pen.setTransform(scale, 0, 0, scale, half - scale * (x + 0.5), half - scale * (y + 0.5));
    pen.drawImage(image, 0, 0, size[0], size[1]);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.strokeStyle = "#0050cd";
    pen.lineWidth = 3;
    pen.stroke(new Path2D(`M${half} ${half - 30}V${half + 30}M${half - 30} ${half}H${half + 30}`));
  }
}
