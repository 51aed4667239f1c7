// @ts-check
/** The puzzle as an ARIA grid: the Tab key leads to one cell, the arrow keys lead to the others. */
/** @import { Face, Rules, Workspace } from "./types.js" */
import { CELLS, CLASSIC, diagonalsOf } from "./board.js";
import { byId, make } from "./dom.js";
import { boardLines } from "./draw.js";
import { faceName, signsOf } from "./faces.js";

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

/** Return the cell that a key leads to, -1 for other keys. @param {string} key @param {number} cell @param {boolean} whole */
export const cellAfter = (key, cell, whole) => MOVES[key]?.(cell, whole) ?? -1;

export class BoardView {
  grid = byId("board");
  /** The cell that the Tab key leads to. */
  cell = 0;
  cells = CELLS.map((cell) =>
    make("div", { role: "gridcell", class: "cell", tabindex: cell ? -1 : 0, "data-cell": cell }),
  );

  lines = boardLines(CLASSIC);

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    const { grid } = this;
    const rows = Array.from({ length: 9 }, (_, row) =>
      make("div", { role: "row", class: "row" }, ...this.cells.slice(9 * row, 9 * row + 9)),
    );
    grid.replaceChildren(...rows, this.lines);
    // For the size of its digits. Container units (cqi) in 81 cells would cost a phone 0.3 seconds in each layout.
    const side = new ResizeObserver(([{ contentRect }]) =>
      grid.style.setProperty("--side", `${contentRect.width}px`),
    );
    side.observe(grid);
    grid.addEventListener("click", (event) => {
      const cell = cellOf(event.target);
      if (cell >= 0) {
        this.focus(cell);
        space.choose(cell);
      }
    });
    onRest(grid, (event) => cellOf(event.target) >= 0 && space.choose(cellOf(event.target), "note"));
    grid.addEventListener("focusin", (event) => {
      const cell = cellOf(event.target);
      if (cell >= 0) this.#tabTo(cell);
    });
    grid.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show the content of the cells. @param {Face[]} faces @param {Rules} rules */
  render(faces, rules) {
    const shaded = new Set(diagonalsOf(rules));
    this.lines.replaceWith((this.lines = boardLines(rules)));
    faces.forEach((face, cell) => {
      const element = this.cells[cell];
      const signs = [...signsOf(face), shaded.has(cell) && "shaded"];
      const look = ["cell", face.kind, face.verdict, ...signs].filter(Boolean).join(" ");
      const name = faceName(face);
      if (element.className === look && element.ariaLabel === name) return; // saves a new layout
      element.className = look;
      element.ariaLabel = name;
      element.replaceChildren(
        ...(face.kind === "marks" ? [markGrid(face.marks)] : [face.digit ? String(face.digit) : ""]),
      );
    });
  }

  /** Mark the chosen cell, -1 for none, without moving the focus. @param {number} cell */
  select(cell) {
    this.cells.forEach((element, place) => element.setAttribute("aria-selected", String(place === cell)));
    if (cell >= 0) this.#tabTo(cell);
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
    this.space.choose(next);
  }
}

/** Milliseconds that a finger must rest, and pixels that it may move meanwhile. */
const REST = 450;
const SLIP = 8;

/** Call back when a finger rests on an element. @param {HTMLElement} element @param {(event: PointerEvent) => void} act */
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

/** @param {string} marks */
const markGrid = (marks) =>
  make(
    "span",
    { class: "marks", "aria-hidden": "true" },
    ...[..."123456789"].map((digit) => make("i", marks.includes(digit) ? { "data-mark": digit } : {})),
  );
