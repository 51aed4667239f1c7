// @ts-check
/** The workspace: the photo, the board beside it, the modes and the person's work on one session. */
/** @import { Face, GridSession, GridView, Session, Shape } from "./types.js" */
import { askBoard } from "./api.js";
import { AnswersMode } from "./answers_mode.js";
import { without } from "./board.js";
import { BoardView } from "./board_view.js";
import { CheckMode } from "./check_mode.js";
import { buttonById, byId, fillStrip, say } from "./dom.js";
import { listDoubts } from "./doubts.js";
import { drawShapes } from "./draw.js";
import { facesOf } from "./faces.js";
import { HintMode } from "./hint_mode.js";
import { keep, keepPhoto } from "./kept.js";
import { Keyboard } from "./keyboard.js";
import { language, t } from "./language.js";
import { clashShapes, colourShapes, lookShapes, ownShapes } from "./own_shapes.js";
import { PhotoView } from "./photo_view.js";
import { RulesEntry } from "./rules_entry.js";
import { Selection } from "./selection.js";
import { settings } from "./settings.js";
import { SolveMode } from "./solve_mode.js";
import { StepsMode } from "./steps_mode.js";
import { fail } from "./views.js";
import { Writing } from "./writing.js";

/**
 * @typedef {{shapes: Shape[], answers?: string | null, placed?: string, fresh?: boolean, others?: boolean,
 *   focus?: number, warning?: string, look?: number[], verdicts?: Map<number, "right" | "wrong" | "unclear">}} Rendering
 *   `placed`: digits that the shapes draw besides the answers; `others`: whether the answers of the page's other grids
 *   are drawn, too; `look`: cells to look at; `warning`: a sentence about what is wrong
 * @typedef {AnswersMode | SolveMode | HintMode | CheckMode | StepsMode} Mode
 */

/** Most sessions that a window holds, with their photos. */
const MAX_OPENED = 5;

export class Workspace {
  /** @type {Session | null} */
  session = null;
  /** The session to return to while another one is opened. @type {Session | null} */
  aside = null;
  /** The latest sessions of this window, to which Back in the browser leads. @type {Session[]} */
  opened = [];
  /** @type {Face[]} */
  faces = [];
  /** The latest answer to each kind of question, with its question. @type {Map<string, {question: string, answer: any}>} */
  known = new Map();
  /** The question whose answer is to be shown when it comes, "" if there is none. */
  question = "";
  writing = new Writing(this);
  photo = new PhotoView(this);
  board = new BoardView(this);
  selection = new Selection(this);
  rules = new RulesEntry(this);
  answers = new AnswersMode(this);
  solve = new SolveMode(this);
  /** @type {Mode[]} */
  modes = [this.answers, this.solve, new HintMode(this), new CheckMode(this), new StepsMode(this)];
  /** @type {Mode} */
  mode = this.answers;
  keyboard = new Keyboard(this);

  constructor() {
    for (const { name } of this.modes)
      buttonById(`mode-${name}`).addEventListener("click", () => this.enter(name));
    for (const id of ["undo", "pad-undo"])
      buttonById(id).addEventListener("click", () => this.writing.undo());
    buttonById("redo").addEventListener("click", () => this.writing.redo());
  }

  /** The open grid, null if there is none. @returns {GridSession | null} */
  get current() {
    return this.session?.current ?? null;
  }

  /** Open a session, in the mode that suits what its open grid holds. @param {Session} session */
  async take(session) {
    this.session = this.aside = session;
    this.opened = [session, ...this.opened.filter((other) => other !== session)].slice(0, MAX_OPENED);
    this.#beginModes();
    await this.showPage();
    if (!this.current?.isTyped) return;
    this.selection.choose(0);
    this.board.focus(0);
  }

  /** Close the session while another session is opened; `takeBack` opens it again. */
  leave() {
    this.session = null;
    this.selection.choose();
    this.photo.showNothing();
  }

  /** Open the session again that `leave` has closed. */
  async takeBack() {
    this.session = this.aside;
    if (this.session) await this.showPage();
  }

