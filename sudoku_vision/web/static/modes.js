/** What each mode shows of the open puzzle: shapes and sentences. Other modules write these into the page. */
import { blanksOf, cellName, cellsNamed, filledWith, NO_DIGITS, without } from "./board.js";
import { language, listed, sentences, t } from "./language.js";
import { finishShapes, wrongShapes } from "./scene.js";
import { settings } from "./settings.js";

/** The modes, in the order of their tabs. */
export const MODES = /** @type {const} */ (["answers", "solve", "hint", "check", "steps"]);

/**
 * Return the question to the service whose answer the mode shows; null if the mode needs no answer. `key` is the question as text.
 * @param {GridSession} one @param {State} state
 * @returns {{what: "hint" | "check" | "explain", wish: Object<string, unknown>, key: string} | null}
 */
export function questionOf(one, { mode, check }) {
  const notes = one.ownCandidates;
  const wishes = { hint: { notes, marks: one.isNoted }, check, explain: { notes } };
  const what = mode === "steps" ? "explain" : mode;
  if (what === "answers" || what === "solve") return null;
  const wish = { language: language(), ...wishes[what] };
  return { what, wish, key: JSON.stringify([one.id, one.corrections, one.now.entries, wish]) };
}

/** Return the key of a rating in `state.known`. @param {Grid} grid @param {Rules} rules */
export const ratingKey = ({ puzzle }, rules) => JSON.stringify([puzzle, rules]);

/** @param {GridSession} one @param {State} state @returns {Shown} what the mode shows of a puzzle */
export function shownBy(one, state) {
  const question = questionOf(one, state);
  const known = question && state.known.get(question.what);
  const answer = known && known.key === question.key ? known.answer : null;
  return SHOWN[state.mode]({ one, state, answer, other: sentenceOfOther(state) });
}

/**
 * @template [Answer=any]
 * @typedef {{one: GridSession, state: State, answer: Answer | null, other: string}} Seen the data from which the content of a mode is made;
 *   `answer`: the service's answer, null until it comes; `other`: a sentence about a page with another kind of puzzle
 */

/** @type {Record<Mode, (seen: Seen) => Shown>} */
const SHOWN = { answers: shownAnswers, solve: shownSolving, hint: shownHint, check: shownCheck, steps: shownSteps };

/** Return a sentence if the page shows another kind of puzzle, and otherwise "". @param {State} state */
export function sentenceOfOther({ session }) {
  const other = session?.pages[session.page].other;
  if (!other) return "";
  return t(/\d/.test(other) ? "say.cells" : `say.${other}`, { cells: other.replace("x", " × ") });
}

/** Return all answers, or no answers until a person wants to see them. @param {Seen} seen @returns {Shown} */
function shownAnswers({ one, state: { answersShown, fresh }, other }) {
  const { grid, view } = one;
  const isHidden = !answersShown && Boolean(grid.solution);
  const isReadable = ["solved", "uncertain"].includes(grid.status);
  return {
    status: isHidden ? "read" : grid.status,
    sentence: (!isReadable && other) || sentenceOfAnswers(one, isHidden),
    shapes: isHidden ? [] : view.shapes,
    answers: isHidden ? null : view.answers,
    others: answersShown,
    fresh: fresh && answersShown,
  };
}

const WELL_READ = 0.9; // if clues clash although the confidence is at least this high, the puzzle may have special rules

/** @param {GridSession} one @param {boolean} isHidden */
function sentenceOfAnswers(one, isHidden) {
  const { grid, view } = one;
  if (isHidden) return t("say.hidden", { count: 81 - blanksOf(grid.puzzle) });
  const marked = grid.marks.some(Boolean);
  const empty = !/[1-9]/.test(grid.puzzle + grid.written) && !marked && grid.confidence > 0.5;
  if (grid.status === "unreadable" && empty) return t("say.empty");
  if (grid.status === "no_solution" || grid.status === "many_solutions") return contradictionOf(one);
  if (view.hidden) return t("say.covered", { cells: view.hidden });
  if (grid.status === "uncertain" && !grid.solution) return t("improper.gave_up");
  if (grid.status === "uncertain" && grid.rules && !grid.doubts.length) return t("say.uncertain.rules");
  if (grid.status !== "solved") return t(`say.${grid.status}`);
  const count = 81 - blanksOf(view.answers);
  const wrong = [...grid.written].flatMap((digit, cell) =>
    digit !== "0" && digit !== grid.solution?.[cell] && !view.unclear.includes(cell)
      ? [t("cell.digit", { digit, cell: cellName(cell) })]
      : [],
  );
  return sentences(
    t(count ? "say.solved" : "say.complete", { count }),
    wrong.length && t("say.struck", { cells: listed(wrong) }),
    one.openDoubts.length && t("say.entry"),
  );
}

