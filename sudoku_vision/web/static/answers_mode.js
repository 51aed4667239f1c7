// @ts-check
/** The mode that shows all answers, or hides them until a person wants them, and asks about doubts. */
/** @import { ByCell, Doubt, Grid, GridSession, Workspace } from "./types.js" */
import { blanksOf, cellName, placeName } from "./board.js";
import { buttonById, byId, make, makeButton } from "./dom.js";
import { listed, sentences, t } from "./language.js";
import { settings } from "./settings.js";

/** @typedef {{label: string, content: string}} Choice `content` of the cell in a correction */

export class AnswersMode {
  name = "answers";
  shown = false;
  fresh = true;

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    buttonById("show-answers").addEventListener("click", () => {
      this.shown = this.fresh = !this.shown;
      space.show();
    });
  }

  /** Begin with another picture. */
  begin() {
    this.shown = !settings.hideAnswers;
    this.fresh = true;
  }

  /** @param {GridSession} one */
  show(one) {
    const { grid, view } = one;
    const hidden = !this.shown && Boolean(grid.solution);
    const toggle = buttonById("show-answers");
    toggle.hidden = !(settings.hideAnswers && grid.solution);
    toggle.textContent = t(this.shown ? "hide.answers" : "show.answers");
    toggle.classList.toggle("primary", !this.shown);
    this.space.render({
      shapes: hidden ? [] : view.shapes,
      answers: hidden ? null : view.answers,
      fresh: this.fresh && this.shown,
      others: this.shown,
    });
    this.fresh = false;
    const other = !["solved", "uncertain"].includes(grid.status) && this.space.other;
    this.space.headline(hidden ? "read" : grid.status, other || sentenceOf(one, hidden));
    byId("doubts").hidden = listDoubts(this.space, one) === 0;
  }
}

/** Confidence of a page that is well read: if its clues clash, it may have rules of its own. */
const WELL_READ = 0.9;

/** @param {GridSession} one @param {boolean} hidden */
function sentenceOf(one, hidden) {
  const { grid, view } = one;
  if (hidden) return t("say.hidden", { count: 81 - blanksOf(grid.puzzle) });
  const marked = grid.marks.some(Boolean);
  const empty = !/[1-9]/.test(grid.puzzle + grid.written) && !marked && grid.confidence > 0.5;
  if (grid.status === "unreadable" && empty) return t("say.empty");
  if (grid.status === "no_solution" || grid.status === "many_solutions") return contradictionOf(one);
  if (view.hidden) return t("say.covered", { cells: view.hidden });
  if (grid.status === "uncertain" && !grid.solution) return t("improper.gave_up");
  if (grid.status === "uncertain" && grid.rules && !grid.doubts.length) return t("say.uncertain.rules");
  if (grid.status !== "solved") return t(`say.${grid.status}`);
  const count = 81 - blanksOf(view.answers);
  const wrong = [...grid.written].flatMap((digit, cell) =>
    digit !== "0" && digit !== grid.solution?.[cell] && !view.unclear.includes(cell)
      ? [t("cell.digit", { digit, cell: cellName(cell) })]
      : [],
  );
  return sentences(
    t(count ? "say.solved" : "say.complete", { count }),
    wrong.length && t("say.struck", { cells: listed(wrong) }),
    grid.doubts.length && t("say.entry"),
  );
}

/** Return where clues contradict one another, and who may have caused it. @param {GridSession} one */
function contradictionOf({ grid, first, now }) {
  const cells = listed((grid.clashes ?? []).map(cellName));
  const corrected = listed(Object.keys(now.corrections).map((cell) => cellName(Number(cell))));
  const where = cells && t("say.clash", { cells });
  if (corrected && first.status !== grid.status)
    return sentences(where, t(`say.${grid.status}.said`, { cells: corrected }));
  const wellRead = first.confidence >= WELL_READ && !first.doubts.length;
  return sentences(
    where || t(`say.${grid.status}`),
    t(cells ? "say.clash.read" : "say.compare"),
    wellRead && t("say.rules"),
  );
}

