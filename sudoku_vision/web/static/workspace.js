// @ts-check
/** The photo, the board beside it, the modes and what a person does in one session, held together. */
import { askBoard } from "./api.js";
import { AnswersMode } from "./answers_mode.js";
import { clashesOf, without } from "./board.js";
import { BoardView } from "./board_view.js";
import { CheckMode } from "./check_mode.js";
import { paperOf } from "./crop.js";
import { buttonById, byId, fillStrip, say } from "./dom.js";
import { digitShapes, drawnTogether, drawShapes } from "./draw.js";
import { facesOf } from "./faces.js";
import { HintMode } from "./hint_mode.js";
import { keep } from "./kept.js";
import { keepPhoto } from "./kept_photos.js";
import { Keyboard } from "./keyboard.js";
import { language, t } from "./language.js";
import { clashShapes, lookShapes, ownShapes } from "./own_shapes.js";
import { Pad } from "./pad.js";
import { RulesEntry } from "./rules_entry.js";
import { PhotoView } from "./photo_view.js";
import { fail } from "./problems.js";
import { settings } from "./settings.js";
import { SolveMode } from "./solve_mode.js";
import { StepsMode } from "./steps_mode.js";
import { Writing } from "./writing.js";

/** @typedef {import("./session.js").GridSession} GridSession */
/** @typedef {import("./session.js").Session} Session */
/**
 * @typedef {{shapes: import("./types.js").Shape[], answers?: string | null, filled?: string, placed?: string,
 *   fresh?: boolean, finish?: boolean, others?: boolean, focus?: number, look?: number[],
 *   verdicts?: Map<number, "right" | "wrong" | "unclear">}} Rendering
 *   `filled`: digits to draw besides the shapes; `placed`: these, and those that the shapes draw; `others`: the answers of
 *   the other grids of the page are drawn as well; `look`: cells to look at; `finish`: the puzzle has just been done
 */

export class Workspace {
  /** @type {Session | null} */
  session = null;
  /** The session to come back to while another is opened. @type {Session | null} */
  aside = null;
  /** The one in hand, -1 for none. */
  cell = -1;
  /** @type {import("./faces.js").Face[]} */
  faces = [];
  /** The answers that are known, each with its question, by what was asked. @type {Map<string, {question: string, answer: any}>} */
  known = new Map();
  /** The one that an answer is waited for. */
  question = "";

  /** @param {import("./draw.js").PenPaths} pens */
  constructor(pens) {
    this.pens = pens;
    this.writing = new Writing(this);
    this.photo = new PhotoView(this);
    this.board = new BoardView(this);
    this.pad = new Pad(this);
    this.rules = new RulesEntry(this);
    this.answers = new AnswersMode(this);
    this.solve = new SolveMode(this);
    this.modes = [this.answers, this.solve, new HintMode(this), new CheckMode(this), new StepsMode(this)];
    /** @type {AnswersMode | SolveMode | HintMode | CheckMode | StepsMode} */
    this.mode = this.answers;
    for (const mode of this.modes)
      buttonById(`mode-${mode.name}`).addEventListener("click", () => this.enter(mode.name));
    for (const id of ["undo", "pad-undo"])
      buttonById(id).addEventListener("click", () => this.writing.undo());
    buttonById("redo").addEventListener("click", () => this.writing.redo());
    this.keyboard = new Keyboard(this);
  }

  /** The grid in hand, null where there is none. @returns {GridSession | null} */
  get current() {
    return this.session?.current ?? null;
  }

  /** Take a session in hand; one in which a person has begun to solve is gone on with. @param {Session} session */
  async take(session) {
    this.session = this.aside = session;
    this.#beginModes();
    await this.showPage();
    if (!this.current?.isTyped) return;
    this.choose(0);
    this.board.focus(0);
  }

  /** Lay the session aside, while another is opened. */
  leave() {
    this.session = null;
    this.choose(-1);
    this.photo.showNothing();
  }

