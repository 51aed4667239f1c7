// @ts-check
/** The photo, the board beside it, the modes and the corrections of one session, held together. */
import { AnswersMode } from "./answers_mode.js";
import { BoardView } from "./board_view.js";
import { CheckMode } from "./check_mode.js";
import * as corrections from "./corrections.js";
import { paperOf } from "./crop.js";
import { buttonById, byId } from "./dom.js";
import { digitShapes, drawnTogether, drawShapes } from "./draw.js";
import { facesOf, placeName } from "./faces.js";
import { HintMode } from "./hint_mode.js";
import { Keyboard } from "./keyboard.js";
import { t } from "./language.js";
import { Pad } from "./pad.js";
import { fillStrip, PhotoView } from "./photo_view.js";
import { tellRating } from "./rating.js";
import { StepsMode } from "./steps_mode.js";

/** @typedef {import("./session.js").GridSession} GridSession */
/** @typedef {import("./session.js").Session} Session */
/**
 * @typedef {{shapes: import("./types.js").Shape[], answers?: string | null, filled?: string, placed?: string,
 *   fresh?: boolean, others?: boolean, focus?: number, verdicts?: Map<number, "right" | "wrong" | "unclear">}} Rendering
 *   `filled`: digits to draw besides the shapes; `placed`: these, and those that the shapes draw; `others`: the answers of the other grids of the page are drawn as well
 */

export class Workspace {
  /**
   * @param {import("./draw.js").PenPaths} pens
   * @param {{say: (text: string, shownElsewhere?: boolean) => void, fail: (error: unknown, again: () => void) => void}} tell
   */
  constructor(pens, tell) {
    this.pens = pens;
    this.tell = tell;
    /** @type {Session | null} */
    this.session = null;
    this.cell = -1;
    /** @type {import("./faces.js").Face[]} */
    this.faces = [];
    this.photo = new PhotoView({
      onCell: (cell) => this.choose(cell),
      onGrid: (number) => this.chooseGrid(number),
    });
    this.board = new BoardView(byId("board"), {
      onChoose: (cell) => this.choose(cell),
      onKey: (event) => this.keyboard.key(event),
    });
    this.pad = new Pad({
      onDigit: (digit, byHand) => this.correct(this.cell, corrections.wordFor(digit, byHand)),
      onHand: (byHand) => this.setHand(byHand),
      onClose: () => this.choose(-1),
    });
    this.answers = new AnswersMode(this);
    this.modes = [this.answers, new HintMode(this), new CheckMode(this), new StepsMode(this)];
    /** @type {AnswersMode | HintMode | CheckMode | StepsMode} */
    this.mode = this.answers;
    for (const mode of this.modes)
      buttonById(`mode-${mode.name}`).addEventListener("click", () => this.enter(mode.name));
    buttonById("undo").addEventListener("click", () => this.undo());
    buttonById("redo").addEventListener("click", () => this.redo());
    this.keyboard = new Keyboard(this);
  }

  /** The grid in hand, null where there is none. @returns {GridSession | null} */
  get current() {
    return this.session?.current ?? null;
  }

  /** Take a session in hand. @param {Session} session @param {boolean} hideAnswers */
  async take(session, hideAnswers) {
    this.session = session;
    this.#beginModes(hideAnswers);
    await this.showPage();
  }

  /** Lay the session aside, before another is opened. */
  leave() {
    this.session = null;
    this.choose(-1);
    this.photo.showNothing();
  }

