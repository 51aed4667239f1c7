// @ts-check
/** Photos made as small as reading allows before they are sent: on a phone the upload takes longest. */
import { ApiError, limits } from "./api.js";
import { jpegOf, make } from "./dom.js";

/** Longest side in pixels of what is sent: larger copies of half-solved pages read no better, pencil marks included. */
const SIDE = 2500;
/** Of the JPEG, 0..1. */
const QUALITY = 0.85;

/**
 * Return what to send of a file: a smaller copy of a large photo, upright, or the file itself.
 * Raises ApiError body_too_large where the browser can't open it, so can't make it smaller.
 * @param {Blob} file
 * @returns {Promise<Blob>}
 */
export async function reduced(file) {
  const size = await sizeOf(file);
  const scale = Math.min(1, SIDE / Math.max(...size));
  if (scale === 1 && file.size <= limits.bytes) return file;
  const [resizeWidth, resizeHeight] = size.map((side) => Math.round(side * scale));
  const wishes = /** @type {const} */ ({ resizeWidth, resizeHeight, resizeQuality: "medium" });
  const picture = resizeWidth ? await createImageBitmap(file, wishes).catch(() => null) : null;
  const blob = picture && (await jpegOf(onWhite(picture), QUALITY));
  if (!blob && file.size > limits.bytes) throw new ApiError("body_too_large");
  return blob ?? file;
}

/** Put a picture on a sheet: JPEG knows nothing transparent. @param {ImageBitmap} picture */
function onWhite(picture) {
  const sheet = /** @type {HTMLCanvasElement} */ (make("canvas", { width: picture.width, height: picture.height }));
  const pen = sheet.getContext("2d");
  if (pen) pen.fillStyle = "#fff";
  pen?.fillRect(0, 0, sheet.width, sheet.height);
  pen?.drawImage(picture, 0, 0);
  return sheet;
}

/** Return how wide and high a picture is, without unpacking it; zeros where the browser can't show it. @param {Blob} file */
async function sizeOf(file) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await new Promise((done) => {
    image.onload = image.onerror = done;
  });
  URL.revokeObjectURL(image.src);
  return [image.naturalWidth, image.naturalHeight];
}
