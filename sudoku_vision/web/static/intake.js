// @ts-check
/** The ways in: files chosen or photographed, dropped anywhere, or pasted; pictures and boards in text. */
import { buttonById, byId, inputById } from "./dom.js";

/** @typedef {import("./reader.js").Reader} Reader */

/** Let files and texts come in wherever a person puts them. @param {Reader} reader */
export function takeIn(reader) {
  for (const id of ["choose-file", "take-photo"]) {
    const input = inputById(`${id}-input`);
    buttonById(id).addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      input.value = ""; // so that the same file may be chosen again
      if (file) reader.readFile(file);
    });
  }
  takeDrops(reader);
  document.addEventListener("paste", (event) => {
    if (isForm(event.target) || document.querySelector("dialog[open]")) return;
    if (event.clipboardData && takeTransfer(event.clipboardData, reader)) event.preventDefault();
  });
}

/** @param {Reader} reader */
function takeDrops(reader) {
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
    takeTransfer(event.dataTransfer, reader);
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

/** @param {EventTarget | null} target */
const isForm = (target) =>
  target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
