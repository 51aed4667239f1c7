// @ts-check
/** The settings of a person, kept in this browser alone. */
import { inputById } from "./dom.js";

/** @typedef {{language: string, theme: string, hideAnswers: boolean, checkAsIGo: boolean, tidyNotes: boolean,
 *   showTime: boolean, keepPuzzles: boolean, keepPhotos: boolean}} Settings `theme`: light, dark, "" as the device */

const KEY = "sudoku-vision";

/** The kept settings, or the usual ones. @type {Settings} */
export const settings = {
  language: "",
  theme: "",
  hideAnswers: false,
  checkAsIGo: false,
  tidyNotes: true,
  showTime: true,
  keepPuzzles: true,
  keepPhotos: false,
  ...stored(KEY),
};

/**
 * Let a checkbox show and change a setting.
 * @param {string} id @param {Exclude<keyof Settings, "language" | "theme">} name @param {() => void} then
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

/** Return the value under a key, null if there is none or if the browser refuses. @param {string} key @returns {any} */
export function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value, undefined for none. Return false if a private window refuses: the value lasts as long as the page. @param {string} key @param {unknown} value */
export function store(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
