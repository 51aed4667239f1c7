// @ts-check
/** The keys of the workspace: digits and corrections, undo and redo, going from cell to cell and step to step. */
import { cellAfter } from "./board_view.js";
import * as corrections from "./corrections.js";
import { buttonById, byId } from "./dom.js";
import { StepsMode } from "./steps_mode.js";

export class Keyboard {
  /** @param {import("./workspace.js").Workspace} space */
  constructor(space) {
    this.space = space;
    byId("modes").addEventListener("keydown", (event) => this.#tabKey(event));
    document.addEventListener("keydown", (event) => this.#anywhere(event));
  }

  /** Act on a key pressed for the cell in hand. @param {KeyboardEvent} event */
  key(event) {
    const { space } = this;
    if (space.cell < 0 && byId("board").contains(document.activeElement)) space.cell = space.board.cell;
    if (space.cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const face = space.faces[space.cell];
    const next = cellAfter(event.key, space.cell, false);
    if (/^[0-9]$/.test(event.key))
      space.correct(
        space.cell,
        corrections.wordFor(Number(event.key), space.pad.isOpen && space.pad.hand.checked),
      );
    else if (["Delete", "Backspace"].includes(event.key)) space.correct(space.cell, "blank");
    else if (event.key === "w" || event.key === "W") {
      space.pad.hand.checked = !space.pad.hand.checked;
      space.setHand(space.pad.hand.checked);
    } else if (event.key === "Escape") space.choose(-1);
    else if (event.key === "Enter" || event.key === " ") {
      if (face) space.choose(space.cell);
    } else if (next >= 0) space.choose(next);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Act on keys that work anywhere on the page. @param {KeyboardEvent} event */
  #anywhere(event) {
    const { space } = this;
    if (
      !space.session ||
      byId("work").hidden ||
      document.querySelector("dialog[open]") ||
      byId("work").classList.contains("cornering")
    )
      return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input:not([type=checkbox]), textarea, select")) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const key = event.key.toLowerCase();
      if (key === "z") event.shiftKey ? space.redo() : space.undo();
      else if (key === "y") space.redo();
      else return;
      event.preventDefault();
    } else if (
      space.mode instanceof StepsMode &&
      space.cell < 0 &&
      /^Arrow(Left|Right|Up|Down)$/.test(event.key) &&
      !target.closest("[role=tablist]")
    ) {
      space.mode.goBy(/Left|Up/.test(event.key) ? -1 : 1);
      event.preventDefault();
    } else if (
      !target.matches("button, a, summary, [role=tab]") ||
      /^[0-9wW]$|Delete|Backspace|Escape/.test(event.key)
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
