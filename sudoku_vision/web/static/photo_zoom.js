// @ts-check
/** Pinching, wheeling and dragging of the photo, as people know it. */

const MOST = 8;
/** How far a finger may slip, in pixels of the screen, and still tap. */
const SLIP = 8;

export class Zoom {
  /**
   * @param {HTMLElement} frame stays where it is @param {HTMLElement} layer is moved and enlarged in it
   * @param {(event: PointerEvent) => void} onTap
   */
  constructor(frame, layer, onTap) {
    this.frame = frame;
    this.layer = layer;
    this.onTap = onTap;
    this.enabled = true;
    /** @type {Map<number, {x: number, y: number}>} */
    this.fingers = new Map();
    this.moved = 0;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    frame.addEventListener("pointerdown", (event) => this.#down(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      frame.addEventListener(name, (event) => this.#up(/** @type {PointerEvent} */ (event)));
    }
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** Show the whole photo. */
  fit() {
    [this.scale, this.x, this.y] = [1, 0, 0];
    this.#place();
  }

  /** Enlarge about a point of the frame, its middle if none is given. @param {number} factor */
  by(factor, x = this.frame.clientWidth / 2, y = this.frame.clientHeight / 2) {
    const scale = Math.min(MOST, Math.max(1, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.#place();
  }

  #place() {
    const { clientWidth: width, clientHeight: height } = this.frame;
    this.x = Math.min(0, Math.max(width * (1 - this.scale), this.x));
    this.y = Math.min(0, Math.max(height * (1 - this.scale), this.y));
    this.layer.style.transform = this.scale === 1 ? "" : `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.frame.classList.toggle("zoomed", this.scale > 1);
    this.frame.dispatchEvent(new CustomEvent("zoomed"));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!this.enabled || event.button > 0) return;
    if (this.fingers.size === 0) this.moved = 0;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size === 2) this.moved = Infinity;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    this.moved += Math.hypot(dx, dy);
    if (this.fingers.size === 2) {
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1] ?? now;
      const spread = Math.hypot(now.x - other.x, now.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1);
      const box = this.frame.getBoundingClientRect();
      this.x += dx / 2;
      this.y += dy / 2;
      this.by(spread, (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
    } else if (this.scale > 1 && this.moved > SLIP) {
      this.x += dx;
      this.y += dy;
      this.#place();
    }
    this.fingers.set(event.pointerId, now);
    if (this.moved > SLIP && !this.frame.hasPointerCapture(event.pointerId)) this.frame.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const known = this.fingers.delete(event.pointerId);
    if (known && event.type === "pointerup" && this.moved <= SLIP) this.onTap(event);
  }

  /** Only with Ctrl, as a pinch on a touchpad comes: a plain wheel scrolls the page. @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey || !this.enabled) return;
    event.preventDefault();
    const box = this.frame.getBoundingClientRect();
    this.by(Math.exp(-event.deltaY / 200), event.clientX - box.left, event.clientY - box.top);
  }
}
