// @ts-check
/** The digit pad for the chosen cell: what its keys write, and a look at this cell in the photo. */
/** @import { Crossings, Face, Workspace } from "./types.js" */
import { placeOf } from "./board.js";
import { buttonById, byId, makeButton, press } from "./dom.js";
import { t } from "./language.js";

/**
 * What the digit keys write: the person's own entries or notes, or corrections of the photo, printed or handwritten.
 * @typedef {"entry" | "note" | "clue" | "written"} Kind
 */
const KINDS = /** @type {const} */ (["entry", "note", "clue", "written"]);

/** The crop of the chosen cell shows so much more on each side, in cells. */
const AROUND = 0.25;

export class Pad {
  sheet = byId("pad");
  /** @type {Kind} */
  kind = "entry";
  kinds = KINDS.map((kind) => buttonById(`pad-${kind}`));

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    this.digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) =>
      makeButton(String(digit), () => space.writing.write(digit), { class: "key", id: `pad-${digit}` }),
    );
    byId("pad-digits").prepend(...this.digits);
    this.kinds.forEach((button, at) =>
      button.addEventListener("click", () => space.writing.useKind(KINDS[at])),
    );
    buttonById("pad-blank").addEventListener("click", () => space.writing.write(0));
    buttonById("pad-close").addEventListener("click", () => space.letGo());
  }

  /** Whether the keys correct the reading of the photo. */
  get corrects() {
    return this.kind === "clue" || this.kind === "written";
  }

  /** Open for a cell. @param {Face} face @param {Crossings} crossings */
  open(face, crossings) {
    byId("pad-title").textContent = t("pad.title", placeOf(face.cell));
    const locked = face.kind === "clue" && !this.corrects;
    byId("pad-help").textContent = locked ? t("pad.locked") : t(`pad.help.${this.kind}`);
    press(this.kinds, KINDS.indexOf(this.kind));
    const notes = face.digit ? "" : face.marks;
    const shown = this.kind === "note" ? notes : face.kind === this.kind ? String(face.digit) : "";
    this.digits.forEach((key, at) => {
      key.setAttribute("aria-label", t("pad.digit", { digit: at + 1 }));
      key.setAttribute("aria-pressed", String(shown.includes(String(at + 1))));
    });
    for (const key of [...this.digits, buttonById("pad-blank")]) {
      /** @type {HTMLButtonElement} */ (key).disabled = locked;
    }
    this.sheet.classList.toggle("noting", this.kind === "note");
    const crop = /** @type {HTMLCanvasElement} */ (byId("pad-crop"));
    crop.setAttribute("aria-label", t("pad.crop"));
    crop.getContext("2d")?.reset?.();
    this.space.photo.drawCell(crop, crossings, face.cell, AROUND);
    this.sheet.hidden = false;
    document.body.classList.add("padded");
  }

  /** Close. Next time the keys write entries or notes again, not corrections. */
  close() {
    if (this.corrects) this.kind = "entry";
    this.sheet.hidden = true;
    document.body.classList.remove("padded");
  }
}
