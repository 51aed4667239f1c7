// @ts-check
/** The page: it makes the parts, leads from one view to the other, and offers the settings. */
import { languages, learnLimits } from "./api.js";
import { startClock } from "./clock.js";
import { buttonById, byId, dialogById, make } from "./dom.js";
import { learnPens } from "./draw.js";
import { forget, forgetPhotos, keep, keptPuzzles } from "./kept.js";
import { chooseLanguage, writeTexts } from "./language.js";
import { LiveCamera } from "./live.js";
import { Reader } from "./reader.js";
import { keepSettings, offerChoice, settings } from "./settings.js";
import { offerKept, takeIn } from "./start.js";
import { fail, goTo, show } from "./views.js";
import { Workspace } from "./workspace.js";

/** Milliseconds before the browser begins to keep the files of the page, so that this doesn't slow down the start. */
const QUIET = 2000;

const keepPage = () => navigator.serviceWorker?.register("/service_worker.js").catch(() => {}); // private windows refuse it

async function main() {
  try {
    await Promise.all([chooseLanguage(settings.language), learnPens(), learnLimits()]);
  } catch (error) {
    return fail(error, () => location.reload());
  }
  writeTexts();
  const space = new Workspace();
  const reader = new Reader(space);
  takeIn(reader);
  buttonById("home").addEventListener("click", () => {
    reader.leave();
    offerKept(reader);
    goTo("start");
    byId("content").focus();
  });
  const camera = new LiveCamera(reader);
  addEventListener("popstate", () => {
    const { view = "start", id } = history.state ?? {};
    if (view === "live") return camera.open();
    camera.dialog.close();
    if (view === "start" && document.body.dataset.view === "start") return;
    reader.leave();
    if (view === "work" && reader.resume(id)) return;
    offerKept(reader);
    show("start");
  });
  addEventListener("storage", () => {
    space.writing.catchUp();
    offerKept(reader);
  });
  offerKept(reader);
  buttonById("live-camera").addEventListener("click", () => camera.open());
  offerSettings(reader);
  startClock(space);
  if (history.state?.view === "live") history.replaceState(null, "");
  if (history.state?.view === "work" && !reader.running) reader.resume(history.state.id);
  document.body.dataset.ready = "true";
  setTimeout(keepPage, QUIET);
  Object(window).early.tapped?.click();
}

/** @param {Reader} reader */
function offerSettings(reader) {
  const { space } = reader;
  const dialog = dialogById("settings");
  const choice = /** @type {HTMLSelectElement} */ (byId("settings-language"));
  const theme = /** @type {HTMLSelectElement} */ (byId("settings-theme"));
  const listLanguages = async () => {
    for (const [code, name] of Object.entries(await languages()))
      choice.append(make("option", { value: code, lang: code }, name));
    choice.value = settings.language;
  };
  buttonById("settings-open").addEventListener("click", () => {
    if (choice.length === 1) listLanguages().catch(fail);
    dialog.showModal();
  });
  buttonById("settings-close").addEventListener("click", () => dialog.close());
  choice.addEventListener("change", async () => {
    settings.language = choice.value;
    keepSettings();
    try {
      await chooseLanguage(settings.language);
    } catch (error) {
      return fail(error);
    }
    writeTexts();
    offerKept(reader);
    if (space.session && !byId("work").hidden) space.showPage();
  });
  theme.value = settings.theme;
  theme.addEventListener("change", () => {
    settings.theme = theme.value;
    keepSettings();
    dispatchEvent(new Event("settings"));
  });
  let bringBack = () => {};
  offerChoice("settings-keep", "keepPuzzles", () => {
    if (!settings.keepPuzzles) bringBack = forget(keptPuzzles().map(({ id }) => id));
    else bringBack();
    if (settings.keepPuzzles && space.current) keep(space.current);
    offerKept(reader);
    space.keepPhoto();
  });
  offerChoice("settings-photo", "keepPhotos", () => {
    if (settings.keepPhotos) space.keepPhoto();
    else forgetPhotos(keptPuzzles().map(({ id }) => id));
  });
  offerChoice("settings-hide", "hideAnswers", () => {
    space.answers.begin();
    if (space.mode === space.answers) space.show();
  });
}

main();
