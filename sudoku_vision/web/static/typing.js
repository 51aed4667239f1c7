// @ts-check
/** An empty grid to type a puzzle into, or a field to paste one as text. */
import { cellAfter, tellSide } from "./board_view.js";
import { buttonById, byId, dialogById, inputById, make } from "./dom.js";
import { placeName } from "./faces.js";
import { t } from "./language.js";

const EMPTY = "0".repeat(81);

/**
 * Return the 81 cells of a text that is nothing but cells, null for any other.
 * @param {string} text
 */
export function cellsOfText(text) {
  const plain = text.replace(/[\s|+-]/g, "").replace(/[.*_?x]/gi, "0");
  return /^\d{81}$/.test(plain) ? plain : null;
}

export class Typing {
  /** @param {(text: string) => void} onSolve */
  constructor(onSolve) {
    this.dialog = dialogById("typing");
    this.text = inputById("typing-text");
    this.onSolve = onSolve;
    this.board = EMPTY;
    this.cell = 0;
    this.cells = Array.from({ length: 81 }, (_, cell) =>
      make("div", { role: "gridcell", class: "cell clue", tabindex: -1, "data-cell": cell }),
    );
    byId("typing-board").replaceChildren(
      ...Array.from({ length: 9 }, (_, row) =>
        make("div", { role: "row", class: "row" }, ...this.cells.slice(9 * row, 9 * row + 9)),
      ),
    );
    tellSide(byId("typing-board"));
    this.cells.forEach((element, cell) =>
      element.addEventListener("focus", () => {
        this.cell = cell;
        this.#render();
      }),
    );
    byId("typing-board").addEventListener("click", (event) => {
      if (event.target instanceof HTMLElement && event.target.dataset.cell) event.target.focus();
    });
    byId("typing-board").addEventListener("keydown", (event) => this.#key(event));
    const keys = [..."1234567890"].map((digit) =>
      make(
        "button",
        { type: "button", class: "key", on: () => this.#type(digit, false) },
        digit === "0" ? "·" : digit,
      ),
    );
    keys.forEach((key, at) => {
      key.dataset.label = at < 9 ? "" : "pad.blank";
      if (at < 9) delete key.dataset.label;
    });
    byId("typing-keys").replaceChildren(...keys);
    this.dialog.addEventListener("paste", (event) => this.#paste(event));
    buttonById("typing-solve").addEventListener("click", () => this.#solve());
    buttonById("typing-clear").addEventListener("click", () => {
      this.board = EMPTY;
      this.text.value = "";
      this.#render();
      this.cells[0].focus();
    });
    buttonById("typing-cancel").addEventListener("click", () => this.dialog.close());
  }

  open() {
    byId("typing-error").textContent = "";
    this.#render();
    this.dialog.showModal();
    this.cells[this.cell].focus();
  }

  #render() {
    this.cells.forEach((element, cell) => {
      const digit = this.board[cell] === "0" ? "" : this.board[cell];
      element.textContent = digit;
      element.tabIndex = cell === this.cell ? 0 : -1;
      element.setAttribute("aria-label", `${placeName(cell)}, ${digit || t("typing.empty")}`);
    });
  }

  /** Write a digit and go on to the next cell. @param {string} digit @param {boolean} focus */
  #type(digit, focus = true) {
    this.board = this.board.slice(0, this.cell) + digit + this.board.slice(this.cell + 1);
    this.cell = Math.min(80, this.cell + 1);
    this.#render();
    if (focus) this.cells[this.cell].focus();
    this.cells.forEach((element, cell) => element.classList.toggle("next", !focus && cell === this.cell));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = cellAfter(event.key, this.cell, false);
    if (/^[0-9. ]$/.test(event.key)) this.#type(event.key.replace(/[. ]/, "0"));
    else if (event.key === "Delete") this.#put("0");
    else if (event.key === "Backspace") {
      this.#put("0");
      this.cells[Math.max(0, this.cell - 1)].focus();
    } else if (event.key === "Enter") this.#solve();
    else if (next >= 0) this.cells[next].focus();
    else return;
    event.preventDefault();
  }

  /** @param {string} digit */
  #put(digit) {
    this.board = this.board.slice(0, this.cell) + digit + this.board.slice(this.cell + 1);
    this.#render();
  }

  /** @param {ClipboardEvent} event */
  #paste(event) {
    if (event.target === this.text) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const cells = cellsOfText(text);
    if (cells) this.board = cells;
    else this.text.value = text.trim();
    this.#render();
    event.preventDefault();
  }

  #solve() {
    const text = this.text.value.trim() || this.board;
    if (text === EMPTY) {
      byId("typing-error").textContent = t("typing.few");
      return;
    }
    this.dialog.close();
    this.onSolve(text);
  }
}
