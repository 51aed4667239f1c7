// @ts-check
/** What the live camera says: of what it sees, of the line to the service, and of a camera that is not there. */
import { blanksOf } from "./board.js";
import { sentenceOfCounts } from "./check_mode.js";
import { hasText, t } from "./language.js";

/** @typedef {import("./types.js").LiveAnswer} LiveAnswer */
/** @typedef {import("./types.js").LiveGrid} LiveGrid */
/** @typedef {import("./types.js").LiveMode} LiveMode */

/**
 * Say in a sentence what is seen, and what is drawn of it.
 * @param {LiveAnswer} answer @param {LiveMode} mode @param {boolean} hidden whether answers are kept back
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
  if (mode === "hint") return hintSentence(grid);
  if (mode === "check") return sentenceOfCounts(grid.check ?? { right: 0, wrong: 0, unclear: 0 });
  if (hidden) return t("camera.hidden");
  const entries = [...(grid.written ?? "")].map((digit, cell) => [digit, grid.solution?.[cell]]);
  const written = entries.filter(([digit]) => digit !== "0");
  const blank = blanksOf(grid.puzzle ?? "") - written.length;
  if (!blank && written.length) {
    const wrong = written.filter(([digit, answer]) => digit !== answer).length;
    return t(wrong ? "camera.full.wrong" : "camera.full.right", { count: written.length, wrong });
  }
  return blank ? t("camera.sure", { count: blank }) : t("say.complete");
}

/** Tell whether a side of a grid lies beyond the frame. @param {LiveGrid} grid @param {[number, number]} size */
const isCutOff = ({ crossings }, [width, height]) =>
  crossings.flat().some(([x, y]) => x < 0 || y < 0 || x > width - 1 || y > height - 1);

/** @param {LiveGrid} grid */
function hintSentence({ hint }) {
  if (hint === undefined) return t("camera.hint.looking");
  return hint ? hint.text : t("hint.full");
}

/** Say what is wrong with the line to the service, which is tried on and on. @param {string} code */
export const sentenceOfLine = (code) =>
  t([`camera.line.${code}`, `problem.${code}`].find(hasText) ?? "camera.line.gone");
