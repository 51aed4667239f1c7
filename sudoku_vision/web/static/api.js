/** Requests to the service, and their errors. */

/** @typedef {{signal?: AbortSignal, onUpload?: (share: number) => void}} Wishes `onUpload` is called with the share of the body that was sent, 0..1 */

/** The limits of one request, which the service writes into the page. @type {{bytes: number, seconds: number}} */
export const limits = parsed(document.documentElement.dataset.limits);

/** A request failed. `code` is a code of the service, or offline, gone, slow_body, timed_out or cancelled. */
export class ApiError extends Error {
  /** @param {string} code @param {string} [message] for the console; the page shows its own text for the code */
  constructor(code, message = code) {
    super(message);
    this.code = code;
  }
}

/**
 * Read a picture, or a board in text.
 * @param {Blob | string} source
 * @param {{corners?: Point[], page?: number} & Wishes} [options] `page`: the only page of a document to read, from 1
 * @returns {Promise<{pages: Page[], next_page: number | null}>} `next_page` is the first page that wasn't read
 */
export async function solve(source, { corners, page, ...wishes } = {}) {
  const query = new URLSearchParams();
  const numbers = corners?.flat().map((number) => number.toFixed(1));
  if (numbers) query.set("corners", numbers.join(","));
  if (page) query.set("page", String(page));
  const text = typeof source === "string";
  const picture = !text && source.type.startsWith("image/");
  const type = text ? "text/plain; charset=utf-8" : picture ? source.type : "application/octet-stream";
  const answer = await request(`/api/solve?${query}`, { body: source, type, ...wishes });
  return answer.pages ? answer : { pages: [answer], next_page: null };
}

/** Ask about a grid that was read. @param {"settle" | "check" | "hint" | "explain"} what @param {Object<string, unknown>} question */
export const ask = (what, question) =>
  request(`/api/${what}`, { body: JSON.stringify(question), type: "application/json" });

/** Ask about a board. @param {string} board 81 digits @param {string} what @param {Rules} rules @param {string} [filled] the 81 digits without the clues */
export const askBoard = (board, what, rules, filled = "") =>
  request(`/api/board/${board}/${what}?${new URLSearchParams({ rules: JSON.stringify(rules), filled })}`);

/** @param {string} code the code of a language @returns {Promise<Object<string, string>>} */
export const textsOf = (code) => request(`/texts/${code}.json`);

/**
 * Send a request, and return the answer. After each part of the body that is sent, the time limit begins again. So it limits
 * the work of the service, not a slow connection.
 * @param {string} path @param {{body?: Blob | string, type?: string} & Wishes} [sending] @returns {Promise<any>}
 */
function request(path, { body, type, signal, onUpload } = {}) {
  const line = new XMLHttpRequest();
  line.open(body === undefined ? "GET" : "POST", path);
  if (type) line.setRequestHeader("Content-Type", type);
  return new Promise((done, failed) => {
    const start = performance.now();
    let isSent = body === undefined;
    const fail = (/** @type {string} */ code) => failed(new ApiError(code));
    const wait = () => (line.timeout = performance.now() - start + 1000 * limits.seconds);
    line.upload.onprogress = ({ loaded, total }) => {
      wait();
      onUpload?.(total ? loaded / total : 1);
    };
    line.upload.onload = () => {
      isSent = true;
      wait();
    };
    line.ontimeout = () => fail(isSent ? "timed_out" : "slow_body");
    line.onabort = () => fail("cancelled");
    line.onerror = () => fail(navigator.onLine ? "gone" : "offline");
    line.onload = () => {
      const answer = parsed(line.responseText);
      const code = line.status === 413 ? "body_too_large" : "internal"; // if a proxy refuses the request, its answer has no code
      if (line.status < 300 && answer) done(answer);
      else failed(new ApiError(answer?.error?.code ?? code, answer?.error?.message));
    };
    signal?.addEventListener("abort", () => line.abort());
    if (signal?.aborted) return fail("cancelled");
    wait();
    onUpload?.(0);
    line.send(body ?? null);
  });
}

/** Return the value of a text in JSON; null if the text is no JSON. @param {unknown} text */
export function parsed(text) {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}
