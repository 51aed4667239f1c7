// @ts-check
/** A worker that makes a photo smaller: unpacking, scaling and packing would hold the page up for a second. */

/** Of the JPEG, 0..1. */
const QUALITY = 0.85;

/** Answer a file and its new size in pixels with the smaller JPEG, null where that can't be made. */
onmessage = async ({ data: { file, width, height } }) => {
  try {
    const picture = await createImageBitmap(file);
    const sheet = new OffscreenCanvas(width, height);
    const pen = sheet.getContext("2d", { alpha: false });
    if (!pen) throw new Error("no canvas");
    pen.fillStyle = "#fff"; // below what is transparent, of which JPEG knows nothing
    pen.fillRect(0, 0, width, height);
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, width, height);
    postMessage(await sheet.convertToBlob({ type: "image/jpeg", quality: QUALITY }));
  } catch {
    postMessage(null);
  }
};
