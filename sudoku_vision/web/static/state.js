/**
 * The state of the page. When a person does something, main.js, pointing.js or keyboard.js call functions of acts.js,
 * writing.js and reader.js. These functions change the state, and then render.js shows it: modes.js returns what the mode
 * shows of the puzzle, scene.js returns how photo and board look then, and the views write this into the page.
 */

export const state = {
  view: /** @type {"start" | "work"} */ ("start"), // the part of the page that is shown
  opened: /** @type {Session[]} */ ([]), // the sessions to which Back in the browser leads, the latest first
  reading: /** @type {Reading | null} */ (null), // the picture or text that is being read
  /** The open session; null while another session is read. @returns {Session | null} */
  get session() {
    return this.reading?.isOther ? null : (this.opened[0] ?? null);
  },
  problem: /** @type {{code: string, again: (() => void) | null} | null} */ (null), // what went wrong; `again` tries once more
  bringBack: /** @type {(() => void) | null} */ (null), // brings back the puzzles that were forgotten last
  mode: /** @type {Mode} */ ("answers"),
  answersShown: true, // whether the mode "answers" shows the answers
  fresh: true, // whether the answers are shown for the first time; if so, they appear one after the other
  check: { answers: false, marks: false }, // whether a check shows the right digits, and whether it checks marks
  hint: { text: "", level: 0 }, // the text of the step that was shown last, and the number of its last shown part, from 0
  steps: { text: "", number: 0 }, // the number of the chosen step, from 0, and the text of all steps
  known: /** @type {Map<string, {key: string, answer: any}>} */ (new Map()), // the latest question of each kind, and its answer
  cells: /** @type {readonly number[]} */ ([]), // the chosen cells, in the order in which they were chosen
  pointed: /** @type {"photo" | "board"} */ ("photo"), // where the person has last chosen a cell
  tabbed: 0, // the cell of the board to which the Tab key leads
  kind: /** @type {Kind} */ ("entry"),
  looks: false, // whether the pad shows the chosen cell in the photo
  cages: false, // whether the pad has the field for the sum of a cage, although the puzzle has no cages yet
  corners: /** @type {Point[] | null} */ (null), // the corners that a person is marking
  finishes: false, // whether the puzzle has just been completed
};

/** Return the open grid. @returns {GridSession | null} */
export const current = () => state.session?.current ?? null;

/** Return the cell that was chosen last; -1 if no cell is chosen. */
export const chosenCell = () => state.cells.at(-1) ?? -1;

/** Return the grids of the open page. @returns {GridSession[]} */
export const openGrids = () => state.session?.grids[state.session.page] ?? [];

/** Return the width and height of the picture that was read, in pixels. @returns {Point} */
export const pictureSize = () => state.session?.pages[state.session.page].view?.size ?? [1, 1];

/** @param {Kind} kind @returns {kind is "clue" | "written"} whether the keys correct how the photo was read */
export const isCorrection = (kind) => kind === "clue" || kind === "written";
