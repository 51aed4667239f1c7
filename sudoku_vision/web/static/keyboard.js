// @ts-check
/**
 * The keys of the workspace, as in other sudoku programs. Digits write entries, and with Shift notes. Z, X, C and V
 * choose digits, notes, notes in the middle or colours; N or space chooses notes, and leads back. P and W choose
 * printed or handwritten digits, to correct the photo. Other keys undo, redo, and move from cell to cell (with Shift or
 * Ctrl to choose several cells) or from step to step.
 */
/** @import { Kind, Workspace } from "./types.js" */
import { cellAfter } from "./board_view.js";
import { buttonById, byId, dialogById, make } from "./dom.js";
import { t } from "./language.js";

/** Keys that choose what the digit keys write; pressed again, such a key leads back to entries. */
const KINDS = /** @type {Object<string, Kind>} */ ({
  n: "note",
  " ": "note",
  z: "entry",
  x: "note",
  c: "centre",
  v: "colour",
  p: "clue",
  w: "written",
});

/** The lines in the list of shortcuts, as parts of the keys of their texts. */
const LISTED = ["digit", "note", "kinds", "erase", "move", "several", "photo", "undo", "leave", "list"];

export class Keyboard {
  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    buttonById("keys-open").addEventListener("click", listKeys);
    byId("modes").addEventListener("keydown", (event) => this.#tabKey(event));
    document.addEventListener("keydown", (event) => this.#anywhere(event));
  }

  /** Act on a key for the chosen cell. @param {KeyboardEvent} event */
  key(event) {
    const { selection, writing, board, current } = this.space;
    if (selection.cell < 0 && board.grid.contains(document.activeElement)) selection.cells = [board.cell];
    if (selection.cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const kind = KINDS[event.key.toLowerCase()];
    const next = cellAfter(event.key, selection.cell, false);
    const digit = digitOf(event);
    if (current?.isTyped && /^[ 0.]$/.test(event.key)) writing.goOn();
    else if (current?.isTyped && event.key === "Enter") buttonById("typing-solve").click();
    else if (digit >= 0) writing.write(digit, event.shiftKey && !/\d/.test(event.key) ? "note" : undefined);
    else if (current?.isTyped && event.key === "Backspace") writing.eraseBack();
    else if (["Delete", "Backspace"].includes(event.key)) writing.write(0);
    else if (kind) writing.useKind(kind === selection.pad.kind ? "entry" : kind);
    else if (event.key === "Escape") selection.letGo();
    else if (event.key === "Enter") selection.choose(...selection.cells);
    else if (next >= 0) event.shiftKey ? selection.add(next) : selection.choose(next);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Act on keys that work anywhere on the page. @param {KeyboardEvent} event */
  #anywhere(event) {
    const { space } = this;
    if (!space.session || document.querySelector("dialog[open], #work[hidden], #work.cornering")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input:not([type=checkbox]), textarea, select")) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const key = event.key.toLowerCase();
      if (key === "z") event.shiftKey ? space.writing.redo() : space.writing.undo();
      else if (key === "y") space.writing.redo();
      else return;
      event.preventDefault();
    } else if (event.key === "?") {
      listKeys();
    } else if (
      "goBy" in space.mode &&
      space.selection.cell < 0 &&
      /^Arrow(Left|Right|Up|Down)$/.test(event.key) &&
      !target.closest("[role=tablist]")
    ) {
      space.mode.goBy(/Left|Up/.test(event.key) ? -1 : 1);
      event.preventDefault();
    } else if (
      !target.matches("button, a, summary, [role=tab]") ||
      digitOf(event) >= 0 ||
      /^[nzxcvpw]$|^(Delete|Backspace|Escape)$/i.test(event.key)
    ) {
      this.key(event);
    }
  }

  /** Move among the tabs of the modes. @param {KeyboardEvent} event */
  #tabKey(event) {
    const { space } = this;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0;
    if (!step) return;
    event.preventDefault();
    const at = space.modes.findIndex((mode) => mode === space.mode);
    const { name } = space.modes[(at + step + space.modes.length) % space.modes.length];
    space.enter(name);
    buttonById(`mode-${name}`).focus();
  }
}

/** Show the list of keys and what they do. */
function listKeys() {
  const rows = LISTED.map((name) => t(`keys.${name}`).split(" | "));
  byId("keys-list").replaceChildren(...rows.flatMap(([keys, act]) => [make("dt", {}, keys), make("dd", {}, act)]));
  dialogById("keys").showModal();
}

/** Return the digit of a key, in any keyboard layout and also with Shift; -1 for other keys. @param {KeyboardEvent} event */
const digitOf = ({ key, code }) => Number((/^\d$/.exec(key) ?? /^Digit(\d)$/.exec(code))?.at(-1) ?? -1);
