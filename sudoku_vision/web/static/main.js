// @ts-check
/** The page: which of its views is open, and what leads from one to the next. */
import { ApiError, learnLimits, penPaths } from "./api.js";
import { Corners } from "./corners.js";
import { buttonById, byId, dialogById, inputById, make, say } from "./dom.js";
import { gridCorners } from "./geometry.js";
import { drawHero } from "./hero.js";
import { takeIn } from "./intake.js";
import { forget, keep, keptPuzzles, listKept } from "./kept.js";
import { forgetPhotos, keepPhoto } from "./kept_photos.js";
import { chooseLanguage, t, writeTexts } from "./language.js";
import { LiveCamera } from "./live.js";
import { problemOf } from "./problems.js";
import { Session } from "./session.js";
import { keepSettings, loadSettings, offerChoice } from "./settings.js";
import { reduced } from "./shrink.js";
import { TakeAway } from "./take_away.js";
import { Workspace } from "./workspace.js";

/** Milliseconds after which a person should see that something is being done. */
const SIGN_OF_LIFE = 200;

/** A board to type a puzzle into. */
const NO_CLUES = "0".repeat(81);

const settings = loadSettings();

/** @typedef {"start" | "work"} View */

/** Show a view. @param {View} name */
function show(name) {
  byId("start").hidden = name !== "start";
  byId("work").hidden = name !== "work";
  buttonById("new-photo").hidden = name !== "work";
  document.body.dataset.view = name;
  byId("problem").hidden = true;
}

/** Show a view, and have the browser's Back lead to the one before. @param {View} view */
function goTo(view) {
  // Before the page changes: the browser notes where the old view was scrolled to, which a changed one is laid out for.
  if (history.state?.view !== view) history.pushState({ view }, "");
  show(view);
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
  const space = new Workspace(pens, settings, {
    fail,
    read: (text) => reader.readText(text),
    keep: (one) => {
      if (settings.keepPuzzles) keep(one);
      if (document.body.dataset.view !== "work" || history.state?.id === one.id) return;
      history.replaceState({ view: "work", id: one.id }, "");
      offerPhoto(space);
    },
  });
  const takeAway = new TakeAway(space.photo, () => space.current?.grid ?? null, fail);
  const reader = new Reader(space, takeAway);
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
  buttonById("type-board").addEventListener("click", () => reader.readText(NO_CLUES));
  buttonById("mark-corners").addEventListener("click", () => {
    const crossings = space.current?.view.crossings;
    space.choose(-1);
    corners.open(crossings ? gridCorners(crossings) : null);
  });
  const leave = () => {
    reader.leave();
    corners.close();
    space.choose(-1);
    begin(reader);
  };
  for (const id of ["home", "new-photo"]) {
    buttonById(id).addEventListener("click", () => {
      leave();
      goTo("start");
      byId("content").focus();
    });
  }
  addEventListener("popstate", () => {
    const { view = "start", id } = history.state ?? {};
    if (view === "work" && reader.resume(id)) return;
    if (document.body.dataset.view === "work") leave();
    if (document.body.dataset.view !== "start") show("start");
  });
  begin(reader);
  buttonById("problem-close").addEventListener("click", () => {
    byId("problem").hidden = true;
  });
  const camera = new LiveCamera({
    pens,
    hideAnswers: () => settings.hideAnswers,
    onPhoto: (photo) => reader.readFile(photo),
    onTakePhoto: () => buttonById("take-photo").click(),
  });
  buttonById("live-camera").addEventListener("click", () => camera.open());
  offerSettings(space, reader, known);
  if (history.state?.view === "work") reader.resume(history.state.id);
  document.body.dataset.ready = "true";
}

/** Offer on the start what was begun before. @param {Reader} reader */
function begin(reader) {
  const puzzles = keptPuzzles();
  buttonById("resume").hidden = !reader.space.aside && !puzzles.length;
  byId("kept").hidden = !puzzles.length;
  listKept(byId("kept-list"), puzzles, {
    open: (kept) => reader.resume(kept.id),
    forget: (kept) => {
      forget(kept.id);
      begin(reader);
      byId("content").focus();
    },
  });
}

