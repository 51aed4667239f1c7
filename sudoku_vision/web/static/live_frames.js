// @ts-check
/** Frames: single pictures of the running camera, kept as they are sent, so that what is drawn fits them. */
import { jpegOf } from "./dom.js";

/**
 * @typedef {{picture: HTMLCanvasElement, size: [number, number], jpeg: Blob}} Frame
 *   `picture` holds the frame as the camera gave it, until the next one is taken; `jpeg` is what is sent of
 *   it, `size` how large that is in pixels
 */

/** Longest side in pixels of what is sent: films of 1280 read as well in it, in half the time. */
const LONGEST_SIDE = 960;
/** Of the JPEG, 0..1: down to 0.5 films read no worse. */
const QUALITY = 0.8;
/** Milliseconds after which a frame is taken even if the browser told of no new one. */
const NO_NEWS = 500;

export class Frames {
  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this.video = video;
    this.picture = document.createElement("canvas");
    this.sent = document.createElement("canvas");
    this.arrival = fresh(video);
  }

  /** Take a frame that was not taken before; null while the camera has none. @returns {Promise<Frame | null>} */
  async next() {
    await this.arrival;
    this.arrival = fresh(this.video);
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
  pen.imageSmoothingQuality = "medium"; // else fine print is lost where a picture gets less than half as large
  pen.drawImage(from, 0, 0, width, height);
}

/** Wait for a frame that is not there yet. @param {HTMLVideoElement} video @returns {Promise<void>} */
function fresh(video) {
  return new Promise((done) => {
    const late = setTimeout(done, NO_NEWS);
    const come = () => {
      clearTimeout(late);
      done();
    };
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(come);
    else requestAnimationFrame(come);
  });
}
