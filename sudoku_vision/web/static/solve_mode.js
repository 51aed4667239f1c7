// @ts-check
/** The mode in which a person solves the puzzle: with their own entries and notes, and without answers. */
/** @import { GridSession, Workspace } from "./types.js" */
import { blanksOf, cellsNamed, clashesOf } from "./board.js";
import { buttonById, byId } from "./dom.js";
import { sentences, t } from "./language.js";
import { finishShapes, wrongShapes } from "./own_shapes.js";
import { offerChoice, settings } from "./settings.js";

export class SolveMode {
  name = "solve";
  done = false;

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    offerChoice("solve-check", "checkAsIGo", () => space.show());
    offerChoice("solve-tidy", "tidyNotes", () => space.show());
    buttonById("solve-notes").addEventListener("click", () => space.writing.noteAll());
  }

  begin() {
    this.done = false;
  }

  /** @param {GridSession} one */
  show(one) {
    const { board, grid } = one;
    const before = this.done;
    this.done = !board.includes("0") && !clashesOf(board, one.rules).length;
    const checked = settings.checkAsIGo && grid.status === "solved";
    const wrong = checked ? one.wrong : [];
    this.space.render({
      shapes: [...(this.done ? finishShapes(one) : []), ...wrongShapes(one, wrong)],
      verdicts: new Map(wrong.map((cell) => [cell, "wrong"])),
      finish: this.done && !before,
    });
    byId("typing").hidden = !one.isTyped;
    if (one.isTyped) return this.space.headline("", t("typing.help"), t("typing.title"));
    this.space.headline("", this.#sentence(board, one.clashes, wrong, checked));
  }

  /** @param {string} board @param {number[]} clashes @param {number[]} wrong @param {boolean} checked */
  #sentence(board, clashes, wrong, checked) {
    if (this.done) return t("solve.done");
    const left = blanksOf(board);
    return sentences(
      clashes.length && t("solve.clash", { cells: cellsNamed(clashes) }),
      wrong.length && t("solve.wrong", { cells: cellsNamed(wrong) }),
      left && t("check.left", { count: left }),
      settings.checkAsIGo && !checked && t("solve.unsure"),
    );
  }
}
