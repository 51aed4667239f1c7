// @ts-check
/** What a person writes into the open grid: entries, notes and corrections. Each is announced and kept, and can be undone. */
/** @import { ByCell, GridSession, Kind, NoteKind, Rules, Solving, Step, Workspace } from "./types.js" */
import { placeName } from "./board.js";
import { byId, say } from "./dom.js";
import { catchUp } from "./kept.js";
import { sentences, t } from "./language.js";
import { settings } from "./settings.js";
import { isCorrection } from "./pad.js";
import * as solving from "./solving.js";
import { fail } from "./views.js";

export class Writing {
  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
  }

  /** Choose what the digit keys write; with print or handwriting, chosen digits of the photo change to it. @param {Kind} kind */
  useKind(kind) {
    const { faces, selection } = this.space;
    selection.use(kind);
    const other = { written: "clue", clue: "written" }[kind];
    const turned = selection.cells.filter((cell) => faces[cell].kind === other);
    if (turned.length) this.#correctAll(turned, (cell) => contentOf(faces[cell].digit, kind));
  }

  /** Write a digit into the chosen cells, 0 to erase. @param {number} digit @param {Kind} [kind] */
  write(digit, kind = this.space.selection.pad.kind) {
    this.catchUp();
    const { current: one } = this.space;
    const { cells } = this.space.selection;
    if (!one || !cells.length) return;
    if (isCorrection(kind)) return this.#correctAll(cells, () => contentOf(digit, kind));
    const { grid, board, now } = one;
    const [of, place] = [NOTES[kind], namesOf(cells)];
    const free = cells.filter((cell) =>
      of === "colours" || (grid.puzzle[cell] === "0" && (!digit || !of || board[cell] === "0")),
    );
    if (!digit) return this.#erase(one, cells, free);
    if (!free.length) return grid.puzzle[cells[0]] === "0" || say(t("pad.locked"));
    if (of) {
      const noted = solving.note(one.solving, grid, of, free, digit);
      const digits = [...solving.textsOf(grid, noted.now, of)[free[0]]].join(" ");
      return this.#change(() => noted, `${place}, ${t(of === "colours" ? "cell.colour" : "cell.marks", { digits })}.`);
    }
    const isErased = free.every((cell) => Number(now.entries[cell]) === digit);
    const words = isErased ? t("say.erased", { cell: place }) : `${place}, ${digit}.`;
    this.#change(() => solving.enter(one.solving, grid, free, digit, settings.tidyNotes), words);
    if (!isErased && one.isTyped) this.goOn();
  }

  /**
   * Erase what lies on top in the chosen cells: first entries, then what was written on the paper.
   * @param {GridSession} one @param {number[]} cells @param {number[]} free
   */
  #erase(one, cells, free) {
    const { grid, now } = one;
    const onPaper = free.filter((cell) => grid.written[cell] !== "0");
    const isEntered = free.some((cell) => now.entries[cell] !== "0");
    if (onPaper.length && !isEntered) return this.#correctAll(onPaper, () => "blank");
    if (!free.length && !Object.keys(now.colours ?? {}).length) return say(t("pad.locked"));
    const colours = this.space.selection.pad.kind === "colour";
    this.#change(
      () => solving.erase(one.solving, grid, colours || !free.length ? cells : free, colours),
      t("say.erased", { cell: namesOf(cells) }),
    );
    if (one.isTyped && !isEntered) this.goOn();
  }

  /** @param {readonly number[]} cells @param {(cell: number) => string} content */
  #correctAll = (cells, content) => this.correct(Object.fromEntries(cells.map((cell) => [cell, content(cell)])));

  /** While a puzzle is typed, go on to the next cell; *by* is the number of cells to go. */
  goOn(by = 1) {
    const cell = Math.max(0, Math.min(80, this.space.selection.cell + by));
    if (this.space.board.grid.contains(document.activeElement)) this.space.board.focus(cell);
    this.space.selection.choose(cell);
  }

  /** While a puzzle is typed, erase the digit in the chosen cell, or if that is blank, in the cell before. */
  eraseBack() {
    const isBlank = () => this.space.current?.board[this.space.selection.cell] === "0";
    if (isBlank()) this.goOn(-1);
    if (!isBlank()) this.write(0, "entry");
  }

  /** Follow a step of a hint: eliminate its candidates, and fill in its digits. @param {Step} step */
  follow({ eliminations, placements }) {
    this.#change(({ solving: before, grid }) => {
      const filled = placements.reduce(
        (now, [cell, digit]) => solving.enter(now, grid, [cell], digit, settings.tidyNotes),
        solving.strike(before, eliminations),
      );
      return { ...filled, past: [...before.past, before.now] };
    });
  }

  /** Count a hint that was shown to the end. */
  countHint() {
    const { current: one } = this.space;
    if (!one) return;
    one.solving = { ...one.solving, hints: (one.solving.hints ?? 0) + 1 };
    this.space.keep();
  }

  /** Erase all that a person wrote on the page. */
  startAgain() {
    this.#change((one) => solving.startAgain(one.solving), t("solve.startedAgain"));
  }

  /** Note in each blank cell all digits that its peers leave. */
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

  /** @param {(one: GridSession) => Solving} change makes the change of the open grid @param {string} [words] announce the change */
  async #change(change, words) {
    this.catchUp();
    const { current: one, mode, answers, solve } = this.space;
    if (!one) return;
    const [before, corrections, written, isDone] = [one.solving, one.correctionsText, writtenIn(one), one.isDone];
    one.solving = change(one);
    if (one.solving === before) return;
    this.space.keep();
    if (mode === answers && written !== writtenIn(one)) this.space.mode = solve;
    await this.#show(one, corrections !== one.correctionsText, words);
    if (!isDone && one.isDone) solve.celebrate(one);
  }

  /**
   * Show a changed grid; if corrections have changed, the grid is read again first.
   * @param {GridSession} one @param {boolean} isCorrected
   */
  async #show(one, isCorrected, words = "") {
    if (isCorrected && one.correctionsText !== one.readWith) return this.#settle(one, words);
    await this.space.enter(this.space.mode.name);
    this.space.selection.bringIntoView();
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
    const { status } = byId("status").dataset;
    say(sentences(words, status && `${t(`status.${status}`)}.`));
  }
}

/** The notes that each key writes. @type {Partial<Record<Kind, NoteKind>>} */
const NOTES = { note: "notes", centre: "centre", colour: "colours" };

/** Name the place of one cell, or the number of several. @param {readonly number[]} cells */
const namesOf = (cells) => (cells.length > 1 ? t("cell.several", { count: cells.length }) : placeName(cells[0]));

/** Return what a person has written into a grid, as text. @param {GridSession} one */
const writtenIn = ({ now: { entries, notes, centre } }) => JSON.stringify([entries, notes, centre]);

/** Return the content of a cell as a correction writes it; 0 stands for blank. @param {number} digit @param {"clue" | "written"} kind */
const contentOf = (digit, kind) => (digit ? `${kind === "written" ? "w" : ""}${digit}` : "blank");
