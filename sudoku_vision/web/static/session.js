/**
 * A picture or board, with its grids. Each question to the service contains the state of the grid and all that the person
 * has done since the reading. The state is a text in which the service has encoded its first reading. After a restart, the
 * service can't decode older states. Then the picture is sent again.
 */
import * as api from "./api.js";
import { CELLS, CLASSIC, clashesOf, NO_DIGITS, peersOf, without } from "./board.js";
import { addressOf, plainBoard } from "./draw.js";
import { photoOf } from "./kept.js";
import { NOTHING_DONE, overridesText, standing, textsOf } from "./solving.js";

/** How long the service may take to read a kept puzzle, in milliseconds. After that, a person can go on without the service. */
const PATIENCE = 10_000;

/** The size of the drawing of a board in text, in pixels. Size, margin and side of a cell are the same as in the service. */
const PLAIN_SIZE = /** @type {[number, number]} */ ([1008, 1008]);
const MARGIN = 0.75; // the white margin of this drawing, in cells
const CELL = 96; // the side of a cell in this drawing, in pixels

/**
 * A grid: its readings, all that a person has done on it, and what follows from these (`factsOf`).
 * @typedef {ReturnType<typeof gridSession>} GridSession
 * @param {Grid} grid @param {GridView} view
 */
function gridSession(grid, view) {
  const parts = { first: grid, grid, view, solving: NOTHING_DONE }; // `first`: the first reading; `grid`: the reading with the corrections
  const facts = factsOf(parts);
  return {
    ...parts,
    ...facts,
    id: `${Date.now()}-${Math.random()}`,
    state: view.state, // the state of the first reading, for questions to the service
    readWith: facts.correctionsText, // the corrections, as text, that `grid` already contains
    seconds: 0, // how long the person has worked on the grid
    isUnread: false, // whether the service hasn't read the grid, because it could not be reached
    kept: "", // the work that was last stored in the browser, as JSON
  };
}

/** Change parts of a grid, and compute once what follows from them. @param {GridSession} one @param {Partial<GridSession>} parts */
export const update = (one, parts) => Object.assign(one, parts, factsOf({ ...one, ...parts }));

/** @param {{first: Grid, grid: Grid, view: GridView, solving: Solving}} parts */
function factsOf({ first, grid, view, solving: { now } }) {
  const rules = now.rules ?? grid.rules ?? CLASSIC;
  const peers = peersOf(view.units, rules.cages);
  const board = standing(grid, now);
  // Unclear digits on paper are left out: a person may have erased them, for example.
  const sureBoard = without(board, (cell) => view.unclear.includes(cell) && now.entries[cell] === "0");
  const isRight = (/** @type {number} */ cell) =>
    !grid.solution || [grid.puzzle[cell], grid.solution[cell]].includes(sureBoard[cell]);
  const [notes, centre] = [textsOf(grid, now, "notes"), textsOf(grid, now, "centre")];
  // The notes in the middle of each cell or, if there are none, its other notes.
  const candidates = centre.map((digits, cell) => digits || notes[cell]);
  const ownCandidates = Object.keys({ ...now.notes, ...now.centre }).length ? candidates : null;
  const isBegun = /[1-9]/.test(now.entries) || Boolean(ownCandidates);
  const inText = !grid.corners;
  const corrections = { overrides: overridesText(now), rules: now.rules ? JSON.stringify(now.rules) : "" };
  return {
    now,
    corrections, // in the form for the service
    correctionsText: JSON.stringify(corrections),
    rules, // the rules that the person chose, otherwise the rules of the reading
    board, // the 81 digits in the grid, printed and written; 0 for a blank cell
    filled: without(board, (cell) => grid.puzzle[cell] !== "0"), // the 81 digits without the clues
    notes,
    centre,
    ownCandidates, // the candidates of each cell; null if the person has noted nothing in this page
    peers,
    clashes: clashesOf(sureBoard, peers, rules.cages),
    /** The cells whose digits differ from the solution. Without a solution, there are no such cells. */
    wrong: CELLS.filter((cell) => sureBoard[cell] !== "0" && !isRight(cell)),
    /** The doubts about the reading that the person has not settled yet. */
    openDoubts: grid.doubts.filter(({ cell, cages }) => cages || !(cell in now.corrections)).flatMap((doubt) => askedOf(doubt, grid)),
    isBegun, // whether the person has entered or noted anything in this page
    /** Whether every blank cell has notes, so that hints can start from them. */
    isNoted: isBegun && candidates.every((some, cell) => some || board[cell] !== "0"),
    isDone: !board.includes("0") && !clashesOf(board, peers, rules.cages).length,
    isWrittenOn: /[1-9]/.test(grid.written) || grid.marks.some(Boolean), // by hand, in the photo
    inText, // whether this is a board in text, which has no photo
    /** Whether the board has no clues yet, because the person types them. */
    isTyped: inText && !first.rules?.cages && !/[1-9]/.test(first.puzzle),
  };
}

/**
 * Return the doubt that the page asks about. If a cell looks blank, ask for its digit, and not who wrote it. But in a solved
 * grid, don't ask: a clue in this cell would change no answer, and the question would give the answer of the cell away.
 * @param {Doubt} doubt @param {Grid} grid @returns {Doubt[]}
 */
