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
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./session.js").GridSession} GridSession */

export class HintMode {
  name = "hint";
  /** The one that is told, and how much of it. @type {Step | undefined} */
  step;
  level = 0;

  /** @param {import("./workspace.js").Workspace} space */
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

  /** Tell the first of the steps that a person hasn't followed yet. @param {GridSession} one @param {Hint | null} answer */
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

/** Say why there is no step. @param {string} status of the puzzle */
export const nothingFound = (status) =>
  t({ many: "hint.many", one: "hint.full", gave_up: "improper.gave_up" }[status] ?? "hint.none");

/** Return the cells of the place where a step is to be looked for. @param {Step} step @param {import("./types.js").Rules} [rules] */
const cellsOfPlace = ({ units, cells }, rules) =>
  units.length && units.length <= FEW
    ? units.flatMap((unit) => unitsOf(rules)[unit])
    : cells.slice(0, cells.length <= FEW ? FEW : 1);
