// @ts-check
/** The rules of the puzzle in hand, as a person says them; the regions of a jigsaw are drawn over its borders in the photo. */
import {
  bordersOf,
  CELLS,
  CLASSIC,
  cellName,
  isDiagonal,
  neighboursOf,
  placeName,
  rulesWith,
} from "./board.js";
import { buttonById, byId, say } from "./dom.js";
import { gridLines, nothingDrawn } from "./draw.js";
import { affineBack, borderEnds, cellAffine, cellAt, cellCorners } from "./geometry.js";
import { t } from "./language.js";
import { svgElement } from "./svg.js";

/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Rules} Rules */

/** How near to a border a finger draws it, and how far from its middle, in cells: near a crossing none is meant. */
const NEAR = 0.3;
const LONG = 0.35;
/** From one place that is looked at to the next, where a finger is quick, in cells. */
const STEP = 0.1;
/** The arrow keys in the order of `neighboursOf`. */
const ARROWS = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"];

export class RulesEntry {
  layer = byId("border-layer");
  buttons = ["classic", "diagonal", "jigsaw"].map((name) => buttonById(`rules-${name}`));
  /** The numbers of those that are drawn. @type {Set<number>} */
  borders = new Set();
  /** Where the finger was last, null while none draws. @type {Point | null} */
  last = null;
  /** Whether the finger lays borders or takes them away; null until it meets the first one. @type {boolean | null} */
  lays = null;
  /** The one that the arrow keys have led to. */
  cell = 0;

  /** @param {import("./workspace.js").Workspace} space */
  constructor(space) {
    this.space = space;
    const [classic, diagonal, jigsaw] = this.buttons;
    classic.addEventListener("click", () => space.writing.playBy(CLASSIC));
    diagonal.addEventListener("click", () =>
      space.writing.playBy(rulesWith(!isDiagonal(this.#rules), this.#rules.regions)),
    );
    jigsaw.addEventListener("click", () => this.#open());
    buttonById("borders-cancel").addEventListener("click", () => this.#leave());
    this.layer.addEventListener("pointerdown", (event) => {
      this.layer.setPointerCapture(event.pointerId);
      [this.last, this.lays] = [space.photo.pointOf(event), null];
      this.#drawTo(this.last);
    });
    this.layer.addEventListener("pointermove", (event) => this.#drawTo(space.photo.pointOf(event)));
    for (const name of ["pointerup", "pointercancel"])
      this.layer.addEventListener(name, () => {
        this.last = null;
        this.#finish();
      });
    this.layer.addEventListener("keydown", (event) => this.#key(event));
  }

  get #rules() {
    return this.space.current?.rules ?? CLASSIC;
  }

  get #crossings() {
    return this.space.photo.grids[this.space.photo.number];
  }

  /** Show the rules of the puzzle in hand. @param {Rules} rules */
  show(rules) {
    const chosen = [rules.name === "classic", isDiagonal(rules), Boolean(rules.regions)];
    this.buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(chosen[at])));
    byId("rules-name").hidden = chosen[0];
    byId("rules-name").textContent = t(`rules.${rules.name}`);
  }

  /** Begin to draw, from the regions that are known. */
  #open() {
    const { photo } = this.space;
    this.borders = this.#rules.regions ? bordersOf(this.#rules) : new Set();
    this.space.choose(-1);
    photo.draw(nothingDrawn());
    photo.lookAt([this.#crossings]);
    this.#turn(true);
    this.#render();
    this.layer.focus({ preventScroll: true });
    byId("photo-frame").scrollIntoView({ block: "nearest" });
    say(`${t("borders.title")}. ${t("borders.help")}`, true);
  }

  /** Go back to the puzzle. */
  async #leave() {
    this.close();
    this.space.photo.lookAt(this.space.photo.grids);
    await this.space.show();
    this.buttons[2].focus();
  }

  close() {
    this.#turn(false);
    byId("corner-grid").replaceChildren();
  }

  /** @param {boolean} on */
  #turn(on) {
    this.space.photo.zoom.enabled = !on;
    byId("work").classList.toggle("cornering", on);
    this.layer.hidden = byId("borders-panel").hidden = !on;
  }

  /** Draw along the way of the finger. @param {Point} to */
  #drawTo(to) {
    const { last: from } = this;
    if (!from) return;
    const [a, , c] = cellCorners(this.#crossings, 40);
    const steps = Math.ceil(
      Math.hypot(to[0] - from[0], to[1] - from[1]) / (STEP * Math.hypot(c[0] - a[0], c[1] - a[1])),
    );
    for (let step = 0; step <= steps; step += 1) {
      const share = step / (steps || 1);
      const border = this.#borderAt([
        from[0] + share * (to[0] - from[0]),
        from[1] + share * (to[1] - from[1]),
      ]);
      if (border === undefined) continue;
      this.lays ??= !this.borders.has(border);
      if (this.lays) this.borders.add(border);
      else this.borders.delete(border);
    }
    this.last = to;
    this.#render();
  }

