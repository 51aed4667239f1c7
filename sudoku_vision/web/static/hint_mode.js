// @ts-check
/** The mode that tells one hint: first its name, then the place, then the step drawn into the photo. */
import { buttonById, byId } from "./dom.js";
import { language, t } from "./language.js";
import { cellsOfUnit } from "./solving.js";

/** @typedef {import("./workspace.js").Workspace} Workspace */
const NOTHING = "0".repeat(81);
/** Units or cells up to which all are places to look at, as the sentences name them. */
const FEW = 4;
/** How much of a step is told. */
const LEVELS = /** @type {const} */ (["name", "place", "step"]);

export class HintMode {
  /** @type {import("./types.js").Hint | null} */
  answer = null;
  key = "";
  place = 0;
  level = 0;

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    this.name = "hint";
    buttonById("hint-next").addEventListener("click", () => this.#goOn());
  }

  begin() {
    this.answer = null;
    this.key = "";
    this.place = this.level = 0;
  }

  /** The step in hand, undefined where there is none. */
  get step() {
    return this.answer?.steps[this.place];
  }

  async show() {
    const one = this.space.current;
    if (!one) return;
    if (this.key !== keyOf(one)) await this.#ask(one);
    if (this.space.current === one && this.space.mode === this) this.#render(one);
  }

  /** @param {import("./session.js").GridSession} one */
  async #ask(one) {
    this.answer = null;
    this.#render(one);
    const key = keyOf(one);
    const answer = await this.space.ask("hint", {
      language: language(),
      ...(one.isNoted && { notes: one.notes, marks: true }),
    });
    if (!answer) return;
    Object.assign(this, { key, answer: withWholeSteps(answer), place: 0, level: 0 });
  }

  #goOn() {
    const { step, answer } = this;
    if (!step || !answer) return;
    if (this.level < LEVELS.length - 1) {
      this.level += 1;
    } else if (this.place < answer.steps.length - 1) {
      this.place += 1;
      this.level = 0;
    } else {
      return this.space.writing.fill(answer.steps);
    }
    this.show();
  }

  /** @param {import("./session.js").GridSession} one */
  #render(one) {
    const { step, answer } = this;
    const level = LEVELS[this.level];
    const shapes = step && level === "step" ? step.view.shapes : [];
    const drawn = (level === "step" && step?.placements) || [];
    this.space.render({
      shapes,
      placed: filledWith(NOTHING, drawn),
      look: step && level === "place" ? cellsOfPlace(step) : [],
      focus: drawn[0]?.[0],
    });
    const next = buttonById("hint-next");
    next.hidden = !step || (level === "step" && this.#isLast && !step.placements.length);
    next.textContent = t(level !== "step" ? `hint.${level}` : this.#isLast ? "hint.filled" : "hint.next");
    byId("hint-number").textContent =
      answer && answer.steps.length > 1
        ? t("hint.number", { number: this.place + 1, count: answer.steps.length })
        : "";
    const told = step && level === "step" ? step.text : "";
    byId("hint-text").textContent = told;
    const caution = this.#caution(one);
    byId("hint-caution").textContent = caution;
    byId("hint-caution").hidden = !caution;
    if (!answer) return this.space.headline("", t("hint.looking"), t("mode.hint"));
    if (!step) return this.space.headline("", nothingFound(answer.status), t("mode.hint"));
    const where = this.level > 0 ? t("hint.where", { place: step.place }) : t("hint.first");
    this.space.headline("", where, step.name, told);
  }

  get #isLast() {
    return this.place === (this.answer?.steps.length ?? 0) - 1;
  }

  /** @param {import("./session.js").GridSession} one */
  #caution(one) {
    if (!this.answer || !this.step) return "";
    if (one.grid.status === "uncertain") return t("hint.unsure");
    return this.answer.message;
  }
}

/** What a hint hangs on. @param {import("./session.js").GridSession} one */
const keyOf = (one) => one.state + one.overrides + one.now.entries + (one.isNoted ? one.notes : "") + language();

/** Say why there is no step. @param {string} status of the puzzle */
export const nothingFound = (status) =>
  t({ many: "hint.many", one: "hint.full" }[status] ?? "hint.none");

/** Return the cells of the place where a step is to be looked for. @param {import("./types.js").Step} step */
const cellsOfPlace = ({ units, cells }) =>
  units.length && units.length <= FEW
    ? units.flatMap(cellsOfUnit)
    : cells.slice(0, cells.length <= FEW ? FEW : 1);

/**
 * Put the two parts of each step together: what it is, and how it is told and drawn.
 * @param {import("./types.js").Hint} answer @returns {import("./types.js").Hint}
 */
function withWholeSteps(answer) {
  const found = answer.hint ? [answer.hint, ...answer.leads_to] : [];
  return { ...answer, steps: answer.steps.map((step, place) => ({ ...found[place], ...step })) };
}

/**
 * Return a board of 81 digits with digits filled in.
 * @param {string} board @param {[number, number][]} placements
 */
export function filledWith(board, placements) {
  const digits = [...board];
  for (const [cell, digit] of placements) digits[cell] = String(digit);
  return digits.join("");
}
