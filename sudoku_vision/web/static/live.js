// @ts-check
/** The live camera: it covers the whole page, until a frame becomes a photo or a person goes back. */
/** @import { CameraTrouble, Frame, LiveAnswer, LiveGrid, LiveMode, Reader } from "./types.js" */
import { buttonById, byId, dialogById, press } from "./dom.js";
import { t } from "./language.js";
import { Camera, CameraError } from "./live_camera.js";
import { Frames, LiveLoop } from "./live_loop.js";
import { LiveView, sentenceOfAnswer, sentenceOfLine } from "./live_view.js";
import { settings } from "./settings.js";

const MODES = /** @type {const} */ (["answers", "hint", "check"]);

export class LiveCamera {
  dialog = dialogById("camera");
  video = /** @type {HTMLVideoElement} */ (byId("camera-video"));
  camera = new Camera(this.video, () => this.#fail("ended"));
  /** @type {LiveLoop | null} */
  loop = null;
  /** @type {LiveMode} */
  mode = "answers";
  modes = MODES.map((mode) => buttonById(`camera-mode-${mode}`));
  choice = /** @type {HTMLSelectElement} */ (byId("camera-choice"));
  view = new LiveView();
  hidden = false;
  /** @type {WakeLockSentinel | null} */
  awake = null;
  /** The frame that is shown now, and the answer to it. @type {{frame: Frame, answer: LiveAnswer | null} | null} */
  shown = null;

  /** @param {Reader} reader */
  constructor(reader) {
    this.reader = reader;
    this.#listen();
  }

  /** Open the view of the live camera. */
  async open() {
    if (this.dialog.open) return;
    if (history.state?.view !== "live") history.pushState({ view: "live" }, "");
    this.hidden = settings.hideAnswers;
    this.#choose("answers");
    this.dialog.showModal();
    buttonById("camera-freeze").focus();
    await this.start();
  }

  /** Start a camera, and show its picture. @param {string} [id] */
  async start(id) {
    this.#halt();
    this.dialog.classList.remove("troubled");
    this.view.tell(t("camera.starting"), "starting");
    buttonById("camera-freeze").disabled = true;
    try {
      if (!(await this.camera.open(id))) return;
    } catch (error) {
      return this.#fail(error instanceof CameraError ? error.trouble : "in_use");
    }
    buttonById("camera-freeze").disabled = false;
    buttonById("camera-freeze").focus();
    this.#offerTorch();
    this.#offerCameras();
    this.#keepAwake();
    this.view.tell(t("camera.looking"), "looking");
    this.loop = new LiveLoop(this.video, {
      mode: () => this.mode,
      onAnswer: (frame, answer) => {
        this.shown = { frame, answer };
        this.#show(true);
      },
      onTrouble: (code) => {
        this.#forget();
        this.view.tell(sentenceOfLine(code), "waiting");
      },
      onLate: () => this.#forget(),
    });
    this.loop.run();
  }

  /** Read the frame that is shown as a photo. */
  async freeze() {
    if (!this.shown) {
      const frame = await new Frames(this.video).next(); // a new frame, as the loop may be sending its own
      if (!frame) return;
      this.view.showFrame(frame, []);
    }
    const photo = await this.view.photo();
    if (!photo || !this.dialog.open) return;
    this.dialog.close();
    this.reader.readFile(photo);
  }

  #listen() {
    this.modes.forEach((button, at) => button.addEventListener("click", () => this.#choose(MODES[at])));
    buttonById("camera-back").addEventListener("click", () => this.dialog.close());
    buttonById("camera-freeze").addEventListener("click", () => this.freeze());
    buttonById("camera-again").addEventListener("click", () => this.start());
    buttonById("camera-photo").addEventListener("click", () => {
      this.dialog.close();
      buttonById("take-photo").click();
    });
    buttonById("camera-show").addEventListener("click", () => {
      this.hidden = !this.hidden;
      this.#offerAnswers();
      this.#show();
    });
    buttonById("camera-torch").addEventListener("click", () => this.#switchTorch());
    this.choice.addEventListener("change", () => this.start(this.choice.value));
    this.dialog.addEventListener("close", () => {
      this.#halt();
      if (history.state?.view === "live") history.back();
    });
    this.dialog.addEventListener("keydown", (event) => this.#key(event));
    navigator.mediaDevices?.addEventListener?.("devicechange", () => {
      if (this.camera.stream) this.#offerCameras();
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.camera.stream) this.#keepAwake();
    });
    window.addEventListener("pagehide", () => this.dialog.open && this.#halt());
    window.addEventListener("pageshow", ({ persisted }) => persisted && this.dialog.open && this.start());
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const onControl = event.target instanceof HTMLElement && event.target.closest("button, select");
    if (event.key !== " " || event.repeat || onControl) return;
    event.preventDefault();
    this.freeze();
  }

  /** Choose what is drawn on the frames. @param {LiveMode} mode */
  #choose(mode) {
    this.mode = mode;
    press(this.modes, MODES.indexOf(mode));
    this.view.showGrids([]); // these drawings belong to the earlier mode
    if (this.shown) this.shown = { frame: this.shown.frame, answer: null };
    this.#offerAnswers();
  }

  /** Show the frame with its answer. If not *fresh*, only the drawings change: the pixels may be replaced already. */
  #show(fresh = false) {
    const { frame, answer } = this.shown ?? {};
    if (!frame || !answer) return;
    const isHidden = this.hidden && this.mode === "answers";
    const grids = isHidden ? answer.grids.map(outlineOnly) : answer.grids;
    if (fresh) this.view.showFrame(frame, grids);
    else this.view.showGrids(grids);
    this.view.tell(sentenceOfAnswer(answer, this.mode, this.hidden), answer.state);
  }

  #offerAnswers() {
    const button = buttonById("camera-show");
    button.hidden = !settings.hideAnswers || this.mode !== "answers";
    button.textContent = t(this.hidden ? "show.answers" : "hide.answers");
  }

  /** Show the running video, because the last frame is too old, or because there is none. */
  #forget() {
    this.shown = null;
    this.view.showVideo();
  }

