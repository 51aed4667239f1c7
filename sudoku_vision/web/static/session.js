// @ts-check
/**
 * One picture or board, and what is known of its grids. Each question to the service holds the first state of the grid,
 * and all that the person has done since. After a restart, the service refuses the state; then the picture is sent again.
 */
/** @import { Crossings, Grid, GridView, Kept, Page, Point } from "./types.js" */
import * as api from "./api.js";
import { CELLS, CLASSIC, clashesOf, NO_DIGITS, without } from "./board.js";
import { addressOf, plainBoard } from "./draw.js";
import { cellCorners } from "./geometry.js";
import { photoOf } from "./kept.js";
import { NOTHING_DONE, overridesText, standing, textsOf } from "./solving.js";

/** Milliseconds after which a person can go on with a kept puzzle, even if the service hasn't read it. */
const PATIENCE = 10_000;

/** A drawing of a board in text, as in the service: its size, in pixels; the margin, in cells; a cell's side, in pixels. */
const PLAIN_SIZE = /** @type {[number, number]} */ ([1008, 1008]);
const MARGIN = 0.75;
const CELL = 96;

/** One grid: as it was first read, as it is read with the corrections, and all that a person has done on it. */
export class GridSession {
  /** @param {Grid} grid @param {GridView} view */
  constructor(grid, view) {
    this.id = `${Date.now()}-${Math.random()}`;
    this.first = this.grid = grid;
    this.view = view;
    this.take(grid, view);
    this.state = view.state;
    this.solving = NOTHING_DONE;
    /** The corrections with which `grid` was read, as text. */
    this.readWith = this.correctionsText;
    /** The seconds that a person has spent on the grid so far. */
    this.seconds = 0;
    /** Whether the service hasn't read the grid, because it could not be reached. */
    this.isUnread = false;
    /** The person's work as the browser has last kept it, as text. */
    this.kept = "";
  }

  /** Take over a new reading of the grid. @param {Grid} grid @param {GridView} view */
  take(grid, view) {
    this.grid = grid;
    this.view = grid.corners ? view : { ...view, covers: plainCovers(grid, view.crossings) };
  }

  /** The person's work. */
  get now() {
    return this.solving.now;
  }

  /** The corrections of the reading, in the form that the service expects. */
  get corrections() {
    return { overrides: overridesText(this.now), rules: this.now.rules ? JSON.stringify(this.now.rules) : "" };
  }

  get correctionsText() {
    return JSON.stringify(this.corrections);
  }

  /** The rules that a person chose, even before the service has read the grid by them; otherwise those of the reading. */
  get rules() {
    return this.now.rules ?? this.grid.rules ?? CLASSIC;
  }

  /** The 81 digits in the grid, 0 for none. */
  get board() {
    return standing(this.grid, this.now);
  }

  /** The 81 digits in the grid, without unclear digits on paper: those may be erased ones, for example. */
  get sureBoard() {
    return without(this.board, (cell) => this.view.unclear.includes(cell) && this.now.entries[cell] === "0");
  }

  /** The cells whose digits contradict one another. */
  get clashes() {
    return clashesOf(this.sureBoard, this.rules);
  }

  /** The cells whose digits differ from the solution, if it is known. */
  get wrong() {
    const { sureBoard: board, grid } = this;
    return CELLS.filter(
      (cell) => board[cell] !== "0" && grid.solution && ![grid.puzzle[cell], grid.solution[cell]].includes(board[cell]),
    );
  }

  /** The doubts about the reading that the person has not settled yet. */
  get openDoubts() {
    return this.grid.doubts.filter(({ cell, cages }) => cages || !(cell in this.now.corrections));
  }

  /** Whether every cell is filled, and all of it is right. */
  get isDone() {
    return !this.board.includes("0") && !clashesOf(this.board, this.rules).length;
  }

  /** Whether something was written on the paper. */
  get isWrittenOn() {
    return /[1-9]/.test(this.grid.written) || this.grid.marks.some(Boolean);
  }

  /** The 81 digits in the grid without the clues, 0 for none. */
  get filled() {
    return without(this.board, (cell) => this.grid.puzzle[cell] !== "0");
  }

  /** Whether a person has begun to solve the puzzle on this page. */
  get isBegun() {
    return /[1-9]/.test(this.now.entries) || Boolean(this.ownCandidates);
  }