/** Keep the photo of the puzzle in hand, too, where that is allowed. @param {Workspace} space */
function offerPhoto({ session, current }) {
  if (session && current && settings.keepPuzzles && settings.keepPhotos) keepPhoto(current.id, session.source);
}

/** @param {Workspace} space @param {Reader} reader @param {Object<string, string>} known the languages that there are */
function offerSettings(space, reader, known) {
  const dialog = dialogById("settings");
  const choice = /** @type {HTMLSelectElement} */ (byId("settings-language"));
  for (const [code, name] of Object.entries(known))
    choice.append(make("option", { value: code, lang: code }, name));
  choice.value = settings.language;
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
    begin(reader);
    if (space.session && !byId("work").hidden) space.showPage();
  });
  const forgetAll = () => {
    forget();
    begin(reader);
  };
  offerChoice(inputById("settings-keep"), settings, "keepPuzzles", () => {
    if (!settings.keepPuzzles) forgetAll();
    else if (space.current) keep(space.current);
    offerPhoto(space);
  });
  offerChoice(inputById("settings-photo"), settings, "keepPhotos", () => {
    if (settings.keepPhotos) offerPhoto(space);
    else forgetPhotos(keptPuzzles().map(({ id }) => id));
  });
  buttonById("kept-forget").addEventListener("click", () => {
    forgetAll();
    byId("content").focus();
  });
  offerChoice(inputById("settings-hide"), settings, "hideAnswers", () => {
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
    buttonById("resume").addEventListener("click", () => this.resume());
  }

  cancel() {
    this.running?.abort();
  }

  /** Leave what is being read, for the start; the puzzle before is in hand again. */
  leave() {
    this.cancel();
    this.running = null;
    byId("work").classList.remove("waiting", "reading");
    this.space.session ??= this.space.aside;
  }

  /** @param {Blob} file */
  readFile(file) {
    return this.#open(
      t("reading.title"),
      () => this.readFile(file),
      async (signal) => {
        const sent = await reduced(file);
        this.space.photo.show(sent, file);
        const session = await Session.open(sent, { signal, onUpload: showUpload });
        session.original = file;
        return session;
      },
    );
  }

  /** @param {string} text */
  readText(text) {
    return this.#open(
      t("reading.board"),
      () => this.readText(text),
      (signal) => Session.open(text, { signal }),
    );
  }

  /** Go on with the puzzle in hand, or with one that was kept; false where there is none. @param {string} [id] */
  resume(id) {
    const { aside } = this.space;
    if (aside && (!id || aside.grids.flat().some((one) => one.id === id))) {
      goTo("work");
      this.space.takeBack();
      return true;
    }
    const kept = keptPuzzles().find((one) => !id || one.id === id);
    if (kept)
      this.#open(
        t("reading.board"),
        () => this.resume(id),
        (signal) => Session.goOn(kept, { signal }),
      );
    return Boolean(kept);
  }

  /**
   * Open another picture or board; until it is read, and if it can't be, the one before stays as it was.
   * @param {string} title @param {() => void} again @param {(signal: AbortSignal) => Promise<Session>} open
   */
  #open(title, again, open) {
    const before = document.body.dataset.view === "work" ? "work" : "start";
    const opener = /** @type {HTMLElement} */ (document.activeElement);
    const back = () => {
      show(before);
      (opener === document.body ? byId("content") : opener).focus();
      if (before === "work") return this.space.takeBack();
      if (history.state?.view === "work") history.back();
    };
    goTo("work");
    this.space.leave();
    return this.#run(title, again, back, open);
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
      await this.space.photo.unpacked;
      work.classList.remove("waiting");
      this.takeAway.begin();
      await this.space.take(session);
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
