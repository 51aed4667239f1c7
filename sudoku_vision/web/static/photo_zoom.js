/** Zooms and drags the photo in its frame, with fingers, mouse or wheel. */
import { prefersStillness } from "./dom.js";

/** The largest scale. At scale 1, the whole photo fits the frame. */
const MAX_SCALE = 12;
/** If a finger moves less than this, in pixels of the screen, it taps or rests. */
export const SLIP = 8;
const MARGIN = 0.06; // the margin that is shown on each side of a part of the photo, as a share of the size of this part

/** The animation that moves the painted photo to its new place. The browser needs no new layout for this. */
const GLIDE = { duration: 380, easing: "cubic-bezier(0.3, 0, 0.1, 1)" };

/** @typedef {[number, number, number, number]} Part left, top, right, bottom, as shares of the size of the photo */

export class Zoom {
  /** @param {HTMLElement} frame stays in its place @param {HTMLElement} layer is moved and enlarged in the frame */
  constructor(frame, layer) {
    this.frame = frame;
    this.layer = layer;
    this.enabled = true;
    this.ratio = 1; // the width of the photo, divided by its height
    this.scale = 1;
    /** The size of the frame that the browser reported last. If we asked for the size, the browser would have to do a layout. */
    this.width = this.height = 0;
    this.x = this.y = 0;
    this.part = /** @type {Part | null} */ (null);
    this.fingers = /** @type {Map<number, {x: number, y: number}>} */ (new Map());
    this.moved = 0;
    frame.addEventListener("pointerdown", (event) => this.#down(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      frame.addEventListener(name, ({ pointerId }) => this.fingers.delete(pointerId));
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    new ResizeObserver(([{ contentRect }]) => {
      ({ width: this.width, height: this.height } = contentRect);
      this.glide?.cancel();
      this.#settle();
    }).observe(frame);
  }

  /** @param {Part | null} part the part of the photo to show; null for the whole photo */
  look(part, gliding = true) {
    const [x, y, width] = [this.x, this.y, this.#whole.width * this.scale];
    this.part = part;
    this.scale = 1;
    this.#settle();
    const before = `translate(${x}px, ${y}px) scale(${width / (this.#whole.width * this.scale)})`;
    this.glide?.cancel();
    if (gliding && width && !prefersStillness())
      this.glide = this.layer.animate([{ transform: before }, {}], GLIDE);
  }

  /**
   * Zoom by a factor. One point of the photo keeps its place: the point at *place* in the window, by default the frame's middle.
   * @param {number} factor @param {{x: number, y: number}} [place]
   */
  by(factor, place) {
    const { left, top } = this.frame.getBoundingClientRect();
    const [x, y] = place ? [place.x - left, place.y - top] : [this.width / 2, this.height / 2];
    const scale = Math.min(MAX_SCALE, Math.max(1, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.frame.classList.toggle("zoomed", scale > 1);
    this.part = null;
    this.#place();
  }

  /** The size at which the whole photo fits the frame. */
  get #whole() {
    const width = Math.min(this.width, this.height * this.ratio);
    return { width, height: width / this.ratio };
  }

  /** Show the chosen part, after a change of the part or of the frame. */
  #settle() {
    const whole = this.#whole;
    if (!whole.width) return;
    if (this.part) {
      const [left, top, right, bottom] = this.part;
      const [width, height] = [(right - left) * whole.width, (bottom - top) * whole.height];
      const fitting = Math.min(this.width / width, this.height / height) / (1 + 2 * MARGIN);
      this.scale = Math.min(MAX_SCALE, Math.max(1, fitting));
      this.x = this.width / 2 - ((left + right) / 2) * whole.width * this.scale;
      this.y = this.height / 2 - ((top + bottom) / 2) * whole.height * this.scale;
    }
    // A finger drags the photo only if a person has enlarged it; otherwise the finger scrolls the page.
    this.frame.classList.toggle("zoomed", !this.part && this.scale > 1);
    this.#place();
  }

  #place() {
    const [width, height] = [this.#whole.width * this.scale, this.#whole.height * this.scale];
    this.x = within(this.x, this.width, width);
    this.y = within(this.y, this.height, height);
    const { style } = this.layer;
    style.width = `${width}px`;
    style.height = `${height}px`;
    style.transform = `translate(${this.x}px, ${this.y}px)`;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!this.enabled || event.button > 0) return;
    this.glide?.cancel();
    if (this.fingers.size === 0) this.moved = 0;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size === 2) this.moved = Infinity;
  }

  /** The middle of the fingers, and the distance between the first two fingers. */
  get #hand() {
    const [one, other = one] = this.fingers.values();
    const [x, y] = [(one.x + other.x) / 2, (one.y + other.y) / 2];
    return { x, y, spread: Math.hypot(one.x - other.x, one.y - other.y) || 1 };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.fingers.has(event.pointerId)) return;
    const before = this.#hand;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = this.#hand;
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    this.moved += Math.hypot(dx, dy);
    if (this.moved <= SLIP) return;
    this.frame.setPointerCapture(event.pointerId);
    if (this.fingers.size === 1 && !this.frame.classList.contains("zoomed")) return;
    this.x += dx;
    this.y += dy;
    this.by(now.spread / before.spread, now);
  }

  /** Zoom if Ctrl is held. Browsers report a pinch on a touchpad in the same way. A wheel alone scrolls the page. @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey || !this.enabled) return;
    event.preventDefault();
    this.glide?.cancel();
    this.by(Math.exp(-event.deltaY / 200), event);
  }
}

/**
 * Return where the photo begins in its frame, along one axis. A photo that is smaller than the frame is centred. A larger
 * photo covers the frame.
 * @param {number} place where it would begin without these limits @param {number} frame @param {number} photo
 */
const within = (place, frame, photo) =>
  photo <= frame ? (frame - photo) / 2 : Math.min(0, Math.max(frame - photo, place));
