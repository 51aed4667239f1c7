// @ts-check
/** The digit pad for the cell in hand, with a look at that cell in the photo. */
import { buttonById, byId, inputById, make } from "./dom.js";
import { drawCell } from "./crop.js";
import { t } from "./language.js";

/** Cells round the one in hand that its crop shows on each side. */
const AROUND = 0.25;

export class Pad {
  /** @param {{onDigit: (digit: number, byHand: boolean) => void, onHand: (byHand: boolean) => void, onClose: () => void}} acts */
  constructor(acts) {
    this.sheet = byId("pad");
    this.hand = inputById("pad-hand");
    this.digits = Array.from({ length: 9 }, (_, at) =>
      make(
        "button",
        {
          type: "button",
          class: "key",
          id: `pad-${at + 1}`,
          on: () => acts.onDigit(at + 1, this.hand.checked),
        },
        String(at + 1),
      ),
    );
    byId("pad-digits").prepend(...this.digits);
    buttonById("pad-blank").addEventListener("click", () => acts.onDigit(0, false));
    buttonById("pad-close").addEventListener("click", () => acts.onClose());
    this.hand.addEventListener("change", () => acts.onHand(this.hand.checked));
  }

  get isOpen() {
    return !this.sheet.hidden;
  }

  /**
   * Open for a cell.
   * @param {import("./faces.js").Face} face @param {import("./crop.js").Picture} picture
   * @param {import("./types.js").Crossings} crossings
   */
  open(face, picture, crossings) {
    const moved = this.cell !== face.cell || !this.isOpen;
    this.cell = face.cell;
    const place = { row: Math.floor(face.cell / 9) + 1, column: (face.cell % 9) + 1 };
    byId("pad-title").textContent = t("pad.title", place);
    const stands = face.kind === "clue" || face.kind === "written";
    if (moved) this.hand.checked = face.kind === "written";
    else if (stands) this.hand.checked = face.kind === "written";
    this.digits.forEach((key, at) => {
      key.setAttribute("aria-label", t("pad.digit", { digit: at + 1 }));
      key.setAttribute("aria-pressed", String(stands && face.digit === at + 1));
    });
    buttonById("pad-blank").setAttribute("aria-pressed", String(!stands));
    const crop = /** @type {HTMLCanvasElement} */ (byId("pad-crop"));
    crop.setAttribute("aria-label", t("pad.crop"));
    crop.getContext("2d")?.reset?.();
    drawCell(crop, picture, crossings, face.cell, AROUND);
    this.sheet.hidden = false;
    document.body.classList.add("padded");
  }

  close() {
    this.sheet.hidden = true;
    this.cell = -1;
    document.body.classList.remove("padded");
  }
}
