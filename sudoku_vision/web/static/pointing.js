// @ts-check
/** What fingers and the mouse do on photo and board: they choose cells and grids. A finger that rests begins a note. */
import { add, chooseGrid, focusCell, noteIn, point } from "./acts.js";
import { byId, offer } from "./dom.js";
import { cellAt, gridBorder, isInside } from "./geometry.js";
import { frame, lookAt, pointOf, zoom } from "./photo_view.js";
import { chosenCell, current, openGrids, state } from "./state.js";

/** How long a finger must rest to begin a note, in milliseconds. */
const REST = 450;
/** If the finger moves by more pixels than this, it doesn't rest. */
const SLIP = 8;

/** @param {HTMLElement} element @param {(event: PointerEvent) => void} act is called when a finger rests on the element */
function onRest(element, act) {
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
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => clearTimeout(timer));
}

/** A finger that moves up or down scrolls the page. If it begins on a chosen cell, it chooses more cells instead. */
function pointAtPhoto() {
  let isSweeping = false;
  const cellOf = (/** @type {{clientX: number, clientY: number}} */ event) => {
    const crossings = current()?.view.crossings;
    return crossings ? cellAt(crossings, pointOf(event)) : -1;
  };
  zoom.act = {
    tap: (event) => {
      const cell = cellOf(event);
      if (cell >= 0) return point(cell, event, "photo");
      const at = pointOf(event);
      const other = openGrids().findIndex(({ view }) => isInside(gridBorder(view.crossings), at));
      if (other >= 0) chooseGrid(other);
    },
    sweep: (from, event) => {
      if (from) {
        const first = cellOf(from);
        const isSteep = Math.abs(event.clientY - from.clientY) > Math.abs(event.clientX - from.clientX);
        isSweeping = first >= 0 && (from.pointerType !== "touch" || !isSteep || state.cells.includes(first));
        if (isSweeping) point(first, event, "photo");
      }
      if (isSweeping && cellOf(event) >= 0) add(cellOf(event));
    },
  };
  frame.addEventListener(
    "touchstart",
    (event) => {
      const isChoosing = event.touches.length === 1 && state.cells.includes(cellOf(event.touches[0]));
      if (isChoosing && event.cancelable) event.preventDefault(); // otherwise, the page would scroll
    },
    { passive: false },
  );
  onRest(frame, (event) => {
    const cell = zoom.enabled && zoom.moved !== Infinity ? cellOf(event) : -1;
    if (cell >= 0) noteIn(cell, "photo");
  });
  frame.addEventListener("contextmenu", (event) => zoom.fingers.size && event.preventDefault());
  offer({
    "zoom-in": () => zoom.by(1.5),
    "zoom-out": () => zoom.by(1 / 1.5),
    "zoom-fit": () => lookAt(zoom.part ? [] : openGrids()),
  });
}

/** @param {EventTarget | null} target */
const cellOf = (target) =>
  target instanceof Element ? Number(target.closest("[data-cell]")?.getAttribute("data-cell") ?? -1) : -1;

function pointAtBoard() {
  const board = byId("board");
  board.addEventListener("click", (event) => {
    const cell = cellOf(event.target);
    if (cell < 0) return;
    focusCell(cell);
    point(cell, event, "board");
  });
  // The cell where a finger or the mouse came down (-1 for none), and whether it has moved to other cells since.
  let [from, sweeps] = [-1, false];
  document.addEventListener("pointerdown", ({ button, target }) => {
    [from, sweeps] = [button === 0 && board.contains(/** @type {Node} */ (target)) ? cellOf(target) : -1, false];
  });
  board.addEventListener("pointermove", (event) => {
    // With the pad open, a finger chooses cells; otherwise it scrolls the page.
    if (from < 0 || !event.buttons || (event.pointerType === "touch" && chosenCell() < 0)) return;
    const to = cellOf(document.elementFromPoint(event.clientX, event.clientY));
    if (to < 0 || (to === from && !sweeps)) return;
    if (!sweeps) point(from, event, "board");
    sweeps = true;
    add(to);
  });
  onRest(board, (event) => {
    if (cellOf(event.target) >= 0) noteIn(cellOf(event.target), "board");
  });
  board.addEventListener("focusin", ({ target }) => {
    if (cellOf(target) >= 0 && cellOf(target) !== state.tabbed) focusCell(cellOf(target));
  });
}

pointAtPhoto();
pointAtBoard();
