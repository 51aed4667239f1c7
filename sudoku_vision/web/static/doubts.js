// @ts-check
/** The cells in doubt, asked one by one: a look at each in the photo, and a button for each answer. */
import { cellName, placeName } from "./board.js";
import { drawCell } from "./crop.js";
import { byId, make, makeButton } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./types.js").Doubt} Doubt */
/** @typedef {{label: string, says: string}} Choice `says` is what a correction says of the cell */

const CROP_SIDE = 144;
const AROUND = 0.12;

/**
 * Return what may be answered to a doubt, the likeliest first.
 * @param {Doubt} doubt @param {import("./types.js").Grid} grid @returns {Choice[]}
 */
function choicesOf(doubt, grid) {
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
function questionOf(doubt, choices) {
  const labels = choices.map((choice) => choice.label);
  const last = labels.pop() ?? "";
  const digits = labels.length ? t("doubts.or", { some: labels.join(", "), last }) : last;
  return t(`doubts.${doubt.kind}`, { cell: cellName(doubt.cell), digits });
}

/**
 * List the doubts of a grid, and return how many there are. What had the focus among them hands it on to the next one.
 * @param {import("./workspace.js").Workspace} space @param {import("./session.js").GridSession} one
 */
export function listDoubts(space, one) {
  const list = byId("doubt-list");
  const settle = (/** @type {Object<string, string>} */ said) => space.writing.correct(said);
  const open = one.grid.doubts.filter((doubt) => !(doubt.cell in one.now.said));
  const place = [...list.children].findIndex((item) => item.contains(document.activeElement));
  list.replaceChildren(
    ...allRoles(open, one, settle),
    ...open.map((doubt) => {
      const choices = choicesOf(doubt, one.grid);
      const crop = /** @type {HTMLCanvasElement} */ (
        make("canvas", { width: CROP_SIDE, height: CROP_SIDE, class: "crop", "aria-hidden": "true" })
      );
      drawCell(crop, space.photo.picture, one.view.crossings, doubt.cell, AROUND);
      const set = { class: "crop-button", "aria-label": placeName(doubt.cell) };
      const look = makeButton([crop], () => space.choose(doubt.cell), set);
      const say = (/** @type {string} */ says) => settle({ [doubt.cell]: says });
      return asked(questionOf(doubt, choices), choices, say, { "data-cell": doubt.cell }, look);
    }),
  );
  const next = list.children[Math.min(place, list.children.length - 1)]?.querySelector(".choice");
  const heir = /** @type {HTMLElement} */ (next ?? byId("status-title"));
  if (place >= 0) heir.focus({ preventScroll: !next });
  return open.length;
}

/**
 * Ask of all digits at once whether they are printed, where that is open of several.
 * @param {Doubt[]} open @param {import("./session.js").GridSession} one
 * @param {(said: Object<string, string>) => void} settle
 */
function allRoles(open, one, settle) {
  const roles = open.filter(({ kind }) => kind === "role");
  if (roles.length < 2) return [];
  const said = (/** @type {string} */ place) =>
    Object.fromEntries(roles.map((doubt) => [doubt.cell, choicesOf(doubt, one.grid)[Number(place)].says]));
  const choices = ["doubts.all.printed", "doubts.all.written"].map((key, place) => ({
    label: t(key),
    says: `${place}`,
  }));
  return [asked(t("doubts.all", { number: roles.length }), choices, (place) => settle(said(place)))];
}

/**
 * Return a question with a button for each answer.
 * @param {string} question @param {Choice[]} choices @param {(says: string) => void} settle
 * @param {Object<string, number>} [set] @param {...HTMLElement} look
 */
function asked(question, choices, settle, set = {}, ...look) {
  const buttons = choices.map(({ label, says }) =>
    makeButton(label, () => settle(says), { class: "button choice" }),
  );
  const group = make("div", { class: "choices", role: "group", "aria-label": question }, ...buttons);
  return make(
    "li",
    { class: "doubt", ...set },
    ...look,
    make("div", { class: "doubt-words" }, make("p", {}, question), group),
  );
}
