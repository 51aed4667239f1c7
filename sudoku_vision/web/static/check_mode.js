// @ts-check
/** The mode that checks what a person wrote. */
/** @import { Check, GridSession, GridView, Mistake, Workspace } from "./types.js" */
import { byId, inputById, make, makeButton } from "./dom.js";
import { sentences, t } from "./language.js";

export class CheckMode {
  name = "check";
  asks = true;
  answers = inputById("check-answers");
  marks = inputById("check-marks");

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    for (const choice of [this.answers, this.marks]) choice.addEventListener("change", () => space.show());
  }

  /** Begin with another grid. */
  begin() {
    this.answers.checked = this.marks.checked = false;
  }

  /** @param {GridSession} one */
  show(one) {
    byId("check-marks-choice").hidden = !one.grid.marks.some(Boolean);
    const wish = { marks: this.marks.checked, answers: this.answers.checked };
    return this.space.ask("check", wish, (/** @type {{check: Check, view: GridView} | null} */ answer) => {
      byId("check-list").replaceChildren();
      if (!answer) {
        this.space.render({ shapes: [] });
        return this.space.headline("", t("check.looking"));
      }
      const { check, view } = answer;
      this.space.render({ shapes: view.shapes, verdicts: verdictsOf(check) });
      this.space.headline(
        check.status === "wrong" || check.status === "right" ? "" : check.status,
        (check.status === "unreadable" && this.space.other) || summaryOf(check),
        t("mode.check"),
      );
      byId("check-answers-choice").hidden = check.wrong.length + (check.lost_marks?.length ?? 0) === 0;
      byId("check-list").replaceChildren(...this.#items(check));
    });
  }

  /** @param {Check} check */
  #items({ wrong, unclear, lost_marks: lost = [] }) {
    /** @type {(kind: string) => (mistake: Mistake) => HTMLElement} */
    const item = (kind) => (mistake) => {
      const { row, column, written: digit = "", answer, marks = "" } = mistake;
      const place = t("doubts.place", { row, column });
      const words = t(`check.item.${kind}`, { place, digit, answer, marks });
      const choose = () => this.space.selection.choose(mistake.cell);
      return make("li", {}, makeButton(words, choose, { class: `finding ${kind}` }));
    };
    const isAsked = (/** @type {Mistake} */ { cell }) => byId("doubt-list").querySelector(`[data-cell="${cell}"]`);
    return [
      ...wrong.map(item(this.answers.checked ? "answer" : "wrong")),
      ...unclear.filter((one) => !isAsked(one)).map(item("unclear")),
      ...lost.map(item("lost")),
    ];
  }
}

/** @param {Check} check @returns {Map<number, "right" | "wrong" | "unclear">} */
function verdictsOf(check) {
  return new Map([
    ...check.right.map((cell) => /** @type {const} */ ([cell, "right"])),
    ...check.wrong.map(({ cell }) => /** @type {const} */ ([cell, "wrong"])),
    ...check.unclear.map(({ cell }) => /** @type {const} */ ([cell, "unclear"])),
  ]);
}

/** Return a check in a few sentences. @param {Check} check */
function summaryOf(check) {
  if (["many_solutions", "no_solution"].includes(check.status)) return t(`check.${check.status}`);
  if (check.status === "unreadable") return t("say.unreadable");
  if (check.complete) return t("check.complete");
  const [right, wrong, unclear] = [check.right.length, check.wrong.length, check.unclear.length];
  return sentences(
    check.status === "uncertain" && !unclear && t("check.uncertain"),
    sentenceOfCounts({ right, wrong, unclear }),
    check.left && t("check.left", { count: check.left }),
  );
}

/** Return how many entries are right, wrong and unclear. @param {{right: number, wrong: number, unclear: number}} counts */
export function sentenceOfCounts({ right, wrong, unclear }) {
  if (right + wrong + unclear === 0) return t("check.nothing");
  return sentences(
    right && t(wrong || unclear ? "check.right" : "check.allRight", { count: right }),
    wrong && t("check.wrong", { count: wrong }),
    unclear && t("check.unclear", { count: unclear }),
  );
}
