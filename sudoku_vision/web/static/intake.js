// @ts-check
/** The ways in: files chosen or photographed, dropped anywhere, or pasted; pictures and boards in text. */
import { buttonById, byId, inputById } from "./dom.js";

/** @typedef {{onFile: (file: Blob) => void, onText: (text: string) => void}} Taker */

/** Let files and texts come in wherever a person puts them. @param {Taker} taker */
export function takeIn(taker) {
  for (const id of ["choose-file", "take-photo"]) {
    const input = inputById(`${id}-input`);
    buttonById(id).addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      input.value = ""; // so that the same file may be chosen again
      if (file) taker.onFile(file);
    });
  }
  takeDrops(taker);
  document.addEventListener("paste", (event) => {
    if (isForm(event.target) || document.querySelector("dialog[open]")) return;
    if (event.clipboardData && takeTransfer(event.clipboardData, taker)) event.preventDefault();
  });
}

/** @param {Taker} taker */
function takeDrops(taker) {
  const veil = byId("drop-veil");
  let depth = 0;
  const leave = () => {
    depth = 0;
    veil.hidden = true;
  };
  document.addEventListener("dragenter", (event) => {
    event.preventDefault();
    depth += 1;
    veil.hidden = false;
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("dragleave", () => {
    depth -= 1;
    if (depth <= 0) leave();
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    leave();
    if (!event.dataTransfer) return;
    for (const dialog of document.querySelectorAll("dialog")) dialog.close(); // the camera among them
    takeTransfer(event.dataTransfer, taker);
  });
}

/** @param {DataTransfer} transfer @param {Taker} taker */
function takeTransfer(transfer, taker) {
  const file = transfer.files[0];
  if (file) taker.onFile(file);
  const text = file ? "" : transfer.getData("text/plain").trim();
  if (text) taker.onText(text);
  return Boolean(file || text);
}

/** @param {EventTarget | null} target */
const isForm = (target) =>
  target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
