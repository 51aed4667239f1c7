// @ts-check
/** The mode that shows all steps to the solution; the chosen step is drawn into the photo. */
/** @import { Explanation, GridSession, Workspace } from "./types.js" */
import { filledWith, without } from "./board.js";
import { buttonById, byId, make, makeButton, prefersStillness } from "./dom.js";
import { nothingFound } from "./hint_mode.js";
import { t } from "./language.js";

export class StepsMode {
  name = "steps";
  /** @type {Explanation | null} */
  explanation = null;
  /** All sentences of the explanation, as one text. */
  text = "";
  /** The number of the chosen step, from 0. */
  number = 0;

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    buttonById("step-previous").addEventListener("click", () => this.goBy(-1));
    buttonById("step-next").addEventListener("click", () => this.goBy(1));
  }

  /** @param {number} steps */
  goBy(steps) {
    const last = (this.explanation?.steps.length ?? 0) - 1;
    this.#choose(Math.min(last, Math.max(0, this.number + steps)));
  }

  /** Ask the service for the steps from the entries so far to the solution. @param {GridSession} one */
  show({ ownCandidates: notes }) {
    return this.space.ask("explain", { notes }, (/** @type {Explanation | null} */ explanation) => {
      if (explanation !== this.explanation) this.#list(explanation);
      this.#choose(this.number);
    });
  }

  /** @param {Explanation | null} explanation */
  #list(explanation) {
    this.explanation = explanation;
    const steps = explanation?.steps ?? [];
    const text = steps.map((step) => step.text).join(" ");
    if (explanation && text !== this.text) Object.assign(this, { text, number: 0 });
    byId("steps-tools").hidden = steps.length === 0;
    byId("step-list").replaceChildren(
      ...steps.map((step, number) => {
        const words = [make("b", {}, step.name), make("span", {}, step.text)];
        const button = makeButton(words, () => this.#choose(number), { class: "step" });
        return make("li", {}, button);
      }),
    );
  }

  /** @param {number} number */
  #choose(number) {
    const { explanation } = this;
    const one = this.space.current;
    const step = explanation?.steps[number];
    if (!step || !one) {
      this.space.render({ shapes: [] });
      return this.space.headline("", explanation ? nothingFound(explanation.status) : t("hint.looking"));
    }
    this.number = number;
    const filled = without(
      step.board ?? "",
      (cell, digit) =>
        one.grid.puzzle[cell] !== "0" || one.grid.written[cell] !== "0" || one.now.entries[cell] === digit,
    );
    const before = explanation.steps.slice(0, number).flatMap(({ view }) => view.placed);
    this.space.render({
      shapes: [...before.filter((shape) => "cell" in shape && filled[shape.cell] !== "0"), ...step.view.shapes],
      placed: filledWith(filled, step.placements),
      focus: step.placements[0]?.[0],
    });
    const count = explanation.steps.length;
    const words = [t("steps.number", { number: number + 1, count }), step.text];
    [byId("step-number").textContent, byId("step-text").textContent] = words;
    this.space.headline("", t("steps.intro", { count }), undefined, words.join(". "));
    buttonById("step-previous").disabled = number === 0;
    buttonById("step-next").disabled = number === explanation.steps.length - 1;
    const buttons = byId("step-list").querySelectorAll("button");
    buttons.forEach((button, place) => (button.ariaCurrent = place === number ? "step" : null));
    this.#bringIntoView(buttons[number]);
  }

  /** Scroll only the list, never the page. @param {HTMLElement} button */
  #bringIntoView(button) {
    const list = byId("step-list");
    const top = button.offsetTop - list.offsetTop - list.clientHeight / 2 + button.clientHeight / 2;
    list.scrollTo({ top, behavior: prefersStillness() ? "auto" : "smooth" });
  }
}
