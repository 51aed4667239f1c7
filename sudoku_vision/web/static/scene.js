/**
 * What photo and board show of a puzzle: the drawings over the photo, and the content, signs and name of each cell. The
 * service sends shapes. The page adds the shapes of a person's entries, notes and colours, and of highlighted cells.
 */
import { CELLS, placeName, without } from "./board.js";
import { drawShapes, notesIn, pathThrough } from "./draw.js";
import { cellAffine, cellCorners, gridBorder, gridCorners, meanSide } from "./geometry.js";
import { t } from "./language.js";

/** @param {GridSession} one @param {GridSession[]} all grids of its page @param {Mode} mode @param {Shown} shown @returns {Scene} */
export function sceneOf(one, all, mode, shown) {
  const { shapes = [], answers = null, placed = "", look = [], warning = "", focus } = shown;
  const { grid, view } = one;
  const isFree = (/** @type {number} */ cell) => (placed[cell] ?? "0") === "0";
  // If answers are shown, wrong entries are hidden.
  const entries = without(
    one.now.entries,
    (cell, digit) =>
      grid.puzzle[cell] !== "0" ||
      !isFree(cell) ||
      (answers !== null && grid.solution && grid.solution[cell] !== digit),
  );
  // In Solve, all digits that contradict one another are marked: which of them is wrong stays secret. In other modes, only wrong digits are marked.
  const isBlamed = (/** @type {number} */ cell) =>
    mode === "solve" || !grid.solution || (one.wrong.includes(cell) && !shown.verdicts?.has(cell));
  const clashes = answers === null ? one.clashes.filter(isBlamed) : (grid.clashes ?? []);
  const drawing = drawnOn(view, [
    ...colourShapes(one),
    ...washed(one, look, LOOK_HERE),
    ...washed(one, clashes, CLASH),
    ...shapes.filter(({ cell }) => answers === null || cell === undefined || entries[cell] === "0"),
    ...ownShapes(one, entries, shapes, (cell) => answers === null && isFree(cell)),
  ]);
  const others = shown.others ? all.filter((other) => other !== one) : [];
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
function facesOf(one, { answers, placed, verdicts, look = [] }, entries, clashes) {
  const { grid, now } = one;
  const [notes, centre] = answers ? [grid.marks, []] : [one.notes, one.centre];
  /** @type {Record<string, number[]>} */
  const signs = {
    clashing: clashes,
    looked: look,
    doubtful: [...one.openDoubts.map((doubt) => doubt.cell), ...(grid.hidden ?? [])],
    corrected: Object.keys(now.corrections).map(Number),
  };
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
      places: notesIn(notes[cell] ?? "", centre[cell] ?? "", one.rules),
      colour: now.colours?.[cell] ?? "",
      own: cell in now.notes,
      verdict: verdicts?.get(cell) ?? "",
      signs: Object.keys(signs).filter((sign) => signs[sign].includes(cell)),
    };
  });
}

/**
 * Return the cells related to a chosen cell: its peers, and the cells with its digit, also in notes. If several cells are
 * chosen, no cells are related.
 * @param {Face[]} faces @param {readonly number[]} cells @param {number[][]} [peers] @returns {Lit}
 */
export function litBy(faces, cells, peers = []) {
  const face = cells.length === 1 ? faces[cells[0]] : null;
  const digit = face?.digit ? String(face.digit) : "";
  const cellsWith = (/** @type {(other: Face) => boolean} */ has) => CELLS.filter((cell) => digit && has(faces[cell]));
  return {
    digit,
    peers: (face && peers[face.cell]) || [],
    same: cellsWith((other) => String(other.digit) === digit),
    noted: cellsWith(({ kind, marks, centre }) => kind === "marks" && (marks + centre).includes(digit)),
  };
}

/** Return the name of a cell for screen readers: "row 3 column 5, 8, printed, in doubt". @param {Face} face */
export function faceName(face) {
  const { cell, digit, kind, marks, centre, colour, verdict, signs } = face;
  const parts = [placeName(cell)];
  if (digit) parts.push(String(digit));
  if (kind !== "marks") parts.push(t(`cell.${kind}`));
  if (kind === "marks" && marks) parts.push(t("cell.marks", { digits: [...marks].join(" ") }));
  if (kind === "marks" && centre) parts.push(t("cell.centre", { digits: [...centre].join(" ") }));
  if (colour) parts.push(t("cell.colour", { digits: colour }));
  if (verdict) parts.push(t(`verdict.${verdict}`));
  return [...parts, ...signs.map((sign) => t(`cell.${sign}`))].join(", ");
}

// Shapes

/** The colour of entries and notes on light and on dark paper. Answers and doubts have other colours. */
const PEN = { light: "#6a1bb0", dark: "#dcb8ff" };
/** If there is blue handwriting, answers are violet (`beside`). Then entries and notes have this other colour (`pen`). */
const OTHER = { pen: "#00707a", beside: "#6e14aa" };
const RED = { light: "#c81414", dark: "#ff8f8f" };
/** Colours of highlighted cells. Light paper is multiplied by `light`. Dark paper is blended with `dark` in the mode "screen". */
const CLASH = { light: "#ffb5b0", dark: "#270907" };
const LOOK_HERE = { light: "#ffea80", dark: "#332a00" };
/** For each stroke of a note, its width as a share of the height of the note, and its opacity. */
const NOTE = [[0.16, 1]];
/** The colours of the keys 1 to 9, which a person can give to cells. */
export const COLOURS = ["#ff9f9f", "#ffc58f", "#fbe36d", "#b9e68c", "#8fe0c8", "#9fd0ff", "#bcb4ff", "#f3aee6", "#c9ced6"];
const STRIKE = 0.055; // the width of the line through a wrong entry, in cells
const FRAME = 0.14; // the width of the frame round a completed puzzle, in cells