  /** Return the border that a point of the photo lies on. @param {Point} point */
  #borderAt(point) {
    const cell = cellAt(this.#crossings, point);
    if (cell < 0) return undefined;
    const [x, y] = affineBack(cellAffine(this.#crossings, cell), point);
    const far = [1 - x, x, 1 - y, y];
    const side = far.indexOf(Math.min(...far));
    const along = side < 2 ? y : x;
    return far[side] < NEAR && Math.abs(along - 0.5) < LONG ? neighboursOf(cell)[side]?.border : undefined;
  }

  /** Go from cell to cell, with Shift over a border that is switched. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape") return this.#leave();
    const next = neighboursOf(this.cell)[ARROWS.indexOf(event.key)];
    if (!next) return;
    event.preventDefault();
    if (!event.shiftKey) this.cell = next.other;
    else if (!this.borders.delete(next.border)) this.borders.add(next.border);
    this.space.photo.select(this.cell);
    this.#render();
    say(`${placeName(this.cell)}. ${byId("borders-told").textContent}`, true);
    this.#finish();
  }

  /** Show the borders, the regions that are whole, and what isn't. */
  #render() {
    const regions = regionsWithin(this.borders);
    const sizes = sizesOf(regions);
    const drawn = [...this.borders].map((border) => ({
      tag: "polyline",
      set: { points: borderEnds(this.#crossings, border).join(" "), class: "corner-line drawn" },
    }));
    const whole = CELLS.filter((cell) => sizes[regions[cell]] === 9).map((cell) => ({
      tag: "polygon",
      set: { points: cellCorners(this.#crossings, cell).join(" "), class: "region" },
    }));
    const [thin] = gridLines(this.#crossings, "corner-line").slice(1);
    byId("corner-grid").replaceChildren(...[...whole, thin, ...drawn].map(svgElement));
    const uneven = CELLS.filter((cell) => sizes[regions[cell]] !== 9);
    const count = Math.min(...uneven.map((cell) => sizes[regions[cell]]));
    const first = uneven.find((cell) => sizes[regions[cell]] === count);
    const told = first === undefined ? "" : t("borders.uneven", { cell: cellName(first), count });
    byId("borders-told").textContent = told;
  }

  /** Play by the regions, once they are nine of nine cells. */
  async #finish() {
    const regions = regionsWithin(this.borders);
    if (sizesOf(regions).some((size) => size !== 9 && size)) return;
    await this.#leave();
    this.space.writing.playBy(rulesWith(isDiagonal(this.#rules), regions.join("")));
  }
}

/** Number the regions that borders leave, from 1 in reading order. @param {Set<number>} borders */
function regionsWithin(borders) {
  const regions = CELLS.map(() => 0);
  let number = 0;
  for (const start of CELLS) {
    if (regions[start]) continue;
    regions[start] = number += 1;
    const region = [start];
    for (const cell of region)
      for (const next of neighboursOf(cell)) {
        if (!next || regions[next.other] || borders.has(next.border)) continue;
        regions[next.other] = number;
        region.push(next.other);
      }
  }
  return regions;
}

/** Return how many cells the regions of each number have. @param {number[]} regions */
const sizesOf = (regions) =>
  CELLS.map((number) => regions.reduce((count, one) => count + Number(one === number), 0));
