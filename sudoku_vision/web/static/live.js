/** The live camera. It covers the whole page until a frame becomes a photo, or a person goes back. */
import { blanksOf } from "./board.js";
import { aria, buttonById, byId, copy, dialogById, jpegOf, offer, press } from "./dom.js";
import { drawInto, drawShapes, measureLayers } from "./draw.js";
import { hasText, t } from "./language.js";
import { cameraId, cameras, hasTorch, light, openCamera, runLoop, takeFrame, troubleOf } from "./live_camera.js";
import { sentenceOfCounts } from "./modes.js";
import { readFile } from "./reader.js";
import { settings } from "./settings.js";

const PHOTO_QUALITY = 0.92; // the JPEG quality of a frame that becomes a photo, 0..1
/** The words change quickly. So a screen reader reads them out only if they stay the same for this time, in milliseconds. */
const STEADY = 900;

const dialog = dialogById("camera");
const video = /** @type {HTMLVideoElement} */ (byId("camera-video"));
const picture = /** @type {HTMLCanvasElement} */ (byId("camera-picture"));
const choice = /** @type {HTMLSelectElement} */ (byId("camera-choice"));

/** The words that were read out last, and the timer of the next words. */
let [readOut, timer] = ["", 0];

/** `isHidden`: whether answers are hidden. `shown`: the visible frame and its answer. `running` aborts when the camera stops. */
const live = {
  mode: /** @type {LiveMode} */ ("answers"),
  isHidden: false,
  shown: /** @type {{frame: Frame, answer: LiveAnswer | null} | null} */ (null),
  running: new AbortController(),
};

export async function openLive() {
  if (dialog.open) return;
  if (history.state?.view !== "live") history.pushState({ view: "live" }, "");
  live.isHidden = settings.hideAnswers;
  choose("answers");
  dialog.showModal();
  buttonById("camera-freeze").focus();
  await start();
}

export const closeLive = () => dialog.close();

/** @param {string} [id] the id of a camera */
async function start(id = "") {
  halt();
  const { signal } = (live.running = new AbortController());
  dialog.classList.remove("troubled");
  tellState(t("camera.starting"), "starting");
  const freezing = buttonById("camera-freeze");
  freezing.disabled = true;
  try {
    await openCamera(video, id, signal, () => fail("ended"));
  } catch (error) {
    return signal.aborted || fail(troubleOf(error));
  }
  if (signal.aborted) return;
  freezing.disabled = false;
  freezing.focus();
  buttonById("camera-torch").hidden = !hasTorch(video);
  aria(buttonById("camera-torch"), { pressed: false });
  offerCameras();
  keepAwake(signal);
  tellState(t("camera.looking"), "looking");
  runLoop(video, signal, {
    modeNow: () => live.mode,
    onAnswer: (frame, answer) => {
      live.shown = { frame, answer };
      show(true);
    },
    onTrouble: (code) => {
      forget();
      tellState(t([`camera.line.${code}`, `problem.${code}`].find(hasText) ?? "camera.line.gone"), "waiting");
    },
    onLate: forget,
  });
}

function halt() {
  live.running.abort();
  forget();
  clearTimeout(timer);
  byId("camera-words").textContent = byId("camera-live").textContent = readOut = "";
}

/** Close the camera, and read the visible frame as a photo. */
async function freeze() {
  if (!live.shown) {
    const frame = await takeFrame(video);
    if (!frame) return;
    showFrame(frame);
  }
  const photo = await jpegOf(picture, PHOTO_QUALITY);
  if (!photo || !dialog.open) return;
  dialog.close();
  readFile(photo);
  if (live.mode !== "answers") history.replaceState({ ...history.state, mode: live.mode }, "");
}

/** @param {LiveMode} mode */
function choose(mode) {
  live.mode = mode;
  press("camera-mode", mode);
  showGrids([]); // these drawings belong to the earlier mode
  if (live.shown) live.shown = { frame: live.shown.frame, answer: null };
  offerAnswers();
}

/** Show the frame with its answer. Only a *fresh* frame is painted: later, its canvas may already hold the next frame. */
function show(fresh = false) {
  const { frame, answer } = live.shown ?? {};
  if (!frame || !answer) return;
  if (fresh) showFrame(frame);
  const isHidden = live.isHidden && live.mode === "answers"; // the outlines of the grids are shown, but no answers
  showGrids(answer.grids, ({ cell }) => !isHidden || cell === undefined);
  tellState(sentenceOfAnswer(answer, live.mode, live.isHidden), answer.state);
}

