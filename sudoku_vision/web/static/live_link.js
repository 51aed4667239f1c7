// @ts-check
/** The link to the service: a WebSocket. Frames go out one at a time, and each is answered before the next. */
/** @import { LiveAnswer, LiveMode } from "./types.js" */
import { ApiError, learnLimits, parsed } from "./api.js";
import { language } from "./language.js";

/** Milliseconds until the socket must be open, and until a frame must be answered: the service gives up after 10 s. */
const OPENING = 4000;
const ANSWERING = 15000;

export class Link {
  /** @type {WebSocket | null} */
  socket = null;
  /** What the service is to draw, as it was last sent. */
  wish = "";
  closed = false;

  /**
   * Send a frame, and return what is seen in it. Raises ApiError.
   * @param {Blob} jpeg @param {LiveMode} mode @returns {Promise<LiveAnswer>}
   */
  async ask(jpeg, mode) {
    const wish = JSON.stringify({ mode, language: language() });
    const used = this.socket !== null; // it may have broken off since its last frame, and a new one may work
    const answer = (await this.#exchange(wish, jpeg)) ?? (used && (await this.#exchange(wish, jpeg)));
    if (answer?.error) throw new ApiError(answer.error.code, answer.error.message);
    if (answer) return answer;
    if (!this.closed) await learnLimits(); // raises the reason, if the service can't be reached at all
    throw new ApiError("gone");
  }

  /** End it. */
  close() {
    this.closed = true;
    this.#hangUp();
  }

  /**
   * Send what is to be drawn, if that is new, and a frame; return what comes back, null if nothing does.
   * @param {string} wish @param {Blob} jpeg @returns {Promise<any>}
   */
  async #exchange(wish, jpeg) {
    const socket = await this.#opened();
    if (!socket) return null;
    if (wish !== this.wish) socket.send(wish);
    this.wish = wish;
    socket.send(jpeg);
    const event = await new Promise((done) => {
      const late = setTimeout(done, ANSWERING);
      socket.onmessage = socket.onclose = (/** @type {Event} */ event) => {
        clearTimeout(late);
        done(event);
      };
    });
    const answer = parsed(event?.data);
    if (!answer) this.#hangUp();
    return answer;
  }

  /** Return the socket, a new one if there is none; null if it can't be opened. */
  async #opened() {
    if (this.socket?.readyState === WebSocket.OPEN) return this.socket;
    this.#hangUp();
    if (this.closed) return null;
    const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/api/live`);
    [this.socket, this.wish] = [socket, ""];
    await new Promise((done) => {
      setTimeout(done, OPENING);
      socket.onopen = socket.onclose = done;
    });
    if (socket.readyState === WebSocket.OPEN) return socket;
    this.#hangUp();
    return null;
  }

  /** Close the socket. One that is still being opened is closed after that, as browsers complain of it before. */
  #hangUp() {
    const { socket } = this;
    this.socket = null;
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }
}
