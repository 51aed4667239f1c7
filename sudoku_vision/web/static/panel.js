// @ts-check
/** The panel beside the photo: the headline, and what a mode says about the open puzzle. */
/** @import { Check, Explanation, GridSession, Mistake, Shown, ShownHint } from "./types.js" */
import { CLASSIC, isDiagonal } from "./board.js";
import { aria, buttonById, byId, inputById, make, makeButton, prefersStillness, say, tell } from "./dom.js";
import { listDoubts } from "./doubts.js";
import { t } from "./language.js";
import { ratingKey } from "./modes.js";
import { settings } from "./settings.js";
import { current, state } from "./state.js";

/** Return seconds as "1:02:03". @param {number} seconds */
export const timeOf = (seconds) => new Date(1000 * seconds).toISOString().slice(seconds < 3600 ? 14 : 11, 19).replace(/^0/, "");

/** Show the state of the puzzle, and announce it, or *words* about a change in its place. @param {Shown} shown @param {string} [words] */
export function renderHeadline({ status = "", sentence, title, more = "" }, words) {
  const name = title ?? t(status ? `status.${status}` : `mode.${state.mode}`);
  byId("status").dataset.status = status;
  byId("status-title").textContent = name;
  byId("status-text").textContent = sentence;
  say((words === undefined ? `${name}. ${sentence} ${more}` : `${words} ${sentence}`).trim(), true);
}

/** Show in a few words the time, the rules, and how difficult the puzzle is. */
export function renderChips() {
  const one = current();
  const isTimed = one?.seconds && settings.showTime && state.mode === "solve";
  tell("clock", isTimed ? timeOf(one.seconds) : "");
  const rules = one?.rules ?? CLASSIC;
  tell("rules-name", rules.name === CLASSIC.name ? "" : t(`rules.${rules.name}`));
  const known = state.known.get("rate");
  const { difficulty } = (one && known?.key === ratingKey(one.grid, rules) && known.answer) || {};
  tell("rating", difficulty ? t("rated", { difficulty: t(`difficulty.${difficulty}`) }) : "");
}

/** Show what the mode says. @param {GridSession} one @param {Shown} shown @param {string} [words] about a change */
export function renderPanel(one, shown, words) {
  renderHeadline(shown, words);
  renderChips();
  byId("doubts").hidden = !(["answers", "check"].includes(state.mode) && listDoubts(one));
  const toggle = buttonById("show-answers");
  toggle.hidden = !(settings.hideAnswers && one.grid.solution);
  toggle.textContent = t(state.answersShown ? "hide.answers" : "show.answers");
  toggle.classList.toggle("primary", !state.answersShown);
  byId("typing").hidden = !one.isTyped;
  const { name, regions } = one.rules;
  const chosen = { classic: name === CLASSIC.name, diagonal: isDiagonal(one.rules), jigsaw: Boolean(regions) };
  for (const [rules, pressed] of Object.entries(chosen)) aria(byId(`rules-${rules}`), { pressed });
  if (shown.hint) renderHint(shown.hint);
  if (shown.check !== undefined) renderCheck(one, shown.check);
  if (shown.steps) renderSteps(shown.steps.explanation, shown.steps.number);
}

/** @param {ShownHint} hint */
function renderHint({ step, level, isLast, isWaiting, label, caution, count }) {
  const next = buttonById("hint-next");
  if (!isWaiting && isLast && document.activeElement === next) byId("status-title").focus();
  if (!isWaiting) next.hidden = isLast;
  if (step) next.textContent = label;
  byId("hint-number").textContent = count > 1 ? t("hint.left", { count }) : "";
  byId("hint-text").textContent = (level === "step" && step?.text) || "";
  tell("hint-caution", caution);
  tell("hint-page", step && level !== "place" ? t("hint.page", { name: step.name }) : "");
  const page = /** @type {HTMLAnchorElement} */ (byId("hint-page"));
  page.href = `/technique/${encodeURIComponent(step?.technique ?? "")}`;
}

/** @param {GridSession} one @param {Check | null} check null while the service checks */
function renderCheck(one, check) {
  byId("check-marks-choice").hidden = !one.grid.marks.some(Boolean);
  for (const name of /** @type {const} */ (["answers", "marks"])) inputById(`check-${name}`).checked = state.check[name];
  byId("check-list").replaceChildren();
  if (!check) return;
  const { wrong, unclear, lost_marks: lost = [] } = check;
  byId("check-answers-choice").hidden = wrong.length + lost.length === 0;
  /** @type {(kind: string) => (mistake: Mistake) => HTMLElement} */
  const item = (kind) => (mistake) => {
    const { row, column, written: digit = "", answer, marks = "" } = mistake;
    const words = t(`check.item.${kind}`, { place: t("doubts.place", { row, column }), digit, answer, marks });
    return make("li", {}, makeButton(words, "choose", mistake.cell, { class: `finding ${kind}` }));
  };
  const asked = new Set(one.openDoubts.map(({ cell }) => cell));
  byId("check-list").append(
    ...wrong.map(item(state.check.answers ? "answer" : "wrong")),
    ...unclear.filter(({ cell }) => !asked.has(cell)).map(item("unclear")),
    ...lost.map(item("lost")),
  );
}

/** The explanation that is listed. @type {Explanation | null} */
let listed = null;

/** @param {Explanation | null} explanation @param {number} number that of the chosen step */
function renderSteps(explanation, number) {
  const steps = explanation?.steps ?? [];
  const list = byId("step-list");
  if (explanation !== listed) {
    listed = explanation;
    byId("steps-tools").hidden = steps.length === 0;
    const words = steps.map((step) => [make("b", {}, step.name), make("span", {}, step.text)]);
    list.replaceChildren(...words.map((some, at) => make("li", {}, makeButton(some, "chooseStep", at, { class: "step" }))));
  }
  if (!steps.length) return;
  byId("step-number").textContent = t("steps.number", { number: number + 1, count: steps.length });
  byId("step-text").textContent = steps[number].text;
  buttonById("step-previous").disabled = number === 0;
  buttonById("step-next").disabled = number === steps.length - 1;
  const buttons = list.querySelectorAll("button");
  buttons.forEach((button, place) => aria(button, { current: place === number && "step" }));
  // Only the list is scrolled, never the page.
  const { offsetTop, clientHeight } = buttons[number];
  const top = offsetTop - list.offsetTop - list.clientHeight / 2 + clientHeight / 2;
  list.scrollTo({ top, behavior: prefersStillness() ? "auto" : "smooth" });
}