  /** Whether a person has notes in every blank cell, so that hints can go on from them. */
  get isNoted() {
    const { board, candidates } = this;
    return this.isBegun && candidates.every((some, cell) => some || board[cell] !== "0");
  }

  /** Whether this is a board in text. It has no photo: the page draws it. */
  get inText() {
    return !this.grid.corners;
  }

  /** Whether this is an empty board, into which a person types a puzzle. */
  get isTyped() {
    return this.inText && !this.first.rules?.cages && !/[1-9]/.test(this.grid.puzzle);
  }

  /** The picture of a board in text as a data: address, null if there is a photo. */
  get picture() {
    return this.inText ? addressOf(plainBoard(this.grid, MARGIN), PLAIN_SIZE) : null;
  }

  /** The notes in each cell that has no digit. */
  get notes() {
    return textsOf(this.grid, this.now, "notes");
  }

  /** The notes in the middle of each cell that has no digit. */
  get centre() {
    return textsOf(this.grid, this.now, "centre");
  }

  /** The candidates of each cell: its notes in the middle, or if there are none, its other notes. */
  get candidates() {
    const { centre, notes } = this;
    return centre.map((digits, cell) => digits || notes[cell]);
  }

  /** The candidates of each cell if a person has noted anything on this page, otherwise null. */
  get ownCandidates() {
    const { notes, centre } = this.now;
    return Object.keys({ ...notes, ...centre }).length ? this.candidates : null;
  }
}

export class Session {
  /** The file that a person chose, if a smaller copy of it was sent. @type {Blob | null} */
  original = null;
  /** The corners that a person marked, by page. @type {Map<number, Point[]>} */
  corners = new Map();

  /** @param {Blob | string} source @param {{pages: Page[], next_page: number | null}} read */
  constructor(source, { pages, next_page }) {
    this.source = source;
    this.lastPage = next_page && next_page - 1;
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
   * Go on with a kept puzzle, in its photo if the photo was kept and the puzzle is found in it. If the service can't be
   * reached, the puzzle is not read.
   * @param {Kept} kept @param {api.Wishes} wishes
   */
  static async goOn(kept, wishes) {
    const signals = [wishes.signal ?? [], AbortSignal.timeout(PATIENCE)].flat();
    try {
      return await Session.#readKept(kept, { signal: AbortSignal.any?.(signals) ?? wishes.signal });
    } catch (error) {
      const isSilent = error instanceof api.ApiError && ["offline", "gone", "cancelled"].includes(error.code);
      if (wishes.signal?.aborted || !isSilent) throw error;
    }
    const { id, solving, seconds = 0 } = kept;
    const grid = unread(kept);
    const view = { size: PLAIN_SIZE, preview: null, grids: [plainView()] };
    const page = { source: "", page: 1, status: grid.status, message: "", grids: [grid], view };
    const session = new Session(JSON.stringify(kept.grid), { pages: [page], next_page: null });
    const [[one]] = session.grids;
    Object.assign(one, { id, solving, seconds, first: kept.grid, isUnread: true });
    one.readWith = one.correctionsText;
    return session;
  }

  /** @param {Kept} kept @param {api.Wishes} wishes */
  static async #readKept({ id, grid, solving, seconds = 0 }, wishes) {
    const photo = await photoOf(id);
    let session = photo && (await Session.open(photo, wishes));
    if (!session?.turnToPuzzle(grid.puzzle)) session = await Session.open(JSON.stringify(grid), wishes);
    const one = /** @type {GridSession} */ (session.current);
    Object.assign(one, { id, solving, seconds });
    if (one.correctionsText !== one.readWith) await session.settle(one);
    return session;
  }

  /**
   * Read the open page again, within corners that a person marked.
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

  /** The open grid, null if no grid was found. */
  get current() {
    return this.grids[this.page][this.number] ?? null;
  }

  /** @param {number} page */
  turnTo(page) {
    this.page = page;
    this.number = firstReadable(this.grids[page]);
  }

  /** Turn to the grid with these clues, and return whether there is one. @param {string} puzzle */
  turnToPuzzle(puzzle) {
    const numbers = this.grids.map((grids) => grids.findIndex(({ grid }) => grid.puzzle === puzzle));
    const page = numbers.findIndex((number) => number >= 0);
    if (page >= 0) [this.page, this.number] = [page, numbers[page]];
    return page >= 0;
  }

