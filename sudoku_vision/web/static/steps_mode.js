// @ts-check
/** The mode that shows the steps to the end, each drawn into the photo when it is chosen. */
import { buttonById, byId, make, makeButton, prefersStillness } from "./dom.js";
import { filledWith, nothingFound } from "./hint_mode.js";
import { language, t } from "./language.js";

export class StepsMode {
  /** @type {import("./types.js").Explanation | null} */
  explanation = null;
  key = "";
  number = 0;

  /** @param {import("./workspace.js").Workspace} space */
  constructor(space) {
    this.space = space;
    this.name = "steps";
    buttonById("step-previous").addEventListener("click", () => this.goBy(-1));
    buttonById("step-next").addEventListener("click", () => this.goBy(1));
  }

  begin() {
    this.explanation = null;
    this.key = "";
    this.number = 0;
  }

  /** @param {number} steps */
  goBy(steps) {
    const last = (this.explanation?.steps.length ?? 0) - 1;
    this.#choose(Math.min(last, Math.max(0, this.number + steps)));
  }

  async show() {
    const one = this.space.current;
    if (!one) return;
    const key = one.state + one.overrides + one.now.entries + language();
    if (this.key !== key) {
      this.space.render({ shapes: [] });
      this.space.headline("", t("hint.looking"), t("mode.steps"));
      byId("steps-tools").hidden = true;
      byId("step-list").replaceChildren();
      const answer = await this.space.ask("explain", { language: language() });
      if (!answer || this.space.current !== one) return;
      Object.assign(this, { key, explanation: answer, number: 0 });
      this.#list();
    }
    if (this.space.mode === this) this.#choose(this.number);
  }

  #list() {
    const steps = this.explanation?.steps ?? [];
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
    const one = this.space.current;
    const explanation = this.explanation;
    if (!explanation || !one) return;
    this.number = number;
    const step = explanation.steps[number];
    if (!step) {
      this.space.render({ shapes: [] });
      return this.space.headline("", nothingFound(explanation.status), t("mode.steps"));
    }
    const filled = newDigits(step.board ?? "", one);
    this.space.render({
      shapes: step.view.shapes,
      filled,
      placed: filledWith(filled, step.placements),
      focus: step.placements[0]?.[0],
    });
    const count = explanation.steps.length;
    const told = [t("steps.number", { number: number + 1, count }), step.text];
    [byId("step-number").textContent, byId("step-text").textContent] = told;
    this.space.headline("", t("steps.intro", { count }), t("mode.steps"), told.join(". "));
    buttonById("step-previous").disabled = number === 0;
    buttonById("step-next").disabled = number === explanation.steps.length - 1;
    const buttons = byId("step-list").querySelectorAll("button");
    for (const button of buttons) button.removeAttribute("aria-current");
    buttons[number].setAttribute("aria-current", "step");
    this.#bringIntoView(buttons[number]);
  }

  /** Scroll the list alone, never the page. @param {HTMLElement} button */
  #bringIntoView(button) {
    const list = byId("step-list");
    const top = button.offsetTop - list.offsetTop - list.clientHeight / 2 + button.clientHeight / 2;
    list.scrollTo({ top, behavior: prefersStillness() ? "auto" : "smooth" });
  }
}

/** Return the digits of a board that do not stand in a grid yet. @param {string} board @param {import("./session.js").GridSession} one */
const newDigits = (board, { grid, now }) =>
  [...board]
    .map((digit, cell) => {
      const stands = grid.puzzle[cell] !== "0" || grid.written[cell] !== "0" || now.entries[cell] === digit;
      return stands ? "0" : digit;
    })
    .join("");
