/** Saves, shares and prints the picture, copies the board as text, and links to other sites. */
import { fail } from "./acts.js";
import { askBoard } from "./api.js";
import { buttonById, byId, inputById, jpegOf, make, offer, say } from "./dom.js";
import { CLASSIC } from "./board.js";
import { addressOf, LAYERS, plainBoard } from "./draw.js";
import { t } from "./language.js";
import { image as shown } from "./photo_view.js";
import { current, pictureSize, state } from "./state.js";

const QUALITY = 0.92;
const FILE_NAME = "sudoku.jpg";
/** A canvas gets at most this many pixels. Some browsers can't paint a larger canvas. */
const MAX_CANVAS = 16_000_000;

/** Return the photo with its drawings and the sentence of a hint, as JPEG. It is as large as the file that the person chose. */
async function paintPicture() {
  const original = state.session?.original;
  const size = pictureSize();
  const image = (original && (await createImageBitmap(original).catch(() => null))) ?? shown;
  const [width, height] = image === shown ? size : [image.width, image.height];
  const scale = Math.min(1, Math.sqrt(MAX_CANVAS / (width * height)));
  const [across, down] = [width, height].map((side) => Math.round(side * scale));
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  const letter = Math.max(14, across / 36);
  const font = `${letter}px system-ui, sans-serif`;
  pen.font = font;
  const lines = linesOf(pen, caption(), 0.92 * across);
  [canvas.width, canvas.height] = [across, down + (lines.length && 1.4 * letter * (lines.length + 1))];
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, across, down);
  for (const name of LAYERS) {
    const drawing = byId(`layer-${name}`);
    if (!drawing.querySelector("g > *")) continue;
    const layer = new Image();
    layer.src = addressOf(drawing, size);
    await layer.decode();
    pen.globalCompositeOperation = name === "multiply" || name === "screen" ? name : "source-over";
    pen.drawImage(layer, 0, 0, across, down);
  }
  Object.assign(pen, { font, fillStyle: "#14181f", globalCompositeOperation: "source-over" });
  lines.forEach((line, at) => pen.fillText(line, 0.04 * across, down + 1.4 * letter * (at + 1.2)));
  const blob = await jpegOf(canvas, QUALITY);
  if (!blob) throw new Error("no picture");
  return blob;
}

/** Return the sentence of the step that is shown; "" if no step is shown. */
const caption = () => document.querySelector("[role=tabpanel]:not([hidden]) .told")?.textContent ?? "";

/** Print the picture with a text. If *contents* has a drawing, print the drawing in place of the picture. @param {...(Element | string)} contents */
function print(...contents) {
  byId("printed").replaceChildren(...contents);
  window.print();
  byId("printed").replaceChildren();
}

/** Break words into lines that are at most *width* pixels long. @param {CanvasRenderingContext2D} pen @param {string} words @param {number} width */
function linesOf(pen, words, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of words ? words.split(" ") : []) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length && pen.measureText(longer).width <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** Return a function that does *act*. If *act* fails, the function shows why, unless the person has cancelled it. @param {() => Promise<void>} act */
const trying = (act) => async () => {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) fail(error);
  }
};

async function save() {
  const address = URL.createObjectURL(await paintPicture());
  const link = /** @type {HTMLAnchorElement} */ (make("a", { href: address, download: FILE_NAME }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  say(t("away.saved"));
}

async function share() {
  const file = new File([await paintPicture()], FILE_NAME, { type: "image/jpeg" });
  await navigator.share({ files: [file], title: t("title") });
}

async function copy() {
  const one = current();
  if (!one) return;
  const { filled: written, rules, grid: { puzzle } } = one;
  const digits = [...written].map((digit, cell) => (digit === "0" ? puzzle[cell] : `+${digit}`)).join("");
  const board = rules.name === CLASSIC.name ? digits : JSON.stringify({ puzzle, written, rules });
  try {
    await navigator.clipboard.writeText(board);
    say(t(board !== digits ? "away.copied.rules" : board === puzzle ? "away.copied" : "away.copied.begun"));
  } catch {
    // A page over plain http from another machine can't use the clipboard. Show the text instead.
    const field = inputById("board-digits");
    byId("board-digits-field").hidden = false;
    field.value = board;
    field.select();
    say(t("away.notCopied"));
  }
}

/** Show the links to other sites if their list is open. */
async function link() {
  const one = current();
  byId("site-list").replaceChildren();
  if (!one || !(/** @type {HTMLDetailsElement} */ (byId("sites")).open)) return;
  const { links } = await askBoard(one.grid.puzzle, "links", one.rules, one.filled);
  const items = Object.entries(links).map(([site, address]) => {
    const set = { href: String(address), target: "_blank", rel: "noopener noreferrer" };
    return make("li", {}, make("a", set, t("away.open", { site })));
  });
  byId("site-list").replaceChildren(...items);
}

offer({
  "save-picture": trying(save),
  "share-picture": trying(share),
  "copy-board": copy,
  "print-picture": () => print(caption()),
  "print-board": () => {
    const one = current();
    if (one) print(plainBoard({ ...one.grid, written: one.filled, marks: one.notes, centre: one.centre }, one.view.lines, 0.1), caption());
  },
});
byId("sites").addEventListener("toggle", trying(link));
const picture = new File([""], FILE_NAME, { type: "image/jpeg" });
buttonById("share-picture").hidden = !navigator.canShare?.({ files: [picture] });
