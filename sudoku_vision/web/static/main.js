/** Starts the page: connects the buttons with their functions, reacts to Back in the browser, and counts the time. */
import * as acts from "./acts.js";
import "./corners.js";
import { byId, dialogById, inputById, offer } from "./dom.js";
import "./keyboard.js";
import { forget, forgetPhotos, keptPuzzles } from "./kept.js";
import { chooseLanguage } from "./language.js";
import { closeLive, openLive } from "./live.js";
import "./pointing.js";
import { goTo, resume, show, stop } from "./reader.js";
import * as render from "./render.js";
import { offerSettings, settings } from "./settings.js";
import { offerKept, takeIn } from "./start.js";
import { current, state } from "./state.js";
import "./take_away.js";
import * as writing from "./writing.js";

/** This many milliseconds after the start, the browser stores the files of the page. Without this pause, the start would take longer. */
const QUIET = 2000;

async function main() {
  try {
    await chooseLanguage(settings.language);
  } catch (error) {
    return acts.fail(error, () => location.reload());
  }
  takeIn();
  offer({
    ...acts,
    ...writing,
    "settings-open": () => dialogById("settings").showModal(),
    home: () => {
      stop();
      offerKept();
      goTo("start");
      byId("content").focus();
    },
  });
  byId("panel-check").addEventListener("change", () => {
    state.check = { answers: inputById("check-answers").checked, marks: inputById("check-marks").checked };
    acts.show();
  });
  offerChoices();
  addEventListener("popstate", () => {
    const { view = "start", id } = history.state ?? {};
    if (view === "live") return openLive();
    closeLive();
    if (view === "start" && state.view === "start") return;
    stop();
    if (view === "work" && resume(id)) return;
    offerKept();
    show("start");
  });
  addEventListener("storage", () => {
    acts.catchUp();
    offerKept();
  });
  offerKept();
  setInterval(countTime, 1000);
  if (history.state?.view === "live") history.replaceState(null, "");
  if (history.state?.view === "work" && !state.reading) resume(history.state.id);
  document.body.dataset.ready = "true";
  setTimeout(() => navigator.serviceWorker?.register("/service_worker.js").catch(() => {}), QUIET); // private windows refuse it
  Object(window).early.tapped?.click();
}

/** Count a second while a person sees the puzzle in the mode Solve and blank cells are left. */
function countTime() {
  const one = current();
  const isSolving = !document.hidden && state.view === "work" && state.mode === "solve";
  if (!one || !isSolving || one.isTyped || !one.board.includes("0")) return;
  one.seconds += 1;
  render.chips();
}

function offerChoices() {
  let bringBack = () => {};
  offerSettings({
    language: async () => {
      try {
        await chooseLanguage(settings.language);
        offerKept();
        if (state.session && state.view === "work") await acts.showPage();
      } catch (error) {
        acts.fail(error);
      }
    },
    theme: () => dispatchEvent(new Event("settings")),
    checkAsIGo: () => acts.show(),
    showTime: render.chips,
    keepPuzzles: () => {
      if (!settings.keepPuzzles) bringBack = forget(keptPuzzles().map(({ id }) => id));
      else bringBack();
      acts.keep(true);
      offerKept();
    },
    keepPhotos: () => {
      if (settings.keepPhotos) acts.keep(true);
      else forgetPhotos(keptPuzzles().map(({ id }) => id));
    },
    hideAnswers: () => {
      Object.assign(state, { answersShown: !settings.hideAnswers, fresh: true });
      acts.show();
    },
  });
}

main();
