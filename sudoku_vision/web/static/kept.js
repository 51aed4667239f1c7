/** The last puzzles and, if the settings allow it, their photos. They are stored only in this browser. */
import { settings, store, stored } from "./settings.js";

const KEY = "sudoku-vision-grids";
const MAX_PUZZLES = 10;
const MAX_STEPS = 30; // for each kept puzzle, at most this many changes can be undone, and as many can be redone
const DATABASE = "sudoku-vision";
const PHOTOS = "photos";

/** Return the kept puzzles, the latest first. @returns {Kept[]} */
export const keptPuzzles = () => stored(KEY) ?? [];

/** Keep a grid if the settings allow this. The grid replaces its earlier copy, and all untouched copies of the same puzzle. @param {GridSession} one */
export function keep(one) {
  const { id, first, solving, seconds, rules: played, view: { lines, units } } = one;
  const { past, future } = solving;
  const isEmpty = !/[1-9]/.test(first.puzzle) && !first.rules?.cages && !past.length && !future.length;
  if (!settings.keepPuzzles || isEmpty) return;
  const { status, puzzle, written, marks, rules } = first;
  const printed = JSON.stringify([puzzle, rules]);
  const others = keptPuzzles().filter(
    ({ id: other, grid, solving: { past: done } }) =>
      other !== id && (done.length || JSON.stringify([grid.puzzle, grid.rules]) !== printed),
  );
  const kept = { ...solving, past: past.slice(-MAX_STEPS), future: future.slice(0, MAX_STEPS) };
  const corrected = { puzzle: one.grid.puzzle, written: one.grid.written, rules: played };
  const grid = { status, puzzle, written, marks, rules };
  if (write([{ id, grid, solving: kept, seconds, lines, units, corrected }, ...others]))
    one.kept = JSON.stringify(solving.now);
}

/**
 * If another window has stored later changes of a grid, return the new `solving` and `kept` of the grid; otherwise, return
 * null. If this window has changes that it has not stored, one undo brings them back.
 * @param {GridSession} one
 */
export function laterWork(one) {
  const solving = keptPuzzles().find(({ id }) => id === one.id)?.solving;
  const [theirs, ours] = [solving?.now, one.now].map((work) => JSON.stringify(work));
  if (!solving || theirs === one.kept || theirs === ours) return null;
  const past = ours === one.kept ? solving.past : [...solving.past, one.now];
  return { solving: { ...solving, past }, kept: theirs };
}

/** Forget puzzles by their ids, and return a function that brings them back. @param {string[]} ids */
export function forget(ids) {
  const [gone, left] = [true, false].map((is) => keptPuzzles().filter(({ id }) => ids.includes(id) === is));
  const photos = gone.map(({ id }) => photoOf(id));
  write(left);
  return () => {
    const now = keptPuzzles();
    write([...gone.filter(({ id }) => now.every((kept) => kept.id !== id)), ...now]);
    gone.forEach(async ({ id }, place) => keepPhoto(id, await photos[place]));
  };
}

/** Store the first MAX_PUZZLES of *puzzles*, and forget the photos of all other puzzles. @param {Kept[]} puzzles */
function write(puzzles) {
  const all = puzzles.slice(0, MAX_PUZZLES);
  const ids = keptPuzzles().map(({ id }) => id);
  forgetPhotos(ids.filter((id) => all.every((kept) => kept.id !== id)));
  return store(KEY, all.length ? all : undefined);
}

/** @param {string} id the id of a puzzle @returns {Promise<Blob | null>} */
export const photoOf = async (id) => (await ask("readonly", (photos) => photos.get(id))) ?? null;

/** Keep the source of a puzzle if it is a photo and the settings allow it. @param {string} id @param {Blob | string | null} source */
export async function keepPhoto(id, source) {
  const isAllowed = settings.keepPuzzles && settings.keepPhotos;
  if (source instanceof Blob && isAllowed) await ask("readwrite", (photos) => photos.put(source, id), true);
}

/** @param {string[]} ids the ids of puzzles */
export const forgetPhotos = (ids) => Promise.all(ids.map((id) => ask("readwrite", (photos) => photos.delete(id))));

/**
 * Ask the database of photos. The answer is null if there is no database, or if the browser refuses, as in private windows.
 * @param {IDBTransactionMode} mode @param {(photos: IDBObjectStore) => IDBRequest} question
 * @param {boolean} [creates] whether to create the database @returns {Promise<any>}
 */
async function ask(mode, question, creates = false) {
  const opening = indexedDB.open(DATABASE);
  opening.onupgradeneeded = () =>
    creates ? opening.result.createObjectStore(PHOTOS) : opening.transaction?.abort();
  try {
    await settled(opening);
    return await settled(question(opening.result.transaction(PHOTOS, mode).objectStore(PHOTOS)));
  } catch {
    return null;
  } finally {
    if (opening.readyState === "done" && !opening.error) opening.result.close();
  }
}

/** @param {IDBRequest} request */
const settled = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
