// @ts-check
/** What a person chooses to see: puzzles, modes, steps and cells. Each function changes the state, and then renders the page. */
/** @import { GridSession, Mode, Session } from "./types.js" */
import { ApiError, askBoard } from "./api.js";
import { byId, dialogById, say } from "./dom.js";
import * as kept from "./kept.js";
import { sentences, t } from "./language.js";
import { MODES, questionOf, ratingKey, shownBy, textOfSteps } from "./modes.js";
import { isCorrection } from "./pad.js";
import { timeOf } from "./panel.js";
import * as render from "./render.js";
import { settings } from "./settings.js";
import { chosenCell, current, openGrids, state } from "./state.js";

/** Most sessions that a window holds, with their photos. */
const MAX_OPENED = 5;

// Opening and showing

/** Open a session, in the mode that suits what its open grid holds. @param {Session} session */
export async function take(session) {
  state.opened = [session, ...state.opened.filter((other) => other !== session)].slice(0, MAX_OPENED);
  beginPage();
  await showPage();
  if (!current()?.isTyped) return;
  choose(0);
  focusCell(0);
}

/** Begin with another page, in the mode that suits it. */
function beginPage() {
  const { isBegun, isTyped, isUnread, isWrittenOn, grid } = current() ?? {};
  Object.assign(state, { answersShown: !settings.hideAnswers, fresh: true });
  state.mode = isBegun || isTyped || isUnread ? "solve" : isWrittenOn && grid?.solution ? "check" : "answers";
  beginGrid();
}

function beginGrid() {
  Object.assign(state, { check: { answers: false, marks: false }, corners: null, borders: null, finishes: false });
  choose();
  render.closeTakeAway();
}

/** Show the open page of the document, and go on with its open grid. */
export async function showPage() {
  if (!state.session) return;
  await render.page();
  render.lookAt(openGrids());
  await showGrid();
}

async function showGrid() {
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
  await render.page();
  render.lookAt([openGrids()[number]]);
  await showGrid();
}

/** Change to a mode. @param {Mode} mode */
export function enter(mode) {
  Object.assign(state, { mode, finishes: false });
  return show();
}

/** Go to the next mode, or with -1 to the one before. @param {number} by */
export const enterNext = (by) => enter(MODES[(MODES.indexOf(state.mode) + by + MODES.length) % MODES.length]);

/** Show the open grid in its mode, and ask the service what the mode needs to know. @param {string} [words] are announced */
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

/** Ask the service what the mode needs to know, unless it was asked already, and show the answer. @param {GridSession} one */
async function ask(one) {
  const question = questionOf(one, state);
  if (!question || state.known.get(question.what)?.key === question.key) return;
  const { what, wish, key } = question;
  state.known.set(what, { key, answer: null });
  const isOpen = () => current() === one && questionOf(one, state)?.key === key;
  try {
    const answer = await state.session?.ask(one, what, wish);
    if (state.known.get(what)?.key === key) state.known.set(what, { key, answer });
    if (isOpen()) render.grid();
  } catch (error) {
    state.known.delete(what);
    if (isOpen()) fail(error, () => show());
  }
}

/** Ask how difficult a puzzle is, if it has exactly one solution. @param {GridSession} one */
async function rate({ grid, rules }) {
  const key = ratingKey(grid, rules);
  if (!grid.solution || grid.status === "many_solutions" || state.known.get("rate")?.key === key) return;
  state.known.set("rate", { key, answer: null });
  const answer = await askBoard(grid.puzzle, "rate", rules).catch(() => null);
  if (answer) state.known.set("rate", { key, answer });
  else state.known.delete("rate");
  render.chips();
}

/** The codes of problems that may be gone after a while, so that the page offers to try again. */
const PASSING = new Set(["offline", "gone", "timed_out", "slow_body", "busy", "worker_lost", "internal"]);

/** Show a problem and its remedy; *again* tries once more. @param {unknown} error @param {(() => void) | null} again */
export function fail(error, again = null) {
  if (!(error instanceof ApiError)) console.warn(error);
  const code = error instanceof ApiError ? error.code : "internal";
  state.problem = { code, again: PASSING.has(code) ? again : null };
  render.problem();
}

/** Hide the problem, and try once more if that is wished. @param {boolean} isAgain */
export function closeProblem(isAgain) {
  const again = isAgain && state.problem?.again;
  state.problem = null;
  render.problem();
  if (again) again();
}

// Keeping

/** Keep the open grid if the settings allow it, and note its id in the browser's history. */
export function keep() {
  const one = current();
  if (!one) return;
  if (settings.keepPuzzles) kept.keep(one);
  if (state.view !== "work" || history.state?.id === one.id) return;
  history.replaceState({ view: "work", id: one.id }, "");
  keepPhoto();
}

