// @ts-check
/** The mode that shows all answers, or hides them until a person wants them. */
/** @import { GridSession, Workspace } from "./types.js" */
import { blanksOf, cellName, cellsNamed } from "./board.js";
import { buttonById } from "./dom.js";
import { listed, sentences, t } from "./language.js";
import { settings } from "./settings.js";

export class AnswersMode {
  name = "answers";
  asks = true;
  shown = false;
  fresh = true;

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    buttonById("show-answers").addEventListener("click", () => {
      this.shown = this.fresh = !this.shown;
      space.show();
    });
  }

  /** Start again with another picture. */
  begin() {
    this.shown = !settings.hideAnswers;
    this.fresh = true;
  }

  /** @param {GridSession} one */
  show(one) {
    const { grid, view } = one;
    const hidden = !this.shown && Boolean(grid.solution);
    const toggle = buttonById("show-answers");
    toggle.hidden = !(settings.hideAnswers && grid.solution);
    toggle.textContent = t(this.shown ? "hide.answers" : "show.answers");
    toggle.classList.toggle("primary", !this.shown);
    this.space.render({
      shapes: hidden ? [] : view.shapes,
      answers: hidden ? null : view.answers,
      fresh: this.fresh && this.shown,
      others: this.shown,
    });
    this.fresh = false;
    const other = !["solved", "uncertain"].includes(grid.status) && this.space.other;
    this.space.headline(hidden ? "read" : grid.status, other || sentenceOf(one, hidden));
  }
}

/** From this confidence on, a page counts as well read: if its clues clash, its puzzle may have special rules. */
const WELL_READ = 0.9;

/** @param {GridSession} one @param {boolean} hidden */
function sentenceOf(one, hidden) {
  const { grid, view } = one;
  if (hidden) return t("say.hidden", { count: 81 - blanksOf(grid.puzzle) });
  const marked = grid.marks.some(Boolean);
  const empty = !/[1-9]/.test(grid.puzzle + grid.written) && !marked && grid.confidence > 0.5;
  if (grid.status === "unreadable" && empty) return t("say.empty");
  if (grid.status === "no_solution" || grid.status === "many_solutions") return contradictionOf(one);
  if (view.hidden) return t("say.covered", { cells: view.hidden });
  if (grid.status === "uncertain" && !grid.solution) return t("improper.gave_up");
  if (grid.status === "uncertain" && grid.rules && !grid.doubts.length) return t("say.uncertain.rules");
  if (grid.status !== "solved") return t(`say.${grid.status}`);
  const count = 81 - blanksOf(view.answers);
  const wrong = [...grid.written].flatMap((digit, cell) =>
    digit !== "0" && digit !== grid.solution?.[cell] && !view.unclear.includes(cell)
      ? [t("cell.digit", { digit, cell: cellName(cell) })]
      : [],
  );
  return sentences(
    t(count ? "say.solved" : "say.complete", { count }),
    wrong.length && t("say.struck", { cells: listed(wrong) }),
    grid.doubts.length && t("say.entry"),
  );
}

/** Return a sentence that says where clues contradict one another, and what may be the cause. @param {GridSession} one */
function contradictionOf({ grid, first, now }) {
  const cells = cellsNamed(grid.clashes ?? []);
  const corrected = cellsNamed(Object.keys(now.corrections).map(Number));
  const where = cells && t("say.clash", { cells });
  if (corrected && first.status !== grid.status)
    return sentences(where, t(`say.${grid.status}.said`, { cells: corrected }));
  const wellRead = first.confidence >= WELL_READ && !first.doubts.length;
  return sentences(
    where || t(`say.${grid.status}`),
    t(cells ? "say.clash.read" : "say.compare"),
    wellRead && t("say.rules"),
  );
}
