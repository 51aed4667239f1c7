// @ts-check
/** Faces: what each of the 81 cells shows, with its signs, and its name for screen readers. */
/** @import { GridSession, Rules } from "./types.js" */
/**
 * @typedef {"clue" | "entry" | "written" | "answer" | "filled" | "marks" | "empty"} FaceKind
 * @typedef {{cell: number, digit: number, kind: FaceKind, marks: string, centre: string, colour: string,
 *   own: boolean, doubtful: boolean, verdict: "" | "right" | "wrong" | "unclear", corrected: boolean,
 *   clashing: boolean, looked: boolean}} Face `own`: the person wrote the notes of this cell in the page
 */
import { CELLS, peersOf, placeName } from "./board.js";
import { t } from "./language.js";

/**
 * Return the faces of a grid.
 * @param {GridSession} one
 * @param {{answers?: string | null, placed?: string, entries: string, look: number[],
 *   verdicts?: Map<number, "right" | "wrong" | "unclear">, clashes: number[]}} shown
 *   `answers`, `placed` and `entries` are boards of 81 digits
 * @returns {Face[]}
 */
export function facesOf(one, { answers, placed, entries, verdicts, clashes, look }) {
  const { grid, now } = one;
  const [notes, centre] = answers ? [grid.marks, []] : [one.notes, one.centre];
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
      kind: digit || !(notes[cell] || centre[cell]) ? kind : "marks",
      marks: notes[cell] ?? "",
      centre: centre[cell] ?? "",
      colour: now.colours?.[cell] ?? "",
      own: cell in now.notes,
      doubtful: doubtful.has(cell),
      verdict: verdicts?.get(cell) ?? "",
      corrected: cell in now.corrections,
      clashing: clashes.includes(cell),
      looked: look.includes(cell),
    };
  });
}

/**
 * Return what is highlighted when cells are chosen. For a single cell, these are its peers, and the cells that have its
 * digit, also among their notes.
 * @param {Face[]} faces @param {readonly number[]} cells @param {Rules} rules
 * @typedef {{digit: string, peers: number[], same: number[], noted: number[]}} Lit
 * @returns {Lit}
 */
export function litBy(faces, cells, rules) {
  const face = cells.length === 1 ? faces[cells[0]] : null;
  const digit = face?.digit ? String(face.digit) : "";
  const cellsWith = (/** @type {(other: Face) => boolean} */ has) => CELLS.filter((cell) => digit && has(faces[cell]));
  return {
    digit,
    peers: face ? peersOf(rules)[face.cell] : [],
    same: cellsWith((other) => String(other.digit) === digit),
    noted: cellsWith(({ kind, marks, centre }) => kind === "marks" && (marks + centre).includes(digit)),
  };
}

const SIGNS = /** @type {const} */ (["clashing", "looked", "doubtful", "corrected"]);

/** Return the names of the signs in a cell. @param {Face} face */
export const signsOf = (face) => SIGNS.filter((sign) => face[sign]);

/** Return the place, the content and the signs of a cell: "row 3 column 5, 8, printed, in doubt". @param {Face} face */
export function faceName(face) {
  const { cell, digit, kind, marks, centre, colour, verdict } = face;
  const parts = [placeName(cell)];
  if (digit) parts.push(String(digit));
  if (kind !== "marks") parts.push(t(`cell.${kind}`));
  if (kind === "marks" && marks) parts.push(t("cell.marks", { digits: [...marks].join(" ") }));
  if (kind === "marks" && centre) parts.push(t("cell.centre", { digits: [...centre].join(" ") }));
  if (colour) parts.push(t("cell.colour", { digits: colour }));
  if (verdict) parts.push(t(`verdict.${verdict}`));
  return [...parts, ...signsOf(face).map((sign) => t(`cell.${sign}`))].join(", ");
}
