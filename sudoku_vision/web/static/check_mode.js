// @ts-check
/** The mode that checks what a person wrote. */
import { byId, inputById, make, makeButton } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./types.js").Check} Check */
/** @typedef {import("./types.js").Mistake} Mistake */

export class CheckMode {
  /** @param {import("./workspace.js").Workspace} space */
  constructor(space) {
    this.space = space;
    this.name = "check";
    this.answers = inputById("check-answers");
    this.marks = inputById("check-marks");
    for (const choice of [this.answers, this.marks]) choice.addEventListener("change", () => this.show());
  }

  begin() {
    this.answers.checked = this.marks.checked = false;
  }

  async show() {
    const one = this.space.current;
    if (!one) return;
    this.space.render({ shapes: [] });
    byId("check-marks-choice").hidden = !one.grid.marks.some(Boolean);
    const answer = await this.space.ask("check", {
      marks: this.marks.checked,
      answers: this.answers.checked,
    });
    if (!answer || this.space.current !== one || this.space.mode !== this) return;
    const check = /** @type {Check} */ (answer.check);
    this.space.render({ shapes: answer.view.shapes, verdicts: verdictsOf(check) });
    this.space.headline(
      check.status === "wrong" || check.status === "right" ? "" : check.status,
      summaryOf(check),
      t("mode.check"),
    );
    byId("check-answers-choice").hidden = check.wrong.length + (check.lost_marks?.length ?? 0) === 0;
    byId("check-list").replaceChildren(...this.#items(check));
  }

  /** @param {Check} check */
  #items(check) {
    const shown = this.answers.checked;
    /** @type {(mistake: Mistake, kind: string) => HTMLElement} */
    const item = (mistake, kind) => {
      const place = t("doubts.place", { row: mistake.row, column: mistake.column });
      const words = t(`check.item.${kind}`, {
        place,
        digit: mistake.written ?? "",
        answer: mistake.answer,
        marks: mistake.marks ?? "",
      });
      const choose = () => this.space.choose(mistake.cell);
      return make("li", {}, makeButton(words, choose, { class: `finding ${kind}` }));
    };
    return [
      ...check.wrong.map((one) => item(one, shown ? "answer" : "wrong")),
      ...check.unclear.map((one) => item(one, "unclear")),
      ...(check.lost_marks ?? []).map((one) => item(one, "lost")),
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

/** Sum a check up in a few sentences. @param {Check} check */
function summaryOf(check) {
  if (["many_solutions", "no_solution"].includes(check.status)) return t(`check.${check.status}`);
  if (check.status === "unreadable") return t("say.unreadable");
  const [right, wrong, unclear] = [check.right.length, check.wrong.length, check.unclear.length];
  if (check.complete) return t("check.complete");
  const parts = [sentenceOfCounts({ right, wrong, unclear })];
  if (check.status === "uncertain" && !unclear) parts.unshift(t("check.uncertain"));
  if (check.left) parts.push(t("check.left", { count: check.left }));
  return parts.join(" ");
}

/** Say how many entries are right, wrong and unclear. @param {{right: number, wrong: number, unclear: number}} counts */
export function sentenceOfCounts({ right, wrong, unclear }) {
  if (right + wrong + unclear === 0) return t("check.nothing");
  const parts = [];
  if (right) parts.push(wrong || unclear ? t("check.right", { count: right }) : t("check.allRight"));
  if (wrong) parts.push(t("check.wrong", { count: wrong }));
  if (unclear) parts.push(t("check.unclear", { count: unclear }));
  return parts.join(" ");
}
