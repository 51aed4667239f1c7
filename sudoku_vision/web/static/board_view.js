/** The puzzle as an ARIA grid: the Tab key leads to one cell, the arrow keys lead to the others. */
import { CELLS, placeOf } from "./board.js";
import { aria, byId, make } from "./dom.js";
import { CAPITALS, linesOf } from "./draw.js";
import { COLOURS, faceName } from "./scene.js";
import { state } from "./state.js";

const grid = byId("board");
const cells = CELLS.map((cell) => {
  const element = make("div", { role: "gridcell", class: "cell", tabindex: cell ? -1 : 0, "data-cell": cell });
  const { row, column } = placeOf(cell);
  element.style.setProperty("--at", String(row + column));
  return element;
});
const rows = CELLS.slice(0, 9).map((row) => make("div", { role: "row", class: "row" }, ...cells.slice(9 * row, 9 * row + 9)));
/** The lines that lie over the cells now, as SVG. */
let drawn = "";

// The size of digits depends on --side. With container units (cqi) in 81 cells, each layout would take a phone 0.3 s.
const side = new ResizeObserver(([{ contentRect }]) => grid.style.setProperty("--side", `${contentRect.width}px`));
side.observe(grid);

/** @param {Face[]} faces @param {string} lines as SVG @param {boolean} finishes whether a wave runs over the cells, because the puzzle was completed */
export function renderBoard(faces, lines, finishes) {
  grid.classList.toggle("finished", finishes);
  if (lines !== drawn) grid.replaceChildren(...rows, linesOf((drawn = lines)));
  faces.forEach((face, cell) => {
    const element = cells[cell];
    const own = [face.own && "own", face.colour && "coloured"];
    const look = ["cell", face.kind, face.verdict, ...face.signs, ...own].filter(Boolean).join(" ");
    const name = faceName(face);
    if (element.className === look && element.getAttribute("aria-label") === name) return; // so the browser needs no new layout
    element.className = look;
    aria(element, { label: name });
    element.style.setProperty("--colour", COLOURS[Number(face.colour) - 1] ?? null);
    element.replaceChildren(...(face.kind === "marks" ? face.places.map(noteOf) : [face.digit ? String(face.digit) : ""]));
  });
}

/** @param {Note} note */
function noteOf({ digit, height, middle: [x, y] }) {
  const element = make("i", { "data-mark": digit });
  const size = `calc(${height / CAPITALS / 9} * var(--side))`;
  Object.assign(element.style, { left: `${100 * x}%`, top: `${100 * y}%`, fontSize: size });
  return element;
}

/** Mark the chosen cells, and highlight the cells related to them. @param {readonly number[]} chosen @param {Lit} lit */
export function selectInBoard(chosen, lit) {
  cells.forEach((element, cell) => {
    aria(element, { selected: chosen.includes(cell) });
    element.dataset.lit = lit.same.includes(cell) ? "same" : lit.peers.includes(cell) ? "peer" : "";
  });
  grid.dataset.digit = lit.digit;
  tabTo(chosen.at(-1) ?? state.tabbed);
}

/** @param {number} cell the cell to which the Tab key leads */
function tabTo(cell) {
  cells.forEach((element, other) => {
    if ((other === cell) !== (element.tabIndex === 0)) element.tabIndex = other === cell ? 0 : -1; // each change costs a new layout
  });
}

export function focusBoard() {
  tabTo(state.tabbed);
  cells[state.tabbed].focus({ preventScroll: true });
}
