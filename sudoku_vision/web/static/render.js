/** Writes the state into the page. Each function shows everything that depends on one part of the state. */
import { limits } from "./api.js";
import { renderBoard, selectInBoard } from "./board_view.js";
import { aria, buttonById, byId, fillStrip, say } from "./dom.js";
import { measureLayers } from "./draw.js";
import { hasText, t } from "./language.js";
import { MODES, sentenceOfOther, shownBy } from "./modes.js";
import { renderChips, renderHeadline, renderPad, renderPanel } from "./panel.js";
import { drawPhoto, outlineGrids, selectInPhoto, showPicture, zoom } from "./photo_view.js";
import { litBy, sceneOf } from "./scene.js";
import { pictureOf } from "./session.js";
import { chosenCell, current, openGrids, pictureSize, state } from "./state.js";

export { renderChips as chips } from "./panel.js";
export { focusBoard } from "./board_view.js";
export { lookAt } from "./photo_view.js";

/** The scene that is shown now. @type {Scene | null} */
let scene = null;

/** Show and hide the parts of the page. */
export function parts() {
  const { view, mode, reading, corners, session, cells } = state;
  const one = current();
  byId("start").hidden = view !== "start";
  byId("work").hidden = buttonById("new-photo").hidden = view !== "work";
  const looks = {
    waiting: Boolean(reading),
    reading: Boolean(reading?.isLong),
    cornering: Boolean(corners),
    "in-text": Boolean(one?.inText),
    typed: Boolean(one?.isTyped),
    gridless: Boolean(session && !one),
    other: Boolean(sentenceOfOther(state)), // whether the page shows another kind of puzzle
  };
  for (const [name, isOn] of Object.entries(looks)) byId("work").classList.toggle(name, isOn);
  byId("pad").hidden = !one || !cells.length;
  document.body.classList.toggle("padded", !byId("pad").hidden);
  byId("corner-layer").hidden = byId("corners-panel").hidden = !corners;
  zoom.enabled = !corners;
  if (zoom.enabled) byId("corner-grid").replaceChildren();
  for (const name of MODES) {
    const tab = buttonById(`mode-${name}`);
    aria(tab, { selected: name === mode });
    tab.setAttribute("tabindex", name === mode ? "0" : "-1");
    byId(`panel-${name}`).hidden = name !== mode;
  }
  if (!reading) return;
  byId("reading-title").textContent = reading.title;
  const bar = /** @type {HTMLProgressElement} */ (byId("reading-sent"));
  [bar.value, bar.hidden] = [reading.share, reading.share === 1];
}

export function problem() {
  const section = byId("problem");
  section.hidden = !state.problem;
  if (!state.problem) return;
  const code = hasText(`problem.${state.problem.code}`) ? state.problem.code : "internal";
  const message = t(`problem.${code}`, { megabytes: Math.round(limits.bytes / 1e6) });
  const remedy = t(`remedy.${code}`);
  section.dataset.code = code;
  byId("problem-message").textContent = message;
  byId("problem-remedy").textContent = remedy;
  buttonById("problem-again").hidden = !state.problem.again;
  say(`${message} ${remedy}`, true);
}

/** Show the picture of the open page with the outlines of its grids, or the photo that is being read. */
export async function page() {
  const { session, reading } = state;
  const { view } = session?.pages[session.page] ?? {};
  parts();
  outlineGrids();
  if (!current()) drawPhoto([]);
  const one = current();
  const drawn = one?.inText ? pictureOf(one) : view?.preview;
  await showPicture(drawn ?? session?.source ?? reading?.photo ?? null);
  measureLayers("layer", pictureSize());
  if (!session || session !== state.session) return;
  outlineGrids();
  const pages = session.pages.map((_, place) => t("pages.one", { number: place + 1 }));
  fillStrip("pages", "turnTo", pages, session.page);
  fillStrip("grids", "chooseGrid", openGrids().map((_, place) => t("grids.one", { number: place + 1 })), session.number);
  byId("pages-left").textContent = session.lastPage ? t("pages.left", { number: session.lastPage }) : "";
}

/** Hide the links to other sites and the digits for copying: they belong to the grid that was open before. */
export function closeTakeAway() {
  /** @type {HTMLDetailsElement} */ (byId("sites")).open = false;
  byId("board-digits-field").hidden = true;
}

/** Show the open grid in its mode. @param {string} [words] for screen readers, by default the headline */
export function grid(words) {
  parts();
  const { session, finishes } = state;
  const one = current();
  if (!session) return;
  if (!one) {
    const trouble = session.pages[session.page].status === "error" ? "error" : "no_grid";
    renderHeadline({ status: trouble, sentence: sentenceOfOther(state) || t(`say.${trouble}`) });
    return renderChips();
  }
  const shown = shownBy(one, state);
  scene = sceneOf(one, openGrids(), state.mode, shown);
  drawPhoto(scene.drawings, shown.fresh, finishes);
  renderBoard(scene.faces, one.view.lines, finishes);
  renderPanel(one, shown, words);
  for (const id of ["undo", "pad-undo"]) buttonById(id).disabled = !one.solving.past.length;
  buttonById("redo").disabled = !one.solving.future.length;
  chosen();
}

/** Show the chosen cells, the cells related to them, and the pad. */
export function chosen() {
  const { cells } = state;
  const one = current();
  parts();
  const lit = litBy(scene?.faces ?? [], one ? cells : [], one?.peers);
  selectInPhoto(cells, lit);
  selectInBoard(cells.length || scene?.focus === undefined ? cells : [scene.focus], lit);
  if (one && scene && cells.length) renderPad(scene.faces[chosenCell()], one, scene.warning);
}

/** Scroll the page until the chosen cell is visible above the pad, in the board or in the photo: where the person chose it. */
export function bringIntoView() {
  const place = byId(state.pointed === "board" ? "board" : "cells");
  place.querySelector(`[data-cell="${chosenCell()}"]`)?.scrollIntoView({ block: "nearest" });
}
