// @ts-check
/** The page: which of its views is open, and what leads from one to the next. */
import { ApiError, learnLimits, penPaths } from "./api.js";
import { Corners } from "./corners.js";
import { buttonById, byId, dialogById, inputById, make, say } from "./dom.js";
import { gridCorners } from "./geometry.js";
import { drawHero } from "./hero.js";
import { takeIn } from "./intake.js";
import { chooseLanguage, t, writeTexts } from "./language.js";
import { LiveCamera } from "./live.js";
import { problemOf } from "./problems.js";
import { Session } from "./session.js";
import { keepSettings, loadSettings } from "./settings.js";
import { reduced } from "./shrink.js";
import { TakeAway } from "./take_away.js";
import { Typing } from "./typing.js";
import { Workspace } from "./workspace.js";

/** Milliseconds after which a person should see that something is being done. */
const SIGN_OF_LIFE = 200;

const settings = loadSettings();

/** Show a view: "start" or "work". @param {"start" | "work"} name */
function show(name) {
  byId("start").hidden = name !== "start";
  byId("work").hidden = name !== "work";
  buttonById("new-photo").hidden = name !== "work";
  document.body.dataset.view = name;
  byId("problem").hidden = true;
}

/** Tell of something that went wrong, and what to do about it. @param {unknown} error @param {(() => void) | null} again */
function fail(error, again = null) {
  if (!(error instanceof ApiError)) console.warn(error);
  const { code, message, remedy, passing } = problemOf(error);
  byId("problem").hidden = false;
  byId("problem").dataset.code = code;
  byId("problem-message").textContent = message;
  byId("problem-remedy").textContent = remedy;
  const button = buttonById("problem-again");
  button.hidden = !again || !passing;
  button.onclick = () => {
    byId("problem").hidden = true;
    again?.();
  };
  byId("problem").scrollIntoView({ block: "nearest" });
  say(`${message} ${remedy}`, true);
}

/** Show how much of a photo is sent. @param {number} share 0..1 */
function showUpload(share) {
  byId("reading-title").textContent = t(share < 1 ? "reading.sending" : "reading.title");
  const bar = /** @type {HTMLProgressElement} */ (byId("reading-sent"));
  [bar.value, bar.hidden] = [share, share === 1];
}

/** Begin. */
async function main() {
  const known = await chooseLanguage(settings.language);
  writeTexts();
  const [pens] = await Promise.all([penPaths(), learnLimits()]).catch((error) => {
    fail(error, () => location.reload());
    return [];
  });
  if (!pens) return;
  drawHero(pens);
  const space = new Workspace(pens, { say, fail });
  const takeAway = new TakeAway(space.photo, () => space.current?.grid ?? null, fail);
  const reader = new Reader(space, takeAway);
  const typing = new Typing((text) => reader.readText(text));
  const corners = new Corners(space.photo, {
    onRead: (points) => reader.readAgain(points),
    onLeave: () => space.showPage(),
  });
  takeIn({
    onFile: (file) => {
      corners.close();
      reader.readFile(file);
    },
    onText: (text) => reader.readText(text),
  });
  buttonById("type-board").addEventListener("click", () => typing.open());
  buttonById("mark-corners").addEventListener("click", () => {
    const crossings = space.current?.view.crossings;
    space.choose(-1);
    corners.open(crossings ? gridCorners(crossings) : null);
  });
  for (const id of ["home", "new-photo"]) {
    buttonById(id).addEventListener("click", () => {
      reader.cancel();
      corners.close();
      space.choose(-1);
      show("start");
      byId("content").focus();
    });
  }
  buttonById("problem-close").addEventListener("click", () => {
    byId("problem").hidden = true;
  });
  offerLive(pens, reader);
  offerSettings(space, known);
  document.body.dataset.ready = "true";
}

/** @param {import("./draw.js").PenPaths} pens @param {Reader} reader */
function offerLive(pens, reader) {
  const camera = new LiveCamera({
    pens,
    hideAnswers: () => settings.hideAnswers,
    onPhoto: (photo) => reader.readFile(photo),
    onTakePhoto: () => buttonById("take-photo").click(),
  });
  buttonById("live-camera").addEventListener("click", () => camera.open());
}

