// @ts-check
/** The page: its views, and what leads from one to the next. */
import { learnLimits, penPaths } from "./api.js";
import { buttonById, byId, dialogById, make } from "./dom.js";
import { drawHero } from "./hero.js";
import { takeIn } from "./intake.js";
import { forget, keep, keptPuzzles, listKept } from "./kept.js";
import { forgetPhotos } from "./kept_photos.js";
import { chooseLanguage, writeTexts } from "./language.js";
import { LiveCamera } from "./live.js";
import { fail } from "./problems.js";
import { Reader } from "./reader.js";
import { keepSettings, offerChoice, settings } from "./settings.js";
import { goTo, show } from "./views.js";
import { Workspace } from "./workspace.js";

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
  const space = new Workspace(pens);
  const reader = new Reader(space);
  takeIn(reader);
  for (const id of ["home", "new-photo"]) {
    buttonById(id).addEventListener("click", () => {
      reader.leave();
      begin(reader);
      goTo("start");
      byId("content").focus();
    });
  }
  addEventListener("popstate", () => {
    const { view = "start", id } = history.state ?? {};
    if (view === "work" && reader.resume(id)) return;
    if (document.body.dataset.view === "start") return;
    reader.leave();
    begin(reader);
    show("start");
  });
  addEventListener("storage", () => {
    space.writing.catchUp();
    begin(reader);
  });
  begin(reader);
  const camera = new LiveCamera(pens, reader);
  buttonById("live-camera").addEventListener("click", () => camera.open());
  offerSettings(reader, known);
  if (history.state?.view === "work") reader.resume(history.state.id);
  document.body.dataset.ready = "true";
}

/** Offer on the start what was begun before. @param {Reader} reader @param {(() => void) | null} [bringBack] what was forgotten */
function begin(reader, bringBack = null) {
  const puzzles = keptPuzzles();
  const [all, undo] = [buttonById("kept-forget"), buttonById("forgotten-undo")];
  const forgetSome = (/** @type {string[]} */ ids) => {
    const last = forget(ids);
    begin(reader, () => [last, bringBack].forEach((act) => act?.()));
    undo.focus();
  };
  buttonById("resume").hidden = !reader.space.aside && !puzzles.length;
  byId("kept").hidden = !puzzles.length && !bringBack;
  byId("forgotten").hidden = !bringBack;
  undo.onclick = () => {
    bringBack?.();
    begin(reader);
    byId("content").focus();
  };
  all.hidden = !puzzles.length;
  all.onclick = () => forgetSome(puzzles.map(({ id }) => id));
  listKept(byId("kept-list"), puzzles, {
    open: ({ id }) => reader.resume(id),
    forget: ({ id }) => forgetSome([id]),
  });
}

/** @param {Reader} reader @param {Object<string, string>} known the languages that there are */
function offerSettings(reader, known) {
  const { space } = reader;
  const dialog = dialogById("settings");
  const choice = /** @type {HTMLSelectElement} */ (byId("settings-language"));
  for (const [code, name] of Object.entries(known))
    choice.append(make("option", { value: code, lang: code }, name));
  choice.value = settings.language;
  buttonById("settings-open").addEventListener("click", () => dialog.showModal());
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
    begin(reader);
    if (space.session && !byId("work").hidden) space.showPage();
  });
  let bringBack = () => {};
  offerChoice("settings-keep", "keepPuzzles", () => {
    if (!settings.keepPuzzles) bringBack = forget(keptPuzzles().map(({ id }) => id));
    else bringBack();
    if (settings.keepPuzzles && space.current) keep(space.current);
    begin(reader);
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
