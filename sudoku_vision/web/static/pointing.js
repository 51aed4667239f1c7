// @ts-check
/** What fingers and the mouse do on photo and board: they choose cells and grids. A finger that rests begins a note. */
import { add, chooseGrid, focusCell, noteIn, point } from "./acts.js";
import { byId, offer } from "./dom.js";
import { cellAt, gridBorder, isInside } from "./geometry.js";
import { frame, lookAt, pointOf, zoom } from "./photo_view.js";
import { SLIP } from "./photo_zoom.js";
import { chosenCell, current, openGrids, state } from "./state.js";

/** How long a finger must rest to begin a note, in milliseconds. */
const REST = 450;

const board = byId("board");

/** Return the cell of the open grid at a point of the photo, -1 if there is none. @param {{clientX: number, clientY: number}} at */
function cellInPhoto(at) {
  const crossings = zoom.enabled && current()?.view.crossings;
  return crossings ? cellAt(crossings, pointOf(at)) : -1;
}

/** Return the cell of the board that an element belongs to, -1 for none. @param {EventTarget | null} target */
const cellInBoard = (target) =>
  target instanceof Element ? Number(target.closest("#board [data-cell]")?.getAttribute("data-cell") ?? -1) : -1;

/**
 * Choose all cells over which a finger or the mouse moves; if the finger rests on a cell instead, begin a note in it.
 * @param {HTMLElement} element @param {"photo" | "board"} where @param {(event: PointerEvent) => number} cellOf
 * @param {(event: PointerEvent, from: number, isSteep: boolean) => boolean} isChoosing whether a move from the cell *from*
 *   to another one chooses cells; otherwise, it scrolls the page or drags the photo
 */
function sweepOver(element, where, cellOf, isChoosing) {
  /** The event and the cell (-1 for none) where the finger or the mouse came down. @type {[PointerEvent | null, number]} */
  let [down, from] = [null, -1];
  let [isSweeping, timer] = [false, 0];
  document.addEventListener("pointerdown", (event) => {
    clearTimeout(timer);
    const isHere = event.isPrimary && event.button === 0 && element.contains(/** @type {Node} */ (event.target));
    [down, from, isSweeping] = [event, isHere ? cellOf(event) : -1, false];
    if (from >= 0) timer = setTimeout(() => noteIn(from, where), REST);
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

/** A finger that moves up or down scrolls the page. If it begins on a chosen cell, it chooses more cells instead. */
function pointAtPhoto() {
  sweepOver(frame, "photo", cellInPhoto, ({ pointerType }, from, isSteep) => {
    if (frame.classList.contains("zoomed")) return false;
    return pointerType !== "touch" || !isSteep || state.cells.includes(from);
  });
  zoom.onTap = (event) => {
    const cell = cellInPhoto(event);
    if (cell >= 0) return point(cell, event, "photo");
    const at = pointOf(event);
    const other = openGrids().findIndex(({ view }) => isInside(gridBorder(view.crossings), at));
    if (other >= 0) chooseGrid(other);
  };
  frame.addEventListener(
    "touchstart",
    (event) => {
      const isChoosing = event.touches.length === 1 && state.cells.includes(cellInPhoto(event.touches[0]));
      if (isChoosing && event.cancelable) event.preventDefault(); // otherwise, the page would scroll
    },
    { passive: false },
  );
  frame.addEventListener("contextmenu", (event) => zoom.fingers.size && event.preventDefault());
  offer({
    "zoom-in": () => zoom.by(1.5),
    "zoom-out": () => zoom.by(1 / 1.5),
    "zoom-fit": () => lookAt(zoom.part ? [] : openGrids()),
  });
}

/** With the pad open, a finger chooses cells; otherwise it scrolls the page. */
function pointAtBoard() {
  // A finger's events keep the target where it came down.
  const under = (/** @type {PointerEvent} */ { clientX, clientY }) => cellInBoard(document.elementFromPoint(clientX, clientY));
  sweepOver(board, "board", under, ({ pointerType }) => pointerType !== "touch" || chosenCell() >= 0);
  board.addEventListener("click", (event) => {
    const cell = cellInBoard(event.target);
    if (cell < 0) return;
    focusCell(cell);
    point(cell, event, "board");
  });
  board.addEventListener("focusin", ({ target }) => {
    if (cellInBoard(target) >= 0 && cellInBoard(target) !== state.tabbed) focusCell(cellInBoard(target));
  });
}

pointAtPhoto();
pointAtBoard();