/** @param {Workspace} space @param {Object<string, string>} known the languages that there are */
function offerSettings(space, known) {
  const dialog = dialogById("settings");
  const choice = /** @type {HTMLSelectElement} */ (byId("settings-language"));
  const hide = inputById("settings-hide");
  for (const [code, name] of Object.entries(known)) choice.append(make("option", { value: code, lang: code }, name));
  choice.value = settings.language;
  hide.checked = settings.hideAnswers;
  buttonById("settings-open").addEventListener("click", () => dialog.showModal());
  buttonById("settings-close").addEventListener("click", () => dialog.close());
  choice.addEventListener("change", async () => {
    settings.language = choice.value;
    keepSettings(settings);
    try {
      await chooseLanguage(settings.language);
    } catch (error) {
      return fail(error);
    }
    writeTexts();
    if (space.session && !byId("work").hidden) space.showPage();
  });
  hide.addEventListener("change", () => {
    settings.hideAnswers = hide.checked;
    keepSettings(settings);
    space.answers.begin(settings.hideAnswers);
    if (space.current && space.mode === space.answers) space.answers.show();
  });
}

/** Has pictures and texts read, one at a time; a newer one takes the place of an older one. */
class Reader {
  /** @param {Workspace} space @param {TakeAway} takeAway */
  constructor(space, takeAway) {
    this.space = space;
    this.takeAway = takeAway;
    /** @type {AbortController | null} */
    this.running = null;
    buttonById("reading-cancel").addEventListener("click", () => this.cancel());
  }

  cancel() {
    this.running?.abort();
  }

  /** @param {Blob} file */
  async readFile(file) {
    this.#leave();
    await this.#run(
      t("reading.title"),
      () => this.readFile(file),
      () => show("start"),
      async (signal) => {
        const sent = await reduced(file);
        this.space.photo.showFile(sent, file);
        return Session.open(sent, { signal, onUpload: showUpload });
      },
    );
  }

  /** @param {string} text */
  readText(text) {
    this.#leave();
    return this.#run(
      t("reading.board"),
      () => this.readText(text),
      () => show("start"),
      (signal) => Session.open(text, { signal }),
    );
  }

  /** Leave the picture before, for one that is about to come. */
  #leave() {
    show("work");
    this.space.leave();
  }

  /** Read the same picture within corners that a person marked. @param {import("./types.js").Point[]} corners */
  async readAgain(corners) {
    const { session } = this.space;
    if (!session) return;
    const back = () => this.space.showPage();
    await this.#run(
      t("reading.title"),
      () => this.readAgain(corners),
      back,
      (signal) => session.readWithin(corners, signal),
    );
  }

  /**
   * @param {string} title @param {() => void} again @param {() => void} back where to go if it can't be read
   * @param {(signal: AbortSignal) => Promise<Session>} open
   */
  async #run(title, again, back, open) {
    this.cancel();
    const running = (this.running = new AbortController());
    const work = byId("work");
    byId("problem").hidden = true;
    byId("reading-title").textContent = title;
    byId("reading-sent").hidden = true;
    work.classList.add("waiting");
    const sign = setTimeout(() => {
      work.classList.add("reading");
      say(title, true);
    }, SIGN_OF_LIFE);
    try {
      const session = await open(running.signal);
      if (running !== this.running) return;
      await this.space.photo.image.decode().catch(() => {});
      work.classList.remove("waiting");
      this.takeAway.begin();
      await this.space.take(session, settings.hideAnswers);
      if (document.activeElement === document.body) byId("status-title").focus({ preventScroll: true });
    } catch (error) {
      if (running !== this.running) return;
      work.classList.remove("waiting", "reading");
      back();
      if (error instanceof ApiError && error.code === "cancelled") say(t("problem.cancelled"));
      else fail(error, again);
    } finally {
      clearTimeout(sign);
      if (running === this.running) work.classList.remove("waiting", "reading");
    }
  }
}

main();
