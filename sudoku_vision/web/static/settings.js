// @ts-check
/** The settings of a person, which are kept only in this browser. */
import { inputById } from "./dom.js";

/** @typedef {{language: string, theme: string, hideAnswers: boolean, checkAsIGo: boolean, tidyNotes: boolean,
 *   showTime: boolean, keepPuzzles: boolean, keepPhotos: boolean}} Settings `theme`: light or dark, "" for that of the device */

const KEY = "sudoku-vision";

/** The settings: the usual ones, with those that are kept in their place. @type {Settings} */
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

/**
 * Store a value under a key; undefined removes it. Return false if the browser refuses, as in a private window.
 * @param {string} key @param {unknown} value
 */
export function store(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
