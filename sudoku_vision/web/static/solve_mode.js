// @ts-check
/** The mode in which a person solves the puzzle: with their own entries and notes, and without answers. */
/** @import { GridSession, Workspace } from "./types.js" */
import { blanksOf, cellsNamed } from "./board.js";
import { timeOf } from "./clock.js";
import { buttonById, byId, dialogById } from "./dom.js";
import { sentences, t } from "./language.js";
import { finishShapes, wrongShapes } from "./own_shapes.js";
import { offerChoice, settings } from "./settings.js";

export class SolveMode {
  name = "solve";

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    offerChoice("solve-check", "checkAsIGo", () => space.show());
    offerChoice("solve-tidy", "tidyNotes", () => space.show());
    buttonById("solve-notes").addEventListener("click", () => space.writing.noteAll());
    buttonById("solve-again").addEventListener("click", () => space.writing.startAgain());
  }

  /** @param {GridSession} one */
  show(one) {
    const { board, clashes, grid, isDone } = one;
    const checked = settings.checkAsIGo && grid.status === "solved";
    const wrong = checked ? one.wrong : [];
    const warning = sentences(
      clashes.length && t("solve.clash", { cells: cellsNamed(clashes) }),
      wrong.length && t("solve.wrong", { cells: cellsNamed(wrong) }),
    );
    this.space.render({
      warning,
      shapes: [...(isDone ? finishShapes(one) : []), ...wrongShapes(one, wrong)],
      verdicts: new Map(wrong.map((cell) => [cell, "wrong"])),
    });
    byId("typing").hidden = !one.isTyped;
    if (one.isTyped) return this.space.headline("", t("typing.help"), t("typing.title"));
    const left = blanksOf(board);
    const sentence = sentences(
      warning,
      left && t("check.left", { count: left }),
      settings.checkAsIGo && !checked && t("solve.unsure"),
    );
    this.space.headline("", isDone ? t("solve.done") : sentence);
  }

  /** Celebrate a puzzle that has just been completed. @param {GridSession} one */
  celebrate({ seconds, solving: { hints: count = 0 } }) {
    const { selection, board } = this.space;
    selection.letGo();
    byId(selection.pointed === board ? "board" : "photo-frame").scrollIntoView({ block: "start" });
    byId("layer-ink").classList.add("finishing");
    byId("board").classList.add("finished");
    byId("finish-facts").textContent = sentences(
      settings.showTime && seconds && t("finish.time", { time: timeOf(seconds) }),
      t(count ? "finish.hints" : "finish.alone", { count }),
    );
    dialogById("finish").showModal();
  }
}