/** Pixels of the crop of a cell, and the cells that it shows round it. */
const CROP_SIDE = 144;
const AROUND = 0.12;

/** Return the possible answers to a doubt, the likeliest first. @param {Doubt} doubt @param {Grid} grid @returns {Choice[]} */
function choicesOf(doubt, grid) {
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

/** Return a question: "r3c5: 8 or 6?" @param {Doubt} doubt @param {Choice[]} choices */
function questionOf(doubt, choices) {
  const labels = choices.map((choice) => choice.label);
  const last = labels.pop() ?? "";
  const digits = labels.length ? t("doubts.or", { some: labels.join(", "), last }) : last;
  return t(`doubts.${doubt.kind}`, { cell: cellName(doubt.cell), digits });
}

/**
 * List the doubts of a grid, and return their number. When a question goes, the next one gets its focus.
 * @param {Workspace} space @param {GridSession} one
 */
function listDoubts(space, one) {
  const list = byId("doubt-list");
  const settle = (/** @type {ByCell} */ corrections) => space.writing.correct(corrections);
  const open = one.grid.doubts.filter((doubt) => !(doubt.cell in one.now.corrections));
  const place = [...list.children].findIndex((item) => item.contains(document.activeElement));
  list.replaceChildren(
    ...allRoles(open, one, settle),
    ...open.map((doubt) => {
      const choices = choicesOf(doubt, one.grid);
      const crop = /** @type {HTMLCanvasElement} */ (
        make("canvas", { width: CROP_SIDE, height: CROP_SIDE, class: "crop", "aria-hidden": "true" })
      );
      space.photo.drawCell(crop, one.view.crossings, doubt.cell, AROUND);
      const set = { class: "crop-button", "aria-label": placeName(doubt.cell) };
      const look = makeButton([crop], () => space.choose(doubt.cell), set);
      const answer = (/** @type {string} */ content) => settle({ [doubt.cell]: content });
      return item(questionOf(doubt, choices), choices, answer, { "data-cell": doubt.cell }, look);
    }),
  );
  const next = list.children[Math.min(place, list.children.length - 1)]?.querySelector(".choice");
  const heir = /** @type {HTMLElement} */ (next ?? byId("status-title"));
  if (place >= 0) heir.focus({ preventScroll: !next });
  return open.length;
}

/**
 * If several digits may be printed or handwritten, ask about all of them at once.
 * @param {Doubt[]} open @param {GridSession} one @param {(corrections: ByCell) => void} settle
 */
function allRoles(open, one, settle) {
  const roles = open.filter(({ kind }) => kind === "role");
  if (roles.length < 2) return [];
  const answer = (/** @type {string} */ place) =>
    settle(
      Object.fromEntries(roles.map((doubt) => [doubt.cell, choicesOf(doubt, one.grid)[Number(place)].content])),
    );
  const choices = ["doubts.all.printed", "doubts.all.written"].map((key, place) => ({
    label: t(key),
    content: `${place}`,
  }));
  return [item(t("doubts.all", { number: roles.length }), choices, answer)];
}

/**
 * Return a question with a button for each answer.
 * @param {string} question @param {Choice[]} choices @param {(content: string) => void} answer
 * @param {Object<string, number>} [set] @param {...HTMLElement} look
 */
function item(question, choices, answer, set = {}, ...look) {
  const buttons = choices.map(({ label, content }) =>
    makeButton(label, () => answer(content), { class: "button choice" }),
  );
  const group = make("div", { class: "choices", role: "group", "aria-label": question }, ...buttons);
  return make(
    "li",
    { class: "doubt", ...set },
    ...look,
    make("div", { class: "doubt-words" }, make("p", {}, question), group),
  );
}
