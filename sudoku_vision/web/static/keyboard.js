/** What each key does. The keys are those of other sudoku programs. The texts whose names begin with "keys." list them. */
import { add, choose, enterNext, focusCell, goBy, goOn, letGo } from "./acts.js";
import { buttonById, byId, dialogById, make, offer } from "./dom.js";
import { t } from "./language.js";
import { chosenCell, current, state } from "./state.js";
import { eraseBack, redo, undo, useKind, write } from "./writing.js";

/** Keys that choose what the digit keys write. If such a key is pressed again, the digit keys write entries again. */
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

/** The lines in the list of shortcuts. The key of a line's text is "keys." and one of these names. */
const LISTED = ["digit", "note", "kinds", "erase", "move", "several", "photo", "undo", "leave", "list"];

/** The cell to which each key leads from a cell. If *whole*, Home and End lead to the ends of the board, otherwise to those of the row. */
const MOVES = /** @type {Object<string, (cell: number, whole: boolean) => number>} */ ({
  ArrowLeft: (cell) => (cell % 9 ? cell - 1 : cell),
  ArrowRight: (cell) => (cell % 9 < 8 ? cell + 1 : cell),
  ArrowUp: (cell) => (cell > 8 ? cell - 9 : cell),
  ArrowDown: (cell) => (cell < 72 ? cell + 9 : cell),
  Home: (cell, whole) => (whole ? 0 : cell - (cell % 9)),
  End: (cell, whole) => (whole ? 80 : cell - (cell % 9) + 8),
  PageUp: (cell) => cell % 9,
  PageDown: (cell) => 72 + (cell % 9),
});

/** Return the digit on a key; -1 for other keys. With Shift, only the code of a key names its digit. @param {KeyboardEvent} event */
const digitOf = ({ key, code }) => Number((/^\d$/.exec(key) ?? /^Digit(\d)$/.exec(code))?.at(-1) ?? -1);

function listKeys() {
  const rows = LISTED.map((name) => t(`keys.${name}`).split(" | "));
  byId("keys-list").replaceChildren(...rows.flatMap(([keys, act]) => [make("dt", {}, keys), make("dd", {}, act)]));
  dialogById("keys").showModal();
}

/** @param {KeyboardEvent} event @param {HTMLElement} target @returns {(() => unknown) | undefined} what the key does */
function actOf(event, target) {
  const { key, shiftKey, altKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  const isInBoard = byId("board").contains(target);
  const next = isInBoard && !altKey && !event.metaKey ? MOVES[key]?.(state.tabbed, event.ctrlKey) : undefined;
  if (next !== undefined)
    return () => {
      focusCell(next);
      shiftKey ? add(next) : choose(next);
    };
  if (isCommand && !altKey && key.toLowerCase() === "z") return shiftKey ? redo : undo;
  if (isCommand && !altKey && key.toLowerCase() === "y") return redo;
  if (isCommand || altKey) return undefined;
  const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key];
  if (by && /Left|Right/.test(key) && target.closest("[role=tablist]"))
    return () => {
      enterNext(by);
      buttonById(`mode-${state.mode}`).focus();
    };
  if (key === "?") return listKeys;
  if (by && state.mode === "steps" && chosenCell() < 0) return () => goBy(by);
  const isForButton = target.matches("button, a, summary") && digitOf(event) < 0;
  if (isForButton && !/^[nzxcvpw]$|^(Delete|Backspace|Escape)$/i.test(key)) return undefined;
  const cell = chosenCell() >= 0 || !isInBoard ? chosenCell() : state.tabbed;
  const act = cell < 0 ? undefined : actInCell(event, cell);
  if (!act || chosenCell() >= 0) return act;
  return () => {
    choose(cell);
    act();
  };
}

/** @param {KeyboardEvent} event @param {number} cell the chosen cell @returns {(() => unknown) | undefined} what the key does with it */
function actInCell(event, cell) {
  const { key, shiftKey } = event;
  const isTyped = current()?.isTyped;
  const [digit, kind, next] = [digitOf(event), KINDS[key.toLowerCase()], MOVES[key]?.(cell, false)];
  if (isTyped && /^[ 0.]$/.test(key)) return () => goOn();
  if (isTyped && key === "Enter") return () => buttonById("typing-solve").click();
  if (isTyped && key === "Backspace") return eraseBack;
  if (digit >= 0) return () => write(digit, shiftKey && !/\d/.test(key) ? "note" : undefined);
  if (["Delete", "Backspace"].includes(key)) return () => write(0);
  if (kind) return () => useKind(kind === state.kind ? "entry" : kind);
  if (key === "Escape") return letGo;
  if (key === "Enter") return () => choose(...state.cells);
  return next !== undefined ? () => (shiftKey ? add(next) : choose(next)) : undefined;
}

offer({ "keys-open": listKeys });
document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!state.session || document.querySelector("dialog[open], #work[hidden], #work.cornering")) return;
  if (target.matches("input:not([type=checkbox]), textarea, select")) return;
  const act = actOf(event, target);
  if (!act) return;
  event.preventDefault();
  act();
});