function askedOf(doubt, { status, written }) {
  if (doubt.kind !== "role" || doubt.digits[0] || written[doubt.cell] !== "0") return [doubt];
  return status === "solved" ? [] : [{ ...doubt, kind: "clue" }];
}

/** Return a drawing of the clues of a board in text, as a data: address. @param {GridSession} one */
export const pictureOf = ({ grid, view: { lines } }) =>
  addressOf(plainBoard({ ...grid, written: NO_DIGITS, marks: [] }, lines, MARGIN), PLAIN_SIZE);

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

  /** @param {Blob | string} source @param {api.Wishes} wishes */
  static async open(source, wishes) {
    return new Session(source, await api.solve(source, wishes));
  }

  /** Open a kept puzzle. If the service can't be reached, open it as an unread grid. @param {Kept} kept @param {api.Wishes} wishes */
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
    const view = { size: PLAIN_SIZE, preview: null, grids: [plainView(kept)] };
    const page = { source: "", page: 1, status: grid.status, message: "", grids: [grid], view };
    const session = new Session(JSON.stringify(kept.grid), { pages: [page], next_page: null });
    const [[one]] = session.grids;
    update(one, { id, solving, seconds, first: /** @type {Grid} */ ({ ...grid, ...kept.grid }), isUnread: true });
    one.readWith = one.correctionsText;
    return session;
  }

  /** Read the photo of a kept puzzle. If the photo is missing or shows another puzzle, read the kept digits. @param {Kept} kept @param {api.Wishes} wishes */
  static async #readKept({ id, grid, solving, seconds = 0 }, wishes) {
    const photo = await photoOf(id);
    let session = photo && (await Session.open(photo, wishes));
    if (!session?.turnToPuzzle(grid.puzzle)) session = await Session.open(JSON.stringify(grid), wishes);
    const one = /** @type {GridSession} */ (session.current);
    update(one, { id, solving, seconds });
    if (one.correctionsText !== one.readWith) await session.settle(one);
    return session;
  }

  /** Read the open page again, within corners. @param {Point[]} corners @param {AbortSignal} signal */
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

  /** The open grid; null if no grid was found. */
  get current() {
    return this.grids[this.page][this.number] ?? null;
  }

  /** @param {number} page */
  turnTo(page) {
    this.page = page;
    this.number = firstReadable(this.grids[page]);
  }

  /** Turn to the grid with these clues. Return false if there is no such grid. @param {string} puzzle */
  turnToPuzzle(puzzle) {
    const numbers = this.grids.map((grids) => grids.findIndex(({ grid }) => grid.puzzle === puzzle));
    const page = numbers.findIndex((number) => number >= 0);
    if (page >= 0) [this.page, this.number] = [page, numbers[page]];
    return page >= 0;
  }

  /** @param {GridSession} one @param {"settle" | "check" | "hint" | "explain"} what @param {Object<string, unknown>} [more] */
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

  /** Read a grid again with its corrections. Return false if the person changes the corrections meanwhile. @param {GridSession} one */
  async settle(one) {
    const { correctionsText } = one;
    const { grid, view } = await this.ask(one, "settle");
    if (one.correctionsText !== correctionsText) return false;
    const covers = one.view.covers; // the service sends covers only when it reads a photo
    update(one, { grid, view: { ...view, covers }, readWith: correctionsText });
    return true;
  }

  /** Send the picture again, and replace the states of its grids by the new states. */
  async renew() {
    const known = this.corners.size === this.pages.length;
    const pages = known ? [...this.pages] : (await api.solve(this.source)).pages;
    for (const [place, corners] of this.corners) pages[place] = await this.#readPage(place, corners);
    pages.forEach((page, number) =>
      page.view.grids.forEach((view, place) => {
        const one = this.grids[number]?.[place];
        if (!one) return;
        update(one, { state: view.state, ...(one.isUnread && { grid: page.grids[place], view }) });
      }),
    );
    for (const one of this.grids.flat().filter(({ isUnread }) => isUnread)) {
      one.isUnread = false;
      if (Object.values(one.corrections).some(Boolean)) await this.settle(one);
    }
  }
}

/** @param {Page} page */
const sessionsOf = (page) => page.grids.map((grid, place) => gridSession(grid, page.view.grids[place]));

/** @param {GridSession[]} grids */
const firstReadable = (grids) => Math.max(0, grids.findIndex(({ grid }) => grid.status !== "unreadable"));

/** Return a kept grid with its corrections, without a solution. @param {Kept} kept @returns {Grid} */
const unread = ({ grid, corrected }) =>
  ({ ...grid, ...corrected, status: "uncertain", corners: null, solution: null, confidence: 1, doubts: [] });

/** Return the view of a board in text that the service hasn't read. @param {Kept} kept @returns {GridView} */
function plainView({ lines: board = "", units = {} }) {
  const lines = Array.from({ length: 10 }, (_, line) => CELL * (MARGIN + line) - 0.5);
  return {
    crossings: lines.map((y) => lines.map((x) => [x, y])),
    look: { height: 0.52, middle: [0.5, 0.5], strokes: [[0.2, 1]], paper: "#ffffff", colour: "#0050cd", dark: false },
    lines: board,
    units,
    ...{ answers: NO_DIGITS, unclear: [], hidden: "", clues_by_hand: false, shapes: [], covers: {}, state: "" },
  };
}