/** Return sentences about clues that contradict one another, and about the likely cause. @param {GridSession} one */
function contradictionOf({ grid, first, now }) {
  const cells = cellsNamed(grid.clashes ?? []);
  const corrected = cellsNamed(Object.keys(now.corrections).map(Number));
  const where = cells && t("say.clash", { cells });
  if (corrected && first.status !== grid.status)
    return sentences(where, t(`say.${grid.status}.said`, { cells: corrected }));
  const wellRead = first.confidence >= WELL_READ && !first.doubts.length;
  return sentences(
    where || t(`say.${grid.status}`),
    t(cells ? "say.clash.read" : "say.compare"),
    wellRead && t("say.rules"),
  );
}

/** @param {Seen} seen @returns {Shown} */
function shownSolving({ one }) {
  const { board, clashes, grid, isDone } = one;
  const isChecked = settings.checkAsIGo && grid.status === "solved";
  const wrong = isChecked ? one.wrong : [];
  const warning = sentences(
    clashes.length && t("solve.clash", { cells: cellsNamed(clashes) }),
    wrong.length && t("solve.wrong", { cells: cellsNamed(wrong) }),
  );
  const left = blanksOf(board);
  const progress = sentences(
    warning,
    left && t("check.left", { count: left }),
    settings.checkAsIGo && !isChecked && t("solve.unsure"),
  );
  return {
    warning,
    shapes: [...(isDone ? finishShapes(one) : []), ...wrongShapes(one, wrong)],
    verdicts: new Map(wrong.map((cell) => [cell, "wrong"])),
    title: one.isTyped ? t("typing.title") : undefined,
    sentence: one.isTyped ? t("typing.help") : isDone ? t("solve.done") : progress,
  };
}

const FEW = 4; // at most this many units, or cells, are highlighted as the place of a step
/** The parts of a hint, in the order in which they appear: where to look, the name of the technique, the step itself. */
export const LEVELS = /** @type {const} */ (["place", "name", "step"]);

/** Return the first step that the person has not done yet. The level decides how much of the step is shown. @param {Seen<Hint>} seen @returns {Shown} */
function shownHint({ one, state: { hint }, answer }) {
  const found = answer?.hint ? [answer.hint, ...answer.leads_to] : [];
  const steps = found.map((step, place) => ({ ...step, ...answer?.steps[place] }));
  const isOpen = (/** @type {[number, number]} */ [cell, digit]) => !one.now.struck?.[cell]?.includes(`${digit}`);
  const left = steps.filter((step) => step === steps.at(-1) || step.eliminations.some(isOpen));
  const step = left.at(0);
  const level = LEVELS[step?.text === hint.text ? hint.level : 0];
  const whole = level === "step" ? step : undefined;
  const drawn = whole?.placements ?? [];
  const unsure = one.grid.status === "uncertain";
  const where = step ? t("hint.where", { place: step.place }) : "";
  return {
    title: step && level !== "place" ? step.name : undefined,
    sentence: where || (answer ? nothingFound(answer.status) : t("hint.looking")),
    more: whole?.text,
    shapes: whole?.view.shapes,
    placed: filledWith(NO_DIGITS, drawn),
    look: step && !whole ? cellsOfPlace(step, one.view) : [],
    focus: drawn[0]?.[0],
    hint: {
      step,
      level,
      isLast: !step || Boolean(whole && left.length === 1 && !drawn.length),
      isWaiting: !answer,
      label: t(!whole ? `hint.${level}` : drawn.length ? "hint.filled" : "hint.next"),
      caution: step ? (unsure ? t("hint.unsure") : answer?.message ?? "") : "",
      count: left.length,
    },
  };
}

