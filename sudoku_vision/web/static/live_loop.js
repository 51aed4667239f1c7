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
 *   `picture` holds the frame as the camera gave it, until the next frame is taken; `jpeg` is the smaller copy that is
 *   sent, and `size` the width and height of this copy in pixels
 * @typedef {{mode: () => LiveMode, onAnswer: (frame: Frame, answer: LiveAnswer) => void,
 *   onTrouble: (code: string) => void, onLate: () => void}} LoopEvents
 *   `onLate` is called if no answer has come for a while, so that the frame that is shown is old
 */

/** Longest side of a sent frame, in pixels. Films of 1280 pixels are read as well at this size, in half the time. */
const LONGEST_SIDE = 960;
/** The quality of the JPEG of a sent frame, 0..1. Films are read as well down to 0.5. */
const QUALITY = 0.8;
/** Milliseconds after which a frame is taken even if the browser has announced none. */
const NO_NEWS = 500;
/** Milliseconds to wait after an error, to spare a service that is just being started again, or has no room. */
const PAUSE = 2000;
/** Milliseconds without an answer after which the running video is shown, rather than an old frame. */
const LATE = 3000;
/** Milliseconds to wait for an open socket, and for the answer to a frame; the service itself gives up after 10 s. */
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
  pen.imageSmoothingQuality = "medium"; // "low" would lose fine print in pictures that shrink to less than half
  pen.drawImage(from, 0, 0, width, height);
}

/** Wait for the next frame of a video. @param {HTMLVideoElement} video @returns {Promise<void>} */
function nextFrame(video) {
  return new Promise((done) => {
    setTimeout(done, NO_NEWS);
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(() => done());
    else requestAnimationFrame(() => done());
  });
}

/** The link to the service, a WebSocket. Frames are sent one at a time: each is answered before the next is sent. */
class Link {
  /** @type {WebSocket | null} */
  socket = null;
  /** The latest text that told the service what to draw; "" if none was sent. */
  wish = "";
  closed = false;

  /**
   * Send a frame, and return what is seen in it. Raises ApiError.
   * @param {Blob} jpeg @param {LiveMode} mode @returns {Promise<LiveAnswer>}
   */
  async ask(jpeg, mode) {
    const wish = JSON.stringify({ mode, language: language() });
    const used = this.socket !== null; // the old socket may be broken since its last frame: then try a new one
    const answer = (await this.#exchange(wish, jpeg)) ?? (used && (await this.#exchange(wish, jpeg)));
    if (answer?.error) throw new ApiError(answer.error.code, answer.error.message);
    if (answer) return answer;
    if (!this.closed) await learnLimits(); // if the service can't be reached at all, this raises the reason
    throw new ApiError("gone");
  }

  /** End the link. */
  close() {
    this.closed = true;
    this.#hangUp();
  }

  /**
   * Send what is to be drawn, if that has changed, and then a frame; return the answer, null if none comes.
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

  /** Return the open socket, or open a new one; null if it can't be opened. */
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

  /** Close the socket. If it is still being opened, close it after that: browsers report closing it earlier. */
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

  /** Run the loop until it is stopped. */
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
