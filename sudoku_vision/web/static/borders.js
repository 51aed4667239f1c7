// @ts-check
/** A person draws the borders between the regions of a jigsaw over the photo, with a finger or with keys. */
/** @import { GridSession, Point } from "./types.js" */
import { choose, show } from "./acts.js";
import { borderBetween, bordersOf, CELLS, CLASSIC, cellName, isDiagonal, neighboursOf, placeName, rulesWith } from "./board.js";
import { buttonById, byId, offer, say, svg } from "./dom.js";
import { gridLines } from "./draw.js";
import { borderEnds, cellAffine, cellAt, cellCorners } from "./geometry.js";
import { cellAfter } from "./keyboard.js";
import { t } from "./language.js";
import { drawPhoto, lookAt, pointOf, selectInPhoto } from "./photo_view.js";
import { parts } from "./render.js";
import { current, openGrids, state } from "./state.js";
import { playBy } from "./writing.js";

/** A finger draws a border if it is nearer to the line than this, in cells. */
const NEAR = 0.3;
/** It must also be nearer to the middle of the border than this, in cells: at a crossing, four borders meet. */
const HALF = 0.35;

const layer = byId("border-layer");
/** Whether the finger draws borders (true) or removes them; null until it touches the first border. @type {boolean | null} */
let draws = null;
/** The cell that was reached with the arrow keys. */
let at = 0;

const rulesNow = () => current()?.rules ?? CLASSIC;

const crossingsNow = () => /** @type {GridSession} */ (current()).view.crossings;

/** Let a person draw borders; those of known regions are drawn already. */
function open() {
  choose();
  state.borders = new Set(rulesNow().regions ? bordersOf(rulesNow()) : []);
  parts();
  drawPhoto([]);
  lookAt([{ view: { crossings: crossingsNow() } }]);
  render(state.borders);
  layer.focus({ preventScroll: true });
  byId("photo-frame").scrollIntoView({ block: "nearest" });
  say(`${t("borders.title")}. ${t("borders.help")}`, true);
}

async function leave() {
  state.borders = null;
  lookAt(openGrids());
  await show();
  buttonById("rules-jigsaw").focus();
}

/** If there are nine regions of nine cells, they become those of the puzzle. @param {Set<number>} borders */
async function finish(borders) {
  const regions = regionsWithin(borders);
  if (regions.some(({ length }) => length !== 9)) return;
  const numbers = CELLS.map((cell) => 1 + regions.findIndex((region) => region.includes(cell)));
  await leave();
  playBy(rulesWith(rulesNow(), { regions: numbers.join("") }));
}

/** Draw or remove the border that a finger touches. @param {PointerEvent} event */
function draw(event) {
  const { borders } = state;
  const point = pointOf(event);
  const cell = cellAt(crossingsNow(), point);
  if (cell < 0 || !borders) return;
  const back = new DOMMatrix(cellAffine(crossingsNow(), cell)).inverse();
  const { x, y } = back.transformPoint(new DOMPoint(...point));
  const far = [1 - x, x, 1 - y, y];
  const side = far.indexOf(Math.min(...far));
  const other = neighboursOf(cell)[side];
  if (other < 0 || far[side] > NEAR || Math.abs((side < 2 ? y : x) - 0.5) > HALF) return;
  const border = borderBetween(cell, other);
  draws ??= !borders.has(border);
  borders[draws ? "add" : "delete"](border);
  render(borders);
}

offer({
  "rules-classic": () => playBy(CLASSIC),
  "rules-diagonal": () => playBy(rulesWith(rulesNow(), { diagonal: !isDiagonal(rulesNow()) })),
  "rules-jigsaw": open,
  "borders-cancel": leave,
});
layer.addEventListener("pointerdown", (event) => {
  layer.setPointerCapture(event.pointerId);
  draws = null;
  draw(event);
});
layer.addEventListener("pointermove", (event) => event.buttons && draw(event));
layer.addEventListener("pointerup", () => state.borders && finish(state.borders));
// The arrow keys go from cell to cell; with Shift, they draw or remove the border in that direction.
layer.addEventListener("keydown", (event) => {
  const { borders } = state;
  if (event.key === "Escape") return leave();
  const other = cellAfter(event.key, at, false);
  if (!borders || other < 0 || !neighboursOf(at).includes(other)) return;
  event.preventDefault();
  const border = borderBetween(at, other);
  if (!event.shiftKey) at = other;
  else if (!borders.delete(border)) borders.add(border);
  selectInPhoto([at]);
  render(borders);
  say(`${placeName(at)}. ${byId("borders-left").textContent}`, true);
  finish(borders);
});

/** Show the borders and the regions of nine cells, and name the smallest region of another size. @param {Set<number>} borders */
function render(borders) {
  const crossings = crossingsNow();
  const regions = regionsWithin(borders);
  const polygon = (/** @type {Point[]} */ points, /** @type {string} */ look) =>
    svg("polygon", { points: points.join(" "), class: look });
  const whole = regions.filter(({ length }) => length === 9).flat();
  const [, thin] = gridLines(crossings, "corner-line");
  byId("corner-grid").replaceChildren(
    thin,
    ...whole.map((cell) => polygon(cellCorners(crossings, cell), "region")),
    ...[...borders].map((one) => polygon(borderEnds(crossings, one), "corner-line drawn")),
  );
  const uneven = regions.filter(({ length }) => length !== 9);
  const [first] = uneven.sort((one, other) => one.length - other.length);
  const words = first && t("borders.uneven", { cell: cellName(first[0]), count: first.length });
  byId("borders-left").textContent = words ?? "";
}

/** Return the cells of each region, in reading order of their first cells. @param {Set<number>} borders */
function regionsWithin(borders) {
  /** @type {number[][]} */
  const regions = [];
  for (const start of CELLS) {
    if (regions.flat().includes(start)) continue;
    const region = [start];
    for (const cell of region)
      for (const other of neighboursOf(cell))
        if (other >= 0 && !borders.has(borderBetween(cell, other)) && !region.includes(other)) region.push(other);
    regions.push(region);
  }
  return regions;
}