  /** @param {boolean} hideAnswers */
  #beginModes(hideAnswers) {
    for (const mode of this.modes) mode.begin(hideAnswers);
    this.choose(-1);
    this.mode = this.answers;
  }

  /** Show the page of the document that was turned to. */
  async showPage() {
    const session = this.session;
    if (!session) return;
    const { view, status } = session.pages[session.page];
    if (view?.preview) await this.photo.showPreview(view.preview);
    if (view?.size) this.photo.measure(view.size);
    fillStrip(
      "pages",
      session.pages.map((_, place) => t("pages.one", { number: place + 1 })),
      session.page,
      (page) => {
        session.turnTo(page);
        this.#beginModes(this.answers.mayHide ?? false);
        this.showPage();
      },
    );
    const found = session.current !== null;
    byId("work").classList.toggle("gridless", !found);
    this.showGrids();
    this.photo.lookAt(this.photo.grids);
    if (found) return this.enter(this.mode.name);
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
    tellRating(() => this.current?.grid ?? null);
    return this.mode.show();
  }

  /** Draw into the photo and the board what a mode shows. @param {Rendering} rendering */
  render({
    shapes,
    answers = null,
    filled = "",
    placed = filled,
    fresh = false,
    others = false,
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
    drawings.push(this.#drawn(view, [...digitShapes(filled, view.look, isOverMarks), ...shapes]));
    this.photo.draw(drawnTogether(drawings), fresh);
    this.faces = facesOf(grid, { answers, filled: placed, verdicts, said: one.corrections.now });
    this.board.render(this.faces);
    this.photo.select(this.cell >= 0 ? this.cell : -1);
    this.board.select(this.cell >= 0 ? this.cell : (focus ?? -1));
    if (this.cell >= 0) this.pad.open(this.faces[this.cell], this.photo.picture, view.crossings);
    buttonById("undo").disabled = !corrections.canUndo(one.corrections);
    buttonById("redo").disabled = !corrections.canRedo(one.corrections);
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
    this.tell.say(`${title}. ${sentence} ${more}`.trim(), true);
  }

  /** Take a cell in hand, -1 for none. @param {number} cell */
  choose(cell) {
    this.cell = cell;
    this.photo.select(cell);
    this.board.select(cell);
    const one = this.current;
    if (cell < 0 || !one) this.pad.close();
    else this.pad.open(this.faces[cell], this.photo.picture, one.view.crossings);
  }

  /** Say what a cell holds. @param {number} cell @param {string} says */
  correct(cell, says) {
    const one = this.current;
    if (!one || cell < 0) return;
    const digit = says.replace("w", "");
    const what =
      says === "blank" ? t("what.blank") : t(says.startsWith("w") ? "what.written" : "what.clue", { digit });
    this.#change(
      corrections.say(one.corrections, cell, says),
      t("say.settled", { cell: placeName(cell), what }),
    );
  }

  undo() {
    const one = this.current;
    if (one && corrections.canUndo(one.corrections))
      this.#change(corrections.undo(one.corrections), t("say.undone"));
  }

  redo() {
    const one = this.current;
    if (one && corrections.canRedo(one.corrections))
      this.#change(corrections.redo(one.corrections), t("say.redone"));
  }

  /** @param {corrections.Corrections} changed @param {string} told */
  async #change(changed, told) {
    const { session, current: one } = this;
    if (!session || !one || changed === one.corrections) return;
    one.corrections = changed;
    try {
      const settled = await session.settle(one);
      if (!settled || this.current !== one) return;
    } catch (error) {
      return this.tell.fail(error, () => this.#change({ ...changed }, told));
    }
    this.showGrids();
    await this.enter(this.mode.name);
    this.tell.say(`${told} ${byId("status-title").textContent}.`);
  }

  /** Say of the digit in hand whether a person wrote it. @param {boolean} byHand */
  setHand(byHand) {
    const face = this.faces[this.cell];
    if (face && (face.kind === "clue" || face.kind === "written"))
      this.correct(this.cell, corrections.wordFor(face.digit, byHand));
  }

  /**
   * Ask about the grid in hand; null where that failed, which is told.
   * @param {"check" | "hint" | "explain"} what @param {Object<string, unknown>} [more]
   * @returns {Promise<any>}
   */
  async ask(what, more) {
    const { session, current } = this;
    if (!session || !current) return null;
    if (what !== "check" && !isProper(current.grid)) return stepless(current.grid);
    try {
      return await session.ask(current, what, more);
    } catch (error) {
      this.tell.fail(error, () => this.enter(this.mode.name));
      return null;
    }
  }
}

/** Tell whether a grid's clues have one solution, so that steps lead there. @param {import("./types.js").Grid} grid */
const isProper = (grid) => grid.status === "solved" || grid.status === "uncertain";

/** Answer for a grid without steps, about which nothing has to be asked. @param {import("./types.js").Grid} grid */
const stepless = (grid) => ({
  status: grid.status === "many_solutions" ? "many" : "none",
  message: "",
  hint: null,
  leads_to: [],
  steps: [],
});
