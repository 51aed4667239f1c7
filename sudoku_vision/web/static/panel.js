/** The panel beside the photo: the headline, the texts and lists of each mode, and the digit pad. */
import { CLASSIC, cellName, cellsNamed, isDiagonal, placeName } from "./board.js";
import { aria, buttonById, byId, inputById, make, makeButton, prefersStillness, press, say, svg } from "./dom.js";
import { listed, t } from "./language.js";
import { ratingKey } from "./modes.js";
import { showCell } from "./photo_view.js";
import { COLOURS } from "./scene.js";
import { settings } from "./settings.js";
import { overrideOfCage } from "./solving.js";
import { current, isCorrection, state } from "./state.js";

/** Return seconds as "1:02:03". @param {number} seconds */
export const timeOf = (seconds) => new Date(1000 * seconds).toISOString().slice(seconds < 3600 ? 14 : 11, 19).replace(/^0/, "");

/** Show the headline. Screen readers read out the headline or, if there are *words* about a change, these words. @param {Shown} shown @param {string} [words] */
export function renderHeadline({ status = "", sentence, title, more = "" }, words) {
  const name = title ?? t(status ? `status.${status}` : `mode.${state.mode}`);
  byId("status").dataset.status = status;
  byId("status-title").textContent = name;
  byId("status-text").textContent = sentence;
  say((words === undefined ? `${name}. ${sentence} ${more}` : `${words} ${sentence}`).trim(), true);
}

/** Show the time, the rules, and the difficulty. */
export function renderChips() {
  const one = current();
  const isTimed = one?.seconds && settings.showTime && state.mode === "solve";
  byId("clock").textContent = isTimed ? timeOf(one.seconds) : "";
  const rules = one?.rules ?? CLASSIC;
  byId("rules-name").textContent = rules.name === CLASSIC.name ? "" : t(`rules.${rules.name}`);
  const known = state.known.get("rate");
  const { difficulty } = (one && known?.key === ratingKey(one.grid, rules) && known.answer) || {};
  byId("rating").textContent = difficulty ? t("rated", { difficulty: t(`difficulty.${difficulty}`) }) : "";
}

/** @param {GridSession} one @param {Shown} shown @param {string} [words] about a change */
export function renderPanel(one, shown, words) {
  renderHeadline(shown, words);
  renderChips();
  byId("doubts").hidden = !(["answers", "check"].includes(state.mode) && listDoubts(one));
  const toggle = buttonById("show-answers");
  toggle.hidden = !(settings.hideAnswers && one.grid.solution);
  toggle.textContent = t(state.answersShown ? "hide.answers" : "show.answers");
  toggle.classList.toggle("primary", !state.answersShown);
  byId("typing").hidden = !one.isTyped;
  const { name, regions, cages } = one.rules;
  const [jigsaw, killer] = [Boolean(regions), Boolean(cages)];
  const chosen = { classic: name === CLASSIC.name, diagonal: isDiagonal(one.rules), jigsaw, killer };
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
  byId("hint-caution").textContent = caution;
  byId("hint-page").textContent = step && level !== "place" ? t("hint.page", { name: step.name }) : "";
  const page = /** @type {HTMLAnchorElement} */ (byId("hint-page"));
  page.href = `/technique/${encodeURIComponent(step?.technique ?? "")}`;
}

/** @param {GridSession} one @param {Check | null} check null until the service answers */
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
    const words = t(`check.item.${kind}`, { place: t("cell.place", { row, column }), digit, answer, marks });
    return make("li", {}, makeButton(words, "choose", mistake.cell, { class: `finding ${kind}` }));
  };
  const asked = new Set(one.openDoubts.map(({ cell }) => cell));
  byId("check-list").append(
    ...wrong.map(item(state.check.answers ? "answer" : "wrong")),
    ...unclear.filter(({ cell }) => !asked.has(cell)).map(item("unclear")),
    ...lost.map(item("lost")),
  );
}

/** The explanation whose steps are listed now. @type {Explanation | null} */
let listedSteps = null;

