// @ts-check
/** Small helpers for elements of the page. */
import { parsed } from "./api.js";

/** Return the element with an id. @param {string} id @returns {HTMLElement} */
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
 * Make an element with attributes and children.
 * @param {string} tag @param {Object<string, string | number>} [set] @param {...(Element | string)} children
 * @returns {HTMLElement}
 */
export const make = (tag, set = {}, ...children) => filled(document.createElement(tag), set, children);

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an SVG element.
 * @param {string} tag @param {Object<string, string | number>} [set] @param {...(Element | string)} children
 * @returns {SVGElement}
 */
export const svg = (tag, set = {}, ...children) =>
  filled(/** @type {SVGElement} */ (document.createElementNS(SVG, tag)), set, children);

/** @template {Element} E @param {E} element @param {object} set @param {(Element | string)[]} children */
function filled(element, set, children) {
  for (const [name, value] of Object.entries(set)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Make a button.
 * @param {string | Element[]} words @param {string} act the name of what it does @param {string | number} value tells what to do it with
 * @param {Object<string, string | number>} [set]
 */
export const makeButton = (words, act, value, set = {}) =>
  /** @type {HTMLButtonElement} */ (
    make("button", { type: "button", class: "button", "data-act": act, "data-value": value, ...set }, ...[words].flat())
  );

/** What each button does, by its data-act, or else by its id. @type {Record<string, Function>} */
const acts = {};

/**
 * Tell what buttons do. Each function is called with the data-value of the button, as JSON if it is JSON.
 * @param {Record<string, Function>} more
 */
export const offer = (more) => Object.assign(acts, more);

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  const value = button?.dataset.value;
  const isReady = document.body.dataset.ready; // early.js remembers an earlier tap
  if (button && isReady) acts[button.dataset.act ?? button.id]?.(parsed(value) ?? value);
});

/**
 * Set ARIA attributes; not all browsers have properties for them.
 * @param {Element} element @param {Object<string, string | boolean>} values by the names of the attributes, without "aria-"
 */
export function aria(element, values) {
  for (const [name, value] of Object.entries(values)) element.setAttribute(`aria-${name}`, String(value));
}

/** Show a text in an element; without a text, hide the element. @param {string} id @param {string} text */
export function tell(id, text) {
  byId(id).textContent = text;
  byId(id).hidden = !text;
}

/**
 * Fill a strip with buttons, of which one is chosen. A strip with less than two buttons is hidden.
 * @param {string} id @param {string} act @param {string[]} names @param {number} chosen
 */
export function fillStrip(id, act, names, chosen) {
  const strip = byId(id);
  strip.hidden = names.length < 2;
  if (strip.childElementCount !== names.length)
    strip.replaceChildren(...names.map((name, place) => makeButton(name, act, place, { class: "chip" })));
  const buttons = /** @type {HTMLElement[]} */ ([...strip.children]);
  buttons.forEach((button, place) => (button.textContent = names[place]));
  press(buttons, chosen);
}

/** Mark one of some buttons as chosen. @param {HTMLElement[]} buttons @param {number} chosen */
export const press = (buttons, chosen) =>
  buttons.forEach((button, place) => aria(button, { pressed: place === chosen }));

/**
 * Return the picture on a canvas as JPEG, null if the browser can't make it.
 * @param {HTMLCanvasElement} canvas @param {number} quality 0..1 @returns {Promise<Blob | null>}
 */
export const jpegOf = (canvas, quality) => new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));

/** How long a toast stays, in milliseconds: `least` for any text, and `letter` more for each letter. */
const TOAST = { least: 2500, letter: 60 };
let leaving = 0;

/**
 * Announce a text to screen readers. The text is also visible for a while, unless the page shows it elsewhere.
 * @param {string} text @param {boolean} [shownElsewhere]
 */
export function say(text, shownElsewhere = false) {
  const line = byId("live");
  line.textContent = text;
  line.classList.toggle("toast", !shownElsewhere);
  clearTimeout(leaving);
  leaving = setTimeout(() => line.classList.remove("toast"), TOAST.least + TOAST.letter * text.length);
}

/** Return whether the person wants less motion. */
export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
