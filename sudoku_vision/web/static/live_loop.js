// @ts-check
/**
 * The loop of the live camera: take a frame, send it, show that very frame with what came back, take the next.
 *
 * While the page is hidden nothing is sent. What goes wrong is told, and tried again after a pause that grows.
 */
import { ApiError } from "./api.js";
import { Frames } from "./live_frames.js";
import { Link } from "./live_link.js";

/** @typedef {import("./live_frames.js").Frame} Frame */
/** @typedef {import("./types.js").LiveAnswer} LiveAnswer */
/** @typedef {import("./types.js").LiveMode} LiveMode */
/**
 * @typedef {{mode: () => LiveMode, onAnswer: (frame: Frame, answer: LiveAnswer) => void,
 *   onTrouble: (code: string) => void, onLate: () => void}} LoopEvents
 *   `onLate`: no answer has come for a while, so what is shown is old
 */

/** Milliseconds of the pause after a first failure, doubled with each up to the longest. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
/** Milliseconds of the first pause where the service has no room for another camera. */
const BUSY_PAUSE = 2000;
/** Milliseconds without an answer after which the running picture is better than an old frame. */
const LATE = 3000;

export class LiveLoop {
  /** @param {HTMLVideoElement} video @param {LoopEvents} events */
  constructor(video, events) {
    this.events = events;
    this.frames = new Frames(video);
    this.link = new Link();
    this.stopped = false;
    this.failures = 0;
  }

  /** Go on until it is stopped. */
  async run() {
    while (!this.stopped) {
      await pageSeen();
      const frame = this.stopped ? null : await this.frames.next().catch(() => null);
      if (frame && !this.stopped) await this.#turn(frame);
    }
  }

  stop() {
    this.stopped = true;
    this.link.close();
  }

  /** @param {Frame} frame */
  async #turn(frame) {
    const mode = this.events.mode();
    const late = setTimeout(this.events.onLate, LATE);
    try {
      const answer = await this.link.ask(frame.jpeg, mode).finally(() => clearTimeout(late));
      this.failures = 0;
      if (!this.stopped && mode === this.events.mode()) this.events.onAnswer(frame, answer);
    } catch (error) {
      if (!this.stopped) await this.#wait(error instanceof ApiError ? error.code : "internal");
    }
  }

  /** @param {string} code */
  async #wait(code) {
    this.events.onTrouble(code);
    const first = code === "busy" ? BUSY_PAUSE : FIRST_PAUSE;
    const pause = Math.min(LONGEST_PAUSE, first * 2 ** this.failures);
    this.failures += 1;
    await new Promise((done) => setTimeout(done, pause));
  }
}

/** Wait until the page can be seen. @returns {Promise<void>} */
function pageSeen() {
  return new Promise((done) => {
    if (!document.hidden) return done();
    const seen = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", seen);
      done();
    };
    document.addEventListener("visibilitychange", seen);
  });
}
