/** The settings of a person. They are stored only in this browser. */
/** @typedef {{language: string, theme: string, hideAnswers: boolean, checkAsIGo: boolean, tidyNotes: boolean,
 *   showTime: boolean, keepPuzzles: boolean, keepPhotos: boolean}} Settings `theme`: light or dark; "" for the theme of the device */

const KEY = "sudoku-vision";

/** The last text under each key, and its value, so that no text is parsed twice. @type {Map<string, {text: string, value: any}>} */
const known = new Map();

/** Return the value under a key; null if there is none, or if the browser refuses. The value must not be changed. @param {string} key @returns {any} */
export function stored(key) {
  try {
    const text = localStorage.getItem(key) ?? "null";
    if (known.get(key)?.text !== text) known.set(key, { text, value: JSON.parse(text) });
    return known.get(key)?.value;
  } catch {
    return null;
  }
}

/** Store a value; undefined removes the old value. Return false if the browser refuses. @param {string} key @param {unknown} value */
export function store(key, value) {
  try {
    const text = JSON.stringify(value);
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    known.set(key, { text, value });
    return true;
  } catch {
    return false;
  }
}

/** @type {Settings} */
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
 * Connect each setting with the fields that have its name in data-setting.
 * @param {Partial<Record<keyof Settings, () => unknown>>} then functions to call after a setting has changed
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
