// @ts-check
/** The picture on the first page: a printed sudoku, its answers being written in by the page's own pen. */
import { byId } from "./dom.js";
import { digitShapes, drawShapes, gridLines } from "./draw.js";
import { flatCrossings } from "./geometry.js";
import { svgElement } from "./svg.js";

/** @typedef {import("./types.js").Point} Point */

const PUZZLE = "070800020080045700020007000017008200008402100002900360000600050004710080060004070";
const SOLUTION = "179836524386245719425197836917368245638452197542971368791683452254719683863524971";

/** A sheet on a table, seen from the reader's seat. @type {Point[]} */
const CORNERS = [
  [78, 34],
  [426, 52],
  [476, 398],
  [24, 366],
];
const SHEET = "52,8 450,28 512,432 -8,396";
/** Milliseconds from one answer to the next. */
const PACE = 45;

/** Draw it. @param {import("./draw.js").PenPaths} pens */
export function drawHero(pens) {
  const crossings = flatCrossings(CORNERS);
  const middle = /** @type {Point} */ ([0.5, 0.5]);
  const print = { height: 0.56, weight: 0.085, middle, colour: "currentColor", hollow: false, ground: "" };
  const answers = [...SOLUTION].map((digit, cell) => (PUZZLE[cell] === "0" ? digit : "0")).join("");
  const inked = (/** @type {string} */ board) =>
    drawShapes(
      digitShapes(board, print, () => false),
      crossings,
      pens,
      { colourOf: () => "", coverOf: () => "", size: [1, 1] },
    ).ink;
  const written = svgElement({ tag: "g", set: { class: "hero-answers writing" }, inside: inked(answers) });
  [...written.children].forEach((digit, place) => {
    /** @type {SVGElement} */ (digit).style.animationDelay = `${400 + place * PACE}ms`;
  });
  byId("hero").replaceChildren(
    svgElement({ tag: "polygon", set: { points: SHEET, class: "hero-sheet" } }),
    ...gridLines(crossings, "hero-line").map(svgElement),
    svgElement({ tag: "g", set: { class: "hero-print" }, inside: inked(PUZZLE) }),
    written,
  );
}
