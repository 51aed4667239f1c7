// @ts-check
/**
 * A step of logic in words. The service tells its steps in English; in other languages the page names
 * technique and place, and says what follows, from the step's own cells and digits.
 */
import { cellName } from "./faces.js";
import { hasText, language, listed, t } from "./language.js";

/** @typedef {import("./types.js").Step} Step */

/** Units or cells up to which all are named as places to look at, as the command line does. */
const FEW = 4;

/** Name the technique of a step. @param {Step} step */
export function techniqueName(step) {
  const key = `technique.${step.name ?? step.technique}`;
  return hasText(key) ? t(key) : capitalised(step.name ?? step.technique);
}

/** Say where to look for a step. @param {Step} step */
export function placeOf(step) {
  if (language() === "en") return step.place ?? "";
  if (step.units.length && step.units.length <= FEW)
    return t("place.in", { units: listed(step.units.map(unitName)) });
  if (step.cells.length <= FEW) return t("place.at", { cells: listed(step.cells.map(cellName)) });
  return t("place.from", { cell: cellName(step.cells[0]) });
}

/** Say what a step finds, and what follows. @param {Step} step */
export function sentenceOf(step) {
  if (language() === "en") return step.text;
  return `${techniqueName(step)} ${placeOf(step)}: ${consequence(step)}`;
}

/** Say what to do after a step. @param {Step} step */
export function consequence(step) {
  const filled = step.placements.map(([cell, digit]) => t("step.fill", { digit, cell: cellName(cell) }));
  const digits = [...new Set(step.eliminations.map(([, digit]) => digit))].sort();
  const struck = digits.map((digit) => {
    const cells = step.eliminations.filter(([, other]) => other === digit).map(([cell]) => cell);
    return t("step.strike", { digit, cells: listed(cells.sort((a, b) => a - b).map(cellName)) });
  });
  return `${listed([...filled, ...struck])}.`;
}

/** Name a unit 0..26: rows, columns, boxes. @param {number} unit */
const unitName = (unit) =>
  t(["unit.row", "unit.column", "unit.box"][Math.floor(unit / 9)], { number: (unit % 9) + 1 });

/** @param {string} text */
export const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);
