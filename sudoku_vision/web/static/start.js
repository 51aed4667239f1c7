// @ts-check
/** The start: the ways in for pictures and boards in text, and the last puzzles. */
/** @import { Point, Reader, Rules } from "./types.js" */
import { blanksOf, placeOf } from "./board.js";
import { buttonById, byId, inputById, make, makeButton, svg } from "./dom.js";
import { gridLines } from "./draw.js";
import { forget, keptPuzzles } from "./kept.js";
import { t } from "./language.js";
import { standing } from "./solving.js";

/** Accept files and texts that are chosen, photographed, dropped or pasted. @param {Reader} reader */
export function takeIn(reader) {
  for (const id of ["choose-file", "take-photo"]) {
    const input = inputById(`${id}-input`);
    const take = () => {
      const file = input.files?.[0];
      input.value = ""; // so that the same file can be chosen again
      if (!file) return;
      input.focus({ preventScroll: true }); // a finger on its label has not done that
      reader.readFile(file);
    };
    input.addEventListener("change", take);
    take(); // a file that was chosen before the page was ready
  }
  const isComputer = matchMedia("(hover: hover) and (pointer: fine)"); // as in the style: it has no camera at hand
  buttonById("new-photo").addEventListener("click", () =>
    byId(isComputer.matches ? "choose-file-input" : "take-photo-input").click(),
  );
  const veil = byId("drop-veil");
  document.addEventListener("dragenter", (event) => {
    event.preventDefault();
    veil.hidden = false;
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    veil.hidden ||= !relatedTarget; // it has left the window
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    veil.hidden = true;
    if (!event.dataTransfer) return;
    for (const dialog of document.querySelectorAll("dialog")) dialog.close(); // the camera is one
    takeTransfer(event.dataTransfer, reader);
  });
  document.addEventListener("paste", (event) => {
    const isInForm = event.target instanceof Element && event.target.matches("input, textarea, [contenteditable]");
    if (isInForm || document.querySelector("dialog[open]")) return;
    if (event.clipboardData && takeTransfer(event.clipboardData, reader)) event.preventDefault();
  });
}

/** @param {DataTransfer} transfer @param {Reader} reader */
function takeTransfer(transfer, reader) {
  const file = transfer.files[0];
  if (file) reader.readFile(file);
  const text = file ? "" : transfer.getData("text/plain").trim();
  if (text) reader.readText(text);
  return Boolean(file || text);
}

/** Offer the last puzzles, and to undo that some were forgotten. @param {Reader} reader @param {(() => void) | null} [bringBack] */
export function offerKept(reader, bringBack = null) {
  const puzzles = keptPuzzles();
  const [all, undo] = [buttonById("kept-forget"), buttonById("forgotten-undo")];
  const forgetSome = (/** @type {string[]} */ ids) => {
    const last = forget(ids);
    offerKept(reader, () => [last, bringBack].forEach((act) => act?.()));
    undo.focus();
  };
  buttonById("resume").hidden = !reader.space.aside && !puzzles.length;
  byId("kept").hidden = !puzzles.length && !bringBack;
  document.documentElement.toggleAttribute("data-kept", Boolean(puzzles.length || bringBack || reader.space.aside));
  byId("forgotten").hidden = !bringBack;
  undo.onclick = () => {
    bringBack?.();
    offerKept(reader);
    byId("content").focus();
  };
  all.hidden = !puzzles.length;
  all.onclick = () => forgetSome(puzzles.map(({ id }) => id));
  byId("kept-list").replaceChildren(
    ...puzzles.map(({ id, grid, solving }, place) => {
      const [board, number] = [standing(grid, solving.now), place + 1];
      const look = { class: "kept-open", "aria-label": t("kept.open", { number, count: blanksOf(board) }) };
      const picture = smallPicture(grid.puzzle, board, solving.now.rules ?? grid.rules);
      const name = t("kept.forget", { number });
      const set = { class: "icon-button", "aria-label": name, title: name };
      return make(
        "li",
        {},
        makeButton([picture], () => reader.resume(id), look),
        makeButton("×", () => forgetSome([id]), set),
      );
    }),
  );
}

/** @param {string} clues @param {string} board @param {Rules} [rules] */
function smallPicture(clues, board, rules) {
  const lines = Array.from({ length: 10 }, (_, line) => line);
  const crossings = lines.map((y) => lines.map((x) => /** @type {Point} */ ([x, y])));
  const digits = [...board].map((digit, cell) => {
    const { row, column } = placeOf(cell);
    const set = { x: column - 0.5, y: row - 0.2, class: clues[cell] === "0" ? "own" : "" };
    return svg("text", set, digit === "0" ? "" : digit);
  });
  const set = { viewBox: "-0.1 -0.1 9.2 9.2", "aria-hidden": "true" };
  return svg("svg", set, ...gridLines(crossings, "line", rules), ...digits);
}
