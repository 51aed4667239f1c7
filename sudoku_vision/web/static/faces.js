// @ts-check
/**
 * What each of 81 cells shows and is called, apart from where it is drawn.
 *
 * @typedef {"clue" | "entry" | "written" | "answer" | "filled" | "marks" | "empty"} FaceKind
 * @typedef {{cell: number, digit: number, kind: FaceKind, marks: string, doubtful: boolean,
 *   verdict: "" | "right" | "wrong" | "unclear", corrected: boolean, clashing: boolean, looked: boolean}} Face
 */
import { t } from "./language.js";

/**
 * Return the faces of a grid.
 * @param {import("./types.js").Grid} grid
 * @param {{answers?: string | null, filled?: string | null, entries: string, notes: readonly string[], look: number[],
 *   verdicts?: Map<number, "right" | "wrong" | "unclear">, said: Object<string, string>, clashes: number[]}} shown
 *   `answers`, `filled` and `entries` are boards of 81 digits
 * @returns {Face[]}
 */
export function facesOf(grid, { answers, filled, entries, notes, verdicts, said, clashes, look }) {
  const doubtful = new Set(grid.doubts.map((doubt) => doubt.cell));
  return Array.from({ length: 81 }, (_, cell) => {
    const [digit, kind] = contentOf(cell, { ...grid, entries, filled, answers });
    return {
      cell,
      digit,
      kind: digit || !notes[cell] ? kind : "marks",
      marks: notes[cell] ?? "",
      doubtful: doubtful.has(cell),
      verdict: verdicts?.get(cell) ?? "",
      corrected: cell in said,
      clashing: clashes.includes(cell),
      looked: look.includes(cell),
    };
  });
}

/**
 * Return the digit of a cell and whose it is.
 * @param {number} cell
 * @param {{puzzle: string, entries: string, written: string, filled?: string | null, answers?: string | null}} boards
 * @returns {[number, FaceKind]}
 */
function contentOf(cell, { puzzle, entries, written, filled, answers }) {
  const boards = /** @type {[FaceKind, string | null | undefined][]} */ ([
    ["clue", puzzle],
    ["entry", entries],
    ["written", written],
    ["filled", filled],
    ["answer", answers],
  ]);
  const [kind, board] = boards.find(([, digits]) => Number(digits?.[cell] ?? 0)) ?? ["empty", ""];
  return [Number(board?.[cell] ?? 0), kind];
}

/** Name the place of a cell: "row 3 column 5". @param {number} cell */
export const placeName = (cell) => t("cell.place", { row: Math.floor(cell / 9) + 1, column: (cell % 9) + 1 });

/** Name a cell shortly: "r3c5". @param {number} cell */
export const cellName = (cell) => t("cell.short", { row: Math.floor(cell / 9) + 1, column: (cell % 9) + 1 });

/**
 * Name all that a person should know of a cell: "row 3 column 5, 8, printed, in doubt".
 * @param {Face} face
 */
export function faceName({ cell, digit, kind, marks, doubtful, verdict, corrected, clashing, looked }) {
  const parts = [placeName(cell)];
  if (digit) parts.push(String(digit));
  parts.push(kind === "marks" ? t("cell.marks", { digits: [...marks].join(" ") }) : t(`cell.${kind}`));
  if (verdict) parts.push(t(`verdict.${verdict}`));
  if (clashing) parts.push(t("cell.clashing"));
  if (looked) parts.push(t("cell.looked"));
  if (doubtful) parts.push(t("cell.doubtful"));
  if (corrected) parts.push(t("cell.corrected"));
  return parts.join(", ");
}
