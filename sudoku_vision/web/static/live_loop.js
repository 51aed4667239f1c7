// @ts-check
/**
 * The loop of the live camera: take a frame, send it, show this very frame with the answer, take the next one.
 *
 * Nothing is sent while the page is hidden. After an error the loop tries again, after a pause.
 */
/** @import { LiveAnswer, LiveMode } from "./types.js" */
import { ApiError, learnLimits, parsed } from "./api.js";
import { jpegOf } from "./dom.js";
import { language } from "./language.js";

/**
 * @typedef {{picture: HTMLCanvasElement, size: [number, number], jpeg: Blob}} Frame
 *   `picture` holds the frame as the camera gave it, until the next one is taken; `jpeg` is the smaller copy that is
 *   sent, `size` its width and height in pixels
 * @typedef {{mode: () => LiveMode, onAnswer: (frame: Frame, answer: LiveAnswer) => void,
 *   onTrouble: (code: string) => void, onLate: () => void}} LoopEvents
 *   `onLate`: no answer has come for a while, so the frame that is shown is old
 */

/** Longest side of a sent frame, in pixels. Films of 1280 pixels read as well at this size, in half the time. */
const LONGEST_SIDE = 960;
/** Quality of its JPEG, 0..1. Films read as well down to 0.5. */
const QUALITY = 0.8;
/** Milliseconds after which a frame is taken even if the browser has announced none. */
const NO_NEWS = 500;
/** Milliseconds of the pause after an error: a service that is started again, or has no room, is asked no more often. */
const PAUSE = 2000;
/** Milliseconds without an answer after which the running picture is better than an old frame. */
const LATE = 3000;
/** Milliseconds until the socket must be open, and until a frame must be answered: the service gives up after 10 s. */
const OPENING = 4000;
const ANSWERING = 15000;

export class Frames {
  picture = document.createElement("canvas");
  sent = document.createElement("canvas");

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this.video = video;
    this.arrival = nextFrame(video);
  }

  /** Take a new frame; null while the camera has none. @returns {Promise<Frame | null>} */
  async next() {
    await this.arrival;
    this.arrival = nextFrame(this.video);
    const { videoWidth: width, videoHeight: height } = this.video;
    if (!width || !height) return null;
    const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
    copy(this.video, this.picture, width, height);
    copy(this.picture, this.sent, Math.round(width * scale), Math.round(height * scale));
    const jpeg = await jpegOf(this.sent, QUALITY);
    return jpeg && { picture: this.picture, size: [this.sent.width, this.sent.height], jpeg };
  }
}

/**
 * Copy a picture onto a canvas, at a size in pixels.
 * @param {HTMLVideoElement | HTMLCanvasElement} from @param {HTMLCanvasElement} to @param {number} width
 * @param {number} height
 */
export function copy(from, to, width, height) {
  if (to.width !== width || to.height !== height) [to.width, to.height] = [width, height];
  const pen = to.getContext("2d", { alpha: false });
  if (!pen) return;
  pen.imageSmoothingQuality = "medium"; // "low" loses fine print if a picture gets less than half as large
  pen.drawImage(from, 0, 0, width, height);
}

/** Wait for the next frame. @param {HTMLVideoElement} video @returns {Promise<void>} */
function nextFrame(video) {
  return new Promise((done) => {
    setTimeout(done, NO_NEWS);
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(() => done());
    else requestAnimationFrame(() => done());
  });
}

/** The link to the service: a WebSocket. Frames go out one at a time, and each is answered before the next. */
class Link {
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

export class LiveLoop {
  link = new Link();
  stopped = false;

  /** @param {HTMLVideoElement} video @param {LoopEvents} events */
  constructor(video, events) {
    this.events = events;
    this.frames = new Frames(video);
  }

  /** Run until it is stopped. */
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
      if (!this.stopped && mode === this.events.mode()) this.events.onAnswer(frame, answer);
    } catch (error) {
      if (this.stopped) return;
      this.events.onTrouble(error instanceof ApiError ? error.code : "internal");
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

/** Wait until the page is visible. @returns {Promise<void>} */
async function pageSeen() {
  while (document.hidden)
    await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
}
