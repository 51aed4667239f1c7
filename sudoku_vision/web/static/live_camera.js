/** Opens and closes cameras, lists them, and switches their lamps. */

/** The wished size of the camera's picture, in pixels. Larger pictures would be scaled down. Smaller pictures are not read as well. */
const WISHED = { width: { ideal: 1280 }, height: { ideal: 720 } };

/** The trouble that an error means, by the error's name. Two names come from this module, the others from getUserMedia. @type {Object<string, CameraTrouble>} */
const TROUBLES = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "missing",
  DevicesNotFoundError: "missing",
  OverconstrainedError: "unfit",
  insecure: "insecure",
  unsupported: "unsupported",
};

/** @param {unknown} error of `openCamera` */
export const troubleOf = (error) => TROUBLES[error instanceof Error ? error.name : ""] ?? "in_use";

/**
 * Show the picture of a camera until *signal* aborts.
 * @param {HTMLVideoElement} video @param {string} id "" for the rear camera @param {AbortSignal} signal @param {() => void} onEnded
 */
export async function openCamera(video, id, signal, onEnded) {
  const stream = await openStream(id);
  const stop = () => {
    stream.getTracks().forEach((track) => track.stop()); // then other programs can use the camera
    if (video.srcObject === stream) video.srcObject = null;
  };
  if (signal.aborted) return stop();
  signal.addEventListener("abort", stop);
  stream.getVideoTracks().forEach((track) => track.addEventListener("ended", onEnded, { signal }));
  video.srcObject = stream;
  await video.play().catch(() => {}); // an error needs no message: no frame is sent until the video plays
}

/** @param {HTMLVideoElement} video */
const trackOf = ({ srcObject }) => (srcObject instanceof MediaStream ? srcObject.getVideoTracks()[0] : undefined);

/** Return the browser's id of the camera that a video shows. @param {HTMLVideoElement} video */
export const cameraId = (video) => trackOf(video)?.getSettings().deviceId ?? "";

/** Return all cameras. Their labels are empty until a person has allowed a camera. */
export async function cameras() {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return devices.filter(({ kind, deviceId }) => kind === "videoinput" && deviceId);
}

/** Return whether the camera has a lamp. (TypeScript doesn't know lamps, because not all browsers know them.) @param {HTMLVideoElement} video */
export const hasTorch = (video) => Boolean(/** @type {any} */ (trackOf(video)?.getCapabilities?.())?.torch);

/** Switch the lamp on or off, and return whether that worked. @param {HTMLVideoElement} video @param {boolean} on */
export async function light(video, on) {
  const wish = /** @type {any} */ ({ advanced: [{ torch: on }] });
  const done = trackOf(video)?.applyConstraints(wish).then(() => true);
  return (await done?.catch(() => false)) ?? false;
}

/** Open a camera, if possible with a picture of the wished size. @param {string} id @returns {Promise<MediaStream>} */
async function openStream(id) {
  const { mediaDevices } = navigator;
  if (!mediaDevices?.getUserMedia) throw new DOMException("", isSecureContext ? "unsupported" : "insecure");
  const which = id ? { deviceId: { exact: id } } : { facingMode: { ideal: "environment" } };
  return mediaDevices.getUserMedia({ audio: false, video: { ...WISHED, ...which } }).catch((error) => {
    if (troubleOf(error) !== "unfit") throw error;
    return mediaDevices.getUserMedia({ audio: false, video: true });
  });
}
