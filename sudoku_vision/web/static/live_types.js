// @ts-check
/**
 * The values that travel between the live camera and the service.
 *
 * @typedef {"answers" | "hint" | "check"} LiveMode what is drawn
 * @typedef {{mode: LiveMode, language: string}} Wish what is drawn, and how it is said
 * @typedef {"looking" | "reading" | "sure" | "unsolvable"} LiveState
 * @typedef {{number: number, state: LiveState, status: string | null, puzzle: string | null, written: string | null,
 *   solution: string | null,
 *   crossings: import("./types.js").Crossings, shapes: import("./types.js").Shape[],
 *   hint?: import("./types.js").Step | null,
 *   check?: {right: number, wrong: number, unclear: number, left: number}}} LiveGrid
 *   `hint` is missing while it is looked for, and null where nothing is left to find
 * @typedef {{frame: number, size: [number, number], state: LiveState, grids: LiveGrid[], seconds: number}} LiveAnswer
 */
export {};
