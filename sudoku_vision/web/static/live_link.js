// @ts-check
/**
 * The line to the service: frames go out one at a time, each is answered before the next.
 *
 * They go through a WebSocket. Where none can be opened, or where it dies before it has answered anything (some
 * proxies let none pass), each frame is posted instead, and the WebSocket is tried again after pauses that grow.
 */
import { ApiError, askLive, parsed } from "./api.js";
import { language } from "./language.js";

/** @typedef {import("./types.js").LiveAnswer} LiveAnswer */

/** Milliseconds until a WebSocket must be open, and until a frame must be answered: the service gives up after 10 s. */
const OPENING = 4000;
const ANSWERING = 15000;
/** Milliseconds until the WebSocket is tried again after the first failure, doubled with each, and at most. */
const FIRST_RETRY = 2500;
const LONGEST_RETRY = 60000;

export class Link {
  /** @type {WebSocket | null} */
  line = null;
  /** Whether it has answered a frame, and what it was last told of what is to be drawn. */
  answered = false;
  wish = "";
  failures = 0;
  retryAt = 0;
  stop = new AbortController();
  session = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

  /**
   * Send a frame, and return what is seen in it. Raises ApiError.
   * @param {Blob} jpeg @param {import("./types.js").LiveMode} mode @returns {Promise<LiveAnswer>}
   */
  async ask(jpeg, mode) {
    const wish = { mode, language: language() };
    const line = await this.#opened();
    const answer = line && (await this.#exchanged(line, JSON.stringify(wish), jpeg));
    if (answer?.error) throw new ApiError(answer.error.code, answer.error.message);
    if (answer) {
      this.answered = true;
      return answer;
    }
    if (line) {
      this.#hangUp();
      if (this.answered) return this.ask(jpeg, mode); // it may have been cut off: a new one may work
      this.#postpone();
    }
    if (this.stop.signal.aborted) throw new ApiError("cancelled");
    return askLive(this.session, wish, jpeg, this.stop.signal);
  }

  /** End it. */
  close() {
    this.stop.abort();
    this.#hangUp();
  }

  /** Return the WebSocket, a new one where there is none; null where it can't be opened, or not yet. */
  async #opened() {
    if (this.line?.readyState === WebSocket.OPEN) return this.line;
    this.#hangUp();
    Object.assign(this, { answered: false, wish: "" });
    if (this.stop.signal.aborted || performance.now() < this.retryAt) return null;
    const line = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/api/live`);
    this.line = line;
    await new Promise((done) => {
      setTimeout(done, OPENING);
      line.onopen = line.onclose = done;
    });
    if (line.readyState === WebSocket.OPEN && this.line === line) return line;
    this.#hangUp();
    this.#postpone();
    return null;
  }

  /**
   * Send what is to be drawn, if that is new, and a frame; return what comes back, null where nothing does.
   * @param {WebSocket} line @param {string} wish @param {Blob} jpeg @returns {Promise<any>}
   */
  async #exchanged(line, wish, jpeg) {
    if (wish !== this.wish) line.send(wish);
    this.wish = wish;
    line.send(jpeg);
    let late = 0;
    const heard = await new Promise((done) => {
      late = setTimeout(done, ANSWERING);
      line.onmessage = done;
      line.onclose = done;
    });
    clearTimeout(late);
    return parsed(heard?.data);
  }

  /** Close the line; one that is still being opened after that, as browsers complain of it before. */
  #hangUp() {
    const { line } = this;
    this.line = null;
    if (line?.readyState === WebSocket.CONNECTING) line.onopen = () => line.close();
    else line?.close();
  }

  #postpone() {
    this.retryAt = performance.now() + Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** this.failures);
    this.failures += 1;
  }
}
