/**
 * Stores the files of the page, so that kept puzzles can be solved without the service. While the service answers, the
 * stored files are not used. The page holds a hash of all files, so it changes with each file. Then all are stored again.
 */
const STORE = "sudoku-vision";
const OF_PAGE = /^\/($|(static|texts)\/|manifest\.webmanifest$)/;
/** Files that are also stored, although the page doesn't name them. */
const MORE = ["/", "/static/shrink_worker.js"];
/** How long to wait for the service, in milliseconds. If the service runs at home and the device is elsewhere, no answer comes. */
const PATIENCE = 3000;
const SILENCE = 30_000; // if no answer came, stored files are used at once during this time, in milliseconds
let silentUntil = 0;
/** The type is any, because TypeScript knows here only the events of pages, and not those of service workers. */
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fetch("/").then(keep)));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET" || !OF_PAGE.test(new URL(url).pathname)) return;
  const answer = fetch(event.request);
  const copy = mode === "navigate" ? answer.then((page) => page.clone()) : null;
  event.respondWith(inTime(event.request, answer));
  if (copy) event.waitUntil(copy.then(keep, () => {}));
});

/** Return the answer or, if no answer comes in time, the stored file. @param {Request} request @param {Promise<Response>} answer */
async function inTime(request, answer) {
  const wait = new Promise((done) => setTimeout(done, Date.now() < silentUntil ? 0 : PATIENCE));
  const first = await Promise.race([answer.catch(() => null), wait]);
  if (first instanceof Response) return first;
  silentUntil = Date.now() + SILENCE;
  return (await caches.match(request, { ignoreSearch: true, ignoreVary: true })) ?? answer;
}

/** If the page has changed, store all of its files. @param {Response} answer the page */
async function keep(answer) {
  if (!answer.ok) return;
  const page = await answer.text();
  const store = await caches.open(STORE);
  if (page === (await (await store.match("/", { ignoreVary: true }))?.text())) return;
  const named = [...page.matchAll(/(?:src|href)="(\/[^"#]+)/g)].map(([, path]) => path);
  const texts = [...page.matchAll(/<option value="(\w+)" lang/g)].map(([, code]) => `/texts/${code}.json`);
  await store.addAll([...new Set([...MORE, ...texts, ...named])]);
}
