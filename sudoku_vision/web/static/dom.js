// @ts-check
/** Small helpers for elements. */

/**
 * Return the element with an id; the page is broken without it.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return element;
}

/** @param {string} id @returns {HTMLInputElement} */
export const inputById = (id) => /** @type {HTMLInputElement} */ (byId(id));
/** @param {string} id @returns {HTMLButtonElement} */
export const buttonById = (id) => /** @type {HTMLButtonElement} */ (byId(id));
/** @param {string} id @returns {HTMLDialogElement} */
export const dialogById = (id) => /** @type {HTMLDialogElement} */ (byId(id));

/**
 * Make an element with attributes and children; a text child is shown as it is.
 * @param {string} tag
 * @param {Object<string, string | number | boolean | (() => void)>} [set] `on` names what a click does
 * @param {...(Element | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, set = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(set)) {
    if (typeof value === "function") element.addEventListener("click", value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * Make a button of plain words.
 * @param {string} words
 * @param {() => void} act
 * @param {Object<string, string | number | boolean>} [set]
 */
export function makeButton(words, act, set = {}) {
  return make("button", { type: "button", class: "button", on: act, ...set }, words);
}

/** Tell whether the person asked for less motion. */
export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
