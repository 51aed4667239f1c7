// @ts-check
/** The live camera: it covers the whole page, until a frame becomes a photo or a person goes back. */
/** @import { CameraTrouble, Frame, LiveAnswer, LiveGrid, LiveMode } from "./types.js" */
import { aria, buttonById, byId, dialogById, offer, press } from "./dom.js";
import { learnPens } from "./draw.js";
import { t } from "./language.js";
import { cameraId, CameraError, cameras, hasTorch, light, openCamera } from "./live_camera.js";
import { Frames, runLoop } from "./live_loop.js";
import * as view from "./live_view.js";
import { readFile } from "./reader.js";
import { settings } from "./settings.js";

const MODES = /** @type {const} */ (["answers", "hint", "check"]);

const dialog = dialogById("camera");
const video = /** @type {HTMLVideoElement} */ (byId("camera-video"));
const choice = /** @type {HTMLSelectElement} */ (byId("camera-choice"));

/**
 * The state of the live camera. `shown` is the frame that is shown now, with the answer to it; `running` is aborted when
 * the camera stops.
 */
const live = {
  mode: /** @type {LiveMode} */ ("answers"),
  isHidden: false,
  shown: /** @type {{frame: Frame, answer: LiveAnswer | null} | null} */ (null),
  running: new AbortController(),
};

/** Open the view of the live camera. */
export async function openLive() {
  if (dialog.open) return;
  if (history.state?.view !== "live") history.pushState({ view: "live" }, "");
  live.isHidden = settings.hideAnswers;
  choose("answers");
  dialog.showModal();
  buttonById("camera-freeze").focus();
  learnPens().catch(() => {}); // while the service can't be reached, nothing is drawn anyway
  await start();
}

export const closeLive = () => dialog.close();

/** Start a camera, and show its picture. @param {string} [id] */
async function start(id = "") {
  halt();
  const { signal } = (live.running = new AbortController());
  dialog.classList.remove("troubled");
  view.tellState(t("camera.starting"), "starting");
  const freezing = buttonById("camera-freeze");
  freezing.disabled = true;
  try {
    await openCamera(video, id, signal, () => fail("ended"));
  } catch (error) {
    return signal.aborted || fail(error instanceof CameraError ? error.trouble : "in_use");
  }
  if (signal.aborted) return;
  freezing.disabled = false;
  freezing.focus();
  buttonById("camera-torch").hidden = !hasTorch(video);
  aria(buttonById("camera-torch"), { pressed: false });
  offerCameras();
  keepAwake(signal);
  view.tellState(t("camera.looking"), "looking");
  runLoop(video, signal, {
    modeNow: () => live.mode,
    onAnswer: (frame, answer) => {
      live.shown = { frame, answer };
      show(true);
    },
    onTrouble: (code) => {
      forget();
      view.tellState(view.sentenceOfLine(code), "waiting");
    },
    onLate: forget,
  });
}

/** Stop the camera. */
function halt() {
  live.running.abort();
  forget();
  view.hush();
}

/** Read the frame that is shown as a photo. */
async function freeze() {
  if (!live.shown) {
    const frame = await new Frames(video).next(); // a new frame, as the loop may be sending its own
    if (!frame) return;
    view.showFrame(frame, []);
  }
  const photo = await view.framePhoto();
  if (!photo || !dialog.open) return;
  dialog.close();
  readFile(photo);
}

/** Choose what is drawn on the frames. @param {LiveMode} mode */
function choose(mode) {
  live.mode = mode;
  press(MODES.map((name) => buttonById(`camera-mode-${name}`)), MODES.indexOf(mode));
  view.showGrids([]); // these drawings belong to the earlier mode
  if (live.shown) live.shown = { frame: live.shown.frame, answer: null };
  offerAnswers();
}

/** Show the frame with its answer. If not *fresh*, only the drawings change: the pixels may be replaced already. */
function show(fresh = false) {
  const { frame, answer } = live.shown ?? {};
  if (!frame || !answer) return;
  const grids = live.isHidden && live.mode === "answers" ? answer.grids.map(outlineOnly) : answer.grids;
  if (fresh) view.showFrame(frame, grids);
  else view.showGrids(grids);
  view.tellState(view.sentenceOfAnswer(answer, live.mode, live.isHidden), answer.state);
}

/** Return a copy of a grid with only its outline. @param {LiveGrid} grid */
const outlineOnly = (grid) => ({ ...grid, shapes: grid.shapes.filter(({ shape }) => shape === "line") });

function offerAnswers() {
  const button = buttonById("camera-show");
  button.hidden = !settings.hideAnswers || live.mode !== "answers";
  button.textContent = t(live.isHidden ? "show.answers" : "hide.answers");
}

/** Show the running video, because the last frame is too old, or because there is none. */
function forget() {
  live.shown = null;
  view.showVideo();
}

async function offerCameras() {
  const choices = await cameras();
  const options = choices.map(({ id, name }, place) => {
    const words = name || t("camera.number", { number: place + 1 });
    return new Option(words, id, false, id === cameraId(video));
  });
  choice.replaceChildren(...options);
  byId("camera-choice-field").hidden = choices.length < 2;
}

/**
 * Keep the screen on until *signal* aborts, if that is possible. The browser lets the screen sleep again when the page
 * is hidden.
 * @param {AbortSignal} signal
 */
async function keepAwake(signal) {
  const lock = await navigator.wakeLock?.request("screen").catch(() => null);
  if (signal.aborted) lock?.release();
  else signal.addEventListener("abort", () => lock?.release());
}

/** Show why there is no camera, and what to do about it. @param {CameraTrouble} trouble */
function fail(trouble) {
  halt();
  dialog.classList.add("troubled");
  dialog.dataset.trouble = trouble;
  byId("camera-trouble-title").textContent = t(`camera.${trouble}`);
  byId("camera-trouble-remedy").textContent = t(`camera.${trouble}.remedy`);
  const again = buttonById("camera-again");
  again.hidden = trouble === "insecure" || trouble === "unsupported";
  (again.hidden ? buttonById("camera-photo") : again).focus();
}

offer({
  "live-camera": openLive,
  "camera-mode": choose,
  "camera-back": closeLive,
  "camera-freeze": freeze,
  "camera-again": () => start(),
  "camera-photo": () => {
    dialog.close();
    byId("take-photo").click();
  },
  "camera-show": () => {
    live.isHidden = !live.isHidden;
    offerAnswers();
    show();
  },
  "camera-torch": async () => {
    const button = buttonById("camera-torch");
    const on = button.getAttribute("aria-pressed") !== "true";
    if (await light(video, on)) aria(button, { pressed: on });
  },
});
choice.addEventListener("change", () => start(choice.value));
dialog.addEventListener("close", () => {
  halt();
  if (history.state?.view === "live") history.back();
});
dialog.addEventListener("keydown", (event) => {
  const onControl = event.target instanceof HTMLElement && event.target.closest("button, select");
  if (event.key !== " " || event.repeat || onControl) return;
  event.preventDefault();
  freeze();
});
navigator.mediaDevices?.addEventListener?.("devicechange", () => video.srcObject && offerCameras());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && video.srcObject) keepAwake(live.running.signal);
});
addEventListener("pagehide", () => dialog.open && halt());
addEventListener("pageshow", ({ persisted }) => persisted && dialog.open && start());
