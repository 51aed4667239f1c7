// @ts-check
/** The photos of kept puzzles, where a person allowed it: in this browser alone, by the id of their puzzle. */

const NAME = "sudoku-vision";
const PHOTOS = "photos";

/**
 * Ask the store of photos; null where there is none, or the browser refuses, as in private windows.
 * @param {IDBTransactionMode} mode @param {(photos: IDBObjectStore) => IDBRequest} question
 * @param {boolean} [begins] whether a store is begun where there is none @returns {Promise<any>}
 */
async function ask(mode, question, begins = false) {
  const opening = indexedDB.open(NAME);
  opening.onupgradeneeded = () =>
    begins ? opening.result.createObjectStore(PHOTOS) : opening.transaction?.abort();
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

/** Return the photo of a puzzle, null where none is kept. @param {string} id @returns {Promise<Blob | null>} */
export const photoOf = async (id) => (await ask("readonly", (photos) => photos.get(id))) ?? null;

/** Keep what a puzzle was read from, if that was a photo. @param {string} id @param {Blob | string | null} source */
export async function keepPhoto(id, source) {
  if (source instanceof Blob) await ask("readwrite", (photos) => photos.put(source, id), true);
}

/** Forget the photos of puzzles. @param {string[]} ids */
export const forgetPhotos = (ids) => Promise.all(ids.map((id) => ask("readwrite", (photos) => photos.delete(id))));
