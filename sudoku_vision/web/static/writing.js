// @ts-check
/** What a person writes into the grid in hand: entries, notes and corrections, each told and kept, taken back and made again. */
import { placeName } from "./board.js";
import { byId, say } from "./dom.js";
import { catchUp } from "./kept.js";
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
    this.catchUp();
    const { current: one, cell } = this.space;
    if (!one || cell < 0) return;
    if (kind === "clue" || kind === "written") return this.correct({ [cell]: wordFor(digit, kind) });
    const { grid, now, notes, board } = one;
    if (grid.puzzle[cell] !== "0") return say(t("pad.locked"));
    const place = placeName(cell);
    const entered = Number(now.entries[cell]);
    if (kind === "note" && digit) {
      if (board[cell] !== "0") return;
      const noted = solving.note(one.solving, grid, cell, digit);
      const digits = [...solving.notesOf(grid, noted.now)[cell]].join(" ");
      return this.#change(() => noted, `${place}, ${t("cell.marks", { digits })}.`);
    }
    const erased = t("say.erased", { cell: place });
    if (!digit && !entered) {
      if (grid.written[cell] !== "0") return this.correct({ [cell]: "blank" });
      if (one.isTyped) this.goOn();
      if (notes[cell]) this.#change(() => solving.note(one.solving, grid, cell, 0), erased);
      return;
    }
    const after = digit === entered ? 0 : digit;
    const told = after ? `${place}, ${after}.` : erased;
    this.#change(() => solving.enter(one.solving, grid, cell, after, settings.tidyNotes), told);
    if (after && one.isTyped) this.goOn();
  }

  /** Go on to the next cell, or *by* others, where a puzzle is typed. */
  goOn(by = 1) {
    const cell = Math.max(0, Math.min(80, this.space.cell + by));
    if (this.space.board.grid.contains(document.activeElement)) this.space.board.focus(cell);
    this.space.choose(cell);
  }

  /** Erase the digit in hand, or the one before it, where a puzzle is typed. */
  eraseBack() {
    const isBlank = () => this.space.current?.board[this.space.cell] === "0";
    if (isBlank()) this.goOn(-1);
    if (!isBlank()) this.write(0, "entry");
  }

  /** Do what a step says: cross digits out, and write digits in. @param {import("./types.js").Step} step */
  follow({ eliminations, placements }) {
    this.#change(({ solving: before, grid }) => {
      const filled = placements.reduce(
        (now, [cell, digit]) => solving.enter(now, grid, cell, digit, settings.tidyNotes),
        solving.strike(before, eliminations),
      );
      return { ...filled, past: [...before.past, before.now] };
    });
  }

  /** Note all candidates. */
  noteAll() {
    this.#change((one) => solving.noteAll(one.solving, one.grid));
  }

  /** Say what stands in cells of the photo, all in one step. @param {solving.ByCell} said */
  correct(said) {
    const [[cell, says], ...more] = Object.entries(said);
    const digit = says.replace("w", "");
    const what =
      says === "blank" ? t("what.blank") : t(says.startsWith("w") ? "what.written" : "what.clue", { digit });
    const told = more.length
      ? t("say.settled.all", { number: more.length + 1 })
      : t("say.settled", { cell: placeName(Number(cell)), what });
    this.#change((one) => solving.say(one.solving, said), told);
  }

  /** Say by which rules the puzzle is played. @param {import("./types.js").Rules} rules */
  playBy(rules) {
    const told = t("rules.said", { rules: t(`rules.${rules.name}`) });
    const isSaid = (/** @type {GridSession} */ one) => JSON.stringify(rules) === JSON.stringify(one.rules);
    this.#change((one) => (isSaid(one) ? one.solving : solving.playBy(one.solving, rules)), told);
  }

  undo() {
    this.#change((one) => solving.undo(one.solving), t("say.undone"));
  }

  redo() {
    this.#change((one) => solving.redo(one.solving), t("say.redone"));
  }

  /** Show what another window wrote into the grid in hand. */
  catchUp() {
    const { current: one } = this.space;
    const word = one?.word;
    if (one && catchUp(one)) this.#show(one, word !== one.word);
  }

  /** @param {(one: GridSession) => solving.Solving} change of the grid as it stands by now @param {string} [told] */
  #change(change, told) {
    this.catchUp();
    const { current: one, mode, answers, solve } = this.space;
    if (!one) return;
    const [before, word, written] = [one.solving, one.word, writtenIn(one)];
    one.solving = change(one);
    if (one.solving === before) return;
    this.space.keep();
    if (mode === answers && written !== writtenIn(one)) this.space.mode = solve;
    return this.#show(one, word !== one.word, told);
  }

  /** Show a change of a grid; one of the word by which it is read, once it is read again. @param {GridSession} one @param {boolean} isSaid */
  async #show(one, isSaid, told = "") {
    if (isSaid && one.word !== one.readBy) return this.#settle(one, told);
    await this.space.enter(this.space.mode.name);
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

/** Return what a person wrote into a grid, to be compared. @param {GridSession} one */
const writtenIn = ({ now: { entries, notes } }) => JSON.stringify([entries, notes]);

/** Return what a correction says of a cell; 0 is blank. @param {number} digit @param {"clue" | "written"} kind */
const wordFor = (digit, kind) => (digit ? `${kind === "written" ? "w" : ""}${digit}` : "blank");