  /**
   * Ask about a grid, with all that a person has corrected and written.
   * @param {GridSession} one @param {"settle" | "check" | "hint" | "explain"} what
   * @param {Object<string, unknown>} [more]
   */
  async ask(one, what, more = {}) {
    const question = () => ({ state: one.state, ...one.corrections, filled: one.now.entries, ...more });
    try {
      return await api.ask(what, question());
    } catch (error) {
      if (!(error instanceof api.ApiError && error.code === "bad_state")) throw error;
    }
    await this.renew();
    return api.ask(what, question());
  }

  /** Read a grid again with its corrections; return false if the corrections have changed meanwhile. @param {GridSession} one */
  async settle(one) {
    const { correctionsText } = one;
    const { grid, view } = await this.ask(one, "settle");
    if (one.correctionsText !== correctionsText) return false;
    one.readWith = correctionsText;
    one.take(grid, { ...view, covers: one.view.covers }); // the service sends covers only for a photo
    return true;
  }

  /** Send the source again, because the service no longer knows the states, and take over the new states. */
  async renew() {
    const known = this.corners.size === this.pages.length;
    const pages = known ? [...this.pages] : (await api.solve(this.source)).pages;
    for (const [place, corners] of this.corners) pages[place] = await this.#readPage(place, corners);
    pages.forEach((page, number) =>
      page.view.grids.forEach((view, place) => {
        const one = this.grids[number]?.[place];
        if (!one) return;
        one.state = view.state;
        if (one.isUnread) one.take(page.grids[place], view);
      }),
    );
    const unread = this.grids.flat().filter((one) => one.isUnread);
    for (const one of unread) {
      one.isUnread = false;
      if (Object.values(one.corrections).some(Boolean)) await this.settle(one);
    }
  }
}

/** @param {Page} page */
const sessionsOf = (page) => page.grids.map((grid, place) => new GridSession(grid, page.view.grids[place]));

/** @param {GridSession[]} grids */
const firstReadable = (grids) => Math.max(0, grids.findIndex(({ grid }) => grid.status !== "unreadable"));

const WHITE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="#fff" d="M0 0h1v1H0z"/></svg>')}`;

/** Return the covers of the entries and marks of a plain board. @param {Grid} grid @param {Crossings} crossings */
const plainCovers = ({ written, marks }, crossings) =>
  Object.fromEntries(
    CELLS.filter((cell) => written[cell] !== "0" || marks[cell]).map((cell) => {
      const [[left, top], , [right, bottom]] = cellCorners(crossings, cell);
      /** @type {[number, number, number, number]} */
      const box = [left + 5, top + 5, right - left - 10, bottom - top - 10];
      return [cell, { href: WHITE, box, paper: "#ffffff" }];
    }),
  );

/** Return a kept grid with its corrections, as far as they are known without the service. @param {Kept} kept @returns {Grid} */
function unread({ grid, solving: { now } }) {
  const [puzzle, written] = [[...grid.puzzle], [...grid.written]];
  for (const [cell, content] of Object.entries(now.corrections)) {
    const place = Number(cell);
    const digit = content === "blank" ? "0" : content.replace("w", "");
    [puzzle[place], written[place]] = content.startsWith("w") ? ["0", digit] : [digit, "0"];
  }
  const read = { puzzle: puzzle.join(""), written: written.join(""), rules: now.rules ?? grid.rules };
  return { ...grid, ...read, status: "uncertain", corners: null, solution: null, confidence: 1, doubts: [] };
}

/** Return the view of a grid that the service hasn't read. @returns {GridView} */
function plainView() {
  const lines = Array.from({ length: 10 }, (_, line) => CELL * (MARGIN + line) - 0.5);
  const strokes = [[0.2, 1]];
  const paper = { paper: "#ffffff", colour: "#0050cd", dark: false };
  return {
    crossings: lines.map((y) => lines.map((x) => [x, y])),
    look: { height: 0.52, middle: [0.5, 0.5], strokes, ...paper },
    ...{ answers: NO_DIGITS, unclear: [], hidden: "", clues_by_hand: false, shapes: [], covers: {}, state: "" },
  };
}
