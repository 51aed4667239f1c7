// @ts-check
/** The mode that gives one hint: first the place, then the name, then the step itself, drawn into the photo. */
/** @import { GridSession, Hint, Rules, Step, Workspace } from "./types.js" */
import { filledWith, NO_DIGITS, unitsOf } from "./board.js";
import { buttonById, byId } from "./dom.js";
import { t } from "./language.js";

/** Most units or cells that are highlighted as the place of a step; its sentence names them, too. */
const FEW = 4;
/** The parts of a hint, in the order in which they are shown: where to look, what to look for, the step itself. */
const LEVELS = /** @type {const} */ (["place", "name", "step"]);

export class HintMode {
  name = "hint";
  /** The step of the hint; undefined while the service looks for it. @type {Step | undefined} */
  step;
  /** The sentence of the latest step that was shown. */
  text = "";
  level = 0;

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    buttonById("hint-next").addEventListener("click", () => this.#goOn());
  }

  /** @param {GridSession} one */
  show(one) {
    const wish = { notes: one.ownCandidates, marks: one.isNoted };
    return this.space.ask("hint", wish, (/** @type {Hint | null} */ answer) => this.#render(one, answer));
  }

  #goOn() {
    if (!this.step) return;
    if (this.level === LEVELS.length - 1) return this.space.writing.follow(this.step);
    this.level += 1;
    if (this.level === LEVELS.length - 1) this.space.writing.countHint();
    this.space.show();
  }

  /** Show the first step that the person has not followed yet. @param {GridSession} one @param {Hint | null} answer */
  #render(one, answer) {
    const found = answer?.hint ? [answer.hint, ...answer.leads_to] : [];
    const steps = found.map((step, place) => ({ ...step, ...answer?.steps[place] }));
    const isOpen = (/** @type {[number, number]} */ [cell, digit]) => !one.now.struck?.[cell]?.includes(`${digit}`);
    const left = steps.filter((step) => step === steps.at(-1) || step.eliminations.some(isOpen));
    const step = (this.step = left[0]);
    if (step && step.text !== this.text) Object.assign(this, { level: 0, text: step.text });
    const level = LEVELS[this.level];
    const whole = level === "step" ? step : undefined;
    const drawn = whole?.placements ?? [];
    this.space.render({
      shapes: whole?.view.shapes ?? [],
      placed: filledWith(NO_DIGITS, drawn),
      look: step && !whole ? cellsOfPlace(step, one.rules) : [],
      focus: drawn[0]?.[0],
    });
    const next = buttonById("hint-next");
    const isLast = Boolean(whole && left.length === 1 && !drawn.length);
    if (answer && (isLast || !step) && document.activeElement === next) byId("status-title").focus();
    if (answer) next.hidden = !step || isLast;
    if (step) next.textContent = t(!whole ? `hint.${level}` : drawn.length ? "hint.filled" : "hint.next");
    const count = left.length;
    byId("hint-number").textContent = count > 1 ? t("hint.left", { count }) : "";
    byId("hint-text").textContent = whole?.text ?? "";
    const unsure = one.grid.status === "uncertain";
    const caution = step && answer ? (unsure ? t("hint.unsure") : answer.message) : "";
    byId("hint-caution").textContent = caution;
    byId("hint-caution").hidden = !caution;
    const page = /** @type {HTMLAnchorElement} */ (byId("hint-page"));
    page.hidden = !step || level === "place";
    page.href = `/technique/${encodeURIComponent(step?.technique ?? "")}`;
    page.textContent = t("hint.page", { name: step?.name ?? "" });
    if (!step) return this.space.headline("", answer ? nothingFound(answer.status) : t("hint.looking"));
    const where = t("hint.where", { place: step.place });
    if (level === "place") this.space.headline("", where);
    else this.space.headline("", where, step.name, whole?.text);
  }
}

/** Return a sentence that says why there is no step. @param {string} status the status of the puzzle */
export const nothingFound = (status) =>
  t({ many: "hint.many", one: "hint.full", gave_up: "improper.gave_up" }[status] ?? "hint.none");

/**
 * Return the cells to highlight as the place of a step: all of a few units, or a few cells of the pattern, or its first
 * cell.
 * @param {Step} step @param {Rules} [rules]
 */
const cellsOfPlace = ({ units, cells }, rules) =>
  units.length && units.length <= FEW
    ? units.flatMap((unit) => unitsOf(rules)[unit])
    : cells.slice(0, cells.length <= FEW ? FEW : 1);
