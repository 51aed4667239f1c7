// @ts-check
/** What is seen of the live camera: the running picture, or a frame that was answered with all that is drawn on it. */
import { paperOf } from "./crop.js";
import { byId, jpegOf } from "./dom.js";
import { drawnTogether, drawShapes, nothingDrawn } from "./draw.js";
import { copy } from "./live_frames.js";
import { drawInto, measureLayers } from "./svg.js";

/** @typedef {import("./live_frames.js").Frame} Frame */
/** @typedef {import("./types.js").LiveGrid} LiveGrid */

/** The colour of paper that can't be measured. */
const PAPER = "#ffffff";
/** Of a frame that becomes a photo, 0..1. */
const PHOTO_QUALITY = 0.92;
/** Milliseconds that words must stand before they are read out, so that a wavering camera doesn't chatter. */
const STEADY = 900;

export class LiveView {
  /** @param {import("./draw.js").PenPaths} pens */
  constructor(pens) {
    this.pens = pens;
    this.picture = /** @type {HTMLCanvasElement} */ (byId("camera-picture"));
    /** @type {[number, number]} Of the frame as it was sent: what is drawn is in its pixels. */
    this.size = [1, 1];
    this.said = "";
    this.saying = 0;
  }

  /**
   * Show a frame and what is drawn on its grids, both at once.
   * @param {Frame} frame @param {LiveGrid[]} grids
   */
  showFrame({ picture, size }, grids) {
    copy(picture, this.picture, picture.width, picture.height);
    this.size = size;
    measureLayers("camera", size);
    this.showGrids(grids);
    byId("camera-stage").classList.add("answered");
  }

  /** Draw other shapes on the frame that is shown. @param {LiveGrid[]} grids */
  showGrids(grids) {
    const shown = { image: this.picture, size: this.size };
    const drawings = grids.map(({ shapes, crossings }) =>
      drawShapes(shapes, crossings, this.pens, paperOf(shown, crossings, PAPER)),
    );
    drawInto("camera", drawnTogether(drawings));
  }

  /** Return the frame that is shown as a photo, without what is drawn on it. */
  photo() {
    return jpegOf(this.picture, PHOTO_QUALITY);
  }

  /** Take the drawings away, and leave the frame. */
  wipe() {
    drawInto("camera", nothingDrawn());
  }

  /** Show the running picture, with nothing drawn on it. */
  showVideo() {
    this.wipe();
    byId("camera-stage").classList.remove("answered");
  }

  /**
   * Say how things stand, in words that stay; they are read out once they have stood for a while.
   * @param {string} words @param {string} state for the colour of its lamp
   */
  tell(words, state) {
    byId("camera-status").dataset.state = state;
    const line = byId("camera-words");
    if (line.textContent === words) return;
    line.textContent = words;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      if (words !== this.said) byId("camera-live").textContent = this.said = words;
    }, STEADY);
  }

  /** Fall silent. */
  hush() {
    clearTimeout(this.saying);
    byId("camera-live").textContent = this.said = "";
    byId("camera-words").textContent = "";
  }
}
