// @ts-check
/**
 * One picture or board, and what is known of its grids. Each question goes with the grid's first state and
 * all that a person said since; where the service has forgotten its states, the picture is sent again.
 */
import * as api from "./api.js";
import { CLASSIC } from "./board.js";
import { photoOf } from "./kept_photos.js";
import { NOTHING_DONE, notesOf, overridesText, standing } from "./solving.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Point} Point */

/** One grid: as it was first read, as it reads with a person's corrections, and all that a person did on it. */
export class GridSession {
  /** @param {import("./types.js").Grid} grid @param {import("./types.js").GridView} view */
  constructor(grid, view) {
    this.id = `${Date.now()}-${Math.random()}`;
    this.first = this.grid = grid;
    this.view = view;
    this.state = view.state;
    this.solving = NOTHING_DONE;
    /** The word by which it was read. */
    this.readBy = this.word;
    /** What a person had done on it when the browser last kept it. */
    this.kept = "";
  }

  /** What a person has said and written by now. */
  get now() {
    return this.solving.now;
  }

  /** What a person says of the picture, as the service reads it. */
  get said() {
    const { rules: { name: rules = "", regions = "" } = {} } = this.now;
    return { overrides: overridesText(this.now), rules, regions };
  }

  /** The same as text, to be compared. */
  get word() {
    return JSON.stringify(this.said);
  }

  get rules() {
    return this.grid.rules ?? CLASSIC;
  }

  /** The 81 digits that stand in it, 0 for none. */
  get board() {
    return standing(this.grid, this.now);
  }

  /** Whether a person has begun to solve it here. */
  get isBegun() {
    return /[1-9]/.test(this.now.entries) || Boolean(this.ownNotes);
  }

  /** Whether a person noted something in every blank cell, so that hints may go on from the notes. */
  get isNoted() {
    const { board, notes } = this;
    return this.isBegun && notes.every((some, cell) => some || board[cell] !== "0");
  }

  /** Whether it is an empty board of ours, into which a puzzle is being typed. */
  get isTyped() {
    return !this.grid.corners && !/[1-9]/.test(this.grid.puzzle);
  }

  /** The notes of each cell without a digit. */
  get notes() {
    return notesOf(this.grid, this.now);
  }

  /** The same where a person has noted anything here, or else null. */
  get ownNotes() {
    return Object.keys(this.now.notes).length ? this.notes : null;
  }
}

export class Session {
  /** @param {Blob | string} source @param {{pages: Page[], next_page: number | null}} read */
  constructor(source, { pages, next_page }) {
    this.source = source;
    this.lastPage = next_page && next_page - 1;
    /** The file that a person chose, where a smaller copy of it was read. @type {Blob | null} */
    this.original = null;
    /** Where a person said that the puzzle of a page lies. @type {Map<number, Point[]>} */
    this.corners = new Map();
    this.pages = pages;
    this.grids = pages.map(sessionsOf);
    this.page = Math.max(0, pages.findIndex((page) => page.grids.length > 0));
    this.number = firstReadable(this.grids[this.page]);
  }

  /** Read a source. @param {Blob | string} source @param {api.Wishes} wishes */
  static async open(source, wishes) {
    return new Session(source, await api.solve(source, wishes));
  }

  /**
   * Go on with a puzzle that was kept: in its photo, if that was kept and reads as it did.
   * @param {import("./kept.js").Kept} kept @param {api.Wishes} wishes
   */
  static async goOn({ id, grid, solving }, wishes) {
    const photo = await photoOf(id);
    let session = photo && (await Session.open(photo, wishes));
    if (!session?.turnToPuzzle(grid.puzzle)) session = await Session.open(JSON.stringify(grid), wishes);
    const one = /** @type {GridSession} */ (session.current);
    Object.assign(one, { id, solving });
    if (one.word !== one.readBy) await session.settle(one);
    return session;
  }

  /**
   * Read the page in hand again, within corners that a person marked.
   * @param {Point[]} corners @param {AbortSignal} signal
   */
  async readWithin(corners, signal) {
    const place = this.page;
    const page = await this.#readPage(place, corners, signal);
    this.corners.set(place, corners);
    this.pages[place] = page;
    this.grids[place] = sessionsOf(page);
    this.turnTo(place);
    return this;
  }

  /** @param {number} place @param {Point[]} corners @param {AbortSignal} [signal] */
  async #readPage(place, corners, signal) {
    const page = this.pages.length > 1 ? this.pages[place].page : undefined;
    return (await api.solve(this.source, { corners, page, signal })).pages[0];
  }

  /** The grid in hand; null where none was found. */
  get current() {
    return this.grids[this.page][this.number] ?? null;
  }

  /** @param {number} page */
  turnTo(page) {
    this.page = page;
    this.number = firstReadable(this.grids[page]);
  }

  /** Turn to the grid with these clues; false where there is none. @param {string} puzzle */
  turnToPuzzle(puzzle) {
    const numbers = this.grids.map((grids) => grids.findIndex(({ grid }) => grid.puzzle === puzzle));
    const page = numbers.findIndex((number) => number >= 0);
    if (page >= 0) [this.page, this.number] = [page, numbers[page]];
    return page >= 0;
  }

  /**
   * Ask about a grid, with all that a person said of it and wrote into it.
   * @param {GridSession} one @param {"settle" | "check" | "hint" | "explain"} what
   * @param {Object<string, unknown>} [more]
   */
  async ask(one, what, more = {}) {
    const question = () => ({ state: one.state, ...one.said, filled: one.now.entries, ...more });
    try {
      return await api.ask(what, question());
    } catch (error) {
      if (!(error instanceof api.ApiError && error.code === "bad_state")) throw error;
    }
    await this.renew();
    return api.ask(what, question());
  }

  /**
   * Have a grid read again by a person's word; false where another word was said meanwhile.
   * @param {GridSession} one
   */
  async settle(one) {
    const { word } = one;
    const { grid, view } = await this.ask(one, "settle");
    if (one.word !== word) return false;
    one.readBy = word;
    one.grid = grid;
    one.view = { ...view, crossings: one.view.crossings }; // what was measured by them stays known
    return true;
  }

  /** Send the source again, as after a restart of the service, and take over its new states. */
  async renew() {
    const known = this.corners.size === this.pages.length;
    const pages = known ? [...this.pages] : (await api.solve(this.source)).pages;
    for (const [place, corners] of this.corners) pages[place] = await this.#readPage(place, corners);
    pages.forEach((page, number) =>
      page.view.grids.forEach((view, place) => {
        const one = this.grids[number]?.[place];
        if (one) one.state = view.state;
      }),
    );
  }
}

/** @param {Page} page */
const sessionsOf = (page) => page.grids.map((grid, place) => new GridSession(grid, page.view.grids[place]));

/** @param {GridSession[]} grids */
const firstReadable = (grids) => Math.max(0, grids.findIndex(({ grid }) => grid.status !== "unreadable"));
