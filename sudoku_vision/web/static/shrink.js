// @ts-check
/** Photos made small enough for the service before they are sent. */
import { ApiError } from "./api.js";

/** The usual limits of the service. */
export const MOST_BYTES = 20_000_000;
export const MOST_PIXELS = 50_000_000;

/** Longest side in pixels of a photo that is made smaller: digits stay far larger than the reader needs. */
const SHRUNK_SIDE = 4000;
const SHRUNK_QUALITY = 0.9;

/**
 * Return what to send of a file: the file itself, or a smaller copy of a picture beyond the limits.
 * Raises ApiError body_too_large where the browser can't open it, so can't make it smaller.
 * @param {Blob} file
 * @returns {Promise<{blob: Blob, shrunk: boolean}>}
 */
export async function withinLimits(file) {
  const size = await sizeOf(file);
  const pixels = size ? size.width * size.height : 0;
  if (file.size <= MOST_BYTES && pixels <= MOST_PIXELS) return { blob: file, shrunk: false };
  if (!size) throw new ApiError("body_too_large");
  const scale = Math.min(1, SHRUNK_SIDE / Math.max(size.width, size.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(size.width * scale);
  canvas.height = Math.round(size.height * scale);
  canvas.getContext("2d")?.drawImage(size.image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", SHRUNK_QUALITY));
  if (!(blob instanceof Blob)) throw new ApiError("picture_too_large");
  return { blob, shrunk: true };
}

/**
 * Return the size of a picture that the browser can show, null for others.
 * @param {Blob} file
 * @returns {Promise<{width: number, height: number, image: HTMLImageElement} | null>}
 */
async function sizeOf(file) {
  const address = URL.createObjectURL(file);
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
    return { width: image.naturalWidth, height: image.naturalHeight, image };
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}
