// @ts-check
/** The photo, the board beside it, the modes and what a person does in one session, held together. */
import { AnswersMode } from "./answers_mode.js";
import { BoardView } from "./board_view.js";
import { CheckMode } from "./check_mode.js";
import { paperOf } from "./crop.js";
import { buttonById, byId, say } from "./dom.js";
import { digitShapes, drawnTogether, drawShapes } from "./draw.js";
import { facesOf } from "./faces.js";
import { HintMode } from "./hint_mode.js";
import { Keyboard } from "./keyboard.js";
import { t } from "./language.js";
import { clashShapes, lookShapes, ownShapes } from "./own_shapes.js";
import { Pad } from "./pad.js";
import { fillStrip, PhotoView } from "./photo_view.js";
import { tellRating } from "./rating.js";
import { SolveMode } from "./solve_mode.js";
import { clashesOf } from "./solving.js";
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
  /**
   * @param {import("./draw.js").PenPaths} pens @param {import("./settings.js").Settings} settings
   * @param {{fail: (error: unknown, again: () => void) => void, keep: (one: GridSession) => void,
   *   read: (text: string) => void}} tell `keep`: there is something new to keep of a grid; `read`: a board is to be read
   */
  constructor(pens, settings, tell) {
    this.pens = pens;
    this.settings = settings;
    this.tell = tell;
    /** @type {Session | null} */
    this.session = null;
    /** The session to come back to while another is opened. @type {Session | null} */
    this.aside = null;
    this.cell = -1;
    /** @type {import("./faces.js").Face[]} */
    this.faces = [];
    this.writing = new Writing(this);
    this.photo = new PhotoView({
      onCell: (cell, rested) => this.choose(cell, rested ? "note" : undefined),
      onGrid: (number) => this.chooseGrid(number),
    });
    this.board = new BoardView(byId("board"), {
      onChoose: (cell, rested) => this.choose(cell, rested ? "note" : undefined),
      onKey: (event) => this.keyboard.key(event),
    });
    this.pad = new Pad({
      onDigit: (digit) => this.writing.write(digit),
      onKind: (kind) => this.writing.useKind(kind),
      onUndo: () => this.writing.undo(),
      onClose: () => this.letGo(),
    });
    this.answers = new AnswersMode(this);
    this.solve = new SolveMode(this, settings);
    this.modes = [this.answers, this.solve, new HintMode(this), new CheckMode(this), new StepsMode(this)];
    /** @type {AnswersMode | SolveMode | HintMode | CheckMode | StepsMode} */
    this.mode = this.answers;
    for (const mode of this.modes)
      buttonById(`mode-${mode.name}`).addEventListener("click", () => this.enter(mode.name));
    buttonById("undo").addEventListener("click", () => this.writing.undo());
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
    for (const mode of this.modes) mode.begin(this.settings.hideAnswers);
    this.choose(-1);
    this.mode = this.current?.isBegun || this.current?.isTyped ? this.solve : this.answers;
  }

  /** Show the page of the document that was turned to. */
  async showPage() {
    const session = this.session;
    if (!session) return;
    const { view, status } = session.pages[session.page];
    await this.photo.show(view?.preview ?? session.source, session.original);
    if (view?.size) this.photo.measure(view.size);
    fillStrip(
      "pages",
      session.pages.map((_, place) => t("pages.one", { number: place + 1 })),
      session.page,
      (page) => {
        session.turnTo(page);
        this.#beginModes();
        this.showPage();
      },
    );
    byId("pages-left").textContent = session.lastPage ? t("pages.left", { number: session.lastPage }) : "";
    const found = session.current !== null;
    byId("work").classList.toggle("gridless", !found);
    this.showGrids();
    this.photo.lookAt(this.photo.grids);
    if (session.current) {
      this.tell.keep(session.current);
      return this.enter(this.mode.name);
    }
    this.photo.clear();
    this.headline(
      status === "error" ? "error" : "no_grid",
      t(status === "error" ? "say.error" : "say.no_grid"),
    );
    byId("rating").hidden = true;
  }

  /** Outline the grids of the page, and offer them in a strip. */
  showGrids() {
    const session = this.session;
    if (!session) return;
    const grids = session.grids[session.page];
    const name = (/** @type {number} */ place) =>
      t("grids.named", {
        number: place + 1,
        status: t(`status.${this.answers.shown ? grids[place].grid.status : "read"}`),
      });
    this.photo.outline(
      grids.map((one) => one.view.crossings),
      session.number,
      name,
    );
    fillStrip(
      "grids",
      grids.map((_, place) => t("grids.one", { number: place + 1 })),
      session.number,
      (place) => this.chooseGrid(place),
    );
  }

  /** @param {number} number */
  chooseGrid(number) {
    if (!this.session || this.session.number === number) return;
    this.session.number = number;
    for (const mode of this.modes) if (mode !== this.answers) mode.begin(false);
    this.choose(-1);
    this.showGrids();
    this.photo.lookAt([this.photo.grids[number]]);
    if (this.current) this.tell.keep(this.current);
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
    tellRating(this);
    return this.mode.show();
  }

  /** Draw into the photo and the board what a mode shows. @param {Rendering} rendering */
  render({
    shapes,
    answers = null,
    filled = "",
    placed = filled,
    fresh = false,
    finish = false,
    others = false,
    look = [],
    focus,
    verdicts,
  }) {
    const { session, current: one } = this;
    if (!session || !one) return;
    const { grid, view } = one;
    const isOverMarks = (/** @type {number} */ cell) => Boolean(grid.marks[cell]);
    const drawings = others
      ? session.grids[session.page]
          .filter((other) => other !== one)
          .map((other) => this.#drawn(other.view, other.view.shapes))
      : [];
    const entries = entriesBeside(one, placed, answers !== null);
    const clashes = answers === null ? clashesOf(one.board) : (grid.clashes ?? []);
    const isFree = (/** @type {number} */ cell) => answers === null && (placed[cell] ?? "0") === "0";
    drawings.push(
      this.#drawn(view, [
        ...lookShapes(one, look),
        ...clashShapes(one, clashes),
        ...digitShapes(filled, view.look, isOverMarks),
        ...shapes.filter((shape) => answers === null || !("cell" in shape) || entries[shape.cell] === "0"),
        ...ownShapes(one, entries, isFree),
      ]),
    );
    this.photo.draw(drawnTogether(drawings), fresh, finish);
    const notes = answers === null ? one.notes : grid.marks;
    const said = one.now.said;
    this.faces = facesOf(grid, { answers, filled: placed, entries, notes, verdicts, said, clashes, look });
    this.board.render(this.faces);
    this.photo.select(this.cell);
    this.board.select(this.cell >= 0 ? this.cell : (focus ?? -1));
    if (this.cell >= 0) this.pad.open(this.faces[this.cell], this.photo.picture, view.crossings);
    for (const id of ["undo", "pad-undo"]) buttonById(id).disabled = !one.solving.past.length;
    buttonById("redo").disabled = !one.solving.future.length;
  }

  /** @param {import("./types.js").GridView} view @param {import("./types.js").Shape[]} shapes */
  #drawn(view, shapes) {
    return drawShapes(
      shapes,
      view.crossings,
      this.pens,
      paperOf(this.photo.picture, view.crossings, view.look.paper),
    );
  }

  /**
   * Say how things stand.
   * @param {string} status names the colour, and the title if none is given @param {string} sentence @param {string} [title]
   * @param {string} [more] stands elsewhere on the page, and is read to those who listen
   */
  headline(status, sentence, title = t(`status.${status}`), more = "") {
    byId("status").dataset.status = status;
    byId("status-title").textContent = title;
    byId("status-text").textContent = sentence;
    say(`${title}. ${sentence} ${more}`.trim(), true);
  }

  /** Take a cell in hand, -1 for none. @param {number} cell @param {import("./pad.js").Kind} [kind] of what is to be written */
  choose(cell, kind) {
    this.cell = cell;
    if (kind) this.pad.kind = kind;
    this.photo.select(cell);
    this.board.select(cell);
    const one = this.current;
    if (cell < 0 || !one) this.pad.close();
    else this.pad.open(this.faces[cell], this.photo.picture, one.view.crossings);
  }

  /** Let go of the cell in hand, which keeps the focus. */
  letGo() {
    const { cell } = this;
    this.choose(-1);
    if (cell >= 0) this.board.focus(cell);
  }

  /**
   * Ask about the grid in hand; null where that failed, which is told.
   * @param {"check" | "hint" | "explain"} what @param {Object<string, unknown>} [more]
   * @returns {Promise<any>}
   */
  async ask(what, more) {
    const { session, current } = this;
    if (!session || !current) return null;
    try {
      return await session.ask(current, what, more);
    } catch (error) {
      this.tell.fail(error, () => this.enter(this.mode.name));
      return null;
    }
  }
}

/**
 * Return the entries that are to be seen beside digits *placed* in other cells; beside answers only right ones.
 * @param {GridSession} one @param {string} placed @param {boolean} answered
 */
const entriesBeside = ({ grid, now }, placed, answered) =>
  [...now.entries]
    .map((digit, cell) => {
      const over = grid.puzzle[cell] !== "0" || (placed[cell] ?? "0") !== "0";
      return over || (answered && grid.solution && grid.solution[cell] !== digit) ? "0" : digit;
    })
    .join("");
