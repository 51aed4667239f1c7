// @ts-check
/** The puzzle as an ARIA grid: the Tab key leads to one cell, the arrow keys lead to the others. */
/** @import { Face, Lit, Rules, Workspace } from "./types.js" */
import { CELLS, CLASSIC, diagonalsOf, placeOf } from "./board.js";
import { byId, make } from "./dom.js";
import { boardLines } from "./draw.js";
import { faceName, signsOf } from "./faces.js";
import { COLOURS } from "./own_shapes.js";

const MOVES = /** @type {Object<string, (cell: number, whole: boolean) => number>} */ ({
  ArrowLeft: (cell) => (cell % 9 ? cell - 1 : cell),
  ArrowRight: (cell) => (cell % 9 < 8 ? cell + 1 : cell),
  ArrowUp: (cell) => (cell > 8 ? cell - 9 : cell),
  ArrowDown: (cell) => (cell < 72 ? cell + 9 : cell),
  Home: (cell, whole) => (whole ? 0 : cell - (cell % 9)),
  End: (cell, whole) => (whole ? 80 : cell - (cell % 9) + 8),
  PageUp: (cell) => cell % 9,
  PageDown: (cell) => 72 + (cell % 9),
});

/**
 * Return the cell to which a key leads, -1 for other keys; with *whole*, Home and End lead to the ends of the board.
 * @param {string} key @param {number} cell @param {boolean} whole
 */
export const cellAfter = (key, cell, whole) => MOVES[key]?.(cell, whole) ?? -1;

export class BoardView {
  grid = byId("board");
  /** The cell to which the Tab key leads. */
  cell = 0;
  cells = CELLS.map((cell) =>
    make("div", { role: "gridcell", class: "cell", tabindex: cell ? -1 : 0, "data-cell": cell }),
  );

  lines = boardLines(CLASSIC);

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    const { grid } = this;
    const point = (/** @type {number} */ cell, /** @type {MouseEvent} */ event) =>
      space.selection.point(cell, event, this);
    const rows = Array.from({ length: 9 }, (_, row) =>
      make("div", { role: "row", class: "row" }, ...this.cells.slice(9 * row, 9 * row + 9)),
    );
    grid.replaceChildren(...rows, this.lines);
    for (const [cell, element] of this.cells.entries()) {
      const { row, column } = placeOf(cell);
      element.style.setProperty("--at", String(row + column));
    }
    // This sets the size of digits. Container units (cqi) in 81 cells would cost a phone 0.3 seconds in each layout.
    const side = new ResizeObserver(([{ contentRect }]) =>
      grid.style.setProperty("--side", `${contentRect.width}px`),
    );
    side.observe(grid);
    grid.addEventListener("click", (event) => {
      const cell = cellOf(event.target);
      if (cell < 0) return;
      this.focus(cell);
      point(cell, event);
    });
    /** The cell where a finger or the mouse came down (-1 for none), and whether it has moved to other cells since. */
    let [from, sweeps] = [-1, false];
    document.addEventListener("pointerdown", ({ button, target }) => {
      [from, sweeps] = [button === 0 && grid.contains(/** @type {Node} */ (target)) ? cellOf(target) : -1, false];
    });
    grid.addEventListener("pointermove", (event) => {
      // With the pad open, a finger chooses cells; otherwise it scrolls the page.
      if (from < 0 || !event.buttons || (event.pointerType === "touch" && space.selection.cell < 0)) return;
      const to = cellOf(document.elementFromPoint(event.clientX, event.clientY));
      if (to < 0 || (to === from && !sweeps)) return;
      if (!sweeps) point(from, event);
      sweeps = true;
      space.selection.add(to);
    });
    onRest(grid, (event) => {
      if (cellOf(event.target) >= 0) space.selection.noteIn(cellOf(event.target), this);
    });
    grid.addEventListener("focusin", (event) => {
      const cell = cellOf(event.target);
      if (cell >= 0) this.#tabTo(cell);
    });
    grid.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show the content of the cells. @param {Face[]} faces @param {Rules} rules */
  render(faces, rules) {
    this.grid.classList.remove("finished");
    const shaded = new Set(diagonalsOf(rules));
    this.lines.replaceWith((this.lines = boardLines(rules)));
    faces.forEach((face, cell) => {
      const element = this.cells[cell];
      const signs = [...signsOf(face), shaded.has(cell) && "shaded", face.own && "own", face.colour && "coloured"];
      const look = ["cell", face.kind, face.verdict, ...signs].filter(Boolean).join(" ");
      const name = faceName(face);
      if (element.className === look && element.ariaLabel === name) return; // saves a new layout
      element.className = look;
      element.ariaLabel = name;
      element.style.setProperty("--colour", COLOURS[Number(face.colour) - 1] ?? null);
      const centre = make("span", { class: "centre" }, ...marksOf(face.centre));
      const marks = make("span", { class: face.centre ? "marks in-line" : "marks" }, ...marksOf(face.marks, !face.centre));
      element.replaceChildren(
        ...(face.kind === "marks" ? [marks, centre] : [face.digit ? String(face.digit) : ""]),
      );
    });
  }

