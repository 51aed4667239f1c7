/**
 * Opens, lists and closes cameras. The loop of a live camera: take a frame, send it, show this frame with its answer, take the
 * next frame. Nothing is sent while the page is hidden. After an error, the loop pauses and then goes on.
 */
import { ApiError, parsed, textsOf } from "./api.js";
import { copy, jpegOf } from "./dom.js";
import { language } from "./language.js";

/** Longest side of a sent frame, in pixels. Reading is as good as with 1280 pixels, and takes half as long. */
const LONGEST_SIDE = 960;
/** The JPEG quality of a sent frame, 0..1. In a test, films with a quality of 0.5 were read equally well. */
const QUALITY = 0.8;
const NO_NEWS = 500; // after so many milliseconds, a frame is taken even if the browser has not announced a new frame
const PAUSE = 2000; // the pause after an error, in milliseconds: the service may be starting, or be busy
const LATE = 3000; // after so many milliseconds without an answer, the running video is shown in place of the old frame
const OPENING = 4000; // how long to wait until a socket is open, in milliseconds
/** How long to wait for the answer to a frame, in milliseconds. The service gives up after 10 s. */
const ANSWERING = 15000;

const newCanvas = () => document.createElement("canvas");

/**
 * Take the frame that a video shows; null while the camera gives no frames.
 * @param {HTMLVideoElement} video @param {HTMLCanvasElement} [picture] for the frame
 * @param {HTMLCanvasElement} [sent] for its smaller copy @returns {Promise<Frame | null>}
 */
export async function takeFrame(video, picture = newCanvas(), sent = newCanvas()) {
  const { videoWidth: width, videoHeight: height } = video;
  if (!width || !height) return null;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  copy(video, picture, width, height);
  copy(picture, sent, Math.round(width * scale), Math.round(height * scale));
  const jpeg = await jpegOf(sent, QUALITY);
  return jpeg && { picture, size: [sent.width, sent.height], jpeg };
}

/** @param {HTMLVideoElement} video @returns {Promise<void>} */
function nextFrame(video) {
  return new Promise((done) => {
    setTimeout(done, NO_NEWS);
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(() => done());
    else requestAnimationFrame(() => done());
  });
}

/**
 * Wait for an event of a socket, or for the socket's end. Return undefined if neither comes within *patience* milliseconds.
 * @param {WebSocket} socket @param {"onopen" | "onmessage"} name @param {number} patience @returns {Promise<any>}
 */
const eventOf = (socket, name, patience) =>
  new Promise((done) => {
    const late = setTimeout(done, patience);
    socket[name] = socket.onclose = (/** @type {Event} */ event) => {
      clearTimeout(late);
      done(event);
    };
  });

/** Open a socket to the service. The socket is closed when *signal* aborts. @param {AbortSignal} signal */
async function openSocket(signal) {
  const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/api/live`);
  await eventOf(socket, "onopen", OPENING);
  const close = () => socket.readyState === WebSocket.OPEN && socket.close(); // if a socket is closed before it is open, browsers report an error
  socket.onopen = close; // the wait is over: a socket that opens later is not used
  signal.addEventListener("abort", close);
  if (signal.aborted) close();
  return socket;
}

/**
 * Send a frame, and return its answer. Raises ApiError.
 * @param {WebSocket} socket @param {Blob} jpeg @param {LiveMode} mode @param {AbortSignal} signal @returns {Promise<LiveAnswer>}
 */
async function ask(socket, jpeg, mode, signal) {
  if (socket.readyState === WebSocket.OPEN) {
    socket.send(JSON.stringify({ mode, language: language() }));
    socket.send(jpeg);
    const answer = parsed((await eventOf(socket, "onmessage", ANSWERING))?.data);
    if (answer?.error) throw new ApiError(answer.error.code, answer.error.message);
    if (answer) return answer;
    socket.close();
  }
  if (!signal.aborted) await textsOf(language()); // if the service can't be reached, this raises an error that says why
  throw new ApiError("gone");
}

/**
 * Read frame after frame until *signal* aborts. `onLate` is called after LATE milliseconds without an answer.
 * @param {HTMLVideoElement} video @param {AbortSignal} signal @param {{modeNow: () => LiveMode, onLate: () => void,
 *   onAnswer: (frame: Frame, answer: LiveAnswer) => void, onTrouble: (code: string) => void}} events
 */
export async function runLoop(video, signal, { modeNow, onAnswer, onTrouble, onLate }) {
  const [picture, sent] = [newCanvas(), newCanvas()];
  let arrival = nextFrame(video);
  /** @type {WebSocket | null} */
  let socket = null;
  while (!signal.aborted) {
    while (document.hidden)
      await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
    await arrival;
    arrival = nextFrame(video);
    const frame = await takeFrame(video, picture, sent).catch(() => null);
    if (!frame || signal.aborted) continue;
    const mode = modeNow();
    const late = setTimeout(onLate, LATE);
    try {
      if (socket?.readyState !== WebSocket.OPEN) socket = await openSocket(signal);
      const answer = await ask(socket, frame.jpeg, mode, signal);
      if (!signal.aborted && mode === modeNow()) onAnswer(frame, answer);
    } catch (error) {
      if (signal.aborted) return;
      onTrouble(error instanceof ApiError ? error.code : "internal");
      await new Promise((done) => setTimeout(done, PAUSE));
    } finally {
      clearTimeout(late);
    }
  }
}

/** The best size of the camera's picture, in pixels. Larger pictures would be scaled down. Smaller pictures are not read as well. */
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

/** Open a camera, if possible with a picture of the size WISHED. @param {string} id @returns {Promise<MediaStream>} */
async function openStream(id) {
  const { mediaDevices } = navigator;
  if (!mediaDevices?.getUserMedia) throw new DOMException("", isSecureContext ? "unsupported" : "insecure");
  const which = id ? { deviceId: { exact: id } } : { facingMode: { ideal: "environment" } };
  return mediaDevices.getUserMedia({ audio: false, video: { ...WISHED, ...which } }).catch((error) => {
    if (troubleOf(error) !== "unfit") throw error;
    return mediaDevices.getUserMedia({ audio: false, video: true });
  });
}
