/** The start of the page: the ways to open pictures and boards in text, and the list of the last puzzles. */
import { blanksOf } from "./board.js";
import { buttonById, byId, copy, inputById, jpegOf, make, makeButton, offer } from "./dom.js";
import { plainBoard } from "./draw.js";
import { forget, keptPuzzles } from "./kept.js";
import { dateOf, t } from "./language.js";
import { readFile, readText, resume } from "./reader.js";
import { standing } from "./solving.js";
import { state } from "./state.js";

/** Accept files and texts that are chosen, photographed, dropped or pasted. */
export function takeIn() {
  for (const id of ["choose-file", "take-photo"]) {
    const input = inputById(`${id}-input`);
    const take = () => {
      const file = input.files?.[0];
      input.value = ""; // then the same file can be chosen again
      if (!file) return;
      input.focus({ preventScroll: true }); // because a tap on the label doesn't focus the input
      readFile(file);
    };
    input.addEventListener("change", take);
    take(); // a file that was chosen before the page was ready
  }
  // A computer has no camera that can be held over a page. The style sheet uses the same condition.
  const isComputer = matchMedia("(hover: hover) and (pointer: fine)");
  offer({
    "new-photo": () => byId(isComputer.matches ? "choose-file-input" : "take-photo-input").click(),
    example: async () => {
      const photo = await examplePhoto();
      if (photo) readFile(photo);
    },
    "kept-open": resume,
    "forget-one": (/** @type {string} */ id) => forgetSome([id]),
    "kept-forget": () => forgetSome(keptPuzzles().map(({ id }) => id)),
    "forgotten-undo": () => {
      state.bringBack?.();
      offerKept();
      byId("content").focus();
    },
  });
  const veil = byId("drop-veil");
  for (const name of ["dragenter", "dragover"])
    document.addEventListener(name, (event) => {
      event.preventDefault();
      veil.hidden = false;
    });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    veil.hidden ||= !relatedTarget; // the pointer has left the window
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    veil.hidden = true;
    if (!event.dataTransfer) return;
    for (const dialog of document.querySelectorAll("dialog")) dialog.close(); // the camera is a dialog, too
    takeTransfer(event.dataTransfer);
  });
  document.addEventListener("paste", (event) => {
    const isInForm = event.target instanceof Element && event.target.matches("input, textarea, [contenteditable]");
    if (isInForm || document.querySelector("dialog[open]")) return;
    if (event.clipboardData && takeTransfer(event.clipboardData)) event.preventDefault();
  });
}

/** Return the picture of the start page as a photo, without the answers in it. */
async function examplePhoto() {
  const image = new Image(1090, 880);
  image.src = "/static/hero.svg#table"; // because of #table, the style in this SVG hides the answers, and shows the table under the paper
  await image.decode();
  const canvas = document.createElement("canvas");
  copy(image, canvas, image.width, image.height);
  return jpegOf(canvas, 0.9);
}

/** @param {DataTransfer} transfer */
function takeTransfer(transfer) {
  const file = transfer.files[0];
  if (file) readFile(file);
  const text = file ? "" : transfer.getData("text/plain").trim();
  if (text) readText(text);
  return Boolean(file || text);
}

/** Forget puzzles, and offer to bring them back. @param {string[]} ids */
function forgetSome(ids) {
  const [last, before] = [forget(ids), state.bringBack];
  offerKept(() => [last, before].forEach((act) => act?.()));
  buttonById("forgotten-undo").focus();
}

/** List the last puzzles. @param {(() => void) | null} [bringBack] brings back the puzzles that were forgotten last */
export function offerKept(bringBack = null) {
  state.bringBack = bringBack;
  const puzzles = keptPuzzles();
  buttonById("resume").hidden = !state.session && !puzzles.length;
  byId("kept").hidden = !puzzles.length && !bringBack;
  document.documentElement.toggleAttribute("data-kept", Boolean(puzzles.length || bringBack || state.session));
  byId("forgotten").hidden = !bringBack;
  buttonById("kept-forget").hidden = !puzzles.length;
  byId("kept-list").replaceChildren(
    ...puzzles.map(({ id, grid: first, corrected, solving, lines = "" }, place) => {
      const [grid, number] = [{ ...first, ...corrected }, place + 1];
      const board = standing(grid, solving.now);
      const day = dateOf(parseInt(id));
      const name = `${t("kept.open", { number, count: blanksOf(board) })}, ${day}`;
      const picture = plainBoard({ ...grid, written: board, marks: [] }, lines, 0.1);
      const words = [picture, make("span", { class: "small" }, day)];
      const forgets = t("kept.forget", { number });
      const opening = makeButton(words, "kept-open", id, { class: "kept-open", "aria-label": name });
      const forgetting = { class: "icon-button", "aria-label": forgets, title: forgets };
      return make("li", {}, opening, makeButton("×", "forget-one", id, forgetting));
    }),
  );
}