/** @param {GridSession} one */
const paperKind = ({ view }) => (view.look.dark ? "dark" : "light");

/** @param {GridSession} one */
const penOf = (one) => (one.view.look.colour === OTHER.beside ? OTHER.pen : PEN[paperKind(one)]);

/**
 * Return the shapes of a digit: its ink and, if it lies over other ink, a rim around it in the colour of the paper.
 * @param {Crossings} crossings @param {number} cell @param {number} digit
 * @param {Pick<Look, "height" | "middle" | "strokes">} look @param {string} colour @returns {Shape[]}
 */
function digitShapes(crossings, cell, digit, { height, middle: [x, y], strokes }, colour) {
  const [a, b, c, d, e, f] = cellAffine(crossings, cell);
  const matrix = [a * height, b * height, c * height, d * height, a * x + c * y + e, b * x + d * y + f];
  return strokes.map(([width, strength]) => {
    const [layer, stroke] = strength < 1 ? ["cover", "{paper}"] : ["ink", colour];
    const pen = `<use href="#pen-${digit}" stroke="${stroke}" stroke-width="${width}" stroke-opacity="${strength}"/>`;
    const svg = `<g transform="matrix(${matrix})" data-cell="${cell}" data-digit="${digit}">${pen}</g>`;
    return { layer: /** @type {Shape["layer"]} */ (layer), cell, digit, svg };
  });
}

/**
 * Return the shapes of entries, and of notes in free cells.
 * @param {GridSession} one @param {string} entries 81 digits
 * @param {Shape[]} drawn the shapes that the mode draws; a note is left out if one of them already shows its digit in its cell
 * @param {(cell: number) => boolean} isFree @returns {Shape[]}
 */
function ownShapes(one, entries, drawn, isFree) {
  const { grid, view, now, notes, centre } = one;
  const { crossings, look } = view;
  const colour = penOf(one);
  return CELLS.flatMap((cell) => {
    const isOverInk = grid.marks[cell] || grid.written[cell] !== "0";
    const cover = /** @type {Shape[]} */ (isOverInk ? [{ layer: "cover", cell, svg: "{cover}" }] : []);
    // The picture of a board in text has only clues. So its other digits are drawn here.
    const entry = Number(entries[cell]) || (one.inText ? Number(grid.written[cell]) : 0);
    if (entry) {
      const strokes = isOverInk ? look.strokes : look.strokes.slice(-1);
      return [...cover, ...digitShapes(crossings, cell, entry, { ...look, strokes }, colour)];
    }
    if (!isFree(cell) || !(one.inText || cell in now.notes || centre[cell])) return [];
    const isDrawn = (/** @type {Note} */ { digit }) => drawn.some((shape) => shape.cell === cell && shape.digit === digit);
    const left = notesIn(notes[cell], centre[cell], one.rules).filter((note) => !isDrawn(note));
    return [...cover, ...left.flatMap((note) => digitShapes(crossings, cell, note.digit, { ...note, strokes: NOTE }, colour))];
  });
}

/** @param {GridSession} one */
const colourShapes = (one) =>
  COLOURS.flatMap((colour, at) => {
    const cells = CELLS.filter((cell) => one.now.colours?.[cell] === String(at + 1));
    return washed(one, cells, { light: colour, dark: `${colour}55` });
  });

/** Highlight cells. @param {GridSession} one @param {number[]} cells @param {typeof CLASH} colours @returns {Shape[]} */
function washed(one, cells, colours) {
  // One path for all cells, so that no seam shows between them.
  const d = cells.map((cell) => pathThrough(cellCorners(one.view.crossings, cell), true)).join("");
  const layer = one.view.look.dark ? "screen" : "multiply";
  return d ? [{ layer, svg: `<path d="${d}" fill="${colours[paperKind(one)]}"/>` }] : [];
}

/** Strike out entries. @param {GridSession} one @param {number[]} cells @returns {Shape[]} */
export const wrongShapes = (one, cells) =>
  cells.map((cell) => {
    const look = `stroke="${RED[paperKind(one)]}" stroke-width="${STRIKE}"`;
    const matrix = cellAffine(one.view.crossings, cell);
    return { layer: "ink", svg: `<path d="M.15 .85L.85 .15" transform="matrix(${matrix})" ${look}/>` };
  });

/** Frame a completed puzzle. @param {GridSession} one @returns {Shape[]} */
export function finishShapes(one) {
  const { crossings } = one.view;
  const look = `stroke="${penOf(one)}" stroke-width="${(FRAME * meanSide(gridCorners(crossings))) / 9}"`;
  return [{ layer: "ink", svg: `<path class="frame" d="${pathThrough(gridBorder(crossings), true)}" pathLength="1" ${look}/>` }];
}
