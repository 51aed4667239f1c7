// @ts-check
/** What the live camera shows: the running video, or a frame with its answer; and the words for both. */
/** @import { Frame, LiveAnswer, LiveGrid, LiveMode } from "./types.js" */
import { blanksOf } from "./board.js";
import { sentenceOfCounts } from "./modes.js";
import { byId, jpegOf } from "./dom.js";
import { drawInto, drawShapes, measureLayers } from "./draw.js";
import { hasText, t } from "./language.js";
import { copy } from "./live_loop.js";

/** The quality of the JPEG of a frame that becomes a photo, 0..1. */
const PHOTO_QUALITY = 0.92;
/** Milliseconds for which words must stay the same before they are read out, because they change quickly. */
const STEADY = 900;

const picture = /** @type {HTMLCanvasElement} */ (byId("camera-picture"));
/** The words that were read out last, and the timer of those that will be read out next. */
let [readOut, timer] = ["", 0];

/** Show a frame, and at the same time all that is drawn on its grids. @param {Frame} frame @param {LiveGrid[]} grids */
export function showFrame({ picture: frame, size }, grids) {
  copy(frame, picture, frame.width, frame.height);
  measureLayers("camera", size);
  showGrids(grids);
  byId("camera-stage").classList.add("answered");
}

/** Draw other shapes on the same frame. @param {LiveGrid[]} grids */
export const showGrids = (grids) =>
  drawInto("camera", grids.map(({ shapes, covers }) => drawShapes(shapes, covers)));

/** Return the frame as a photo, without what is drawn on it. */
export const framePhoto = () => jpegOf(picture, PHOTO_QUALITY);

/** Show the running video, with nothing drawn on it. */
export function showVideo() {
  showGrids([]);
  byId("camera-stage").classList.remove("answered");
}

/**
 * Show words for the state. The words are read out once they have stayed the same for a while.
 * @param {string} words @param {string} state chooses the colour of the dot beside the words
 */
export function tellState(words, state) {
  byId("camera-status").dataset.state = state;
  const line = byId("camera-words");
  if (line.textContent === words) return;
  line.textContent = words;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (words !== readOut) byId("camera-live").textContent = readOut = words;
  }, STEADY);
}

/** Remove all words. */
export function hush() {
  clearTimeout(timer);
  byId("camera-words").textContent = byId("camera-live").textContent = readOut = "";
}

/**
 * Return a sentence about what is seen and drawn.
 * @param {LiveAnswer} answer @param {LiveMode} mode @param {boolean} hidden whether answers are hidden
 */
export function sentenceOfAnswer({ state, grids, size }, mode, hidden) {
  const sure = grids.filter((grid) => grid.state === "sure");
  if (sure.length === 1) return sentenceOfSure(sure[0], mode, hidden);
  const shown = mode === "answers" && hidden ? "hidden" : mode;
  if (sure.length) return t(`camera.several.${shown}`, { number: sure.length });
  if (grids.some((grid) => isCutOff(grid, size))) return t("camera.cut");
  if (state !== "unsolvable") return t(`camera.${state}`);
  const none = grids.some((grid) => grid.status === "no_solution");
  return t(none ? "camera.no_solution" : "camera.many_solutions");
}

/** @param {LiveGrid} grid @param {LiveMode} mode @param {boolean} hidden */
function sentenceOfSure(grid, mode, hidden) {
  const { puzzle, written, solution, hint, check } = grid;
  if (mode === "hint") return hint === undefined ? t("camera.hint.looking") : hint?.text || t("hint.full");
  if (mode === "check") return sentenceOfCounts(check ?? { right: 0, wrong: 0, unclear: 0 });
  if (hidden) return t("camera.hidden");
  const entries = [...(written ?? "")].map((digit, cell) => [digit, solution?.[cell]]);
  const entered = entries.filter(([digit]) => digit !== "0");
  const count = blanksOf(puzzle ?? "") - entered.length;
  if (count) return t("camera.sure", { count });
  if (!entered.length) return t("say.complete");
  const wrong = entered.filter(([digit, answer]) => digit !== answer).length;
  return t(wrong ? "camera.full.wrong" : "camera.full.right", { count: entered.length, wrong });
}

/** Return whether a side of a grid lies outside the frame. @param {LiveGrid} grid @param {[number, number]} size */
const isCutOff = ({ crossings }, [width, height]) =>
  crossings.flat().some(([x, y]) => x < 0 || y < 0 || x > width - 1 || y > height - 1);

/** Return a sentence about a problem with the service; meanwhile, the loop asks again and again. @param {string} code */
export const sentenceOfLine = (code) =>
  t([`camera.line.${code}`, `problem.${code}`].find(hasText) ?? "camera.line.gone");
