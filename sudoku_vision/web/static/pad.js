// @ts-check
/** The digit pad: keys that write into the chosen cells, how many of each digit are missing, and a crop of the photo. */
/** @import { Face, GridSession, Kind } from "./types.js" */
import { placeOf } from "./board.js";
import { aria, buttonById, byId, inputById, make, makeButton, press } from "./dom.js";
import { t } from "./language.js";
import { COLOURS } from "./own_shapes.js";
import { showCell } from "./photo_view.js";
import { state } from "./state.js";

const KINDS = /** @type {const} */ (["entry", "note", "centre", "colour", "clue", "written"]);

/** @param {Kind} kind @returns {kind is "clue" | "written"} whether the keys correct how the photo was read */
export const isCorrection = (kind) => kind === "clue" || kind === "written";

/** How much of its surroundings the crop shows on each side of the chosen cell, in cells. */
const AROUND = 0.25;

const keys = COLOURS.map((colour, at) => {
  const words = [make("span", {}, String(at + 1)), make("small", { "aria-hidden": "true" })];
  const key = makeButton(words, "write", at + 1, { class: "key", id: `pad-${at + 1}` });
  key.style.setProperty("--colour", colour);
  return key;
});
byId("pad-digits").prepend(...keys);

/** @param {Face} face that of the last chosen cell @param {GridSession} one @param {string} warning what is wrong in the puzzle */
export function renderPad(face, one, warning) {
  const { kind, looks, cells } = state;
  const count = cells.length;
  byId("pad-title").textContent = count > 1 ? t("cell.several", { count }) : t("pad.title", placeOf(face.cell));
  const locked = count === 1 && face.kind === "clue" && !isCorrection(kind) && kind !== "colour";
  const help = byId("pad-help");
  const told = looks ? t(`pad.help.${locked ? "clue" : kind}`) : locked ? t("pad.locked") : "";
  help.textContent = warning || told;
  help.classList.toggle("warning", Boolean(warning));
  press(KINDS.map((name) => buttonById(`pad-${name}`)), KINDS.indexOf(kind));
  const shown = { note: face.marks, centre: face.centre, colour: face.colour }[String(kind)];
  const pressed = shown ?? (face.kind === kind ? String(face.digit) : "");
  keys.forEach((key, at) => {
    const digit = String(at + 1);
    const left = Math.max(0, 10 - one.board.split(digit).length);
    const name = t(kind === "colour" ? "cell.colour" : "pad.digit", { digit, digits: digit });
    const label = kind === "entry" ? `${name}, ${t("pad.left", { count: left })}` : name;
    aria(key, { label, pressed: pressed.includes(digit) });
    key.classList.toggle("used-up", !left);
    /** @type {Element} */ (key.lastElementChild).textContent = kind === "entry" ? String(left) : "";
  });
  for (const key of [...keys, buttonById("pad-blank")]) key.disabled = locked;
  const pad = byId("pad");
  pad.dataset.kind = kind;
  aria(buttonById("pad-more"), { expanded: looks });
  byId("pad-look").hidden = !looks;
  if (looks) showCell(byId("pad-crop"), one.view.crossings, face.cell, AROUND);
  const [sum, chosen] = [inputById("cage-sum"), [...cells].sort((a, b) => a - b).join()];
  const cage = one.rules.cages?.find((other) => other.cells.join() === chosen);
  if (document.activeElement !== sum) sum.value = String(cage?.sum ?? "");
  [sum.min, sum.max] = [(count * (count + 1)) / 2, (count * (19 - count)) / 2].map(String); // of different digits
  const [{ style }, height] = [document.documentElement, `${pad.offsetHeight}px`];
  if (style.getPropertyValue("--pad") !== height) style.setProperty("--pad", height);
}
