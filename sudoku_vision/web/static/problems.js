// @ts-check
/** What a person is told of each thing that can go wrong: a sentence, and what to do next. */
import { ApiError, limits } from "./api.js";
import { buttonById, byId, say } from "./dom.js";
import { hasText, t } from "./language.js";

/** What trying again may help with. */
const PASSING = new Set(["offline", "gone", "timed_out", "slow_body", "busy", "worker_lost", "internal"]);

/** Take away what was told. */
export const clearProblem = () => {
  byId("problem").hidden = true;
};

buttonById("problem-close").addEventListener("click", clearProblem);

/** Tell of something that went wrong, and what to do about it. @param {unknown} error @param {(() => void) | null} again */
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
