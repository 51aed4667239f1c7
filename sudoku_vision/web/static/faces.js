// @ts-check
/** Faces: the content of each of 81 cells, with its signs and its name. */
/** @import { ByCell, Grid } from "./types.js" */
/**
 * @typedef {"clue" | "entry" | "written" | "answer" | "filled" | "marks" | "empty"} FaceKind
 * @typedef {{cell: number, digit: number, kind: FaceKind, marks: string, doubtful: boolean,
 *   verdict: "" | "right" | "wrong" | "unclear", corrected: boolean, clashing: boolean, looked: boolean}} Face
 */
import { CELLS, placeName } from "./board.js";
import { t } from "./language.js";

/**
 * Return the faces of a grid.
 * @param {Grid} grid
 * @param {{answers?: string | null, placed?: string, entries: string, notes: readonly string[], look: number[],
 *   verdicts?: Map<number, "right" | "wrong" | "unclear">, corrections: ByCell, clashes: number[]}} shown
 *   `answers`, `placed` and `entries` are boards of 81 digits
 * @returns {Face[]}
 */
export function facesOf(grid, { answers, placed, entries, notes, verdicts, corrections, clashes, look }) {
  const doubtful = new Set([...grid.doubts.map((doubt) => doubt.cell), ...(grid.hidden ?? [])]);
  const boards = /** @type {[FaceKind, string | null | undefined][]} */ ([
    ["clue", grid.puzzle],
    ["entry", entries],
    ["written", grid.written],
    ["filled", placed],
    ["answer", answers],
  ]);
  return CELLS.map((cell) => {
    const [kind, board] = boards.find(([, digits]) => Number(digits?.[cell] ?? 0)) ?? ["empty", ""];
    const digit = Number(board?.[cell] ?? 0);
    return {
      cell,
      digit,
      kind: digit || !notes[cell] ? kind : "marks",
      marks: notes[cell] ?? "",
      doubtful: doubtful.has(cell),
      verdict: verdicts?.get(cell) ?? "",
      corrected: cell in corrections,
      clashing: clashes.includes(cell),
      looked: look.includes(cell),
    };
  });
}

const SIGNS = /** @type {const} */ (["clashing", "looked", "doubtful", "corrected"]);

/** Return the names of the signs in a cell. @param {Face} face */
export const signsOf = (face) => SIGNS.filter((sign) => face[sign]);

/** Return the place, the content and the signs of a cell: "row 3 column 5, 8, printed, in doubt". @param {Face} face */
export function faceName(face) {
  const { cell, digit, kind, marks, verdict } = face;
  const parts = [placeName(cell)];
  if (digit) parts.push(String(digit));
  parts.push(kind === "marks" ? t("cell.marks", { digits: [...marks].join(" ") }) : t(`cell.${kind}`));
  if (verdict) parts.push(t(`verdict.${verdict}`));
  return [...parts, ...signsOf(face).map((sign) => t(`cell.${sign}`))].join(", ");
}
