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
/** @typedef {import("./types.js").LiveMode} LiveMode */

/** Milliseconds until a WebSocket must be open, and until a frame must be answered: the service gives up after 10 s. */
const OPENING = 4000;
const ANSWERING = 15000;
/** Milliseconds until the WebSocket is tried again after the first failure, doubled with each, and at most. */
const FIRST_RETRY = 2500;
const LONGEST_RETRY = 60000;

export class Link {
  constructor() {
    /** @type {Socket | null} */
    this.socket = null;
    this.failures = 0;
    this.retryAt = 0;
    this.stop = new AbortController();
    this.session = hexDigits(16);
  }

  /**
   * Send a frame, and return what is seen in it. Raises ApiError.
   * @param {Blob} jpeg @param {LiveMode} mode @returns {Promise<LiveAnswer>}
   */
  async ask(jpeg, mode) {
    for (let tries = 0; tries < 2; tries += 1) {
      // one that has worked may have been cut off: a new one may work
      const socket = await this.#opened();
      if (!socket) break;
      try {
        return await socket.ask(jpeg, mode);
      } catch (error) {
        if (error instanceof ApiError) throw error;
        this.#hangUp();
        if (socket.answered) continue;
        this.#postpone();
        break;
      }
    }
    if (this.stop.signal.aborted) throw new ApiError("cancelled");
    return askLive(this.session, { mode, language: language() }, jpeg, this.stop.signal);
  }

  /** End it. */
  close() {
    this.stop.abort();
    this.#hangUp();
  }

  /** @returns {Promise<Socket | null>} */
  async #opened() {
    if (this.stop.signal.aborted) return null;
    if (this.socket?.isOpen) return this.socket;
    this.#hangUp();
    if (performance.now() < this.retryAt) return null;
    const socket = new Socket(liveAddress());
    this.socket = socket;
    if ((await socket.opened) && this.socket === socket) return socket;
    this.#hangUp();
    this.#postpone();
    return null;
  }

  #hangUp() {
    this.socket?.close();
    this.socket = null;
  }

  #postpone() {
    this.retryAt = performance.now() + Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** this.failures);
    this.failures += 1;
  }
}

/** One WebSocket: `answered` frames so far. */
class Socket {
  /** @param {string} address */
  constructor(address) {
    this.answered = 0;
    /** @type {LiveMode} */
    this.mode = "answers";
    /** @type {{done: (answer: LiveAnswer) => void, failed: (error: Error) => void} | null} */
    this.waiting = null;
    /** @type {ApiError | null} */
    this.refused = null;
    this.line = new WebSocket(address);
    this.line.addEventListener("message", ({ data }) => this.#heard(data));
    this.line.addEventListener("close", () => this.#broke());
    this.opened = new Promise((done) => {
      const late = setTimeout(() => done(false), OPENING);
      const told = (/** @type {boolean} */ open) => () => {
        clearTimeout(late);
        done(open);
      };
      this.line.addEventListener("open", told(true));
      this.line.addEventListener("close", told(false));
    });
  }

  get isOpen() {
    return this.line.readyState === WebSocket.OPEN;
  }

  /** @param {Blob} jpeg @param {LiveMode} mode @returns {Promise<LiveAnswer>} */
  async ask(jpeg, mode) {
    if (this.refused) throw this.refused;
    if (!this.isOpen) throw new Error("closed");
    const late = setTimeout(() => this.#broke(), ANSWERING);
    if (mode !== this.mode) this.line.send(JSON.stringify({ mode, language: language() }));
    this.mode = mode;
    this.line.send(jpeg);
    try {
      return await new Promise((done, failed) => {
        this.waiting = { done, failed };
      });
    } finally {
      clearTimeout(late);
      this.waiting = null;
    }
  }

  /** Close the line; one that is still being opened after that, as browsers complain of it before. */
  close() {
    if (this.line.readyState === WebSocket.CONNECTING)
      this.line.addEventListener("open", () => this.line.close());
    else this.line.close();
    this.#broke();
  }

  #broke() {
    this.waiting?.failed(this.refused ?? new Error("closed"));
  }

  /** @param {unknown} data */
  #heard(data) {
    const answer = parsed(data);
    if (!answer) return this.waiting?.failed(new Error("not understood"));
    if (answer.error) {
      const error = new ApiError(answer.error.code, answer.error.message);
      if (this.waiting) this.waiting.failed(error);
      else this.refused = error;
    } else {
      this.answered += 1;
      this.waiting?.done(answer);
    }
  }
}

const liveAddress = () => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/api/live`;

/** @param {number} bytes */
const hexDigits = (bytes) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