/** @param {Explanation | null} explanation @param {number} number of the chosen step, from 0 */
function renderSteps(explanation, number) {
  const steps = explanation?.steps ?? [];
  const list = byId("step-list");
  if (explanation !== listedSteps) {
    listedSteps = explanation;
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

// Doubts: cells that may be misread. Each question has a crop of the photo and a button for each answer.

/** @typedef {{label: string, act: string, value: unknown}} Answer what a button does, and with which value */

/** The margin on each side of the crop of a cell, in cells: for a cell in doubt, and for the chosen cell. */
const AROUND = { doubt: 0.12, chosen: 0.25 };

/** Return the possible answers to a doubt, the likeliest first. @param {Doubt} doubt @param {Grid} grid @returns {Answer[]} */
function answersOf({ cell, kind, digits, cages }, grid) {
  if (cages) {
    const isOfCells = new Set(cages.map(({ cells }) => cells.join())).size > 1;
    return cages.map(({ sum, cells }) => ({
      label: t(isOfCells ? "doubts.sum_of" : "doubts.sum", { sum, cells: cellsNamed(cells) }),
      act: "correctCage",
      value: overrideOfCage(cell, { sum, cells: isOfCells ? cells : [] }),
    }));
  }
  const answer = (/** @type {string} */ label, content = label) => ({ label, act: "correct", value: { [cell]: content } });
  const byHand = (/** @type {number} */ digit) => answer(t("doubts.written", { digit }), `w${digit}`);
  const entry = Number(grid.written[cell]);
  if (kind === "role") {
    const digit = digits.find(Boolean) ?? entry;
    return [answer(t("doubts.printed", { digit }), `${digit}`), byHand(entry || digit)];
  }
  return digits.map((digit) => {
    if (kind === "entry") return digit ? answer(`${digit}`, `w${digit}`) : answer(t("doubts.none"), "blank");
    if (digit) return answer(`${digit}`);
    return entry ? byHand(entry) : answer(t("doubts.blank"), "blank");
  });
}

/** List the doubts, and return their number. If the question with the focus is settled, the next question gets the focus. @param {GridSession} one */
function listDoubts(one) {
  const { openDoubts: open, grid } = one;
  const list = byId("doubt-list");
  const place = [...list.children].findIndex((item) => item.contains(document.activeElement));
  list.replaceChildren(
    ...allRoles(open, grid),
    ...open.map((doubt) => {
      const answers = answersOf(doubt, grid);
      const digits = listed(answers.map(({ label }) => label), "disjunction");
      const question = t(`doubts.${doubt.kind}`, { cell: cellName(doubt.cell), digits });
      const crop = svg("svg", { class: "crop", "aria-hidden": "true" });
      showCell(crop, one.view.crossings, doubt.cell, AROUND.doubt);
      const set = { class: "crop-button", "aria-label": placeName(doubt.cell) };
      const [act, value] = doubt.cages ? ["chooseCage", JSON.stringify(doubt.cages[0].cells)] : ["choose", doubt.cell];
      return item(question, answers, makeButton([crop], act, value, set));
    }),
  );
  const next = list.children[Math.min(place, list.children.length - 1)]?.querySelector(".choice");
  const heir = /** @type {HTMLElement} */ (next ?? byId("status-title"));
  if (place >= 0) heir.focus({ preventScroll: !next });
  return open.length;
}

/** If the page asks about several digits whether they are printed or handwritten, add one question about all of them. @param {Doubt[]} open @param {Grid} grid */
function allRoles(open, grid) {
  const roles = open.filter(({ kind }) => kind === "role");
  if (roles.length < 2) return [];
  const answers = ["doubts.all.printed", "doubts.all.written"].map((key, place) => ({
    label: t(key),
    act: "correct",
    value: Object.assign({}, ...roles.map((doubt) => answersOf(doubt, grid)[place].value)),
  }));
  return [item(t("doubts.all", { number: roles.length }), answers)];
}

/** Return an item of the list of doubts. @param {string} question @param {Answer[]} answers @param {...HTMLElement} look a crop of the photo before the question */
function item(question, answers, ...look) {
  const buttons = answers.map(({ label, act, value }) =>
    makeButton(label, act, JSON.stringify(value), { class: "button choice" }),
  );
  const group = make("div", { class: "acts", role: "group", "aria-label": question }, ...buttons);
  return make("li", { class: "doubt" }, ...look, make("div", { class: "doubt-words" }, make("p", {}, question), group));
}

// The digit pad: keys that write into the chosen cells, the number of missing digits on each key, and a crop of the photo.

const keys = COLOURS.map((colour, at) => {
  const words = [make("span", {}, String(at + 1)), make("small", { "aria-hidden": "true" })];
  const key = makeButton(words, "write", at + 1, { class: "key", id: `pad-${at + 1}` });
  key.style.setProperty("--colour", colour);
  return key;
});
byId("pad-digits").prepend(...keys);

/** @param {Face} face the face of the last chosen cell @param {GridSession} one @param {string} warning what is wrong in the puzzle */
export function renderPad(face, one, warning) {
  const { kind, looks, cages, cells } = state;
  const { board } = one;
  const count = cells.length;
  byId("pad-title").textContent = count > 1 ? t("cell.several", { count }) : placeName(face.cell);
  const locked = count === 1 && face.kind === "clue" && !isCorrection(kind) && kind !== "colour";
  const help = byId("pad-help");
  const told = looks ? t(`pad.help.${locked ? "clue" : kind}`) : locked ? t("pad.locked") : "";
  help.textContent = warning || told;
  help.classList.toggle("warning", Boolean(warning));
  press("useKind", kind);
  const shown = { note: face.marks, centre: face.centre, colour: face.colour }[String(kind)];
  const pressed = shown ?? (face.kind === kind ? String(face.digit) : "");
  keys.forEach((key, at) => {
    const digit = String(at + 1);
    const left = Math.max(0, 10 - board.split(digit).length);
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
  byId("pad-cage").hidden = !cages && !one.rules.cages;
  if (looks) showCell(byId("pad-crop"), one.view.crossings, face.cell, AROUND.chosen);
  const [sum, chosen] = [inputById("cage-sum"), [...cells].sort((a, b) => a - b).join()];
  const cage = one.rules.cages?.find((other) => other.cells.join() === chosen);
  if (document.activeElement !== sum) sum.value = String(cage?.sum ?? "");
  [sum.min, sum.max] = [(count * (count + 1)) / 2, (count * (19 - count)) / 2].map(String); // least and greatest sum of so many different digits
  const height = `${pad.offsetHeight}px`;
  for (const { style } of [document.documentElement, byId("work")])
    if (style.getPropertyValue("--pad") !== height) style.setProperty("--pad", height);
}
