// @ts-check
/** Questions about cells that may be misread, each with a crop of the photo and a button for each answer. */
/** @import { Doubt, Grid, GridSession } from "./types.js" */
import { cellName, cellsNamed, placeName } from "./board.js";
import { byId, make, makeButton } from "./dom.js";
import { t } from "./language.js";
import { drawCell } from "./photo_view.js";
import { overrideOfCage } from "./solving.js";

/**
 * @typedef {{label: string, content: string}} Choice `content` is the content of the cell, as written in a correction
 * @typedef {{label: string, act: string, value: unknown}} Answer what a button does, and with which value
 */

/** The side of the crop of a cell, in pixels, and the margin that the crop shows round the cell, in cells. */
const CROP_SIDE = 144;
const AROUND = 0.12;

/** Return the possible answers to a doubt, the likeliest first. @param {Doubt} doubt @param {Grid} grid @returns {Choice[]} */
function choicesOf(doubt, grid) {
  if (doubt.cages) {
    const isOfCells = new Set(doubt.cages.map(({ cells }) => cells.join())).size > 1;
    return doubt.cages.map(({ sum, cells }) => ({
      label: t(isOfCells ? "doubts.sum_of" : "doubts.sum", { sum, cells: cellsNamed(cells) }),
      content: overrideOfCage(doubt.cell, { sum, cells: isOfCells ? cells : [] }),
    }));
  }
  const entry = Number(grid.written[doubt.cell]) || 0;
  if (doubt.kind === "role") {
    const digit = doubt.digits.find(Boolean) ?? entry;
    return [
      { label: t("doubts.printed", { digit }), content: String(digit) },
      { label: t("doubts.written", { digit: entry || digit }), content: `w${entry || digit}` },
    ];
  }
  return doubt.digits.map((digit) => {
    if (doubt.kind === "entry")
      return { label: digit ? String(digit) : t("doubts.none"), content: digit ? `w${digit}` : "blank" };
    if (digit) return { label: String(digit), content: String(digit) };
    return entry
      ? { label: t("doubts.written", { digit: entry }), content: `w${entry}` }
      : { label: t("doubts.blank"), content: "blank" };
  });
}

/** Return the question about a doubt: "r3c5: 8 or 6?" @param {Doubt} doubt @param {Choice[]} choices */
function questionOf(doubt, choices) {
  const labels = choices.map((choice) => choice.label);
  const last = labels.pop() ?? "";
  const digits = labels.length ? t("doubts.or", { some: labels.join(", "), last }) : last;
  return t(`doubts.${doubt.kind}`, { cell: cellName(doubt.cell), digits });
}

/**
 * List the doubts of a grid, and return their number. When a question with the focus goes, the next one gets the focus.
 * @param {GridSession} one
 */
export function listDoubts(one) {
  const { openDoubts: open, grid } = one;
  const list = byId("doubt-list");
  const place = [...list.children].findIndex((item) => item.contains(document.activeElement));
  list.replaceChildren(
    ...allRoles(open, grid),
    ...open.map((doubt) => {
      const choices = choicesOf(doubt, grid);
      const crop = /** @type {HTMLCanvasElement} */ (
        make("canvas", { width: CROP_SIDE, height: CROP_SIDE, class: "crop", "aria-hidden": "true" })
      );
      drawCell(crop, one.view.crossings, doubt.cell, AROUND);
      const set = { class: "crop-button", "aria-label": placeName(doubt.cell) };
      const [act, value] = doubt.cages ? ["chooseCage", JSON.stringify(doubt.cages[0].cells)] : ["choose", doubt.cell];
      const answers = choices.map(({ label, content }) =>
        doubt.cages
          ? { label, act: "correctCage", value: content }
          : { label, act: "correct", value: { [doubt.cell]: content } },
      );
      return item(questionOf(doubt, choices), answers, makeButton([crop], act, value, set));
    }),
  );
  const next = list.children[Math.min(place, list.children.length - 1)]?.querySelector(".choice");
  const heir = /** @type {HTMLElement} */ (next ?? byId("status-title"));
  if (place >= 0) heir.focus({ preventScroll: !next });
  return open.length;
}

/**
 * If it isn't sure of several digits whether they are printed or handwritten, ask about all of them in one question.
 * @param {Doubt[]} open @param {Grid} grid
 */
function allRoles(open, grid) {
  const roles = open.filter(({ kind }) => kind === "role");
  if (roles.length < 2) return [];
  const answers = ["doubts.all.printed", "doubts.all.written"].map((key, place) => ({
    label: t(key),
    act: "correct",
    value: Object.fromEntries(roles.map((doubt) => [doubt.cell, choicesOf(doubt, grid)[place].content])),
  }));
  return [item(t("doubts.all", { number: roles.length }), answers)];
}

/**
 * Return a question with a button for each answer.
 * @param {string} question @param {Answer[]} answers @param {...HTMLElement} look
 */
function item(question, answers, ...look) {
  const buttons = answers.map(({ label, act, value }) =>
    makeButton(label, act, JSON.stringify(value), { class: "button choice" }),
  );
  const group = make("div", { class: "choices", role: "group", "aria-label": question }, ...buttons);
  return make("li", { class: "doubt" }, ...look, make("div", { class: "doubt-words" }, make("p", {}, question), group));
}
