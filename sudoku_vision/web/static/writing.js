// @ts-check
/** What a person writes into the open grid: entries, notes and corrections. Each is announced and kept, and can be undone. */
/** @import { ByCell, GridSession, Kind, Rules, Solving, Step, Workspace } from "./types.js" */
import { placeName } from "./board.js";
import { byId, say } from "./dom.js";
import { catchUp } from "./kept.js";
import { t } from "./language.js";
import { settings } from "./settings.js";
import * as solving from "./solving.js";
import { fail } from "./views.js";

export class Writing {
  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
  }

  /** Choose what the digit keys write; a digit of the photo changes from print to handwriting, or back. @param {Kind} kind */
  useKind(kind) {
    const face = this.space.faces[this.space.cell];
    this.space.choose(this.space.cell, kind);
    const turned =
      (kind === "written" && face?.kind === "clue") || (kind === "clue" && face?.kind === "written");
    if (turned) this.correct({ [this.space.cell]: contentOf(face.digit, kind) });
  }

  /** Write a digit into the chosen cell, 0 to erase. @param {number} digit @param {Kind} [kind] */
  write(digit, kind = this.space.pad.kind) {
    this.catchUp();
    const { current: one, cell } = this.space;
    if (!one || cell < 0) return;
    if (kind === "clue" || kind === "written") return this.correct({ [cell]: contentOf(digit, kind) });
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
    const words = after ? `${place}, ${after}.` : erased;
    this.#change(() => solving.enter(one.solving, grid, cell, after, settings.tidyNotes), words);
    if (after && one.isTyped) this.goOn();
  }

  /** Go on to the next cell, or *by* others, while a puzzle is typed. */
  goOn(by = 1) {
    const cell = Math.max(0, Math.min(80, this.space.cell + by));
    if (this.space.board.grid.contains(document.activeElement)) this.space.board.focus(cell);
    this.space.choose(cell);
  }

  /** Erase the digit in the chosen cell, or the one before it, while a puzzle is typed. */
  eraseBack() {
    const isBlank = () => this.space.current?.board[this.space.cell] === "0";
    if (isBlank()) this.goOn(-1);
    if (!isBlank()) this.write(0, "entry");
  }

  /** Follow a step: eliminate its digits, and fill in others. @param {Step} step */
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

  /** Correct the reading of cells, all in one change. @param {ByCell} corrections */
  correct(corrections) {
    const [[cell, content], ...more] = Object.entries(corrections);
    const digit = content.replace("w", "");
    const key = content === "blank" ? "what.blank" : content === digit ? "what.clue" : "what.written";
    const words = more.length
      ? t("say.settled.all", { number: more.length + 1 })
      : t("say.settled", { cell: placeName(Number(cell)), what: t(key, { digit }) });
    this.#change((one) => solving.correct(one.solving, corrections), words);
  }

  /** Choose the rules of the puzzle. @param {Rules} rules */
  playBy(rules) {
    const words = t("rules.said", { rules: t(`rules.${rules.name}`) });
    const isChosen = (/** @type {GridSession} */ one) => JSON.stringify(rules) === JSON.stringify(one.rules);
    this.#change((one) => (isChosen(one) ? one.solving : solving.playBy(one.solving, rules)), words);
  }

  undo() {
    this.#change((one) => solving.undo(one.solving), t("say.undone"));
  }

  redo() {
    this.#change((one) => solving.redo(one.solving), t("say.redone"));
  }

  /** Show what another window has written into the open grid. */
  catchUp() {
    const { current: one } = this.space;
    const before = one?.correctionsText;
    if (one && catchUp(one)) this.#show(one, before !== one.correctionsText);
  }

  /** @param {(one: GridSession) => Solving} change of the open grid @param {string} [words] that announce it */
  #change(change, words) {
    this.catchUp();
    const { current: one, mode, answers, solve } = this.space;
    if (!one) return;
    const [before, corrections, written] = [one.solving, one.correctionsText, writtenIn(one)];
    one.solving = change(one);
    if (one.solving === before) return;
    this.space.keep();
    if (mode === answers && written !== writtenIn(one)) this.space.mode = solve;
    return this.#show(one, corrections !== one.correctionsText, words);
  }

  /** Show a changed grid; after new corrections it is read again first. @param {GridSession} one @param {boolean} isCorrected */
  async #show(one, isCorrected, words = "") {
    if (isCorrected && one.correctionsText !== one.readWith) return this.#settle(one, words);
    await this.space.enter(this.space.mode.name);
    say(`${words} ${byId("status-text").textContent}`.trim(), true);
  }

  /** @param {GridSession} one @param {string} words */
  async #settle(one, words) {
    try {
      const settled = await this.space.session?.settle(one);
      if (!settled || this.space.current !== one) return;
    } catch (error) {
      return fail(error, () => this.#settle(one, words));
    }
    this.space.showGrids();
    await this.space.showPicture();
    await this.space.enter(this.space.mode.name);
    say(`${words} ${byId("status-title").textContent}.`);
  }
}

/** Return what a person has written into a grid, as text. @param {GridSession} one */
const writtenIn = ({ now: { entries, notes } }) => JSON.stringify([entries, notes]);

/** Return the content of a cell in a correction; 0 is blank. @param {number} digit @param {"clue" | "written"} kind */
const contentOf = (digit, kind) => (digit ? `${kind === "written" ? "w" : ""}${digit}` : "blank");
