/** What a person chooses to see: puzzles, modes, steps and cells. Each function changes the state, and then renders the page. */
import { ApiError, askBoard } from "./api.js";
import { byId, dialogById, say } from "./dom.js";
import * as kept from "./kept.js";
import { sentences, t } from "./language.js";
import { MODES, questionOf, ratingKey, shownBy, textOfSteps } from "./modes.js";
import { timeOf } from "./panel.js";
import * as render from "./render.js";
import { update } from "./session.js";
import { settings } from "./settings.js";
import { chosenCell, current, isCorrection, openGrids, state } from "./state.js";

const MAX_OPENED = 5; // the page keeps at most this many opened photos and boards in memory

// Opening and showing

/** @param {Session} session */
export async function take(session) {
  state.opened = [session, ...state.opened.filter((other) => other !== session)].slice(0, MAX_OPENED);
  beginPage();
  await showPage();
  if (!current()?.isTyped) return;
  choose(0);
  focusCell(0);
}

/** Begin to show another page of puzzles, in the mode that fits the content of this page. */
function beginPage() {
  const { id, isBegun, isTyped, isUnread, isWrittenOn, grid } = current() ?? {};
  Object.assign(state, { answersShown: !settings.hideAnswers, fresh: true, kind: "entry" });
  const fitting = isWrittenOn && grid?.solution ? "check" : "answers";
  const { id: known = id, mode = fitting } = history.state ?? {}; // history.state has the mode before a reload, or the mode of the live camera
  state.mode = isBegun || isTyped || isUnread ? "solve" : known === id ? mode : fitting;
  beginGrid();
}

function beginGrid() {
  Object.assign(state, { check: { answers: false, marks: false }, corners: null, finishes: false });
  choose();
}

/** Show the open page. Zoom the photo to *grids*, by default to all grids of the page. @param {GridSession[]} [grids] */
export async function showPage(grids) {
  if (!state.session) return;
  await render.page();
  render.lookAt(grids ?? openGrids());
  catchUp();
  keep();
  await show();
}

/** @param {number} page */
export function turnTo(page) {
  state.session?.turnTo(page);
  beginPage();
  return showPage();
}

/** Open another grid of the page. @param {number} number */
export async function chooseGrid(number) {
  if (!state.session || state.session.number === number) return;
  state.session.number = number;
  beginGrid();
  await showPage([openGrids()[number]]);
}

/** Matches a phone on its side. There, the pad covers the panel, so it closes outside of Solve. On other screens, it stays open: arrow keys move its cell. */
const COVERS = matchMedia("(max-height: 520px)");

/** @param {Mode} mode */
export async function enter(mode) {
  Object.assign(state, { mode, finishes: false, problem: null });
  history.replaceState({ ...history.state, mode }, "");
  render.problem();
  if (mode !== "solve" && COVERS.matches) choose();
  const shown = show();
  byId("status").scrollIntoView({ block: "nearest" });
  await shown; // if the answer makes the panel longer, the browser may move the headline away to keep the board in its place
  if (state.mode === mode) byId("status").scrollIntoView({ block: "nearest" });
}

/** Go to another mode: 1 for the next mode, -1 for the mode before. @param {number} by */
export const enterNext = (by) => enter(MODES[(MODES.indexOf(state.mode) + by + MODES.length) % MODES.length]);

/** Show the open grid in the chosen mode, and ask the service for what this mode shows. @param {string} [words] to announce */
export async function show(words) {
  const { mode, session } = state;
  const one = current();
  if (one?.isUnread && session && mode !== "solve") {
    render.parts();
    const error = await session.renew().catch((reason) => reason);
    if (state.mode !== mode || current() !== one) return;
    if (error) {
      await enter("solve");
      return fail(error, () => enter(mode));
    }
  }
  render.grid(words);
  if (mode === "answers") state.fresh = false;
  if (!one) return;
  rate(one);
  await ask(one);
}

/** Ask the service the question of the mode, unless it was asked already, and show the answer. @param {GridSession} one */
async function ask(one) {
  const question = questionOf(one, state);
  if (!question || state.known.get(question.what)?.key === question.key) return;
  const { what, wish, key } = question;
  const isOpen = () => current() === one && questionOf(one, state)?.key === key;
  try {
    await learn(what, key, () => state.session?.ask(one, what, wish));
    if (isOpen()) render.grid();
  } catch (error) {
    if (!isOpen()) return;
    byId("status-text").textContent = ""; // until now, this text has said that the service is being asked
    fail(error, () => show());
  }
}

/** Ask a question, and keep the answer. After a failure, the question can be asked again. @param {string} what @param {string} key @param {() => unknown} asking */
async function learn(what, key, asking) {
  state.known.set(what, { key, answer: null });
  try {
    const answer = await asking();
    if (state.known.get(what)?.key === key) state.known.set(what, { key, answer });
  } catch (error) {
    state.known.delete(what);
    throw error;
  }
}

/** Ask how difficult a puzzle is, if it has exactly one solution. @param {GridSession} one */
async function rate({ grid, rules }) {
  const key = ratingKey(grid, rules);
  if (!grid.solution || grid.status === "many_solutions" || state.known.get("rate")?.key === key) return;
  await learn("rate", key, () => askBoard(grid.puzzle, "rate", rules)).catch(() => {});
  render.chips();
}

/** Codes of problems that may be gone after a while: the page offers to try again. */
const PASSING = new Set(["offline", "gone", "timed_out", "slow_body", "busy", "worker_lost", "internal"]);

/** Show a problem and its remedy. *again* is a function that tries once more. @param {unknown} error @param {(() => void) | null} again */
export function fail(error, again = null) {
  if (!(error instanceof ApiError)) console.warn(error);
  const code = error instanceof ApiError ? error.code : "internal";
  state.problem = { code, again: PASSING.has(code) ? again : null };
  render.problem();
}

