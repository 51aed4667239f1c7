// @ts-check
/** The digit pad for the chosen cells: what its keys write, how many of each digit are missing, and a crop of the photo. */
/** @import { Face, GridSession, Selection, Workspace } from "./types.js" */
import { placeOf } from "./board.js";
import { buttonById, byId, make, makeButton, press } from "./dom.js";
import { t } from "./language.js";
import { COLOURS } from "./own_shapes.js";

/**
 * What the digit keys write: the person's own entries, notes or colours; or corrections of printed or handwritten digits
 * in the photo.
 * @typedef {"entry" | "note" | "centre" | "colour" | "clue" | "written"} Kind
 */
const KINDS = /** @type {const} */ (["entry", "note", "centre", "colour", "clue", "written"]);

/** Return whether digits of a kind correct the reading of the photo. @param {Kind} kind @returns {kind is "clue" | "written"} */
export const isCorrection = (kind) => kind === "clue" || kind === "written";

/** The margin round the chosen cell that the crop shows on each side, in cells. */
const AROUND = 0.25;

export class Pad {
  sheet = byId("pad");
  /** @type {Kind} */
  kind = "entry";
  kinds = KINDS.map((kind) => buttonById(`pad-${kind}`));
  /** Whether the pad shows the crop of the photo. */
  looks = false;

  /** @param {Workspace} space @param {Selection} selection */
  constructor(space, selection) {
    this.space = space;
    this.digits = COLOURS.map((colour, at) => {
      const [digit, left] = [make("span", {}, String(at + 1)), make("small", { "aria-hidden": "true" })];
      const key = makeButton([digit, left], () => space.writing.write(at + 1), { class: "key", id: `pad-${at + 1}` });
      key.style.setProperty("--colour", colour);
      return key;
    });
    byId("pad-digits").prepend(...this.digits);
    this.kinds.forEach((button, at) =>
      button.addEventListener("click", () => space.writing.useKind(KINDS[at])),
    );
    buttonById("pad-blank").addEventListener("click", () => space.writing.write(0));
    buttonById("pad-close").addEventListener("click", () => selection.letGo());
    buttonById("pad-more").addEventListener("click", () => {
      this.looks = !this.looks;
      if (!this.looks && isCorrection(this.kind)) this.kind = "entry";
      selection.choose(...selection.cells);
    });
  }

  /**
   * Open the pad for *count* chosen cells; *face* is that of the last chosen cell.
   * @param {Face} face @param {GridSession} one @param {number} count @param {string} warning
   */
  open(face, one, count, warning) {
    const { kind, looks } = this;
    const several = count > 1;
    byId("pad-title").textContent = several
      ? t("cell.several", { count })
      : t("pad.title", placeOf(face.cell));
    const locked = !several && face.kind === "clue" && !isCorrection(kind) && kind !== "colour";
    const help = byId("pad-help");
    const told = looks ? t(`pad.help.${locked ? "clue" : kind}`) : locked ? t("pad.locked") : "";
    help.textContent = warning || told;
    help.classList.toggle("warning", Boolean(warning));
    press(this.kinds, KINDS.indexOf(kind));
    const shown = { note: face.marks, centre: face.centre, colour: face.colour }[String(kind)];
    const pressed = shown ?? (face.kind === kind ? String(face.digit) : "");
    this.digits.forEach((key, at) => {
      const digit = String(at + 1);
      const left = Math.max(0, 10 - one.board.split(digit).length);
      const name = t(kind === "colour" ? "cell.colour" : "pad.digit", { digit, digits: digit });
      key.setAttribute("aria-label", kind === "entry" ? `${name}, ${t("pad.left", { count: left })}` : name);
      key.setAttribute("aria-pressed", String(pressed.includes(digit)));
      key.classList.toggle("used-up", !left);
      /** @type {Element} */ (key.lastElementChild).textContent = kind === "entry" ? String(left) : "";
    });
    for (const key of [...this.digits, buttonById("pad-blank")]) {
      /** @type {HTMLButtonElement} */ (key).disabled = locked;
    }
    this.sheet.dataset.kind = kind;
    buttonById("pad-more").ariaExpanded = String(looks);
    byId("pad-look").hidden = !looks;
    if (looks) this.#look(face, one);
    this.sheet.hidden = false;
    document.body.classList.add("padded");
    document.documentElement.style.setProperty("--pad", `${this.sheet.offsetHeight}px`);
  }

  /** Show the chosen cell in the photo. @param {Face} face @param {GridSession} one */
  #look(face, one) {
    const crop = /** @type {HTMLCanvasElement} */ (byId("pad-crop"));
    crop.setAttribute("aria-label", t("pad.crop"));
    crop.getContext("2d")?.reset?.();
    this.space.photo.drawCell(crop, one.view.crossings, face.cell, AROUND);
  }

  /** Close the pad. Next time, the keys don't write corrections: they write entries again, or notes as before. */
  close() {
    if (isCorrection(this.kind)) this.kind = "entry";
    this.looks = false;
    this.sheet.hidden = true;
    document.body.classList.remove("padded");
  }
}