function offerAnswers() {
  const button = buttonById("camera-show");
  button.hidden = !settings.hideAnswers || live.mode !== "answers";
  button.textContent = t(live.isHidden ? "show.answers" : "hide.answers");
}

/** Show the running video in place of an old frame. */
function forget() {
  live.shown = null;
  showGrids([]);
  byId("camera-stage").classList.remove("answered");
}

async function offerCameras() {
  const choices = await cameras();
  const options = choices.map(({ deviceId, label }, place) => {
    const words = label || t("camera.number", { number: place + 1 });
    return new Option(words, deviceId, false, deviceId === cameraId(video));
  });
  choice.replaceChildren(...options);
  byId("camera-choice-field").hidden = choices.length < 2;
}

/** Keep the screen on, if the browser can. The browser ends this when the page is hidden. @param {AbortSignal} signal */
async function keepAwake(signal) {
  const lock = await navigator.wakeLock?.request("screen").catch(() => null);
  if (signal.aborted) lock?.release();
  else signal.addEventListener("abort", () => lock?.release());
}

/** @param {CameraTrouble} trouble */
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

/** @param {Frame} frame */
function showFrame({ picture: frame, size }) {
  copy(frame, picture, frame.width, frame.height);
  measureLayers("camera", size);
  byId("camera-stage").classList.add("answered");
}

/** @param {LiveGrid[]} grids @param {(shape: Shape) => boolean} [isShown] */
const showGrids = (grids, isShown = () => true) =>
  drawInto("camera", grids.map(({ shapes, covers }) => drawShapes(shapes.filter(isShown), covers)));

/** @param {string} words @param {string} state decides the colour of the dot beside the words */
function tellState(words, state) {
  byId("camera-status").dataset.state = state;
  const line = byId("camera-words");
  if (line.textContent === words) return;
  line.textContent = words;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (words !== readOut) byId("camera-live").textContent = readOut = words;
  }, STEADY);
}

/** @param {LiveAnswer} answer @param {LiveMode} mode @param {boolean} hidden whether answers are hidden */
export function sentenceOfAnswer({ state, grids, size }, mode, hidden) {
  const sure = grids.filter((grid) => grid.state === "sure");
  if (sure.length === 1) return sentenceOfSure(sure[0], mode, hidden);
  const shown = mode === "answers" && hidden ? "hidden" : mode;
  if (sure.length) return t(`camera.several.${shown}`, { number: sure.length });
  if (grids.some((grid) => isCutOff(grid, size))) return t("camera.cut");
  if (state !== "unsolvable") return t(`camera.${state}`);
  const none = grids.some((grid) => grid.status === "no_solution");
  return t(none ? "camera.no_solution" : "camera.many_solutions");
}

/** @param {LiveGrid} grid @param {LiveMode} mode @param {boolean} hidden */
function sentenceOfSure(grid, mode, hidden) {
  const { puzzle, written, solution, hint, check } = grid;
  if (mode === "hint") return hint === undefined ? t("camera.hint.looking") : hint?.text || t("hint.full");
  if (mode === "check") return sentenceOfCounts(check ?? { right: 0, wrong: 0, unclear: 0 });
  if (hidden) return t("camera.hidden");
  const entries = [...(written ?? "")].map((digit, cell) => [digit, solution?.[cell]]);
  const entered = entries.filter(([digit]) => digit !== "0");
  const count = blanksOf(puzzle ?? "") - entered.length;
  if (count) return t("camera.sure", { count });
  if (!entered.length) return t("say.complete");
  const wrong = entered.filter(([digit, answer]) => digit !== answer).length;
  return t(wrong ? "camera.full.wrong" : "camera.full.right", { count: entered.length, wrong });
}

/** @param {LiveGrid} grid @param {[number, number]} size the size of the frame */
const isCutOff = ({ crossings }, [width, height]) =>
  crossings.flat().some(([x, y]) => x < 0 || y < 0 || x > width - 1 || y > height - 1);

offer({
  "live-camera": openLive,
  "camera-mode": choose,
  "camera-back": closeLive,
  "camera-freeze": freeze,
  "camera-again": () => start(),
  "camera-photo": () => {
    dialog.close();
    byId("choose-file").click();
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
