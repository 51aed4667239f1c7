// @ts-check
/** Reads pictures and texts, one at a time; a new one stops the reading of the one before. */
/** @import { Point, Workspace } from "./types.js" */
import { ApiError } from "./api.js";
import { NO_DIGITS } from "./board.js";
import { Corners } from "./corners.js";
import { buttonById, byId, inputById, say } from "./dom.js";
import { forget, keptPuzzles } from "./kept.js";
import { t } from "./language.js";
import { Session } from "./session.js";
import { reduced } from "./shrink.js";
import { TakeAway } from "./take_away.js";
import { clearProblem, fail, goTo, show } from "./views.js";

/** Milliseconds of reading after which the page shows that it is reading. */
const SIGN_OF_LIFE = 200;

export class Reader {
  /** @type {AbortController | null} */
  running = null;

  /** @param {Workspace} space */
  constructor(space) {
    this.space = space;
    this.takeAway = new TakeAway(space);
    new Corners(space, (points) => this.readAgain(points));
    buttonById("reading-cancel").addEventListener("click", () => this.running?.abort());
    buttonById("resume").addEventListener("click", () => this.resume());
    buttonById("type-board").addEventListener("click", () => this.readText(NO_DIGITS));
    buttonById("typing-solve").addEventListener("click", () => this.#readTyped());
  }

  /** Stop reading, because the start is shown; the puzzle that was open before is open again. */
  leave() {
    this.running?.abort();
    this.running = null;
    byId("work").classList.remove("waiting", "reading");
    this.space.photo.mark(null);
    this.space.session ??= this.space.aside;
    this.space.selection.choose();
  }

  /** @param {Blob} file */
  readFile(file) {
    return this.#open(t("reading.title"), async (signal) => {
      const sent = await reduced(file);
      this.space.photo.show(sent);
      const session = await Session.open(sent, { signal, onUpload: showUpload });
      session.original = file;
      return session;
    });
  }

  /** @param {string} text */
  readText(text) {
    return this.#open(t("reading.board"), (signal) => Session.open(text, { signal }));
  }

  /** Read the digits that were typed or pasted as the clues of a puzzle. */
  #readTyped() {
    const field = inputById("typing-text");
    const { current: one } = this.space;
    const { board: puzzle, rules } = one ?? {};
    const typed = field.value.trim();
    if (!one || !/[1-9]/.test(typed || one.board)) return say(t(typed ? "remedy.bad_board" : "typing.none"));
    field.value = "";
    this.#open(t("reading.board"), async (signal) => {
      const session = await Session.open(typed || JSON.stringify({ puzzle, rules }), { signal });
      forget([one.id]); // the new puzzle replaces the typed board
      return session;
    });
  }

  /** Go on with the open puzzle, or with the kept puzzle *id*; return false if there is none. @param {string} [id] */
  resume(id) {
    const { aside, opened } = this.space;
    const session = id ? opened.find(({ grids }) => grids.flat().some((one) => one.id === id)) : aside;
    if (session) {
      goTo("work");
      if (session === aside) this.space.takeBack();
      else this.space.take(session);
      return true;
    }
    const kept = keptPuzzles().find((one) => !id || one.id === id);
    if (kept) this.#open(t("reading.board"), (signal) => Session.goOn(kept, { signal }), false);
    return Boolean(kept);
  }

  /**
   * Open another picture or board. Until it is read, and if it can't be read, the session before stays as it was.
   * @param {string} title @param {(signal: AbortSignal) => Promise<Session>} open
   * @param {boolean} [isOther] whether the new session has no entry of its own in the history yet
   */
  #open(title, open, isOther = true) {
    const before = document.body.dataset.view === "work" ? "work" : "start";
    const opener = /** @type {HTMLElement} */ (document.activeElement);
    const isNew = goTo("work", isOther);
    const back = async () => {
      if (isNew) {
        history.back();
        await new Promise((done) => addEventListener("popstate", done, { once: true }));
      } else {
        show(before);
        if (before === "work") await this.space.takeBack();
      }
      (opener === document.body ? byId("content") : opener).focus();
    };
    this.space.photo.mark(null);
    this.space.leave();
    return this.#run(title, () => this.#open(title, open, isOther), back, open);
  }

  /** Read the same picture within corners that a person marked. @param {Point[]} corners */
  async readAgain(corners) {
    const { session } = this.space;
    if (!session) return;
    await this.#run(
      t("reading.title"),
      () => this.readAgain(corners),
      () => this.space.showPage(),
      (signal) => session.readWithin(corners, signal),
    );
  }

  /**
   * @param {string} title @param {() => void} again @param {() => void} back shows again what was shown before
   * @param {(signal: AbortSignal) => Promise<Session>} open
   */
  async #run(title, again, back, open) {
    this.running?.abort();
    const running = (this.running = new AbortController());
    const work = byId("work");
    clearProblem();
    byId("reading-title").textContent = title;
    byId("reading-sent").hidden = true;
    work.classList.add("waiting");
    const sign = setTimeout(() => {
      work.classList.add("reading");
      say(title, true);
    }, SIGN_OF_LIFE);
    try {
      const session = await open(running.signal);
      if (running !== this.running) return;
      await this.space.photo.unpacked;
      work.classList.remove("waiting");
      this.takeAway.begin();
      await this.space.take(session);
      if (document.activeElement === document.body) byId("status-title").focus({ preventScroll: true });
    } catch (error) {
      if (running !== this.running) return;
      work.classList.remove("waiting", "reading");
      await back();
      if (error instanceof ApiError && error.code === "cancelled") say(t("problem.cancelled"));
      else fail(error, again);
    } finally {
      clearTimeout(sign);
      if (running === this.running) work.classList.remove("waiting", "reading");
    }
  }
}

/** Show which share of a photo is sent. @param {number} share 0..1 */
function showUpload(share) {
  byId("reading-title").textContent = t(share < 1 ? "reading.sending" : "reading.title");
  const bar = /** @type {HTMLProgressElement} */ (byId("reading-sent"));
  [bar.value, bar.hidden] = [share, share === 1];
}
