// @ts-check
/** The last puzzles, kept in this browser alone: what was read and what a person did on it. */
import { blanksOf, placeOf } from "./board.js";
import { make, makeButton } from "./dom.js";
import { gridLines } from "./draw.js";
import { flatCrossings } from "./geometry.js";
import { forgetPhotos, keepPhoto, photoOf } from "./kept_photos.js";
import { t } from "./language.js";
import { settings, store, stored } from "./settings.js";
import { standing } from "./solving.js";
import { svgElement } from "./svg.js";

/** @typedef {import("./session.js").GridSession} GridSession */
/**
 * @typedef {{status: string, puzzle: string, written: string, marks: string[], rules?: import("./types.js").Rules}} KeptGrid as it was first read
 * @typedef {{id: string, grid: KeptGrid, solving: import("./solving.js").Solving}} Kept
 */

const KEY = "sudoku-vision-puzzles";
const MOST = 10;
/** Changes of each that can be taken back later. */
const STEPS = 30;

/** Return the puzzles that were kept, the last one first. @returns {Kept[]} */
export const keptPuzzles = () => stored(KEY) ?? [];

/** Keep a grid in the place of what was kept of it before, and of the same puzzle untouched. @param {GridSession} one */
export function keep(one) {
  const { id, first, solving } = one;
  if (!/[1-9]/.test(first.puzzle + solving.now.entries)) return;
  const { status, puzzle, written, marks, rules } = first;
  const others = keptPuzzles().filter(
    (other) => other.id !== id && (other.grid.puzzle !== puzzle || other.solving.past.length),
  );
  const { past, now, future } = solving;
  const kept = { past: past.slice(-STEPS), now, future: future.slice(0, STEPS) };
  if (write([{ id, grid: { status, puzzle, written, marks, rules }, solving: kept }, ...others]))
    one.kept = JSON.stringify(now);
}

/**
 * Take over what another window has kept of a grid since this one did; false where none has. What the browser didn't
 * keep of this window is one undo away.
 * @param {GridSession} one
 */
export function catchUp(one) {
  const solving = keptPuzzles().find(({ id }) => id === one.id)?.solving;
  const [theirs, ours] = [solving?.now, one.now].map((work) => JSON.stringify(work));
  if (!solving || theirs === one.kept || theirs === ours) return false;
  const past = ours === one.kept ? solving.past : [...solving.past, one.now];
  Object.assign(one, { solving: { ...solving, past }, kept: theirs });
  return true;
}

/** Forget puzzles, by their ids. @param {string[]} ids @returns what brings them back */
export function forget(ids) {
  const [gone, left] = [true, false].map((is) => keptPuzzles().filter(({ id }) => ids.includes(id) === is));
  const photos = gone.map(({ id }) => photoOf(id));
  write(left);
  return () => {
    const now = keptPuzzles();
    write([...gone.filter(({ id }) => now.every((kept) => kept.id !== id)), ...now]);
    if (settings.keepPhotos) gone.forEach(async ({ id }, place) => keepPhoto(id, await photos[place]));
  };
}

/** Keep the first of these alone: photos of others are forgotten with them. @param {Kept[]} puzzles */
function write(puzzles) {
  const all = puzzles.slice(0, MOST);
  const ids = keptPuzzles().map(({ id }) => id);
  forgetPhotos(ids.filter((id) => all.every((kept) => kept.id !== id)));
  return store(KEY, all.length ? all : undefined);
}

/**
 * Fill a list with small pictures of puzzles.
 * @param {HTMLElement} list @param {Kept[]} puzzles
 * @param {{open: (kept: Kept) => void, forget: (kept: Kept) => void}} acts
 */
export function listKept(list, puzzles, acts) {
  list.replaceChildren(
    ...puzzles.map((kept, place) => {
      const board = standing(kept.grid, kept.solving.now);
      const count = blanksOf(board);
      const number = place + 1;
      const look = { class: "kept-open", "aria-label": t("kept.open", { number, count }) };
      const picture = smallPicture(kept.grid.puzzle, board, kept.solving.now.rules ?? kept.grid.rules);
      const open = makeButton([picture], () => acts.open(kept), look);
      const name = t("kept.forget", { number });
      const set = { class: "icon-button", "aria-label": name, title: name };
      const close = makeButton("×", () => acts.forget(kept), set);
      return make("li", {}, open, close);
    }),
  );
}

/** @param {string} clues @param {string} board @param {import("./types.js").Rules} [rules] */
function smallPicture(clues, board, rules) {
  const corners = /** @type {import("./types.js").Point[]} */ ([0, 9, 99, 90].map((at) => [at % 10, Math.floor(at / 10)]));
  const lines = gridLines(flatCrossings(corners), "line", rules);
  const digits = [...board].map((digit, cell) => {
    const { row, column } = placeOf(cell);
    const set = { x: column - 0.5, y: row - 0.2, class: clues[cell] === "0" ? "own" : "" };
    return { tag: "text", set, text: digit === "0" ? "" : digit };
  });
  const set = { viewBox: "-0.1 -0.1 9.2 9.2", "aria-hidden": "true" };
  return svgElement({ tag: "svg", set, inside: [...lines, ...digits] });
}
