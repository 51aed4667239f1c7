// @ts-check
/** The mode that shows all answers, or keeps them hidden until they are asked for, and asks about doubts. */
import { blanksOf, cellName } from "./board.js";
import { buttonById, byId } from "./dom.js";
import { listDoubts } from "./doubts.js";
import { listed, sentences, t } from "./language.js";
import { settings } from "./settings.js";

/** @typedef {import("./session.js").GridSession} GridSession */

export class AnswersMode {
  name = "answers";
  shown = false;
  fresh = true;

  /** @param {import("./workspace.js").Workspace} space */
  constructor(space) {
    this.space = space;
    buttonById("show-answers").addEventListener("click", () => {
      this.shown = this.fresh = !this.shown;
      space.show();
    });
  }

  /** Begin with another picture. */
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
    byId("doubts").hidden = listDoubts(this.space, one) === 0;
  }
}

/** Confidence from which a page is well read: what is odd on it may be its own rules. */
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
  const struck = [...grid.written].flatMap((digit, cell) =>
    digit !== "0" && digit !== grid.solution?.[cell] && !view.unclear.includes(cell)
      ? [t("cell.digit", { digit, cell: cellName(cell) })]
      : [],
  );
  return sentences(
    t(count ? "say.solved" : "say.complete", { count }),
    struck.length && t("say.struck", { cells: listed(struck) }),
    grid.doubts.length && t("say.entry"),
  );
}

/** Say where clues contradict one another, and whose doing it is. @param {GridSession} one */
function contradictionOf({ grid, first, now }) {
  const cells = listed((grid.clashes ?? []).map(cellName));
  const said = listed(Object.keys(now.said).map((cell) => cellName(Number(cell))));
  const where = cells && t("say.clash", { cells });
  if (said && first.status !== grid.status)
    return sentences(where, t(`say.${grid.status}.said`, { cells: said }));
  const wellRead = first.confidence >= WELL_READ && !first.doubts.length;
  return sentences(
    where || t(`say.${grid.status}`),
    t(cells ? "say.clash.read" : "say.compare"),
    wellRead && t("say.rules"),
  );
}
