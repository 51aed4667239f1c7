// @ts-check
/** The rules of the open puzzle, as a person chooses them; the borders of a jigsaw are drawn in the photo. */
/** @import { GridSession, Point, Rules, Workspace } from "./types.js" */
import { borderBetween, bordersOf, CELLS, CLASSIC, cellName, neighboursOf, placeName } from "./board.js";
import { cellAfter } from "./board_view.js";
import { buttonById, byId, say, svg } from "./dom.js";
import { gridLines } from "./draw.js";
import { borderEnds, cellAffine, cellAt, cellCorners } from "./geometry.js";
import { t } from "./language.js";

/** To draw a border, a finger must be so near to it, and so near to its middle, in cells: a crossing is no border. */
const NEAR = 0.3;
const HALF = 0.35;

/** @param {Rules} rules */
const isDiagonal = ({ name }) => name.startsWith("diagonal");

/** Return rules with their name. @param {boolean} diagonal @param {string} [regions] the regions of a jigsaw @returns {Rules} */
const rulesWith = (diagonal, regions) => ({
  name: [diagonal && "diagonal", regions && "jigsaw"].filter(Boolean).join(" ") || CLASSIC.name,
  ...(regions && { regions }),
});

export class RulesEntry {
  layer = byId("border-layer");
  buttons = ["classic", "diagonal", "jigsaw"].map((name) => buttonById(`rules-${name}`));
  /** The numbers of the drawn borders. @type {Set<number>} */
  borders = new Set();
  /** Whether the finger draws borders (true) or removes them; null until it touches the first border. @type {boolean | null} */
  draws = null;
  /** The cell to which the arrow keys have led. */
  cell = 0;

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    const { writing } = space;
    const [classic, diagonal, jigsaw] = this.buttons;
    classic.addEventListener("click", () => writing.playBy(CLASSIC));
    diagonal.addEventListener("click", () =>
      writing.playBy(rulesWith(!isDiagonal(this.#rules), this.#rules.regions)),
    );
    jigsaw.addEventListener("click", () => this.#open());
    buttonById("borders-cancel").addEventListener("click", () => this.#leave());
    this.layer.addEventListener("pointerdown", (event) => {
      this.layer.setPointerCapture(event.pointerId);
      this.draws = null;
      this.#draw(event);
    });
    this.layer.addEventListener("pointermove", (event) => event.buttons && this.#draw(event));
    this.layer.addEventListener("pointerup", () => this.#finish());
    this.layer.addEventListener("keydown", (event) => this.#key(event));
  }

  get #rules() {
    return this.space.current?.rules ?? CLASSIC;
  }

  get #crossings() {
    return /** @type {GridSession} */ (this.space.current).view.crossings;
  }

  /** Show the rules of the open puzzle. @param {Rules} rules */
  show(rules) {
    const chosen = [rules.name === CLASSIC.name, isDiagonal(rules), Boolean(rules.regions)];
    this.buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(chosen[at])));
    byId("rules-name").hidden = chosen[0];
    byId("rules-name").textContent = t(`rules.${rules.name}`);
  }

  /** Let a person draw borders, beginning with those of the known regions. */
  #open() {
    const { photo } = this.space;
    this.borders = new Set(this.#rules.regions ? bordersOf(this.#rules) : []);
    this.space.selection.choose();
    photo.draw([]);
    photo.lookAt([this.#crossings]);
    photo.mark("border");
    this.#render();
    this.layer.focus({ preventScroll: true });
    byId("photo-frame").scrollIntoView({ block: "nearest" });
    say(`${t("borders.title")}. ${t("borders.help")}`, true);
  }

  /** Go back to the puzzle. */
  async #leave() {
    const { photo } = this.space;
    photo.mark(null);
    photo.lookAt(photo.grids);
    await this.space.show();
    this.buttons[2].focus();
  }

  /** Draw or remove the border that a finger touches. @param {PointerEvent} event */
  #draw(event) {
    const point = this.space.photo.pointOf(event);
    const cell = cellAt(this.#crossings, point);
    if (cell < 0) return;
    const back = new DOMMatrix(cellAffine(this.#crossings, cell)).inverse();
    const { x, y } = back.transformPoint(new DOMPoint(...point));
    const far = [1 - x, x, 1 - y, y];
    const side = far.indexOf(Math.min(...far));
    const other = neighboursOf(cell)[side];
    if (other < 0 || far[side] > NEAR || Math.abs((side < 2 ? y : x) - 0.5) > HALF) return;
    const border = borderBetween(cell, other);
    this.draws ??= !this.borders.has(border);
    this.borders[this.draws ? "add" : "delete"](border);
    this.#render();
  }

  /** Go from cell to cell with the arrow keys; with Shift, draw or remove the border on the way. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape") return this.#leave();
    const other = cellAfter(event.key, this.cell, false);
    if (other < 0 || !neighboursOf(this.cell).includes(other)) return;
    event.preventDefault();
    const border = borderBetween(this.cell, other);
    if (!event.shiftKey) this.cell = other;
    else if (!this.borders.delete(border)) this.borders.add(border);
    this.space.photo.select([this.cell]);
    this.#render();
    say(`${placeName(this.cell)}. ${byId("borders-left").textContent}`, true);
    this.#finish();
  }

  /** Show the borders and the complete regions, and name the smallest incomplete one. */
  #render() {
    const regions = regionsWithin(this.borders);
    const polygon = (/** @type {Point[]} */ points, /** @type {string} */ look) =>
      svg("polygon", { points: points.join(" "), class: look });
    const whole = regions.filter(({ length }) => length === 9).flat();
    const [, thin] = gridLines(this.#crossings, "corner-line");
    byId("corner-grid").replaceChildren(
      thin,
      ...whole.map((cell) => polygon(cellCorners(this.#crossings, cell), "region")),
      ...[...this.borders].map((one) => polygon(borderEnds(this.#crossings, one), "corner-line drawn")),
    );
    const [first] = regions
      .filter(({ length }) => length !== 9)
      .sort((one, other) => one.length - other.length);
    byId("borders-left").textContent = first
      ? t("borders.uneven", { cell: cellName(first[0]), count: first.length })
      : "";
  }

  /** Once there are nine regions of nine cells, go back to the puzzle and play by these regions. */
  async #finish() {
    const regions = regionsWithin(this.borders);
    if (regions.some(({ length }) => length !== 9)) return;
    const numbers = CELLS.map((cell) => 1 + regions.findIndex((region) => region.includes(cell)));
    await this.#leave();
    this.space.writing.playBy(rulesWith(isDiagonal(this.#rules), numbers.join("")));
  }
}

/** Return the cells of each region that borders enclose, in the reading order of the regions' first cells. @param {Set<number>} borders */
function regionsWithin(borders) {
  /** @type {number[][]} */
  const regions = [];
  for (const start of CELLS) {
    if (regions.flat().includes(start)) continue;
    const region = [start];
    for (const cell of region)
      for (const other of neighboursOf(cell))
        if (other >= 0 && !borders.has(borderBetween(cell, other)) && !region.includes(other))
          region.push(other);
    regions.push(region);
  }
  return regions;
}