  #beginModes() {
    this.#begin(this.modes);
    const { isBegun, isTyped, isUnread, isWrittenOn, grid } = this.current ?? {};
    const written = isWrittenOn && grid?.solution ? "check" : "answers";
    const name = isBegun || isTyped || isUnread ? "solve" : written;
    this.mode = this.modes.find((mode) => mode.name === name) ?? this.answers;
  }

  /** Start again with another grid. @param {Mode[]} modes those that have shown an earlier grid so far */
  #begin(modes) {
    for (const mode of modes) if ("begin" in mode) mode.begin();
    this.known.clear();
    this.selection.choose();
  }

  /** Keep the open grid if the settings allow it, and note its id in the browser's history. */
  keep() {
    const { current: one } = this;
    if (!one) return;
    if (settings.keepPuzzles) keep(one);
    if (document.body.dataset.view !== "work" || history.state?.id === one.id) return;
    history.replaceState({ view: "work", id: one.id }, "");
    this.keepPhoto();
  }

  /** Keep the photo of the open grid, too, if the settings allow it. */
  keepPhoto() {
    const { session, current } = this;
    if (session && current && settings.keepPuzzles && settings.keepPhotos)
      keepPhoto(current.id, session.source);
  }

  /** Show the open page of the document. */
  async showPage() {
    const session = this.session;
    if (!session) return;
    const { view, status } = session.pages[session.page];
    byId("work").classList.toggle("in-text", Boolean(session.current?.inText));
    await this.showPicture();
    if (view?.size) this.photo.measure(view.size);
    const names = session.pages.map((_, place) => t("pages.one", { number: place + 1 }));
    fillStrip("pages", names, session.page, (page) => {
      session.turnTo(page);
      this.#beginModes();
      this.showPage();
    });
    byId("pages-left").textContent = session.lastPage ? t("pages.left", { number: session.lastPage }) : "";
    byId("work").classList.toggle("gridless", !session.current);
    this.showGrids();
    this.photo.lookAt(this.photo.grids);
    if (session.current) return this.#showGrid();
    this.photo.clear();
    const trouble = status === "error" ? "error" : "no_grid";
    this.headline(trouble, this.other || t(`say.${trouble}`));
    byId("rating").hidden = true;
  }

  /** Show the picture of the open page; a board in text is drawn with its latest corrections. */
  async showPicture() {
    const { session, current } = this;
    const preview = session?.pages[session.page].view?.preview;
    if (session) await this.photo.show(current?.picture ?? preview ?? session.source);
  }

  #showGrid() {
    this.writing.catchUp();
    this.keep();
    return this.enter(this.mode.name);
  }

  /** A sentence about a page that shows another kind of puzzle, otherwise "". */
  get other() {
    const other = this.session?.pages[this.session.page].other;
    if (!other) return "";
    return t(/\d/.test(other) ? "say.cells" : `say.${other}`, { cells: other.replace("x", " × ") });
  }

  /** Outline the grids of the page, and offer a button for each grid. */
  showGrids() {
    const session = this.session;
    if (!session) return;
    const grids = session.grids[session.page];
    const statusOf = (/** @type {number} */ place) =>
      t(`status.${this.answers.shown ? grids[place].grid.status : "read"}`);
    this.photo.outline((place) => t("grids.named", { number: place + 1, status: statusOf(place) }));
    const names = grids.map((_, place) => t("grids.one", { number: place + 1 }));
    fillStrip("grids", names, session.number, (place) => this.chooseGrid(place));
  }

  /** @param {number} number */
  chooseGrid(number) {
    if (!this.session || this.session.number === number) return;
    this.session.number = number;
    this.#begin(this.modes.filter((mode) => mode !== this.answers));
    this.showGrids();
    this.photo.lookAt([this.photo.grids[number]]);
    this.#showGrid();
  }

  /** @param {string} name */
  enter(name) {
    this.mode = this.modes.find((mode) => mode.name === name) ?? this.answers;
    for (const mode of this.modes) {
      const tab = buttonById(`mode-${mode.name}`);
      tab.setAttribute("aria-selected", String(mode === this.mode));
      tab.tabIndex = mode === this.mode ? 0 : -1;
      byId(`panel-${mode.name}`).hidden = mode !== this.mode;
    }
    this.#showRating();
    return this.show();
  }

  /** Show the open grid, if there is one, in its mode. */
  async show() {
    this.question = "";
    const { current: one, session, mode } = this;
    if (one?.isUnread && session && mode !== this.solve) {
      const error = await session.renew().catch((reason) => reason);
      if (this.mode !== mode || this.current !== one) return;
      if (error) await this.enter("solve");
      if (error) return fail(error, () => this.enter(mode.name));
    }
    if (one) await this.mode.show(one);
  }

  /**
   * Ask about the open grid and show the answer; until it comes, *show* is called with null. An answer that comes when
   * something else is shown already is ignored.
   * @template Answer
   * @param {"check" | "hint" | "explain"} what @param {Object<string, unknown>} more
   * @param {(answer: Answer | null) => void} show
   */
  async ask(what, more, show) {
    const { session, current: one } = this;
    if (!session || !one) return;
    const question = JSON.stringify([one.state, one.corrections, one.now.entries, language(), more]);
    const known = this.known.get(what);
    if (known?.question === question) return show(known.answer);
    this.question = question;
    show(null);
    try {
      const answer = await session.ask(one, what, { language: language(), ...more });
      if (this.question !== question) return;
      this.known.set(what, { question, answer });
      show(answer);
    } catch (error) {
      if (this.question === question) fail(error, () => this.show());
    }
  }

  /** Draw what a mode shows into the photo and the board. @param {Rendering} rendering */
  render({ shapes, answers = null, placed = "", look = [], verdicts, warning = "", ...how }) {
    const { session, current: one } = this;
    if (!session || !one) return;
    const { grid, view } = one;
    const rest = how.others ? session.grids[session.page].filter((other) => other !== one) : [];
    const isFree = (/** @type {number} */ cell) => (placed[cell] ?? "0") === "0";
    // If answers are shown, only right entries are shown with them.
    const entries = without(
      one.now.entries,
      (cell, digit) =>
        grid.puzzle[cell] !== "0" ||
        !isFree(cell) ||
        (answers !== null && grid.solution && grid.solution[cell] !== digit),
    );
    // In Solve, all digits of a contradiction are marked, as the person solves alone; elsewhere, right digits are not.
    const isBlamed = (/** @type {number} */ cell) =>
      this.mode === this.solve || !grid.solution || (one.wrong.includes(cell) && !verdicts?.has(cell));
    const clashes = answers === null ? one.clashes.filter(isBlamed) : (grid.clashes ?? []);
    const drawing = drawnOn(view, [
      ...colourShapes(one),
      ...lookShapes(one, look),
      ...clashShapes(one, clashes),
      ...shapes.filter((shape) => answers === null || !("cell" in shape) || entries[shape.cell] === "0"),
      ...ownShapes(one, entries, shapes, (cell) => answers === null && isFree(cell)),
    ]);
    const drawings = rest.map((other) => drawnOn(other.view, other.view.shapes));
    this.photo.draw([drawing, ...drawings], how.fresh);
    this.faces = facesOf(one, { answers, placed, entries, verdicts, clashes, look });
    this.board.render(this.faces, one.rules);
    this.rules.show(one.rules);
    byId("doubts").hidden = !("asks" in this.mode && listDoubts(this, one));
    this.selection.show(warning, how.focus);
    for (const id of ["undo", "pad-undo"]) buttonById(id).disabled = !one.solving.past.length;
    buttonById("redo").disabled = !one.solving.future.length;
  }

  /**
   * Show and announce the state of the puzzle.
   * @param {string} status chooses the colour; "" if nothing is special @param {string} sentence
   * @param {string} [title] by default the title of the status or of the mode
   * @param {string} [more] a text elsewhere on the page that is announced after the sentence
   */
  headline(status, sentence, title = t(status ? `status.${status}` : `mode.${this.mode.name}`), more = "") {
    byId("status").dataset.status = status;
    byId("status-title").textContent = title;
    byId("status-text").textContent = sentence;
    say(`${title}. ${sentence} ${more}`.trim(), true);
  }

  /** Show how difficult the open puzzle is, if it has exactly one solution. */
  async #showRating() {
    const chip = byId("rating");
    const { grid, rules } = this.current ?? {};
    const puzzle = grid?.puzzle ?? "";
    const key = `${language()} ${puzzle} ${JSON.stringify(rules)}`;
    if (chip.dataset.puzzle === key && !chip.hidden) return;
    chip.hidden = true;
    if (!grid?.solution || !rules || grid.status === "many_solutions") return;
    const rating = await askBoard(puzzle, "rate", rules).catch(() => null);
    if (!rating?.difficulty || this.current?.grid !== grid) return;
    chip.textContent = t("rated", { difficulty: t(`difficulty.${rating.difficulty}`) });
    chip.dataset.puzzle = key;
    chip.hidden = false;
  }
}

/** @param {GridView} view @param {Shape[]} shapes */
const drawnOn = (view, shapes) => drawShapes(shapes, view.covers, view.look.paper);
