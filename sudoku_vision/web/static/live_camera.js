// @ts-check
/** The camera: how it is opened, chosen, lit by its lamp, and closed; and the reasons why it can't be opened. */

/**
 * @typedef {"insecure" | "unsupported" | "denied" | "missing" | "in_use" | "unfit" | "ended"} CameraTrouble
 *   `insecure`: browsers give no camera to pages over plain http; `unfit`: no camera has pictures of the wished size
 * @typedef {{id: string, name: string}} CameraChoice
 */

/** The wished size of the camera's picture, in pixels: a larger one is only scaled down, a smaller one reads worse. */
const WISHED = { width: { ideal: 1280 }, height: { ideal: 720 } };

/** The trouble that each error of getUserMedia means, by the name of the error. @type {Object<string, CameraTrouble>} */
const TROUBLES = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "missing",
  DevicesNotFoundError: "missing",
  NotReadableError: "in_use",
  AbortError: "in_use",
  OverconstrainedError: "unfit",
};

/** The error that says why there is no camera. */
export class CameraError extends Error {
  /** @param {CameraTrouble} trouble */
  constructor(trouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

export class Camera {
  /** @param {HTMLVideoElement} video @param {() => void} onEnded */
  constructor(video, onEnded) {
    this.video = video;
    this.onEnded = onEnded;
    /** @type {MediaStream | null} */
    this.stream = null;
    this.asked = 0;
  }

  /**
   * Open a camera, by default the rear one. Return false if it was closed before it was open. Raises CameraError.
   * @param {string} [id]
   */
  async open(id = "") {
    this.close();
    const asked = this.asked;
    const stream = await openStream(id);
    if (asked !== this.asked) {
      stopTracks(stream);
      return false;
    }
    this.stream = stream;
    stream.getVideoTracks().forEach((track) =>
      track.addEventListener("ended", () => {
        if (this.stream === stream) this.onEnded();
      }),
    );
    this.video.srcObject = stream;
    await this.video.play().catch(() => {}); // nothing is sent before the first frame comes
    return asked === this.asked;
  }

  /** Stop the camera, so that other programs can use it. */
  close() {
    this.asked += 1;
    if (this.stream) stopTracks(this.stream);
    this.stream = null;
    this.video.srcObject = null;
  }

  get #track() {
    return this.stream?.getVideoTracks()[0] ?? null;
  }

  /** The browser's id of the camera in use. */
  get id() {
    return this.#track?.getSettings().deviceId ?? "";
  }

  /** Return all cameras; browsers tell their names once a person has allowed a camera. @returns {Promise<CameraChoice[]>} */
  async choices() {
    const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    return devices
      .filter(({ kind, deviceId }) => kind === "videoinput" && deviceId)
      .map(({ deviceId, label }) => ({ id: deviceId, name: label }));
  }

  /** Whether the camera has a lamp. */
  get hasTorch() {
    // TypeScript doesn't know the torch, because not all browsers have it.
    return Boolean(/** @type {any} */ (this.#track?.getCapabilities?.())?.torch);
  }

  /** Switch the lamp on or off, and return whether that worked. @param {boolean} on */
  async light(on) {
    const wish = /** @type {any} */ ({ advanced: [{ torch: on }] });
    const done = this.#track?.applyConstraints(wish).then(() => true);
    return (await done?.catch(() => false)) ?? false;
  }
}

/** @param {string} id @returns {Promise<MediaStream>} */
async function openStream(id) {
  if (!navigator.mediaDevices?.getUserMedia)
    throw new CameraError(window.isSecureContext ? "unsupported" : "insecure");
  const which = id ? { deviceId: { exact: id } } : { facingMode: { ideal: "environment" } };
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...WISHED, ...which } });
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble !== "unfit") throw new CameraError(trouble);
  }
  return navigator.mediaDevices.getUserMedia({ audio: false, video: true }).catch((error) => {
    throw new CameraError(troubleOf(error));
  });
}

/** @param {unknown} error @returns {CameraTrouble} */
const troubleOf = (error) =>
  TROUBLES[error instanceof DOMException || error instanceof Error ? error.name : ""] ?? "in_use";

/** @param {MediaStream} stream */
const stopTracks = (stream) => stream.getTracks().forEach((track) => track.stop());
