// @ts-check
/** What a person chose, kept in this browser alone. */
import { inputById } from "./dom.js";

/** @typedef {{language: string, hideAnswers: boolean, checkAsIGo: boolean, tidyNotes: boolean,
 *   keepPuzzles: boolean, keepPhotos: boolean}} Settings */

const KEY = "sudoku-vision";

/** Those that were kept, or the usual ones. @type {Settings} */
export const settings = {
  language: "",
  hideAnswers: false,
  checkAsIGo: false,
  tidyNotes: true,
  keepPuzzles: true,
  keepPhotos: false,
  ...kept(),
};

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * Let a checkbox show and change a setting.
 * @param {string} id @param {Exclude<keyof Settings, "language">} name @param {() => void} then
 */
export function offerChoice(id, name, then) {
  const box = inputById(id);
  box.checked = settings[name];
  box.addEventListener("change", () => {
    settings[name] = box.checked;
    keepSettings();
    then();
  });
}

/** Keep the settings; a browser that keeps nothing is no trouble. */
export function keepSettings() {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Private windows may refuse: the choice then lasts as long as the page.
  }
}
