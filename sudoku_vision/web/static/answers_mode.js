// @ts-check
/** The mode that shows all answers, or keeps them hidden until they are asked for, and asks about doubts. */
import { buttonById, byId } from "./dom.js";
import { listDoubts } from "./doubts.js";
import { cellName } from "./faces.js";
import { listed, t } from "./language.js";

/** @typedef {import("./workspace.js").Workspace} Workspace */

export class AnswersMode {
  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    this.name = "answers";
    this.shown = false;
    this.fresh = true;
    buttonById("show-answers").addEventListener("click", () => {
      this.shown = !this.shown;
      this.fresh = this.shown;
      this.show();
    });
  }

  /** Begin with another picture. @param {boolean} hide */
  begin(hide) {
    this.mayHide = hide;
    this.shown = !hide;
    this.fresh = true;
  }

  show() {
    const one = this.space.current;
    if (!one) return;
    const { grid, view } = one;
    const hidden = !this.shown && Boolean(grid.solution);
    const toggle = buttonById("show-answers");
    toggle.hidden = !(this.mayHide && grid.solution);
    toggle.textContent = t(this.shown ? "hide.answers" : "show.answers");
    toggle.classList.toggle("primary", !this.shown);
    this.space.render({
      shapes: hidden ? [] : view.shapes,
      answers: hidden ? null : view.answers,
      fresh: this.fresh && this.shown,
      others: this.shown,
    });
    this.fresh = false;
    this.space.headline(hidden ? "read" : grid.status, sentenceOf(one, hidden));
    const count = listDoubts(byId("doubt-list"), one, this.space.photo.picture, {
      settle: (said) => this.space.writing.correct(said),
      look: (cell) => this.space.choose(cell),
    });
    byId("doubts").hidden = count === 0;
  }
}

/** Confidence from which a page is well read: what is odd on it may be its own rules. */
const WELL_READ = 0.9;

/** @param {import("./session.js").GridSession} one @param {boolean} hidden */
function sentenceOf(one, hidden) {
  const { grid, view } = one;
  const digits = (/** @type {string} */ board) => [...board].filter((digit) => digit !== "0").length;
  if (hidden) return t("say.hidden", { count: digits(grid.puzzle) });
  const marked = grid.marks.some((marks) => marks);
  const empty = !digits(grid.puzzle + grid.written) && !marked && grid.confidence > 0.5;
  if (grid.status === "unreadable" && empty) return t("say.empty");
  if (grid.status === "no_solution" || grid.status === "many_solutions") return contradictionOf(one);
  if (grid.status !== "solved") return t(`say.${grid.status}`);
  const count = digits(view.answers);
  const told = count ? t("say.solved", { count }) : t("say.complete");
  const struck = [...grid.written].flatMap((digit, cell) =>
    digit !== "0" && digit !== grid.solution?.[cell] && !view.unclear.includes(cell)
      ? [t("cell.digit", { digit, cell: cellName(cell) })]
      : [],
  );
  return [
    told,
    struck.length && t("say.struck", { cells: listed(struck) }),
    grid.doubts.length && t("say.entry"),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Say where clues contradict one another, and whose doing it is. @param {import("./session.js").GridSession} one */
function contradictionOf({ grid, first, now }) {
  const cells = listed((grid.clashes ?? []).map(cellName));
  const said = listed(Object.keys(now.said).map((cell) => cellName(Number(cell))));
  const where = cells ? t("say.clash", { cells }) : "";
  if (said && first.status !== grid.status)
    return `${where} ${t(`say.${grid.status}.said`, { cells: said })}`.trim();
  const wellRead = first.confidence >= WELL_READ && !first.doubts.length;
  return `${where || t(`say.${grid.status}`)} ${t(cells ? "say.clash.read" : "say.compare")} ${wellRead ? t("say.rules") : ""}`.trim();
}
