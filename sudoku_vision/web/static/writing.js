/** Writes entries, notes and corrections into the open puzzle. Each change is announced and stored, and can be undone. */
import { catchUp, choose, chooseCage, goOn, keep, show, showChange } from "./acts.js";
import { CELLS, CLASSIC, cellName, isDiagonal, placeName, rulesWith } from "./board.js";
import { inputById, offer, say } from "./dom.js";
import { sentences, t } from "./language.js";
import { LEVELS, shownBy } from "./modes.js";
import { settings } from "./settings.js";
import { update } from "./session.js";
import * as solving from "./solving.js";
import { chosenCell, current, isCorrection, state } from "./state.js";

/** Choose what the digit keys write. "clue" and "written" also correct the reading of the chosen cells: their digits become printed or handwritten. @param {Kind} kind */
export function useKind(kind) {
  state.kind = kind;
  state.looks ||= isCorrection(kind);
  choose(...state.cells);
  const { grid, now } = current() ?? {};
  if (!grid || !now || !isCorrection(kind)) return;
  const from = kind === "written" ? grid.puzzle : grid.written;
  const isOther = (/** @type {number} */ cell) =>
    from[cell] !== "0" && (kind === "written" || (grid.puzzle[cell] === "0" && now.entries[cell] === "0"));
  const turned = state.cells.filter(isOther);
  if (turned.length) correctAll(turned, (cell) => contentOf(Number(from[cell]), kind));
}

/** @type {Partial<Record<Kind, NoteKind>>} */
const NOTES = { note: "notes", centre: "centre", colour: "colours" };

/** Write a digit into the chosen cells; 0 erases. @param {number} digit @param {Kind} [kind] */
export function write(digit, kind = state.kind) {
  catchUp();
  const [one, { cells }] = [current(), state];
  if (!one || !cells.length) return;
  if (isCorrection(kind)) return correctAll(cells, () => contentOf(digit, kind));
  const { grid, board, now } = one;
  const [of, place] = [NOTES[kind], namesOf(cells)];
  const free = cells.filter(
    (cell) => of === "colours" || (grid.puzzle[cell] === "0" && (!digit || !of || board[cell] === "0")),
  );
  if (!digit) return eraseIn(one, cells, free);
  if (!free.length) return grid.puzzle[cells[0]] === "0" || say(t("pad.locked"));
  if (of) {
    const noted = solving.note(one.solving, grid, of, free, digit);
    const digits = [...solving.textsOf(grid, noted.now, of)[free[0]]].join(" ");
    return change(() => noted, `${place}, ${t(of === "colours" ? "cell.colour" : "cell.marks", { digits })}.`);
  }
  const isErased = free.every((cell) => Number(now.entries[cell]) === digit);
  const words = isErased ? t("say.erased", { cell: place }) : `${place}, ${digit}.`;
  change(() => solving.enter(one.solving, grid, free, digit, tidied(one)), words);
  if (!isErased && one.isTyped) goOn();
}

/**
 * Erase the entries in cells. If there are none, erase the handwriting in the photo, otherwise the notes, otherwise the colours.
 * @param {GridSession} one @param {readonly number[]} cells @param {number[]} free the cells without a printed clue
 */
function eraseIn(one, cells, free) {
  const { grid, now } = one;
  const onPaper = free.filter((cell) => grid.written[cell] !== "0");
  const isEntered = free.some((cell) => now.entries[cell] !== "0");
  if (onPaper.length && !isEntered) return correctAll(onPaper, () => "blank");
  if (!free.length && !Object.keys(now.colours ?? {}).length) return say(t("pad.locked"));
  const colours = state.kind === "colour";
  change(
    () => solving.erase(one.solving, grid, colours || !free.length ? cells : free, colours),
    t("say.erased", { cell: namesOf(cells) }),
  );
  if (one.isTyped && !isEntered) goOn();
}

/** While a puzzle is typed, erase the digit in the chosen cell. If this cell is blank, erase in the cell before. */
export function eraseBack() {
  const isBlank = () => current()?.board[chosenCell()] === "0";
  if (isBlank()) goOn(-1);
  if (!isBlank()) write(0, "entry");
}

/** Show the next part of the hint. After the last part, do the step of the hint. */
export function nextHint() {
  const one = current();
  const { step, level = "" } = (one && shownBy(one, state).hint) ?? {};
  if (!one || !step) return;
  const { eliminations, placements, text } = step;
  const next = LEVELS.findIndex((other) => other === level) + 1;
  if (next < LEVELS.length) {
    state.hint = { text, level: next };
    if (next === LEVELS.length - 1) update(one, { solving: { ...one.solving, hints: (one.solving.hints ?? 0) + 1 } });
    keep();
    return show();
  }
  return change(({ solving: before, grid }) => {
    const filled = placements.reduce(
      (now, [cell, digit]) => solving.enter(now, grid, [cell], digit, tidied(one)),
      solving.strike(before, eliminations),
    );
    return { ...filled, past: [...before.past, before.now] };
  });
}

export function startAgain() {
  update(/** @type {GridSession} */ (current()), { seconds: 0 });
  change((one) => solving.startAgain(one.solving), "");
  say(t("solve.startedAgain"));
}

export const noteAll = () => change((one) => solving.noteAll(one.solving, one.board, one.peers));

export const undo = () => change((one) => solving.undo(one.solving), t("say.undone"));

export const redo = () => change((one) => solving.redo(one.solving), t("say.redone"));

/** @param {readonly number[]} cells @param {(cell: number) => string} content */
const correctAll = (cells, content) => correct(Object.fromEntries(cells.map((cell) => [cell, content(cell)])));

