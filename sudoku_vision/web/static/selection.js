// @ts-check
/** The chosen cells: where a person points in the photo, in the board and with keys, and the pad that writes into them. */
/** @import { BoardView, Kind, PhotoView, Workspace } from "./types.js" */
import { litBy } from "./faces.js";
import { isCorrection, Pad } from "./pad.js";

export class Selection {
  /** The chosen cells, in the order in which they were chosen. @type {readonly number[]} */
  cells = [];
  /** The sentence in the pad that says what is wrong in the puzzle. */
  warning = "";

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    this.pad = new Pad(space, this);
    /** The view in which a person has pointed last. @type {BoardView | PhotoView} */
    this.pointed = space.photo;
  }

  /** The cell that was chosen last, -1 for none. */
  get cell() {
    return this.cells.at(-1) ?? -1;
  }

  /** Choose cells, the last of which is shown in the pad. @param {number[]} cells */
  choose(...cells) {
    this.cells = cells;
    this.show(this.warning);
    this.bringIntoView();
  }

  /** Scroll until the chosen cell is visible above the pad, in the view where the person has pointed at it. */
  bringIntoView() {
    if (this.cells.length) this.pointed.bringIntoView(this.cell);
  }

  /** Choose one more cell. @param {number} cell */
  add(cell) {
    if (cell !== this.cell) this.choose(...this.cells.filter((other) => other !== cell), cell);
  }

  /**
   * Choose the cell where a person points; with Ctrl or Shift, add it to the chosen cells, or remove it from them.
   * @param {number} cell @param {MouseEvent} event @param {BoardView | PhotoView} view
   */
  point(cell, { ctrlKey, metaKey, shiftKey }, view) {
    this.pointed = view;
    if (!(ctrlKey || metaKey || shiftKey)) return this.choose(cell);
    const others = this.cells.filter((other) => other !== cell);
    this.choose(...others, ...(others.length < this.cells.length ? [] : [cell]));
  }

  /** Choose a cell for notes. @param {number} cell @param {BoardView | PhotoView} view */
  noteIn(cell, view) {
    this.pointed = view;
    this.pad.kind = "note";
    this.choose(cell);
  }

  /** Choose what the digit keys write. @param {Kind} kind */
  use(kind) {
    this.pad.kind = kind;
    this.pad.looks ||= isCorrection(kind);
    this.choose(...this.cells);
  }

  /** Show the chosen cells, and what is wrong. If no cell is chosen, *focus* is marked in the board. @param {string} warning */
  show(warning, focus = -1) {
    const { cells, space, pad } = this;
    const { current: one, faces, photo, board } = space;
    this.warning = warning;
    const lit = litBy(faces, cells, one?.rules);
    photo.select(cells, lit);
    board.select(cells.length || focus < 0 ? cells : [focus], lit);
    if (!cells.length || !one) pad.close();
    else pad.open(faces[this.cell], one, cells.length, warning);
  }

  /** Choose no cell, and focus in the board the cell that was chosen last. */
  letGo() {
    const { cell } = this;
    this.choose();
    if (cell >= 0) this.space.board.focus(cell);
  }
}
