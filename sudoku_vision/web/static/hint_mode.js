// @ts-check
/** The mode that tells one hint: first its name, then the place, then the step drawn into the photo. */
import { filledWith, NO_DIGITS, unitsOf } from "./board.js";
import { buttonById, byId } from "./dom.js";
import { t } from "./language.js";

/** Units or cells up to which all are places to look at, as the sentences name them. */
const FEW = 4;
/** How much of a step is told. */
const LEVELS = /** @type {const} */ (["name", "place", "step"]);

/** @typedef {import("./types.js").Hint} Hint */

export class HintMode {
  name = "hint";
  /** @type {Hint | null} */
  answer = null;
  /** Its steps, each as it is found, told and drawn. @type {import("./types.js").Step[]} */
  steps = [];
  /** Which of the steps is told, and how much of it. */
  place = 0;
  level = 0;

  /** @param {import("./workspace.js").Workspace} space */
  constructor(space) {
    this.space = space;
    buttonById("hint-next").addEventListener("click", () => this.#goOn());
  }

  /** @param {import("./session.js").GridSession} one */
  show(one) {
    const notes = one.isNoted ? { notes: one.notes, marks: true } : {};
    return this.space.ask("hint", notes, (/** @type {Hint | null} */ answer) => {
      if (answer !== this.answer) this.#begin(answer);
      this.#render(one.grid.status === "uncertain");
    });
  }

  /** @param {Hint | null} answer */
  #begin(answer) {
    const found = answer?.hint ? [answer.hint, ...answer.leads_to] : [];
    const steps = found.map((step, place) => ({ ...step, ...answer?.steps[place] }));
    Object.assign(this, { answer, steps, place: 0, level: 0 });
  }

  #goOn() {
    if (this.level < LEVELS.length - 1) {
      this.level += 1;
    } else if (!this.#isLast) {
      this.place += 1;
      this.level = 0;
    } else {
      return this.space.writing.fill(this.steps);
    }
    this.space.show();
  }

  get #isLast() {
    return this.place === this.steps.length - 1;
  }

  /** @param {boolean} unsure whether the grid may be read wrongly */
  #render(unsure) {
    const { answer, steps } = this;
    const step = steps[this.place];
    const level = LEVELS[this.level];
    const whole = level === "step" ? step : null;
    const drawn = whole?.placements ?? [];
    this.space.render({
      shapes: whole?.view.shapes ?? [],
      placed: filledWith(NO_DIGITS, drawn),
      look: step && level === "place" ? cellsOfPlace(step, this.space.current?.rules) : [],
      focus: drawn[0]?.[0],
    });
    const next = buttonById("hint-next");
    next.hidden = !step || (whole !== null && this.#isLast && !drawn.length);
    next.textContent = t(!whole ? `hint.${level}` : this.#isLast ? "hint.filled" : "hint.next");
    const count = steps.length;
    byId("hint-number").textContent = count > 1 ? t("hint.number", { number: this.place + 1, count }) : "";
    byId("hint-text").textContent = whole?.text ?? "";
    const caution = step && answer ? (unsure ? t("hint.unsure") : answer.message) : "";
    byId("hint-caution").textContent = caution;
    byId("hint-caution").hidden = !caution;
    if (!step) return this.space.headline("", answer ? nothingFound(answer.status) : t("hint.looking"));
    const where = this.level > 0 ? t("hint.where", { place: step.place }) : t("hint.first");
    this.space.headline("", where, step.name, whole?.text);
  }
}

/** Say why there is no step. @param {string} status of the puzzle */
export const nothingFound = (status) => t({ many: "hint.many", one: "hint.full" }[status] ?? "hint.none");

/** Return the cells of the place where a step is to be looked for. @param {import("./types.js").Step} step @param {import("./types.js").Rules} [rules] */
const cellsOfPlace = ({ units, cells }, rules) =>
  units.length && units.length <= FEW
    ? units.flatMap((unit) => unitsOf(rules)[unit])
    : cells.slice(0, cells.length <= FEW ? FEW : 1);
