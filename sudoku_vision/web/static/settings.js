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
  ...stored(KEY),
};

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

/** Keep the settings. */
export const keepSettings = () => store(KEY, settings);

/** Return what was stored under a key, null where nothing was, or the browser refuses. @param {string} key @returns {any} */
export function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value, undefined for none; false where a private window refuses: it then lasts as long as the page. @param {string} key @param {unknown} value */
export function store(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