/** Correct the reading of cells in one change. @param {ByCell} corrections */
export function correct(corrections) {
  const [[cell, content], ...more] = Object.entries(corrections);
  const digit = content.replace("w", "");
  const key = content === "blank" ? "what.blank" : content === digit ? "what.clue" : "what.written";
  const words = more.length
    ? t("say.settled.all", { number: more.length + 1 })
    : t("say.settled", { cell: placeName(Number(cell)), what: t(key, { digit }) });
  return change((one) => solving.correct(one.solving, corrections), words);
}

/** Correct the reading of a cage. @param {string} override in the form that the service reads */
export const correctCage = (override) =>
  change((one) => solving.correctCage(one.solving, override), t("say.settled.cage"));

/** Choose the rules of the puzzle. @param {Rules} rules @param {ByCell} [colours] the new colours of the cells @param {string} [words] */
function playBy(rules, colours = current()?.now.colours, words = t("rules.said", { rules: t(`rules.${rules.name}`) })) {
  const isChosen = (/** @type {GridSession} */ one) =>
    colours === one.now.colours && JSON.stringify(rules) === JSON.stringify(one.rules);
  const played = { rules, colours, struck: {} };
  return change((one) => (isChosen(one) ? one.solving : solving.changed(one.solving, played)), words);
}

/**
 * Make the chosen cells a cage with the sum in the pad. Remove the cages in which these cells were. Without a sum, only
 * remove these cages. If the cages were read in a photo, this corrects the reading: other cages may still be misread.
 */
export function drawCage() {
  const [one, { cells }, input] = [current(), state, inputById("cage-sum")];
  if (!one || !input.reportValidity()) return;
  const isRead = !one.inText && one.grid.rules?.cages && !one.now.rules;
  const isReplaced = (/** @type {Cage} */ cage) => cage.cells.some((cell) => cells.includes(cell));
  const [all, drawn] = [one.rules.cages ?? [], { sum: Number(input.value), cells: [...cells].sort((a, b) => a - b) }];
  if (isRead && drawn.sum) return correctCage(solving.overrideOfCage(cells[0], drawn));
  if (isRead) return correctCage(solving.overrideOfNoCage(all.filter(isReplaced).flatMap((cage) => cage.cells)));
  const others = all.filter((cage) => !isReplaced(cage));
  const cages = drawn.sum ? [...others, drawn] : others;
  const words = drawn.sum ? t("cages.drawn", { count: cells.length, sum: drawn.sum }) : t("cages.removed");
  return playBy(rulesWith(one.rules, { cages: cages.sort((a, b) => a.cells[0] - b.cells[0]) }), one.now.colours, words);
}

const rulesNow = () => current()?.rules ?? CLASSIC;

/**
 * If each colour is on nine cells, make each colour a region of a jigsaw. The cells without a colour can be one region.
 * Otherwise, open the pad for the colours. At first, each known region has its own colour.
 */
function drawRegions() {
  const [{ regions: known = "" }, isBegun] = [rulesNow(), Object.values(current()?.now.colours ?? {}).some(Boolean)];
  if (known && !isBegun) change((one) => solving.changed(one.solving, { colours: Object.fromEntries([...known].entries()) }));
  const colours = CELLS.map((cell) => current()?.now.colours?.[cell] || "");
  const regions = [...new Set(colours)].map((colour) => CELLS.filter((cell) => colours[cell] === colour));
  const [uneven] = regions.filter(({ length }) => length !== 9).sort((one, other) => one.length - other.length);
  if (isBegun && !uneven) {
    const numbers = CELLS.map((cell) => 1 + regions.findIndex((region) => region.includes(cell)));
    return playBy(rulesWith(rulesNow(), { regions: numbers.join("") }), {});
  }
  Object.assign(state, { pointed: "board", kind: "colour" });
  choose(...(state.cells.length ? state.cells : [state.tabbed]));
  const left = uneven && isBegun && t("regions.uneven", { cell: cellName(uneven[0]), count: uneven.length });
  say(sentences(left ?? false, t("regions.help")));
}

offer({
  "rules-classic": () => playBy(CLASSIC),
  "rules-diagonal": () => playBy(rulesWith(rulesNow(), { diagonal: !isDiagonal(rulesNow()) })),
  "rules-jigsaw": drawRegions,
  "rules-killer": () => {
    state.pointed = "board";
    chooseCage(state.cells.length ? state.cells : [state.tabbed]);
    say(t("cages.help"));
  },
});

/** @param {(one: GridSession) => Solving} make returns the changed work on the open grid @param {string} [words] announce the change */
async function change(make, words) {
  catchUp();
  const one = current();
  if (!one) return;
  const [before, corrections, written, wasDone] = [one.solving, one.correctionsText, writtenIn(one), one.isDone];
  update(one, { solving: make(one) });
  if (one.solving === before) return;
  keep();
  if (state.mode === "answers" && written !== writtenIn(one)) state.mode = "solve";
  state.finishes = !wasDone && one.isDone;
  await showChange(one, corrections !== one.correctionsText, words);
}

/** Return the peers of each cell, so that an entry is removed from their notes. Return none if the settings don't want this. @param {GridSession} one */
const tidied = ({ peers }) => (settings.tidyNotes ? peers : []);

/** Return the place of one cell, or the number of several cells, in words. @param {readonly number[]} cells */
const namesOf = (cells) => (cells.length > 1 ? t("cell.several", { count: cells.length }) : placeName(cells[0]));

/** Return the entries and notes of a grid as JSON. @param {GridSession} one */
const writtenIn = ({ now: { entries, notes, centre } }) => JSON.stringify([entries, notes, centre]);

/** Return a correction: "8", "w8" or "blank". @param {number} digit 0 for blank @param {"clue" | "written"} kind */
const contentOf = (digit, kind) => (digit ? `${kind === "written" ? "w" : ""}${digit}` : "blank");