  #offerTorch() {
    const button = buttonById("camera-torch");
    button.hidden = !this.camera.hasTorch;
    button.setAttribute("aria-pressed", "false");
  }

  async #switchTorch() {
    const button = buttonById("camera-torch");
    const on = button.getAttribute("aria-pressed") !== "true";
    if (await this.camera.light(on)) button.setAttribute("aria-pressed", String(on));
  }

  async #offerCameras() {
    const choices = await this.camera.choices();
    this.choice.replaceChildren(
      ...choices.map(
        ({ id, name }, place) =>
          new Option(name || t("camera.number", { number: place + 1 }), id, false, id === this.camera.id),
      ),
    );
    byId("camera-choice-field").hidden = choices.length < 2;
  }

  /** Keep the screen on, if that is possible. The browser lets the screen sleep again when the page is hidden. */
  async #keepAwake() {
    const lock = await navigator.wakeLock?.request("screen").catch(() => null);
    if (!this.camera.stream) lock?.release();
    else this.awake = lock ?? null;
  }

  /** Show why there is no camera, and what to do about it. @param {CameraTrouble} trouble */
  #fail(trouble) {
    this.#halt();
    this.dialog.classList.add("troubled");
    this.dialog.dataset.trouble = trouble;
    byId("camera-trouble-title").textContent = t(`camera.${trouble}`);
    byId("camera-trouble-remedy").textContent = t(`camera.${trouble}.remedy`);
    buttonById("camera-again").hidden = trouble === "insecure" || trouble === "unsupported";
    buttonById(buttonById("camera-again").hidden ? "camera-photo" : "camera-again").focus();
  }

  #halt() {
    this.loop?.stop();
    this.loop = null;
    this.camera.close();
    this.awake?.release();
    this.awake = null;
    this.#forget();
    this.view.hush();
  }
}

/** Return a copy of a grid with only its outline. @param {LiveGrid} grid */
const outlineOnly = (grid) => ({ ...grid, shapes: grid.shapes.filter(({ shape }) => shape === "line") });
