/** A person drags four corners onto a puzzle, or moves them with arrow keys. A magnifier shows the photo around a corner. */
import { choose, showPage } from "./acts.js";
import { buttonById, byId, make, offer, say, svg } from "./dom.js";
import { flatCrossings, gridCorners, isProperQuad } from "./geometry.js";
import { t } from "./language.js";
import { drawPhoto, image, lookAt, outlineGrids, pointOf, showPart } from "./photo_view.js";
import { readWithin } from "./reader.js";
import { parts } from "./render.js";
import { current, pictureSize, state } from "./state.js";

/** If no grid is known, corners begin at this distance from the sides of the picture, as a share of its width and height. */
const INSET = 0.15;
/** The step of an arrow key, without and with Shift, as a share of the longer side of the picture. */
const STEP = 0.0025;
const LARGE_STEP = 0.02;
const MAGNIFIED = 2.5; // how many times larger the photo is in the magnifier than on the page

const magnifier = byId("magnifier");
const handles = [1, 2, 3, 4].map((number) => {
  const set = { id: `corner-${number}`, "data-label": `corners.${number}`, class: "corner" };
  return make("button", { type: "button", ...set });
});
byId("corner-layer").append(...handles);

/** Show four corners that a person can move. They begin at the corners of the open grid, or else within the picture (INSET). */
function open() {
  choose();
  const crossings = current()?.view.crossings;
  const [width, height] = pictureSize();
  const [left, top, right, bottom] = [width * INSET, height * INSET, width * (1 - INSET), height * (1 - INSET)];
  const unmoved = /** @type {Point[]} */ ([[left, top], [right, top], [right, bottom], [left, bottom]]);
  state.corners = crossings ? gridCorners(crossings).map(within) : unmoved;
  parts();
  lookAt([]);
  drawPhoto([]);
  outlineGrids();
  render();
  handles[0].focus({ preventScroll: true });
  byId("photo-frame").scrollIntoView({ block: "nearest" });
  say(`${t("corners.title")}. ${t("corners.help")}`, true);
}

function read() {
  const { corners } = state;
  if (!corners || !isProperQuad(corners)) return say(t("corners.bad"));
  state.corners = null;
  return readWithin(corners);
}

async function cancel() {
  state.corners = null;
  await showPage();
  buttonById("mark-corners").focus();
}

offer({ "mark-corners": open, "corners-read": read, "corners-cancel": cancel });
handles.forEach((handle, at) => {
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    magnify(at);
    event.preventDefault();
  });
  handle.addEventListener("pointermove", (event) => {
    if (handle.hasPointerCapture(event.pointerId)) moveTo(at, pointOf(event));
  });
  for (const name of ["pointerup", "pointercancel", "blur"])
    handle.addEventListener(name, () => (magnifier.hidden = true));
  handle.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel();
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const corner = state.corners?.[at];
    if (!way || !corner) return;
    const step = Math.max(...pictureSize()) * (event.shiftKey ? LARGE_STEP : STEP);
    moveTo(at, [corner[0] + way[0] * step, corner[1] + way[1] * step]);
    event.preventDefault();
  });
});

/** @param {number} at @param {Point} point */
function moveTo(at, point) {
  state.corners = (state.corners ?? []).map((corner, other) => (other === at ? within(point) : corner));
  render();
  magnify(at);
}

/** Return the point of the picture that is nearest to another point. @param {Point} point @returns {Point} */
function within([x, y]) {
  const [width, height] = pictureSize();
  return [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))];
}

function render() {
  const corners = state.corners ?? [];
  const [width, height] = pictureSize();
  corners.forEach(([x, y], at) => {
    handles[at].style.left = `${(100 * (x + 0.5)) / width}%`;
    handles[at].style.top = `${(100 * (y + 0.5)) / height}%`;
  });
  const proper = isProperQuad(corners);
  byId("corner-layer").classList.toggle("improper", !proper);
  const outline = svg("polygon", { points: corners.join(" "), class: "corner-outline" });
  const rows = proper ? flatCrossings(corners) : [];
  const columns = rows.map((_, at) => rows.map((row) => row[at]));
  const lines = [rows, columns].map((all) => all.map((points) => svg("polyline", { points: points.join(" "), class: "corner-line" })));
  byId("corner-grid").replaceChildren(...lines.flat(), outline);
}

/** Show the photo around a corner in the magnifier, which lies in the other half of the photo, away from the finger. @param {number} at the number of the corner */
function magnify(at) {
  const [x, y] = state.corners?.[at] ?? [0, 0];
  const [width] = pictureSize();
  magnifier.hidden = false;
  magnifier.classList.toggle("right", x < width / 2);
  const side = (width * magnifier.clientWidth) / image.clientWidth / MAGNIFIED;
  showPart(byId("magnified"), [x - side / 2, y - side / 2, side, side]);
}
