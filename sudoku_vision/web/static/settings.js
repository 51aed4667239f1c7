// @ts-check
/** What a person chose, kept in this browser alone. */

/** @typedef {{language: string, hideAnswers: boolean, checkAsIGo: boolean, tidyNotes: boolean,
 *   keepPuzzles: boolean, keepPhotos: boolean}} Settings */

const KEY = "sudoku-vision";

/** Return the settings that were kept, or the usual ones. @returns {Settings} */
export function loadSettings() {
  const usual = {
    language: "",
    hideAnswers: false,
    checkAsIGo: false,
    tidyNotes: true,
    keepPuzzles: true,
    keepPhotos: false,
  };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return usual;
  }
}

/**
 * Let a checkbox show and change a setting.
 * @param {HTMLInputElement} box @param {Settings} settings @param {Exclude<keyof Settings, "language">} name @param {() => void} then
 */
export function offerChoice(box, settings, name, then) {
  box.checked = settings[name];
  box.addEventListener("change", () => {
    settings[name] = box.checked;
    keepSettings(settings);
    then();
  });
}

/** Keep settings; a browser that keeps nothing is no trouble. @param {Settings} settings */
export function keepSettings(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Private windows may refuse: the choice then lasts as long as the page.
  }
}
