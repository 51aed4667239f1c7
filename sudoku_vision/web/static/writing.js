// @ts-check
/** What a person writes into the grid in hand: entries, notes and corrections, each told and kept, taken back and made again. */
import { placeName } from "./board.js";
import { byId, say } from "./dom.js";
import { t } from "./language.js";
import { fail } from "./problems.js";
import { settings } from "./settings.js";
import * as solving from "./solving.js";

/** @typedef {import("./session.js").GridSession} GridSession */

export class Writing {
  /** @param {import("./workspace.js").Workspace} space */
  constructor(space) {
    this.space = space;
  }

  /** Say what the digit keys write; a digit that was read changes its hand with it. @param {import("./pad.js").Kind} kind */
  useKind(kind) {
    const face = this.space.faces[this.space.cell];
    this.space.choose(this.space.cell, kind);
    const turned =
      (kind === "written" && face?.kind === "clue") || (kind === "clue" && face?.kind === "written");
    if (turned) this.correct({ [this.space.cell]: wordFor(face.digit, kind) });
  }

  /** Write a digit into the cell in hand, 0 to erase. @param {number} digit @param {import("./pad.js").Kind} [kind] */
  write(digit, kind = this.space.pad.kind) {
    const { current: one, cell } = this.space;
    if (!one || cell < 0) return;
    if (kind === "clue" || kind === "written") return this.correct({ [cell]: wordFor(digit, kind) });
    const { grid, now, notes } = one;
    if (grid.puzzle[cell] !== "0") return say(t("pad.locked"));
    const place = placeName(cell);
    const entered = Number(now.entries[cell]);
    if (kind === "note" && digit && !entered) {
      const noted = solving.note(one.solving, grid, cell, digit);
      const digits = [...solving.notesOf(grid, noted.now)[cell]].join(" ");
      return this.#change(noted, `${place}, ${t("cell.marks", { digits })}.`);
    }
    const tidy = settings.tidyNotes;
    if (!digit && !entered) {
      if (grid.written[cell] !== "0") return this.correct({ [cell]: "blank" });
      if (one.isTyped) this.goOn();
      if (notes[cell]) this.#change(solving.noteNothing(one.solving, cell), t("say.erased", { cell: place }));
    } else if (!digit || digit === entered) {
      this.#change(solving.enter(one.solving, grid, cell, 0, tidy), t("say.erased", { cell: place }));
    } else {
      this.#change(solving.enter(one.solving, grid, cell, digit, tidy), `${place}, ${digit}.`);
      if (one.isTyped) this.goOn();
    }
  }

  /** Go on to the next cell, where a puzzle is typed. */
  goOn() {
    const cell = Math.min(80, this.space.cell + 1);
    if (this.space.board.grid.contains(document.activeElement)) this.space.board.focus(cell);
    this.space.choose(cell);
  }

  /** Do what steps say: strike notes out, and write digits in. @param {import("./types.js").Step[]} steps */
  fill(steps) {
    const { current: one } = this.space;
    if (!one) return;
    const struck = solving.strike(
      one.solving,
      one.grid,
      one.isNoted ? steps.flatMap((step) => step.eliminations) : [],
    );
    const filled = steps
      .flatMap((step) => step.placements)
      .reduce(
        (before, [cell, digit]) => solving.enter(before, one.grid, cell, digit, settings.tidyNotes),
        struck,
      );
    this.#change({ ...filled, past: [...one.solving.past, one.now] }, "");
  }

  /** Note all candidates. */
  noteAll() {
    const { current: one } = this.space;
    if (one) this.#change(solving.noteAll(one.solving, one.grid), "");
  }

  /** Say what stands in cells of the photo, all in one step. @param {solving.ByCell} said */
  correct(said) {
    const { current: one } = this.space;
    if (!one) return;
    const [[cell, says], ...more] = Object.entries(said);
    const digit = says.replace("w", "");
    const what =
      says === "blank" ? t("what.blank") : t(says.startsWith("w") ? "what.written" : "what.clue", { digit });
    const told = more.length
      ? t("say.settled.all", { number: more.length + 1 })
      : t("say.settled", { cell: placeName(Number(cell)), what });
    this.#change(solving.say(one.solving, said), told);
  }

  /** Say by which rules the puzzle is played. @param {import("./types.js").Rules} rules */
  playBy(rules) {
    const { current: one } = this.space;
    if (one && JSON.stringify(rules) !== JSON.stringify(one.rules))
      this.#change(solving.playBy(one.solving, rules), t("rules.said", { rules: t(`rules.${rules.name}`) }));
  }

  undo() {
    const { current: one } = this.space;
    if (one) this.#change(solving.undo(one.solving), t("say.undone"));
  }

  redo() {
    const { current: one } = this.space;
    if (one) this.#change(solving.redo(one.solving), t("say.redone"));
  }

  /** @param {solving.Solving} changed @param {string} told */
  async #change(changed, told) {
    const { current: one } = this.space;
    if (!one || changed === one.solving) return;
    const { said, rules, entries, notes } = one.now;
    one.solving = changed;
    this.space.keep();
    if (one.now.said !== said || one.now.rules !== rules) return this.#settle(one, told);
    const wrote = one.now.entries !== entries || one.now.notes !== notes;
    const { mode, answers, solve } = this.space;
    await this.space.enter(wrote && mode === answers ? solve.name : mode.name);
    say(`${told} ${byId("status-text").textContent}`.trim(), true);
  }

  /** Have the grid read again with a person's corrections. @param {GridSession} one @param {string} told */
  async #settle(one, told) {
    try {
      const settled = await this.space.session?.settle(one);
      if (!settled || this.space.current !== one) return;
    } catch (error) {
      return fail(error, () => this.#settle(one, told));
    }
    this.space.showGrids();
    await this.space.enter(this.space.mode.name);
    say(`${told} ${byId("status-title").textContent}.`);
  }
}

/** Return what a correction says of a cell; 0 is blank. @param {number} digit @param {"clue" | "written"} kind */
const wordFor = (digit, kind) => (digit ? `${kind === "written" ? "w" : ""}${digit}` : "blank");