/** Hide the problem. @param {boolean} isAgain whether to try once more */
export function closeProblem(isAgain) {
  const again = isAgain && state.problem?.again;
  state.problem = null;
  render.problem();
  if (again) again();
}

// Keeping

/**
 * Store the open grid in the browser if the settings allow it, and note its id in the browser's history.
 * @param {boolean} [isAllowed] whether the person has just allowed it in the settings
 */
export function keep(isAllowed = false) {
  render.closeTakeAway(); // its links still have the digits from before the change
  const one = current();
  if (!one) return;
  kept.keep(one);
  const isNew = state.view === "work" && history.state?.id !== one.id;
  if (isNew) history.replaceState({ view: "work", id: one.id, mode: state.mode }, "");
  if (isNew || isAllowed) kept.keepPhoto(one.id, state.session?.source ?? null);
}

/** If another window has changed the open grid, show the change. */
export function catchUp() {
  const one = current();
  const later = one && kept.laterWork(one);
  const before = one?.correctionsText;
  if (later) showChange(update(one, later), before !== one.correctionsText);
}

/** Show a changed grid. If its corrections have changed, the service first reads it again. @param {GridSession} one @param {boolean} isCorrected */
export async function showChange(one, isCorrected, words = "") {
  if (isCorrected && one.correctionsText !== one.readWith) return settle(one, words);
  const shown = show(words);
  render.bringIntoView();
  if (state.finishes) celebrate();
  await shown;
}

/** Read a grid again with its corrections, and announce its new status. @param {GridSession} one @param {string} words */
async function settle(one, words) {
  try {
    const settled = await state.session?.settle(one);
    if (!settled || current() !== one) return;
    keep();
  } catch (error) {
    return fail(error, () => settle(one, words));
  }
  await render.page();
  await show(""); // no words here, because say() announces them below
  const { status } = shownBy(one, state);
  say(sentences(words, status ? `${t(`status.${status}`)}.` : ""));
}

function celebrate() {
  byId("status-title").focus({ preventScroll: true }); // if a cell is chosen, letGo() then moves the focus to this cell
  letGo();
  byId(state.pointed === "board" ? "board" : "photo-frame").scrollIntoView({ block: "start" });
  const { seconds = 0, solving } = current() ?? {};
  const count = solving?.hints ?? 0;
  byId("finish-facts").textContent = sentences(
    settings.showTime && seconds && t("finish.time", { time: timeOf(seconds) }),
    t(count ? "finish.hints" : "finish.alone", { count }),
  );
  dialogById("finish").showModal();
}

// Choosing

/** Choose cells. The pad shows the last of these cells. @param {...number} cells */
export function choose(...cells) {
  state.cells = cells;
  if (cells.length) {
    state.tabbed = chosenCell();
  } else {
    // The pad closes. If its keys corrected the photo, they write entries from now on. If they wrote notes, they write notes again later.
    Object.assign(state, { kind: isCorrection(state.kind) ? "entry" : state.kind, looks: false, cages: false });
  }
  render.chosen();
  render.bringIntoView();
}

/** Choose the cells of a cage, and show the field for its sum. @param {readonly number[]} cells */
export function chooseCage(cells) {
  Object.assign(state, { looks: true, cages: true });
  choose(...cells);
}

/** Choose one more cell. @param {number} cell */
export function add(cell) {
  if (cell !== chosenCell()) choose(...state.cells.filter((other) => other !== cell), cell);
}

/** Choose a cell. With Ctrl or Shift, add it to the chosen cells or remove it. @param {number} cell @param {MouseEvent} event @param {"photo" | "board"} where */
export function point(cell, { ctrlKey, metaKey, shiftKey }, where) {
  state.pointed = where;
  if (!(ctrlKey || metaKey || shiftKey)) return choose(cell);
  const others = state.cells.filter((other) => other !== cell);
  choose(...others, ...(others.length < state.cells.length ? [] : [cell]));
}

/** Choose a cell, and let the digit keys write notes. @param {number} cell @param {"photo" | "board"} where */
export function noteIn(cell, where) {
  Object.assign(state, { pointed: where, kind: "note" });
  choose(cell);
}

/** Choose no cell. The cell that was chosen last gets the focus in the board. */
export function letGo() {
  const cell = chosenCell();
  choose();
  if (cell >= 0) focusCell(cell);
}

/** @param {number} cell */
export function focusCell(cell) {
  state.tabbed = cell;
  render.focusBoard();
}

/** While a person types a puzzle, choose a later cell. *by*: how many cells later; -1 for the cell before. */
export function goOn(by = 1) {
  const cell = Math.max(0, Math.min(80, chosenCell() + by));
  if (byId("board").contains(document.activeElement)) focusCell(cell);
  choose(cell);
}

/** Show or hide the part of the pad that has a crop of the photo. */
export function toggleLook() {
  state.looks = !state.looks;
  if (!state.looks && isCorrection(state.kind)) state.kind = "entry";
  choose(...state.cells);
}

/** @param {number} number the number of a step of the explanation, from 0 */
export function chooseStep(number) {
  const explanation = state.known.get("explain")?.answer;
  const last = (explanation?.steps.length ?? 0) - 1;
  state.steps = { text: textOfSteps(explanation), number: Math.min(last, Math.max(0, number)) };
  render.grid();
}

/** @param {number} by how many steps to go on in the explanation; back if negative */
export function goBy(by) {
  const one = current();
  if (one) chooseStep((shownBy(one, state).steps?.number ?? 0) + by);
}

export function toggleAnswers() {
  state.answersShown = state.fresh = !state.answersShown;
  return show();
}
