// @ts-check
/** The mode that shows the steps to the end, each drawn into the photo when it is chosen. */
import { filledWith, without } from "./board.js";
import { buttonById, byId, make, makeButton, prefersStillness } from "./dom.js";
import { nothingFound } from "./hint_mode.js";
import { t } from "./language.js";

/** @typedef {import("./types.js").Explanation} Explanation */

export class StepsMode {
  name = "steps";
  /** @type {Explanation | null} */
  explanation = null;
  /** All that it says, and which of its steps is chosen. */
  told = "";
  number = 0;

  /** @param {import("./workspace.js").Workspace} space */
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

  /** Ask for the way from what is written by now. */
  show(/** @type {import("./session.js").GridSession} */ { ownNotes: notes }) {
    return this.space.ask("explain", { notes }, (/** @type {Explanation | null} */ explanation) => {
      if (explanation !== this.explanation) this.#list(explanation);
      this.#choose(this.number);
    });
  }

  /** @param {Explanation | null} explanation */
  #list(explanation) {
    this.explanation = explanation;
    const steps = explanation?.steps ?? [];
    const told = steps.map(({ text }) => text).join(" ");
    if (explanation && told !== this.told) Object.assign(this, { told, number: 0 });
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
    this.space.render({
      shapes: step.view.shapes,
      filled,
      placed: filledWith(filled, step.placements),
      focus: step.placements[0]?.[0],
    });
    const count = explanation.steps.length;
    const told = [t("steps.number", { number: number + 1, count }), step.text];
    [byId("step-number").textContent, byId("step-text").textContent] = told;
    this.space.headline("", t("steps.intro", { count }), undefined, told.join(". "));
    buttonById("step-previous").disabled = number === 0;
    buttonById("step-next").disabled = number === explanation.steps.length - 1;
    const buttons = byId("step-list").querySelectorAll("button");
    buttons.forEach((button, place) => (button.ariaCurrent = place === number ? "step" : null));
    this.#bringIntoView(buttons[number]);
  }

  /** Scroll the list alone, never the page. @param {HTMLElement} button */
  #bringIntoView(button) {
    const list = byId("step-list");
    const top = button.offsetTop - list.offsetTop - list.clientHeight / 2 + button.clientHeight / 2;
    list.scrollTo({ top, behavior: prefersStillness() ? "auto" : "smooth" });
  }
}
