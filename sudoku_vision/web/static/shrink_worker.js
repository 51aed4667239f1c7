/** A worker that makes a photo smaller. Without a worker, the page would not react for a second. */

const QUALITY = 0.85; // JPEG quality, 0..1

/** Receive a file and its new size in pixels, and answer with a JPEG, or with null if that fails. */
onmessage = async ({ data: { file, width, height } }) => {
  try {
    const picture = await createImageBitmap(file);
    const sheet = new OffscreenCanvas(width, height);
    const pen = sheet.getContext("2d", { alpha: false });
    if (!pen) throw new Error("no canvas");
    pen.fillStyle = "#fff"; // behind transparent parts, because JPEG has no transparency
    pen.fillRect(0, 0, width, height);
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, width, height);
    postMessage(await sheet.convertToBlob({ type: "image/jpeg", quality: QUALITY }));
  } catch {
    postMessage(null);
  }
};
