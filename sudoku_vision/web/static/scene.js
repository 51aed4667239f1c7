// @ts-check
/** What photo and board show of a puzzle: the drawings over the photo, and the content, signs and name of each cell. */
/** @import { Face, FaceKind, GridSession, GridView, Lit, Rules, Scene, Session, Shape, Shown, State } from "./types.js" */
import { CELLS, peersOf, placeName, without } from "./board.js";
import { drawShapes } from "./draw.js";
import { t } from "./language.js";
import { CLASH, colourShapes, LOOK_HERE, ownShapes, washed } from "./own_shapes.js";

/** @param {Session} session @param {GridSession} one @param {State} state @param {Shown} shown @returns {Scene} */
export function sceneOf(session, one, { mode }, shown) {
  const { shapes = [], answers = null, placed = "", look = [], warning = "", focus } = shown;
  const { grid, view } = one;
  const isFree = (/** @type {number} */ cell) => (placed[cell] ?? "0") === "0";
  // If answers are shown, only right entries are shown with them.
  const entries = without(
    one.now.entries,
    (cell, digit) =>
      grid.puzzle[cell] !== "0" ||
      !isFree(cell) ||
      (answers !== null && grid.solution && grid.solution[cell] !== digit),
  );
  // Elsewhere than in Solve, only the wrong digits of a contradiction are marked: in Solve, this would give them away.
  const isBlamed = (/** @type {number} */ cell) =>
    mode === "solve" || !grid.solution || (one.wrong.includes(cell) && !shown.verdicts?.has(cell));
  const clashes = answers === null ? one.clashes.filter(isBlamed) : (grid.clashes ?? []);
  const drawing = drawnOn(view, [
    ...colourShapes(one),
    ...washed(one, look, LOOK_HERE),
    ...washed(one, clashes, CLASH),
    ...shapes.filter((shape) => answers === null || !("cell" in shape) || entries[shape.cell] === "0"),
    ...ownShapes(one, entries, shapes, (cell) => answers === null && isFree(cell)),
  ]);
  const others = shown.others ? session.grids[session.page].filter((other) => other !== one) : [];
  return {
    drawings: [drawing, ...others.map((other) => drawnOn(other.view, other.view.shapes))],
    faces: facesOf(one, shown, entries, clashes),
    warning,
    focus,
  };
}

/** @param {GridView} view @param {Shape[]} shapes */
const drawnOn = (view, shapes) => drawShapes(shapes, view.covers, view.look.paper);

/** @param {GridSession} one @param {Shown} shown @param {string} entries 81 digits @param {number[]} clashes @returns {Face[]} */
function facesOf(one, { answers, placed, verdicts, look }, entries, clashes) {
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
      looked: look?.includes(cell) ?? false,
    };
  });
}

/**
 * Return the cells related to a chosen cell: its peers, and the cells with its digit, also in notes. If several cells are
 * chosen, none are related.
 * @param {Face[]} faces @param {readonly number[]} cells @param {Rules} [rules] @returns {Lit}
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

/** @param {Face} face */
export const signsOf = (face) => SIGNS.filter((sign) => face[sign]);

/** Return the name of a cell for screen readers: "row 3 column 5, 8, printed, in doubt". @param {Face} face */
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
