// @ts-check
/** What to tell a person of each thing that can go wrong: a sentence, and what to do next. */
import { ApiError, limits } from "./api.js";
import { hasText, t } from "./language.js";

/** @typedef {{code: string, message: string, remedy: string, passing: boolean}} Problem `passing`: trying again may help */

const PASSING = new Set(["offline", "gone", "timed_out", "slow_body", "busy", "worker_lost", "internal"]);

/** Return the words for an error, whatever it is. @param {unknown} error @returns {Problem} */
export function problemOf(error) {
  const code = error instanceof ApiError && hasText(`problem.${error.code}`) ? error.code : "internal";
  const message = t(`problem.${code}`, { megabytes: Math.round(limits.bytes / 1e6) });
  return { code, message, remedy: t(`remedy.${code}`), passing: PASSING.has(code) };
}
