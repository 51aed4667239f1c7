/** Helpers for elements of the page. */
import { parsed } from "./api.js";

/** @param {string} id @returns {HTMLElement} */
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

/** @param {string} tag @param {Object<string, string | number>} [set] attributes @param {...(Element | string)} children */
export const make = (tag, set = {}, ...children) => filled(document.createElement(tag), set, children);

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} tag @param {Object<string, string | number>} [set] attributes @param {...(Element | string)} children */
export const svg = (tag, set = {}, ...children) =>
  filled(/** @type {SVGElement} */ (document.createElementNS(SVG, tag)), set, children);

/** @template {Element} E @param {E} element @param {object} set @param {(Element | string)[]} children */
function filled(element, set, children) {
  for (const [name, value] of Object.entries(set)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Return a button.
 * @param {string | Element[]} words @param {string} act the name of the button's function @param {string | number} value for this function
 * @param {Object<string, string | number>} [set] attributes
 */
export const makeButton = (words, act, value, set = {}) =>
  /** @type {HTMLButtonElement} */ (
    make("button", { type: "button", class: "button", "data-act": act, "data-value": value, ...set }, ...[words].flat())
  );

/** The function of each button, by its data-act or, if the button has none, by its id. @type {Record<string, Function>} */
const acts = {};

/** Add functions of buttons. A function is called with the data-value of its button. A value in JSON is parsed first. @param {Record<string, Function>} more */
export const offer = (more) => Object.assign(acts, more);

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  const value = button?.dataset.value;
  const isReady = document.body.dataset.ready; // before the page is ready, early.js stores the tap
  if (button && isReady) acts[button.dataset.act ?? button.id]?.(parsed(value) ?? value);
});

/** Set ARIA attributes. @param {Element} element @param {Object<string, string | boolean>} values by their names without "aria-" */
export function aria(element, values) {
  for (const [name, value] of Object.entries(values)) element.setAttribute(`aria-${name}`, String(value));
}

/**
 * Fill a strip with buttons. Hide the strip if it has fewer than two buttons.
 * @param {string} id @param {string} act @param {string[]} names @param {number} chosen
 */
export function fillStrip(id, act, names, chosen) {
  const strip = byId(id);
  strip.hidden = names.length < 2;
  if (strip.childElementCount !== names.length)
    strip.replaceChildren(...names.map((name, place) => makeButton(name, act, place, { class: "chip" })));
  [...strip.children].forEach((button, place) => (button.textContent = names[place]));
  press(act, chosen);
}

/** Of all buttons with the function *act*, show only the one with this value as pressed. @param {string} act @param {string | number} value */
export function press(act, value) {
  for (const button of document.querySelectorAll(`[data-act=${act}]`))
    aria(button, { pressed: button.getAttribute("data-value") === String(value) });
}

/** Resize a canvas, and copy a picture to it. @param {CanvasImageSource} from @param {HTMLCanvasElement} to @param {number} width @param {number} height */
export function copy(from, to, width, height) {
  if (to.width !== width || to.height !== height) [to.width, to.height] = [width, height];
  const pen = to.getContext("2d", { alpha: false });
  if (!pen) return;
  pen.imageSmoothingQuality = "medium"; // "low" loses thin strokes if the picture shrinks to less than half
  pen.drawImage(from, 0, 0, width, height);
}

/**
 * Return the picture on a canvas as JPEG; null if the browser can't make it.
 * @param {HTMLCanvasElement} canvas @param {number} quality 0..1 @returns {Promise<Blob | null>}
 */
export const jpegOf = (canvas, quality) => new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));

/** How long a toast stays visible, in milliseconds: `least`, and additionally `letter` for each letter. */
const TOAST = { least: 2500, letter: 60 };
let leaving = 0;

/**
 * Announce a text to screen readers. The text is also visible for a while as a toast, unless the page shows it elsewhere.
 * @param {string} text @param {boolean} [shownElsewhere]
 */
export function say(text, shownElsewhere = false) {
  byId(shownElsewhere ? "live" : "toast").textContent = text;
  if (shownElsewhere) return;
  clearTimeout(leaving);
  leaving = setTimeout(() => (byId("toast").textContent = ""), TOAST.least + TOAST.letter * text.length);
}

document.addEventListener("pointerdown", () => (byId("toast").textContent = ""));

export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
