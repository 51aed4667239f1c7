/** Fingers and the mouse on photo and board: they choose cells and grids. A finger that stays on a cell begins a note. */
import { add, chooseGrid, focusCell, noteIn, point } from "./acts.js";
import { byId, offer } from "./dom.js";
import { frame, lookAt, zoom } from "./photo_view.js";
import { SLIP } from "./photo_zoom.js";
import { chosenCell, openGrids, state } from "./state.js";

const REST = 450; // how long a finger must rest to begin a note, in milliseconds

const board = byId("board");

/** Return the number in an attribute of an element or of the nearest element around it; -1 if there is none. @param {EventTarget | null} target */
const numberOf = (target, name = "data-cell") =>
  target instanceof Element ? Number(target.closest(`[${name}]`)?.getAttribute(name) ?? -1) : -1;

/** Return the element under a pointer. The events of a finger don't name this element: their target is the element on which the finger came down. @param {{clientX: number, clientY: number}} at */
const under = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY);

/**
 * Choose all cells over which a finger or the mouse moves. If the finger rests on a cell instead, begin a note in this cell.
 * @param {HTMLElement} element @param {"photo" | "board"} where
 * @param {(event: PointerEvent, from: number, isSteep: boolean) => boolean} isChoosing whether a move from the cell *from*
 *   to another cell chooses cells; otherwise, the move scrolls the page or drags the photo
 */
function sweepOver(element, where, isChoosing) {
  const cellOf = (/** @type {PointerEvent} */ event) => (element.contains(under(event)) ? numberOf(under(event)) : -1);
  /** The event and the cell (-1 for none) where the finger or the mouse came down. @type {[PointerEvent | null, number]} */
  let [down, from] = [null, -1];
  let [isSweeping, timer] = [false, 0];
  document.addEventListener("pointerdown", (event) => {
    clearTimeout(timer);
    const isHere = event.isPrimary && event.button === 0 && element.contains(/** @type {Node} */ (event.target));
    [down, from, isSweeping] = [event, isHere ? cellOf(event) : -1, false];
    const adds = event.ctrlKey || event.metaKey || event.shiftKey; // then the click adds the cell to the chosen cells
    if (from >= 0 && !adds) timer = setTimeout(() => noteIn(from, where), REST);
  });
  element.addEventListener("pointermove", (event) => {
    if (!down || from < 0 || !event.buttons) return;
    const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (Math.hypot(x, y) > SLIP) clearTimeout(timer);
    const to = cellOf(event);
    if (to < 0) return;
    if (!isSweeping) {
      if (to === from || !isChoosing(event, from, Math.abs(y) > Math.abs(x))) return;
      isSweeping = true;
      point(from, event, where);
    }
    add(to);
  });
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => clearTimeout(timer));
}

/**
 * Don't scroll the page while one finger chooses cells. Style sheets could do this, too (touch-action). But with each change of
 * them, a phone would need 10 ms to compute the styles of all cells.
 * @param {HTMLElement} element @param {(cell: number) => boolean} isChoosing whether a finger that came down on this cell chooses cells
 */
function stayPut(element, isChoosing) {
  const stop = (/** @type {TouchEvent} */ event) => {
    if (event.touches.length === 1 && isChoosing(numberOf(event.target)) && event.cancelable) event.preventDefault();
  };
  element.addEventListener("touchmove", stop, { passive: false });
}

// Photo: a finger that moves up or down scrolls the page. But if the finger begins on a chosen cell, it chooses more cells.
sweepOver(frame, "photo", ({ pointerType }, from, isSteep) => {
  if (frame.classList.contains("zoomed")) return false;
  return pointerType !== "touch" || !isSteep || state.cells.includes(from);
});
stayPut(frame, (cell) => state.cells.includes(cell));
// If the photo was dragged, the frame has captured the pointer. The click at the end of the move is then on no cell.
frame.addEventListener("click", (event) => {
  const [cell, grid] = ["data-cell", "data-grid"].map((name) => numberOf(event.target, name));
  if (cell >= 0) point(cell, event, "photo");
  else if (grid >= 0) chooseGrid(grid);
});
frame.addEventListener("contextmenu", (event) => zoom.fingers.size && event.preventDefault());
offer({
  "zoom-in": () => zoom.by(1.5),
  "zoom-out": () => zoom.by(1 / 1.5),
  "zoom-fit": () => lookAt(zoom.part ? [] : openGrids()),
});

// Board: while the pad is open, a finger chooses cells. Otherwise, it scrolls the page.
sweepOver(board, "board", ({ pointerType }) => pointerType !== "touch" || chosenCell() >= 0);
stayPut(board, () => chosenCell() >= 0);
board.addEventListener("click", (event) => {
  const cell = numberOf(event.target);
  if (cell < 0) return;
  focusCell(cell);
  point(cell, event, "board");
  // Show the whole board if there is room for it above the pad. Otherwise, show the cell.
  for (const one of [board, board.querySelector(`[data-cell="${cell}"]`)]) one?.scrollIntoView({ block: "nearest" });
});
board.addEventListener("focusin", ({ target }) => {
  if (numberOf(target) >= 0 && numberOf(target) !== state.tabbed) focusCell(numberOf(target));
});
