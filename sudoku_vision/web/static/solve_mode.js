// @ts-check
/** The mode in which a person goes on solving: their own entries and notes, and no answers. */
import { buttonById, byId, inputById } from "./dom.js";
import { cellName } from "./faces.js";
import { forget } from "./kept.js";
import { listed, t } from "./language.js";
import { finishShapes, wrongShapes } from "./own_shapes.js";
import { offerChoice } from "./settings.js";
import { clashesOf } from "./solving.js";

export class SolveMode {
  /** @param {import("./workspace.js").Workspace} space @param {import("./settings.js").Settings} settings */
  constructor(space, settings) {
    this.space = space;
    this.name = "solve";
    this.settings = settings;
    this.text = inputById("typing-text");
    offerChoice(inputById("solve-check"), settings, "checkAsIGo", () => this.show());
    offerChoice(inputById("solve-tidy"), settings, "tidyNotes", () => this.show());
    buttonById("typing-solve").addEventListener("click", () => this.solveTyped());
    buttonById("solve-notes").addEventListener("click", () => space.writing.noteAll());
  }

  begin() {
    this.done = false;
  }

  /** Have what was typed or pasted read as a puzzle; nothing of it is an entry then. */
  solveTyped() {
    const { current: one, tell } = this.space;
    const text = this.text.value.trim() || one?.board;
    if (!one || !text || !/[1-9]/.test(text)) return;
    forget(one.id);
    this.text.value = "";
    tell.read(text);
  }

  show() {
    const one = this.space.current;
    if (!one) return;
    const { board, grid } = one;
    const clashes = clashesOf(board);
    const before = this.done;
    this.done = !board.includes("0") && !clashes.length;
    const checked = this.settings.checkAsIGo && grid.status === "solved";
    const wrong = checked ? wrongEntries(one) : [];
    this.space.render({
      shapes: [...(this.done ? finishShapes(one) : []), ...wrongShapes(one, wrong)],
      verdicts: new Map(wrong.map((cell) => [cell, "wrong"])),
      finish: this.done && !before,
    });
    byId("typing").hidden = !one.isTyped;
    if (one.isTyped) return this.space.headline("", t("typing.help"), t("typing.title"));
    this.space.headline("", this.#sentence(board, clashes, wrong, checked), t("mode.solve"));
  }

  /** @param {string} board @param {number[]} clashes @param {number[]} wrong @param {boolean} checked */
  #sentence(board, clashes, wrong, checked) {
    if (this.done) return t("solve.done");
    const left = [...board].filter((digit) => digit === "0").length;
    const cells = (/** @type {number[]} */ some) => listed(some.map(cellName));
    return [
      clashes.length && t("solve.clash", { cells: cells(clashes) }),
      wrong.length && t("solve.wrong", { cells: cells(wrong) }),
      left && t("check.left", { count: left }),
      this.settings.checkAsIGo && !checked && t("solve.unsure"),
    ]
      .filter(Boolean)
      .join(" ");
  }
}

/** @param {import("./session.js").GridSession} one */
const wrongEntries = ({ grid, now }) =>
  [...now.entries].flatMap((digit, cell) =>
    digit !== "0" && grid.puzzle[cell] === "0" && digit !== grid.solution?.[cell] ? [cell] : [],
  );
