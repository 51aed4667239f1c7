// @ts-check
/** The mode that gives one hint: first its name, then the place, then the step, drawn into the photo. */
/** @import { GridSession, Hint, Rules, Step, Workspace } from "./types.js" */
import { filledWith, NO_DIGITS, unitsOf } from "./board.js";
import { buttonById, byId } from "./dom.js";
import { t } from "./language.js";

/** Up to so many units or cells are highlighted as the place of a step; its sentence names them, too. */
const FEW = 4;
/** The parts of a hint, one after the other. */
const LEVELS = /** @type {const} */ (["name", "place", "step"]);

export class HintMode {
  name = "hint";
  /** The step of the hint. @type {Step | undefined} */
  step;
  level = 0;

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    buttonById("hint-next").addEventListener("click", () => this.#goOn());
  }

  /** @param {GridSession} one */
  show(one) {
    const wish = { notes: one.ownNotes, marks: one.isNoted };
    return this.space.ask("hint", wish, (/** @type {Hint | null} */ answer) => this.#render(one, answer));
  }

  #goOn() {
    if (this.step && this.level === LEVELS.length - 1) return this.space.writing.follow(this.step);
    this.level += 1;
    this.space.show();
  }

  /** Show the first step that the person has not followed yet. @param {GridSession} one @param {Hint | null} answer */
  #render(one, answer) {
    const found = answer?.hint ? [answer.hint, ...answer.leads_to] : [];
    const steps = found.map((step, place) => ({ ...step, ...answer?.steps[place] }));
    const isOpen = (/** @type {[number, number]} */ [cell, digit]) => !one.now.struck?.[cell]?.includes(`${digit}`);
    const left = steps.filter((step) => step === steps.at(-1) || step.eliminations.some(isOpen));
    const [step] = left;
    if (answer && step?.text !== this.step?.text) this.level = 0;
    if (answer) this.step = step;
    const level = LEVELS[this.level];
    const whole = level === "step" ? step : undefined;
    const drawn = whole?.placements ?? [];
    this.space.render({
      shapes: whole?.view.shapes ?? [],
      placed: filledWith(NO_DIGITS, drawn),
      look: step && level === "place" ? cellsOfPlace(step, one.rules) : [],
      focus: drawn[0]?.[0],
    });
    const next = buttonById("hint-next");
    next.hidden = !step || Boolean(whole && left.length === 1 && !drawn.length);
    next.textContent = t(!whole ? `hint.${level}` : drawn.length ? "hint.filled" : "hint.next");
    const count = left.length;
    byId("hint-number").textContent = count > 1 ? t("hint.left", { count }) : "";
    byId("hint-text").textContent = whole?.text ?? "";
    const unsure = one.grid.status === "uncertain";
    const caution = step && answer ? (unsure ? t("hint.unsure") : answer.message) : "";
    byId("hint-caution").textContent = caution;
    byId("hint-caution").hidden = !caution;
    if (!step) return this.space.headline("", answer ? nothingFound(answer.status) : t("hint.looking"));
    const where = this.level > 0 ? t("hint.where", { place: step.place }) : t("hint.first");
    this.space.headline("", where, step.name, whole?.text);
  }
}

/** Return why there is no step. @param {string} status of the puzzle */
export const nothingFound = (status) =>
  t({ many: "hint.many", one: "hint.full", gave_up: "improper.gave_up" }[status] ?? "hint.none");

/** Return the cells of the place where to look for a step. @param {Step} step @param {Rules} [rules] */
const cellsOfPlace = ({ units, cells }, rules) =>
  units.length && units.length <= FEW
    ? units.flatMap((unit) => unitsOf(rules)[unit])
    : cells.slice(0, cells.length <= FEW ? FEW : 1);
