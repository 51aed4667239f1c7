// @ts-check
/** Makes photos smaller before they are sent, because on a phone the upload takes most of the time. */
import { ApiError, limits } from "./api.js";

/**
 * Longest side of a sent photo, in pixels. Half-solved pages of 12 megapixels with pencil marks and small grids are
 * read as well at this size; at 2,000 pixels, some are read worse.
 */
const SIDE = 2500;

/**
 * Return a smaller, upright copy of a large photo, or the file itself. Raises ApiError body_too_large if the file is
 * too large to be sent, and the browser can't open it.
 * @param {Blob} file @returns {Promise<Blob>}
 */
export async function reduced(file) {
  const size = await sizeOf(file);
  const scale = Math.min(1, SIDE / Math.max(...size));
  if (scale === 1 && file.size <= limits.bytes) return file;
  const [width, height] = size.map((side) => Math.round(side * scale));
  const smaller = width ? await copyOf(file, width, height) : null;
  if (!smaller && file.size > limits.bytes) throw new ApiError("body_too_large");
  return smaller ?? file;
}

/** @param {Blob} file @param {number} width @param {number} height @returns {Promise<Blob | null>} */
async function copyOf(file, width, height) {
  const worker = new Worker("/static/shrink_worker.js");
  const copy = await new Promise((done) => {
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = () => done(null);
    worker.postMessage({ file, width, height });
  });
  worker.terminate();
  return copy;
}

/** Return width and height of a picture without unpacking it; zeros if the browser can't show it. @param {Blob} file */
async function sizeOf(file) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await new Promise((done) => {
    image.onload = image.onerror = done;
  });
  URL.revokeObjectURL(image.src);
  return [image.naturalWidth, image.naturalHeight];
}
