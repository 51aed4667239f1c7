// @ts-check
/**
 * What a person said of the cells of one grid, with undo and redo. Pure values: every change is a new one.
 *
 * @typedef {Readonly<Object<string, string>>} Said cell (0..80) to "8", "blank" or "w7"
 * @typedef {{readonly past: readonly Said[], readonly now: Said, readonly future: readonly Said[]}} Corrections
 */

/** @type {Corrections} */
export const NO_CORRECTIONS = Object.freeze({ past: [], now: {}, future: [] });

/**
 * Return the corrections with one more cell said; what is said twice is no change.
 * @param {Corrections} corrections @param {number} cell @param {string} what @returns {Corrections}
 */
export function say(corrections, cell, what) {
  const { past, now } = corrections;
  if (now[cell] === what) return corrections;
  return { past: [...past, now], now: { ...now, [cell]: what }, future: [] };
}

/** @param {Corrections} corrections */
export const canUndo = (corrections) => corrections.past.length > 0;
/** @param {Corrections} corrections */
export const canRedo = (corrections) => corrections.future.length > 0;

/** Take the last change back. @param {Corrections} corrections @returns {Corrections} */
export function undo({ past, now, future }) {
  const last = past.at(-1);
  return last ? { past: past.slice(0, -1), now: last, future: [now, ...future] } : { past, now, future };
}

/** Make the last change that was taken back again. @param {Corrections} corrections @returns {Corrections} */
export function redo({ past, now, future }) {
  const [next, ...rest] = future;
  return next ? { past: [...past, now], now: next, future: rest } : { past, now, future };
}

/**
 * Write what is said as the service reads it: "r3c5=8,r4c1=blank".
 * @param {Corrections} corrections
 */
export function overridesText({ now }) {
  return Object.entries(now)
    .map(([cell, what]) => `r${Math.floor(Number(cell) / 9) + 1}c${(Number(cell) % 9) + 1}=${what}`)
    .join(",");
}

/**
 * Return what to say of a cell when a digit is chosen for it; 0 is blank.
 * @param {number} digit @param {boolean} byHand
 */
export const wordFor = (digit, byHand) => (digit ? `${byHand ? "w" : ""}${digit}` : "blank");