/** Keep the photo of the open grid, too, if the settings allow it. */
export function keepPhoto() {
  const one = current();
  if (one && settings.keepPuzzles && settings.keepPhotos) kept.keepPhoto(one.id, state.session?.source ?? null);
}

/** Show what another window has written into the open grid. */
export function catchUp() {
  const one = current();
  const before = one?.correctionsText;
  if (one && kept.catchUp(one)) showChange(one, before !== one.correctionsText);
}

/**
 * Show a changed grid; if corrections have changed, the grid is read again first.
 * @param {GridSession} one @param {boolean} isCorrected
 */
export async function showChange(one, isCorrected, words = "") {
  if (isCorrected && one.correctionsText !== one.readWith) return settle(one, words);
  const shown = show(words);
  render.bringIntoView();
  if (state.finishes) celebrate();
  await shown;
}

/** Read a grid again with its corrections, and show and announce what has become of it. @param {GridSession} one @param {string} words */
async function settle(one, words) {
  const { session } = state;
  try {
    const settled = await session?.settle(one);
    if (!settled || current() !== one) return;
  } catch (error) {
    return fail(error, () => settle(one, words));
  }
  await render.page();
  await show(words);
  const status = session && shownBy(session, one, state).status;
  say(sentences(words, status ? `${t(`status.${status}`)}.` : ""));
}

/** Celebrate a puzzle that has just been completed. */
function celebrate() {
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

/** Choose cells, the last of which is shown in the pad. @param {...number} cells */
export function choose(...cells) {
  state.cells = cells;
  if (cells.length) {
    state.tabbed = chosenCell();
  } else {
    // The next time that the pad opens, its keys don't write corrections: they write entries again, or notes as before.
    Object.assign(state, { kind: isCorrection(state.kind) ? "entry" : state.kind, looks: false });
  }
  render.chosen();
  render.bringIntoView();
}

/** Choose the cells of a cage, and show the field for its sum. @param {number[]} cells */
export function chooseCage(cells) {
  state.looks = true;
  choose(...cells);
}

/** Choose one more cell. @param {number} cell */
export function add(cell) {
  if (cell !== chosenCell()) choose(...state.cells.filter((other) => other !== cell), cell);
}

/**
 * Choose the cell where a person points; with Ctrl or Shift, add it to the chosen cells, or remove it from them.
 * @param {number} cell @param {MouseEvent} event @param {"photo" | "board"} where
 */
export function point(cell, { ctrlKey, metaKey, shiftKey }, where) {
  state.pointed = where;
  if (!(ctrlKey || metaKey || shiftKey)) return choose(cell);
  const others = state.cells.filter((other) => other !== cell);
  choose(...others, ...(others.length < state.cells.length ? [] : [cell]));
}

/** Choose a cell for notes. @param {number} cell @param {"photo" | "board"} where */
export function noteIn(cell, where) {
  Object.assign(state, { pointed: where, kind: "note" });
  choose(cell);
}

/** Choose no cell, and focus in the board the cell that was chosen last. */
export function letGo() {
  const cell = chosenCell();
  choose();
  if (cell >= 0) focusCell(cell);
}

/** Focus a cell of the board. @param {number} cell */
export function focusCell(cell) {
  state.tabbed = cell;
  render.focusBoard();
}

/** While a puzzle is typed, go on to the next cell; *by* is the number of cells to go. */
export function goOn(by = 1) {
  const cell = Math.max(0, Math.min(80, chosenCell() + by));
  if (byId("board").contains(document.activeElement)) focusCell(cell);
  choose(cell);
}

/** Show or hide the chosen cell of the photo in the pad. */
export function toggleLook() {
  state.looks = !state.looks;
  if (!state.looks && isCorrection(state.kind)) state.kind = "entry";
  choose(...state.cells);
}

/** Choose a step of the explanation. @param {number} number from 0 */
export function chooseStep(number) {
  const explanation = state.known.get("explain")?.answer;
  const last = (explanation?.steps.length ?? 0) - 1;
  state.steps = { text: textOfSteps(explanation), number: Math.min(last, Math.max(0, number)) };
  render.grid();
}

/** Go on in the explanation, or back. @param {number} by how many steps */
export function goBy(by) {
  const [one, { session }] = [current(), state];
  if (one && session) chooseStep((shownBy(session, one, state).steps?.number ?? 0) + by);
}

/** Show the answers, or hide them. */
export function toggleAnswers() {
  state.answersShown = state.fresh = !state.answersShown;
  return show();
}
