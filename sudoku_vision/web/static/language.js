/** The language of the page: texts by key, with values filled in. */
import { textsOf } from "./api.js";

/** The first language in the browser's list for which the service has texts. */
const given = document.documentElement.lang;
let current = given;
/** @type {Object<string, string>} */
let texts = {};

export const language = () => current;

/** Return a date in the style of the person's country, if the browser names one for this language. @param {number} time */
export function dateOf(time) {
  const local = navigator.languages.find((code) => code.startsWith(current)) ?? current;
  return new Intl.DateTimeFormat(local, { dateStyle: "medium" }).format(time);
}

/** Write all texts of the page in a language. @param {string} wished the code of the language; "" for the language of the browser */
export async function chooseLanguage(wished) {
  const chosen = wished || given;
  /** @type {{code: string, texts: Promise<Object<string, string>>}} */
  const early = Object(window).early;
  texts = await (early.code === chosen ? early.texts.catch(() => textsOf(chosen)) : textsOf(chosen));
  current = chosen;
  document.documentElement.lang = current;
  writeTexts();
}

/**
 * Return the text of a key, with values in place of `{names}`. With a `count`, the key is "key.one" or "key.other".
 * @param {string} key @param {Object<string, string | number>} [values] @returns {string}
 */
export function t(key, values = {}) {
  const form = "count" in values ? `.${new Intl.PluralRules(current).select(Number(values.count))}` : "";
  const text = texts[`${key}${form}`] ?? texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** @param {string} key */
export const hasText = (key) => key in texts;

/** Return "a, b and c", or "a, b or c". @param {string[]} words @param {"conjunction" | "disjunction"} [type] */
export const listed = (words, type = "conjunction") => new Intl.ListFormat(current, { type }).format(words);

/** Join sentences. Empty sentences and false are left out. @param {...(string | number | boolean)} parts */
export const sentences = (...parts) => parts.filter(Boolean).join(" ");

/** Write the texts of all elements with a key in data-text or data-label. */
function writeTexts() {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-text]")))
    element.textContent = t(element.dataset.text ?? "");
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-label]"))) {
    const label = t(element.dataset.label ?? "");
    element.setAttribute("aria-label", label);
    if (element.matches("button, summary")) element.title = label;
  }
  document.title = t("title");
}