  /** Take the session in hand again that was laid aside. */
  async takeBack() {
    this.session = this.aside;
    if (this.session) await this.showPage();
  }

  #beginModes() {
    this.#begin(this.modes);
    this.mode = this.current?.isBegun || this.current?.isTyped ? this.solve : this.answers;
  }

  /** Begin with another grid. @param {Workspace["modes"]} modes those that have shown another one so far */
  #begin(modes) {
    for (const mode of modes) if ("begin" in mode) mode.begin();
    this.known.clear();
    this.choose(-1);
  }

  /** Keep the grid in hand as far as settings allow, and let the browser's history lead to it. */
  keep() {
    const { current: one } = this;
    if (!one) return;
    if (settings.keepPuzzles) keep(one);
    if (document.body.dataset.view !== "work" || history.state?.id === one.id) return;
    history.replaceState({ view: "work", id: one.id }, "");
    this.keepPhoto();
  }

  /** Keep the photo of the puzzle in hand, too, where that is allowed. */
  keepPhoto() {
    const { session, current } = this;
    if (session && current && settings.keepPuzzles && settings.keepPhotos)
      keepPhoto(current.id, session.source);
  }

  /** Show the page of the document that was turned to. */
  async showPage() {
    const session = this.session;
    if (!session) return;
    const { view, status } = session.pages[session.page];
    await this.photo.show(view?.preview ?? session.source, session.original);
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
    if (session.current) {
      this.writing.catchUp();
      this.keep();
      return this.enter(this.mode.name);
    }
    this.photo.clear();
    const trouble = status === "error" ? "error" : "no_grid";
    this.headline(trouble, this.other || t(`say.${trouble}`));
    byId("rating").hidden = true;
  }

  /** What to say of a page that shows another puzzle than ours, nothing where it doesn't. */
  get other() {
    const other = this.session?.pages[this.session.page].other;
    if (!other) return "";
    return t(/\d/.test(other) ? "say.cells" : `say.${other}`, { cells: other.replace("x", " × ") });
  }

  /** Outline the grids of the page, and offer them in a strip. */
  showGrids() {
    const session = this.session;
    if (!session) return;
    const grids = session.grids[session.page];
    const statusOf = (/** @type {number} */ place) =>
      t(`status.${this.answers.shown ? grids[place].grid.status : "read"}`);
    this.photo.outline(
      grids.map((one) => one.view.crossings),
      session.number,
      (place) => t("grids.named", { number: place + 1, status: statusOf(place) }),
    );
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
    this.writing.catchUp();
    this.keep();
    this.enter(this.mode.name);
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
    this.#tellRating();
    return this.show();
  }

  /** Show the grid in hand, if there is one, as its mode does. */
  async show() {
    this.question = "";
    if (this.current) await this.mode.show(this.current);
  }

  /**
   * Ask about the grid in hand, and have the answer shown: null while it is waited for. One that comes when something
   * else is shown by then is not.
   * @template Answer
   * @param {"check" | "hint" | "explain"} what @param {Object<string, unknown>} more
   * @param {(answer: Answer | null) => void} show
   */
  async ask(what, more, show) {
    const { session, current: one } = this;
    if (!session || !one) return;
    const question = JSON.stringify([one.state, one.said, one.now.entries, language(), more]);
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

  /** Draw into the photo and the board what a mode shows. @param {Rendering} rendering */
  render({ shapes, answers = null, filled = "", placed = filled, look = [], verdicts, ...how }) {
    const { session, current: one } = this;
    if (!session || !one) return;
    const { grid, view } = one;
    const rest = how.others ? session.grids[session.page].filter((other) => other !== one) : [];
    const isFree = (/** @type {number} */ cell) => (placed[cell] ?? "0") === "0";
    // Beside answers only right entries are seen.
    const entries = without(
      one.now.entries,
      (cell, digit) =>
        grid.puzzle[cell] !== "0" ||
        !isFree(cell) ||
        (answers !== null && grid.solution && grid.solution[cell] !== digit),
    );
    const clashes = answers === null ? clashesOf(one.board, one.rules) : (grid.clashes ?? []);
    const drawing = this.#drawn(view, [
      ...lookShapes(one, look),
      ...clashShapes(one, clashes),
      ...digitShapes(filled, view.look, (cell) => Boolean(grid.marks[cell])),
      ...shapes.filter((shape) => answers === null || !("cell" in shape) || entries[shape.cell] === "0"),
      ...ownShapes(one, entries, shapes, (cell) => answers === null && isFree(cell)),
    ]);
    const drawings = rest.map((other) => this.#drawn(other.view, other.view.shapes));
    this.photo.draw(drawnTogether([...drawings, drawing]), how.fresh, how.finish);
    const notes = answers === null ? one.notes : grid.marks;
    const said = one.now.said;
    this.faces = facesOf(grid, { answers, filled: placed, entries, notes, verdicts, said, clashes, look });
    this.board.render(this.faces, one.rules);
    this.rules.show(one.rules);
    this.#select(how.focus);
    for (const id of ["undo", "pad-undo"]) buttonById(id).disabled = !one.solving.past.length;
    buttonById("redo").disabled = !one.solving.future.length;
  }

  /** @param {import("./types.js").GridView} view @param {import("./types.js").Shape[]} shapes */
  #drawn(view, shapes) {
    const paper = paperOf(this.photo.picture, view.crossings, view.look.paper);
    return drawShapes(shapes, view.crossings, this.pens, paper);
  }

  /**
   * Say how things stand.
   * @param {string} status names the colour; "" where nothing is special @param {string} sentence
   * @param {string} [title] that of the status, or else of the mode, if none is given
   * @param {string} [more] stands elsewhere on the page, and is read to those who listen
   */
  headline(status, sentence, title = t(status ? `status.${status}` : `mode.${this.mode.name}`), more = "") {
    byId("status").dataset.status = status;
    byId("status-title").textContent = title;
    byId("status-text").textContent = sentence;
    say(`${title}. ${sentence} ${more}`.trim(), true);
  }

  /** Tell how difficult the puzzle in hand is, where it is a proper one. */
  async #tellRating() {
    const chip = byId("rating");
    const { grid, rules } = this.current ?? {};
    const puzzle = grid?.puzzle ?? "";
    const key = `${language()} ${puzzle} ${JSON.stringify(rules)}`;
    if (chip.dataset.told === key && !chip.hidden) return;
    chip.hidden = true;
    if (!grid?.solution || !rules || grid.status === "many_solutions") return;
    const rating = await askBoard(puzzle, "rate", rules).catch(() => null);
    if (!rating?.difficulty || this.current?.grid !== grid) return;
    chip.textContent = t("rated", { difficulty: t(`difficulty.${rating.difficulty}`) });
    chip.dataset.told = key;
    chip.hidden = false;
  }

  /** Take a cell in hand, -1 for none. @param {number} cell @param {import("./pad.js").Kind} [kind] of what is to be written */
  choose(cell, kind) {
    this.cell = cell;
    if (kind) this.pad.kind = kind;
    this.#select();
  }

  /** Show which cell is in hand; where none is, *focus* is marked in the board. */
  #select(focus = -1) {
    const { cell, current: one } = this;
    this.photo.select(cell);
    this.board.select(cell >= 0 ? cell : focus);
    if (cell < 0 || !one) this.pad.close();
    else this.pad.open(this.faces[cell], this.photo.picture, one.view.crossings);
  }

  /** Let go of the cell in hand, which keeps the focus. */
  letGo() {
    const { cell } = this;
    this.choose(-1);
    if (cell >= 0) this.board.focus(cell);
  }
}
