// @ts-check
/** Which view of the page is open: the start, or a puzzle in work. */
import { buttonById, byId } from "./dom.js";
import { clearProblem } from "./problems.js";

/** @typedef {"start" | "work"} View */

/** Show a view. @param {View} name */
export function show(name) {
  byId("start").hidden = name !== "start";
  byId("work").hidden = name !== "work";
  buttonById("new-photo").hidden = name !== "work";
  document.body.dataset.view = name;
  clearProblem();
}

/** Show a view, and have the browser's Back lead to the one before. @param {View} view */
export function goTo(view) {
  // Before the page changes: the browser notes where the old view was scrolled to, which a changed one is laid out for.
  if (history.state?.view !== view) history.pushState({ view }, "");
  show(view);
}
