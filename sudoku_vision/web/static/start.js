// @ts-check
/** The start page: the ways to open pictures and boards in text, and the last puzzles. */
/** @import { Reader } from "./types.js" */
import { blanksOf } from "./board.js";
import { buttonById, byId, inputById, jpegOf, make, makeButton } from "./dom.js";
import { plainBoard } from "./draw.js";
import { forget, keptPuzzles } from "./kept.js";
import { language, t } from "./language.js";
import { standing } from "./solving.js";

/** Accept files and texts that are chosen, photographed, dropped or pasted. @param {Reader} reader */
export function takeIn(reader) {
  for (const id of ["choose-file", "take-photo"]) {
    const input = inputById(`${id}-input`);
    const take = () => {
      const file = input.files?.[0];
      input.value = ""; // so that the same file can be chosen again
      if (!file) return;
      input.focus({ preventScroll: true }); // a tap on its label doesn't move the focus
      reader.readFile(file);
    };
    input.addEventListener("change", take);
    take(); // a file that was chosen before the page was ready
  }
  buttonById("example").addEventListener("click", async () => {
    const photo = await examplePhoto();
    if (photo) reader.readFile(photo);
  });
  const isComputer = matchMedia("(hover: hover) and (pointer: fine)"); // as in the style sheet: it has no handy camera
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
    veil.hidden ||= !relatedTarget; // the pointer has left the window
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    veil.hidden = true;
    if (!event.dataTransfer) return;
    for (const dialog of document.querySelectorAll("dialog")) dialog.close(); // the camera is a dialog, too
    takeTransfer(event.dataTransfer, reader);
  });
  document.addEventListener("paste", (event) => {
    const isInForm = event.target instanceof Element && event.target.matches("input, textarea, [contenteditable]");
    if (isInForm || document.querySelector("dialog[open]")) return;
    if (event.clipboardData && takeTransfer(event.clipboardData, reader)) event.preventDefault();
  });
}

/** Return the example picture of the page as a photo, without its answers. */
async function examplePhoto() {
  const drawing = await (await fetch("/static/hero.svg")).text();
  const blank = drawing.replace(/<style>[^]*<\/style>|<g class="answers"[^]*?<\/g>/g, "");
  const image = new Image(1090, 880);
  image.src = `data:image/svg+xml,${encodeURIComponent(blank)}`;
  await image.decode();
  const canvas = make("canvas", { width: image.width, height: image.height });
  if (!(canvas instanceof HTMLCanvasElement)) return null;
  const pen = canvas.getContext("2d");
  if (pen) pen.fillStyle = "#cfc8bd"; // the colour of the table on which the paper lies
  pen?.fillRect(0, 0, canvas.width, canvas.height);
  pen?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return jpegOf(canvas, 0.9);
}

/** @param {DataTransfer} transfer @param {Reader} reader */
function takeTransfer(transfer, reader) {
  const file = transfer.files[0];
  if (file) reader.readFile(file);
  const text = file ? "" : transfer.getData("text/plain").trim();
  if (text) reader.readText(text);
  return Boolean(file || text);
}

/**
 * Offer the last puzzles; after some were forgotten, also offer to bring them back.
 * @param {Reader} reader @param {(() => void) | null} [bringBack]
 */
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
      const day = new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(parseInt(id));
      const name = `${t("kept.open", { number, count: blanksOf(board) })}, ${day}`;
      const look = { class: "kept-open", "aria-label": name };
      const rules = solving.now.rules ?? grid.rules;
      const picture = plainBoard({ ...grid, written: board, marks: [], rules }, 0.1);
      const forgets = t("kept.forget", { number });
      const set = { class: "icon-button", "aria-label": forgets, title: forgets };
      return make(
        "li",
        {},
        makeButton([picture, make("span", { class: "small" }, day)], () => reader.resume(id), look),
        makeButton("×", () => forgetSome([id]), set),
      );
    }),
  );
}
