// @ts-check
/**
 * What each of 81 cells shows and is called, apart from where it is drawn.
 *
 * @typedef {"clue" | "written" | "answer" | "filled" | "marks" | "empty"} FaceKind
 * @typedef {{cell: number, digit: number, kind: FaceKind, marks: string, doubtful: boolean,
 *   verdict: "" | "right" | "wrong" | "unclear", corrected: boolean}} Face
 */
import { t } from "./language.js";

/**
 * Return the faces of a grid.
 * @param {import("./types.js").Grid} grid
 * @param {{answers?: string | null, filled?: string | null, verdicts?: Map<number, "right" | "wrong" | "unclear">,
 *   said?: Object<string, string>}} [shown] `answers` and `filled` are boards of 81 digits
 * @returns {Face[]}
 */
export function facesOf(grid, { answers, filled, verdicts, said = {} } = {}) {
  const doubtful = new Set(grid.doubts.map((doubt) => doubt.cell));
  return Array.from({ length: 81 }, (_, cell) => {
    const [digit, kind] = contentOf(grid, cell, answers, filled);
    return {
      cell,
      digit,
      kind,
      marks: grid.marks[cell] ?? "",
      doubtful: doubtful.has(cell),
      verdict: verdicts?.get(cell) ?? "",
      corrected: cell in said,
    };
  });
}

/**
 * @param {import("./types.js").Grid} grid @param {number} cell
 * @param {string | null | undefined} answers @param {string | null | undefined} filled
 * @returns {[number, FaceKind]}
 */
function contentOf(grid, cell, answers, filled) {
  const at = (/** @type {string | null | undefined} */ board) => Number(board?.[cell] ?? 0);
  if (at(grid.puzzle)) return [at(grid.puzzle), "clue"];
  if (at(grid.written)) return [at(grid.written), "written"];
  if (at(filled)) return [at(filled), "filled"];
  if (at(answers)) return [at(answers), "answer"];
  return [0, grid.marks[cell] ? "marks" : "empty"];
}

/** Name the place of a cell: "row 3 column 5". @param {number} cell */
export const placeName = (cell) => t("cell.place", { row: Math.floor(cell / 9) + 1, column: (cell % 9) + 1 });

/** Name a cell shortly: "r3c5". @param {number} cell */
export const cellName = (cell) => t("cell.short", { row: Math.floor(cell / 9) + 1, column: (cell % 9) + 1 });

/**
 * Name all that a person should know of a cell: "row 3 column 5, 8, printed, in doubt".
 * @param {Face} face
 */
export function faceName({ cell, digit, kind, marks, doubtful, verdict, corrected }) {
  const parts = [placeName(cell)];
  if (digit) parts.push(String(digit));
  parts.push(kind === "marks" ? t("cell.marks", { digits: [...marks].join(" ") }) : t(`cell.${kind}`));
  if (verdict) parts.push(t(`verdict.${verdict}`));
  if (doubtful) parts.push(t("cell.doubtful"));
  if (corrected) parts.push(t("cell.corrected"));
  return parts.join(", ");
}
