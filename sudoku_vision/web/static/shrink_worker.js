// @ts-check
/** A worker that makes a photo smaller: within the page, this would block it for a second. */

/** Quality of the JPEG, 0..1. */
const QUALITY = 0.85;

/** Answer a file and its new size in pixels with the smaller JPEG, or null if that fails. */
onmessage = async ({ data: { file, width, height } }) => {
  try {
    const picture = await createImageBitmap(file);
    const sheet = new OffscreenCanvas(width, height);
    const pen = sheet.getContext("2d", { alpha: false });
    if (!pen) throw new Error("no canvas");
    pen.fillStyle = "#fff"; // below transparent parts, which JPEG doesn't have
    pen.fillRect(0, 0, width, height);
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, width, height);
    postMessage(await sheet.convertToBlob({ type: "image/jpeg", quality: QUALITY }));
  } catch {
    postMessage(null);
  }
};