/** Return a sentence that says why there is no step. @param {string} status the status of the puzzle */
const nothingFound = (status) =>
  t({ many: "hint.many", one: "hint.full", gave_up: "improper.gave_up" }[status] ?? "hint.none");

/** Return the place of a step: the cells of its units or its pattern if they are few, otherwise one cell. @param {Step} step @param {GridView} view */
const cellsOfPlace = ({ units, cells }, view) =>
  units.length && units.length <= FEW
    ? units.flatMap((unit) => view.units[unit] ?? [])
    : cells.slice(0, cells.length <= FEW ? FEW : 1);

/** @param {Seen<{check: Check, view: GridView}>} seen @returns {Shown} */
function shownCheck({ state, answer, other }) {
  if (!answer) return { sentence: t("check.looking"), check: null };
  const { check, view } = answer;
  const verdicts = /** @type {[number, Verdict][]} */ ([
    ...check.right.map((cell) => [cell, "right"]),
    ...check.wrong.map(({ cell }) => [cell, "wrong"]),
    ...check.unclear.map(({ cell }) => [cell, "unclear"]),
  ]);
  return {
    status: check.status === "wrong" || check.status === "right" ? "" : check.status,
    title: t("mode.check"),
    sentence: (check.status === "unreadable" && other) || sentenceOfCheck(check, state.check.marks),
    shapes: view.shapes,
    verdicts: new Map(verdicts),
    check,
  };
}

/** @param {Check} check @param {boolean} hasMarks whether pencil marks are checked, too */
function sentenceOfCheck(check, hasMarks) {
  if (["many_solutions", "no_solution"].includes(check.status)) return t(`check.${check.status}`);
  if (check.status === "unreadable") return t("say.unreadable");
  if (check.complete) return t("check.complete");
  const [right, wrong, unclear] = [check.right.length, check.wrong.length, check.unclear.length];
  return sentences(
    check.status === "uncertain" && !unclear && t("check.uncertain"),
    sentenceOfCounts({ right, wrong, unclear }),
    hasMarks && !check.lost_marks?.length && t("check.marks.good"),
    check.left && t("check.left", { count: check.left }),
  );
}

/** @param {{right: number, wrong: number, unclear: number}} counts how many entries are right, wrong or unclear */
export function sentenceOfCounts({ right, wrong, unclear }) {
  if (right + wrong + unclear === 0) return t("check.nothing");
  return sentences(
    right && t(wrong || unclear ? "check.right" : "check.allRight", { count: right }),
    wrong && t("check.wrong", { count: wrong }),
    unclear && t("check.unclear", { count: unclear }),
  );
}

/** Return the texts of all steps as one text. The chosen step stays chosen until this text changes. @param {Explanation | null} explanation */
export const textOfSteps = (explanation) => (explanation?.steps ?? []).map((step) => step.text).join(" ");

/** @param {Seen<Explanation>} seen @returns {Shown} */
function shownSteps({ one, state: { steps }, answer: explanation }) {
  const number = explanation && textOfSteps(explanation) === steps.text ? steps.number : 0;
  const step = explanation?.steps[number];
  if (!step) {
    const sentence = explanation ? nothingFound(explanation.status) : t("hint.looking");
    return { sentence, steps: { explanation, number } };
  }
  const { grid, now } = one;
  const filled = without(
    step.board ?? "",
    (cell, digit) => grid.puzzle[cell] !== "0" || grid.written[cell] !== "0" || now.entries[cell] === digit,
  );
  const before = explanation.steps.slice(0, number).flatMap(({ view }) => view.placed);
  const count = explanation.steps.length;
  return {
    sentence: t("steps.intro", { count }),
    more: `${t("steps.number", { number: number + 1, count })}. ${step.text}`,
    shapes: [...before.filter(({ cell = -1 }) => (filled[cell] ?? "0") !== "0"), ...step.view.shapes],
    placed: filledWith(filled, step.placements),
    focus: step.placements[0]?.[0],
    steps: { explanation, number },
  };
}