  /** Mark the chosen cells, and highlight related cells, without moving the focus. @param {readonly number[]} cells @param {Lit} lit */
  select(cells, lit) {
    this.cells.forEach((element, place) => {
      element.setAttribute("aria-selected", String(cells.includes(place)));
      element.dataset.lit = lit.same.includes(place) ? "same" : lit.peers.includes(place) ? "peer" : "";
    });
    this.grid.dataset.digit = lit.digit;
    if (cells.length) this.#tabTo(/** @type {number} */ (cells.at(-1)));
  }

  /** Scroll until a cell is visible above the pad. @param {number} cell */
  bringIntoView(cell) {
    this.cells[cell].scrollIntoView({ block: "nearest" });
  }

  /** @param {number} cell */
  focus(cell) {
    this.#tabTo(cell);
    this.cells[cell].focus({ preventScroll: true });
  }

  /** @param {number} cell */
  #tabTo(cell) {
    this.cells[this.cell].tabIndex = -1;
    this.cell = cell;
    this.cells[cell].tabIndex = 0;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const next = event.altKey || event.metaKey ? -1 : cellAfter(event.key, this.cell, event.ctrlKey);
    if (next < 0) return this.space.keyboard.key(event);
    event.preventDefault();
    event.stopPropagation();
    this.focus(next);
    if (event.shiftKey) this.space.selection.add(next);
    else this.space.selection.choose(next);
  }
}

/** Milliseconds for which a finger must rest, and pixels by which it may move meanwhile. */
const REST = 450;
const SLIP = 8;

/** Call *act* when a finger rests on an element. @param {HTMLElement} element @param {(event: PointerEvent) => void} act */
export function onRest(element, act) {
  let timer = 0;
  let [x, y] = [0, 0];
  element.addEventListener("pointerdown", (event) => {
    clearTimeout(timer);
    [x, y] = [event.clientX, event.clientY];
    if (event.isPrimary) timer = setTimeout(() => act(event), REST);
  });
  element.addEventListener("pointermove", (event) => {
    if (Math.hypot(event.clientX - x, event.clientY - y) > SLIP) clearTimeout(timer);
  });
  for (const name of ["pointerup", "pointercancel"])
    element.addEventListener(name, () => clearTimeout(timer));
}

/** @param {EventTarget | null} target */
const cellOf = (target) =>
  target instanceof Element ? Number(target.closest("[data-cell]")?.getAttribute("data-cell") ?? -1) : -1;

/**
 * Return an element for each of the digits *marks*. In a raster, the missing digits get empty elements, so that each
 * digit stands in its own place.
 * @param {string} marks
 */
const marksOf = (marks, inRaster = false) =>
  [...(inRaster ? "123456789" : marks)].map((digit) => make("i", marks.includes(digit) ? { "data-mark": digit } : {}));
