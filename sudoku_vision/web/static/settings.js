// @ts-check
/** The settings of a person, which are kept only in this browser. */
/** @typedef {{language: string, theme: string, hideAnswers: boolean, checkAsIGo: boolean, tidyNotes: boolean,
 *   showTime: boolean, keepPuzzles: boolean, keepPhotos: boolean}} Settings `theme`: light or dark, "" for that of the device */

const KEY = "sudoku-vision";

/**
 * The value that was read or stored last under each key, with its text, so that no text is parsed twice.
 * @type {Map<string, {text: string, value: any}>}
 */
const known = new Map();

/**
 * Return the value under a key, null if there is none or if the browser refuses. Nobody changes it in place.
 * @param {string} key @returns {any}
 */
export function stored(key) {
  try {
    const text = localStorage.getItem(key) ?? "null";
    if (known.get(key)?.text !== text) known.set(key, { text, value: JSON.parse(text) });
    return known.get(key)?.value;
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
    if (value === undefined) {
      localStorage.removeItem(key);
    } else {
      const text = JSON.stringify(value);
      localStorage.setItem(key, text);
      known.set(key, { text, value });
    }
    return true;
  } catch {
    return false;
  }
}

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
 * Show the settings in the fields with their names in data-setting, and change them there.
 * @param {Partial<Record<keyof Settings, () => unknown>>} then what to do after a setting has changed
 */
export function offerSettings(then) {
  const all = /** @type {Object<string, unknown>} */ (settings);
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-setting]"))) {
    const name = /** @type {keyof Settings} */ (field.dataset.setting);
    const property = field.type === "checkbox" ? "checked" : "value";
    Object.assign(field, { [property]: settings[name] });
    field.addEventListener("change", () => {
      all[name] = field[property];
      store(KEY, settings);
      then[name]?.();
    });
  }
}
