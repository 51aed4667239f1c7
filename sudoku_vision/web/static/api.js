// @ts-check
/** Requests to the service, and what can go wrong with them. */

/** @typedef {import("./types.js").Page} Page */

/** Seconds after which no answer is a time-out; the service itself gives up much sooner. */
const PATIENCE = 40;

/** An answer that is none: `code` as the service names it, or offline, gone, timed_out, cancelled. */
export class ApiError extends Error {
  /** @param {string} code @param {string} [message] @param {string} [remedy] @param {number} [retryAfter] */
  constructor(code, message = "", remedy = "", retryAfter = 0) {
    super(message || code);
    this.code = code;
    this.told = message;
    this.remedy = remedy;
    this.retryAfter = retryAfter;
  }
}

/**
 * Read a picture or a board in text; `pages` of a document each have their own place.
 * @param {Blob | string} source
 * @param {{corners?: import("./types.js").Point[], page?: number, signal?: AbortSignal}} [options]
 * @returns {Promise<Page[]>}
 */
export async function solve(source, { corners, page, signal } = {}) {
  const query = new URLSearchParams();
  if (corners)
    query.set(
      "corners",
      corners
        .flat()
        .map((n) => n.toFixed(1))
        .join(","),
    );
  if (page) query.set("page", String(page));
  const type =
    typeof source === "string"
      ? "text/plain; charset=utf-8"
      : source.type.startsWith("image/")
        ? source.type
        : "application/octet-stream";
  const answer = await request(`/api/solve?${query}`, {
    method: "POST",
    body: source,
    headers: { "Content-Type": type },
    signal,
  });
  return answer.pages ?? [answer];
}

/**
 * Ask about a grid that was read.
 * @param {"settle" | "check" | "hint" | "explain"} what
 * @param {Object<string, unknown>} question
 * @param {AbortSignal} [signal]
 */
export function ask(what, question, signal) {
  return request(`/api/${what}`, {
    method: "POST",
    body: JSON.stringify(question),
    headers: { "Content-Type": "application/json" },
    signal,
  });
}

/** Ask about a board of 81 digits. @param {string} board @param {string} what */
export const askBoard = (board, what) => request(`/api/board/${board}/${what}`);

/**
 * Tell what the live camera sees in a frame; `session` names the camera, in 32 hexadecimal digits.
 * @param {string} session @param {import("./live_types.js").Wish} wish @param {Blob} jpeg @param {AbortSignal} signal
 * @returns {Promise<import("./live_types.js").LiveAnswer>}
 */
export const askLive = (session, wish, jpeg, signal) =>
  request(`/api/live?${new URLSearchParams({ session, ...wish })}`, {
    method: "POST",
    body: jpeg,
    headers: { "Content-Type": "image/jpeg" },
    signal,
  });

/** @returns {Promise<import("./draw.js").PenPaths>} */
export const penPaths = () => request("/pen-paths.json");

/** What each language calls itself, by its code. @returns {Promise<Object<string, string>>} */
export const languages = () => request("/texts/languages.json");

/** All texts of a language, by key. @param {string} code @returns {Promise<Object<string, string>>} */
export const textsOf = (code) => request(`/texts/${code}.json`);

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
async function request(path, options = {}) {
  const wish = options.signal ?? null;
  const stop = new AbortController();
  const patience = setTimeout(() => stop.abort(), PATIENCE * 1000);
  wish?.addEventListener("abort", () => stop.abort(), { once: true });
  let response;
  try {
    wish?.throwIfAborted();
    response = await fetch(path, { ...options, signal: stop.signal, credentials: "same-origin" });
    if (response.ok) return await response.json();
  } catch {
    throw failed(wish, stop.signal);
  } finally {
    clearTimeout(patience);
  }
  throw await refusal(response);
}

/** @param {AbortSignal | null} wish @param {AbortSignal} stopped */
function failed(wish, stopped) {
  if (wish?.aborted) return new ApiError("cancelled");
  if (stopped.aborted) return new ApiError("timed_out");
  return new ApiError(navigator.onLine ? "gone" : "offline");
}

/** @param {Response} response */
async function refusal(response) {
  const retryAfter = Number(response.headers.get("Retry-After") ?? 0);
  try {
    const { error } = await response.json();
    return new ApiError(error.code, error.message, error.remedy, retryAfter);
  } catch {
    return new ApiError(response.status === 413 ? "body_too_large" : "internal");
  }
}
