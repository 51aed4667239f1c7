// @ts-check
/**
 * The state of the page. When a person does something, main.js, pointing.js or keyboard.js call functions of acts.js,
 * writing.js and reader.js. These change the state, and then render.js shows it: modes.js returns what the mode shows of
 * the puzzle, scene.js how photo and board look then, and the views write this into the page.
 */
/** @import { GridSession, Kind, Point, State } from "./types.js" */

/** @type {State} */
export const state = {
  view: "start",
  opened: [],
  reading: null,
  get session() {
    return this.reading?.isOther ? null : (this.opened[0] ?? null);
  },
  problem: null,
  bringBack: null,
  mode: "answers",
  answersShown: true,
  fresh: true,
  check: { answers: false, marks: false },
  hint: { text: "", level: 0 },
  steps: { text: "", number: 0 },
  known: new Map(),
  cells: [],
  pointed: "photo",
  tabbed: 0,
  kind: "entry",
  looks: false,
  corners: null,
  finishes: false,
};

/** Return the open grid. @returns {GridSession | null} */
export const current = () => state.session?.current ?? null;

/** Return the cell that was chosen last, -1 for none. */
export const chosenCell = () => state.cells.at(-1) ?? -1;

/** Return the grids of the open page. @returns {GridSession[]} */
export const openGrids = () => state.session?.grids[state.session.page] ?? [];

/** Return the width and height of the picture that was read, in pixels. @returns {Point} */
export const pictureSize = () => state.session?.pages[state.session.page].view?.size ?? [1, 1];

/** @param {Kind} kind @returns {kind is "clue" | "written"} whether the keys correct how the photo was read */
export const isCorrection = (kind) => kind === "clue" || kind === "written";
