// @ts-check
/**
 * The loop of the live camera: take a frame, send it, show this very frame with the answer, take the next one.
 *
 * Nothing is sent while the page is hidden. After an error the loop tries again, with pauses that grow.
 */
/** @import { LiveAnswer, LiveMode } from "./types.js" */
import { ApiError } from "./api.js";
import { jpegOf } from "./dom.js";
import { Link } from "./live_link.js";

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
/** Milliseconds of the first pause after an error, and of the longest; each is twice as long as the one before. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
/** Milliseconds of the first pause if the service has no room for another camera. */
const BUSY_PAUSE = 2000;
/** Milliseconds without an answer after which the running picture is better than an old frame. */
const LATE = 3000;

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

export class LiveLoop {
  link = new Link();
  stopped = false;
  failures = 0;

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

/** Wait until the page is visible. @returns {Promise<void>} */
async function pageSeen() {
  while (document.hidden)
    await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
}
