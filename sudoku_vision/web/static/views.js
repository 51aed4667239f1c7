// @ts-check
/** The open view (the start, or a puzzle that is being solved), and the problem that is shown above it. */
import { ApiError, limits } from "./api.js";
import { buttonById, byId, say } from "./dom.js";
import { hasText, t } from "./language.js";

/** The codes of problems that may be gone after a while, so that the page offers to try again. */
const PASSING = new Set(["offline", "gone", "timed_out", "slow_body", "busy", "worker_lost", "internal"]);

/** Show a view. @param {"start" | "work"} name */
export function show(name) {
  byId("start").hidden = name !== "start";
  byId("work").hidden = name !== "work";
  buttonById("new-photo").hidden = name !== "work";
  document.body.dataset.view = name;
  clearProblem();
}

/**
 * Show a view, so that Back in the browser leads to the view before it. If that was the live camera, its entry in the
 * history is replaced. Return whether the history has a new state.
 * @param {"start" | "work"} view @param {boolean} [isOther] whether the view shows another puzzle than before
 */
export function goTo(view, isOther = false) {
  const { view: before, id } = history.state ?? {};
  const isNew = before !== view || Boolean(isOther && id);
  // This comes before show: the browser keeps how far the old view was scrolled, which depends on its layout.
  if (isNew) history[before === "live" ? "replaceState" : "pushState"]({ view }, "");
  show(view);
  return isNew;
}

/** Hide the problem. */
export const clearProblem = () => {
  byId("problem").hidden = true;
};

buttonById("problem-close").addEventListener("click", clearProblem);

/** Show a problem and its remedy; *again* tries once more. @param {unknown} error @param {(() => void) | null} again */
export function fail(error, again = null) {
  if (!(error instanceof ApiError)) console.warn(error);
  const code = error instanceof ApiError && hasText(`problem.${error.code}`) ? error.code : "internal";
  const message = t(`problem.${code}`, { megabytes: Math.round(limits.bytes / 1e6) });
  const remedy = t(`remedy.${code}`);
  const section = byId("problem");
  section.hidden = false;
  section.dataset.code = code;
  byId("problem-message").textContent = message;
  byId("problem-remedy").textContent = remedy;
  const button = buttonById("problem-again");
  button.hidden = !again || !PASSING.has(code);
  button.onclick = () => {
    clearProblem();
    again?.();
  };
  section.scrollIntoView({ block: "nearest" });
  say(`${message} ${remedy}`, true);
}
