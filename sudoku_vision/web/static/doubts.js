// @ts-check
/** The cells in doubt, asked one by one: a look at each in the photo, and a button for each answer. */
import { make, makeButton } from "./dom.js";
import { drawCell } from "./crop.js";
import { cellName } from "./faces.js";
import { t } from "./language.js";

/** @typedef {import("./types.js").Doubt} Doubt */
/** @typedef {{label: string, says: string}} Choice `says` is what a correction says of the cell */

const CROP_SIDE = 144;
const AROUND = 0.12;

/**
 * Return what may be answered to a doubt, the likeliest first.
 * @param {Doubt} doubt @param {import("./types.js").Grid} grid @returns {Choice[]}
 */
export function choicesOf(doubt, grid) {
  const entry = Number(grid.written[doubt.cell]) || 0;
  if (doubt.kind === "role") {
    const digit = doubt.digits.find(Boolean) ?? entry;
    return [
      { label: t("doubts.printed", { digit }), says: String(digit) },
      { label: t("doubts.written", { digit: entry || digit }), says: `w${entry || digit}` },
    ];
  }
  return doubt.digits.map((digit) => {
    if (doubt.kind === "entry")
      return { label: digit ? String(digit) : t("doubts.none"), says: digit ? `w${digit}` : "blank" };
    if (digit) return { label: String(digit), says: String(digit) };
    return entry
      ? { label: t("doubts.written", { digit: entry }), says: `w${entry}` }
      : { label: t("doubts.blank"), says: "blank" };
  });
}

/** Ask in plain words: "r3c5: 8 or 6?" @param {Doubt} doubt @param {Choice[]} choices */
export function questionOf(doubt, choices) {
  const labels = choices.map((choice) => choice.label);
  const last = labels.pop() ?? "";
  const digits = labels.length ? t("doubts.or", { some: labels.join(", "), last }) : last;
  return t(`doubts.${doubt.kind}`, { cell: cellName(doubt.cell), digits });
}

/**
 * Fill a list with the doubts of a grid.
 * @param {HTMLElement} list
 * @param {import("./session.js").GridSession} one
 * @param {import("./crop.js").Picture} picture
 * @param {{choose: (cell: number, says: string) => void, look: (cell: number) => void}} acts
 */
export function listDoubts(list, one, picture, acts) {
  const open = one.grid.doubts.filter((doubt) => !(doubt.cell in one.now.said));
  list.replaceChildren(
    ...open.map((doubt) => {
      const choices = choicesOf(doubt, one.grid);
      const crop = /** @type {HTMLCanvasElement} */ (
        make("canvas", { width: CROP_SIDE, height: CROP_SIDE, class: "crop", "aria-hidden": "true" })
      );
      drawCell(crop, picture, one.view.crossings, doubt.cell, AROUND);
      const question = questionOf(doubt, choices);
      const look = make(
        "button",
        {
          type: "button",
          class: "crop-button",
          "aria-label": t("cell.place", { row: doubt.row, column: doubt.column }),
          on: () => acts.look(doubt.cell),
        },
        crop,
      );
      const buttons = choices.map(({ label, says }) =>
        makeButton(label, () => acts.choose(doubt.cell, says), { class: "button choice" }),
      );
      return make(
        "li",
        { class: "doubt", "data-cell": doubt.cell },
        look,
        make(
          "div",
          { class: "doubt-words" },
          make("p", {}, question),
          make("div", { class: "choices", role: "group", "aria-label": question }, ...buttons),
        ),
      );
    }),
  );
  return open.length;
}
