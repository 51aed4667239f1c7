/**
 * Opens pictures, texts and kept puzzles. Only one of them is read at a time: opening another one stops the reading that is
 * under way. The Back button of the browser leads to the view before.
 */
import { choose, fail, showPage, take } from "./acts.js";
import { ApiError, limits } from "./api.js";
import { NO_DIGITS } from "./board.js";
import { byId, inputById, offer, say } from "./dom.js";
import { forget, keptPuzzles } from "./kept.js";
import { t } from "./language.js";
import { pictureReady, showPicture } from "./photo_view.js";
import * as render from "./render.js";
import { Session } from "./session.js";
import { current, state } from "./state.js";

const SIGN_OF_LIFE = 200; // if reading takes longer than this, in milliseconds, the page shows that it is reading
/** Longest side of a sent photo, in pixels. At this size, pages with pencil marks are read as well as with 12 megapixels. At 2,000 pixels, some are not. */
const SIDE = 2500;

/** @param {"start" | "work"} view */
export function show(view) {
  Object.assign(state, { view, problem: null });
  render.parts();
  render.problem();
}

/**
 * Show a view. The Back button of the browser then leads to the previous view. If the previous view was the live camera, Back
 * leads to the view before the camera. Return whether the browser's history has changed.
 * @param {"start" | "work"} view @param {boolean} [isOther] whether the view shows another puzzle than before
 */
export function goTo(view, isOther = false) {
  const { view: before, id } = history.state ?? {};
  const isNew = before !== view || Boolean(isOther && id);
  // This line must come before show. Here, the browser stores how far the old view was scrolled, and needs its layout for this.
  if (isNew) history[before === "live" ? "replaceState" : "pushState"]({ view }, "");
  show(view);
  return isNew;
}

/** Stop reading. The puzzle that was open before is open again. */
export function stop() {
  state.reading?.controller.abort();
  Object.assign(state, { reading: null, corners: null });
  choose();
}

/** @param {Blob} file */
export const readFile = (file) =>
  open(t("reading.title"), async (reading) => {
    const sent = await reduced(file);
    reading.photo = sent;
    if (reading === state.reading) showPicture(sent);
    const onUpload = (/** @type {number} */ share) => {
      Object.assign(reading, { share, title: t(share < 1 ? "reading.sending" : "reading.title") });
      render.parts();
    };
    const session = await Session.open(sent, { signal: reading.controller.signal, onUpload });
    session.original = file;
    return session;
  });

/**
 * Return a smaller, upright copy of a large photo. A small photo is returned unchanged. Raises ApiError body_too_large if the
 * browser can't open a file, and the file is too large to be sent.
 * @param {Blob} file @returns {Promise<Blob>}
 */
async function reduced(file) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await new Promise((done) => (image.onload = image.onerror = done));
  URL.revokeObjectURL(image.src);
  const size = [image.naturalWidth, image.naturalHeight]; // zeros if the browser can't show the file
  const scale = Math.min(1, SIDE / Math.max(...size));
  if (scale === 1 && file.size <= limits.bytes) return file;
  const [width, height] = size.map((side) => Math.round(side * scale));
  const smaller = width ? await copyOf(file, width, height) : null;
  if (!smaller && file.size > limits.bytes) throw new ApiError("body_too_large");
  return smaller ?? file;
}

/** @param {Blob} file @param {number} width @param {number} height @returns {Promise<Blob | null>} */
async function copyOf(file, width, height) {
  const worker = new Worker("/static/shrink_worker.js");
  const copy = await new Promise((done) => {
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = () => done(null);
    worker.postMessage({ file, width, height });
  });
  worker.terminate();
  return copy;
}

/** @param {string} text */
export const readText = (text) =>
  open(t("reading.board"), ({ controller: { signal } }) => Session.open(text, { signal }));

/** Read the digits that were typed or pasted, as the clues of a puzzle. */
function readTyped() {
  const field = inputById("typing-text");
  const one = current();
  const { board: puzzle, rules } = one ?? {};
  const typed = field.value.trim();
  if (!one || !(one.rules.cages || /[1-9]/.test(typed || one.board))) return say(t(typed ? "remedy.bad_board" : "typing.none"));
  return open(t("reading.board"), async ({ controller: { signal } }) => {
    const session = await Session.open(typed || JSON.stringify({ puzzle, rules }), { signal });
    field.value = "";
    forget([one.id]); // the new puzzle replaces the typed board
    return session;
  });
}

/** Go on with the puzzle *id*, by default with the latest puzzle. Return false if there is no such puzzle. @param {string} [id] */
export function resume(id) {
  const { session: last, opened } = state;
  const session = id ? opened.find(({ grids }) => grids.flat().some((one) => one.id === id)) : last;
  if (session) {
    goTo("work");
    if (session === last) showPage();
    else take(session);
    return true;
  }
  const kept = keptPuzzles().find((one) => !id || one.id === id);
  if (kept) open(t("reading.board"), ({ controller: { signal } }) => Session.goOn(kept, { signal }), false);
  return Boolean(kept);
}

/** Read the same picture within corners that a person marked. @param {Point[]} corners */
export function readWithin(corners) {
  const session = /** @type {Session} */ (state.session);
  open(t("reading.title"), ({ controller }) => session.readWithin(corners, controller.signal), false, false);
}

/**
 * Open a picture or board. If it can't be read, the page shows again what it showed before.
 * @param {string} title @param {(reading: Reading) => Promise<Session>} read
 * @param {boolean} [hasEntry] whether the picture or board needs its own entry in the browser's history
 * @param {boolean} [isOther] whether the picture or board replaces the open session
 */
async function open(title, read, hasEntry = true, isOther = true) {
  const before = state.view;
  const opener = /** @type {HTMLElement} */ (document.activeElement);
  const isNew = goTo("work", hasEntry);
  state.reading?.controller.abort();
  /** @type {Reading} */
  const reading = { title, isOther, photo: null, share: 1, isLong: false, controller: new AbortController() };
  Object.assign(state, { reading, corners: null });
  choose();
  if (isOther) render.page();
  const sign = setTimeout(() => {
    reading.isLong = true;
    render.parts();
    say(title, true);
  }, SIGN_OF_LIFE);
  try {
    const session = await read(reading);
    if (reading !== state.reading) return;
    await pictureReady();
    if (reading !== state.reading) return;
    state.reading = null;
    await take(session);
    if (document.activeElement === document.body) byId("status-title").focus({ preventScroll: true });
  } catch (error) {
    if (reading !== state.reading) return;
    state.reading = null;
    render.parts();
    if (isNew) {
      history.back();
      await new Promise((done) => addEventListener("popstate", done, { once: true }));
    } else {
      show(before);
      if (before === "work") await showPage();
    }
    (opener === document.body ? byId("content") : opener).focus();
    if (error instanceof ApiError && error.code === "cancelled") say(t("problem.cancelled"));
    else fail(error, () => open(title, read, hasEntry, isOther));
  } finally {
    clearTimeout(sign);
  }
}

offer({
  "reading-cancel": () => state.reading?.controller.abort(),
  resume: () => resume(),
  "type-board": () => readText(NO_DIGITS),
  "typing-solve": readTyped,
});
