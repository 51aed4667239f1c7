// @ts-check
/**
 * The values that travel between the page and the service; docs/web.md describes them.
 *
 * A cell is 0..80 in reading order. A point is [x, y] in pixels of the upright picture, the middle of its
 * first pixel being [0, 0].
 *
 * @typedef {[number, number]} Point
 * @typedef {Point[][]} Crossings ten row lines of ten points each
 *
 * @typedef {[number, number, number, number, number, number]} Affine the six numbers a b c d e f of SVG's matrix()
 * @typedef {{shape: "line", points: Point[], width: number, colour: string, closed: boolean}} LineShape
 * @typedef {{shape: "area", polygons: Point[][], colour: string, blend: "multiply" | "screen"}} AreaShape
 * @typedef {[pen: string, width: number, colour: string | null, strength: number]} Stroke a colour of null means that of the paper
 * @typedef {{shape: "digit", cell: number, digit: number, matrix: Affine, strokes: Stroke[]}} DigitShape
 * @typedef {{shape: "cover", cell: number, strength: number}} CoverShape
 * @typedef {{shape: "tag", status: GridStatus, colour: string, ink: string, matrix: Affine, width: number,
 *   height: number, em: number}} TagShape
 * @typedef {LineShape | AreaShape | DigitShape | CoverShape | TagShape} Shape
 * @typedef {{href: string, box: [number, number, number, number], paper: string}} InkCover
 *
 * @typedef {{height: number, middle: Point, strokes: number[][], paper: string, colour: string, dark: boolean}} Look
 * @typedef {{crossings: Crossings, answers: string, unclear: number[], hidden: string, clues_by_hand: boolean, look: Look,
 *   shapes: Shape[], covers: Object<number, InkCover>, state: string}} GridView
 * @typedef {{cell: number, row: number, column: number, kind: "clue" | "role" | "entry", digits: number[],
 *   probabilities: number[]}} Doubt
 * @typedef {"solved" | "uncertain" | "many_solutions" | "no_solution" | "unreadable"} GridStatus
 * @typedef {{sum: number, cells: number[]}} Cage of a killer
 * @typedef {{name: string, regions?: string, cages?: Cage[]}} Rules `regions` of a jigsaw: for each cell, the number 1..9 of its region
 * @typedef {{status: GridStatus, corners: Point[] | null, puzzle: string, written: string, solution: string | null,
 *   marks: string[], confidence: number, doubts: Doubt[], hidden?: number[], clashes?: number[],
 *   rules?: Rules}} Grid `rules` is absent if they are classic
 * @typedef {{size: [number, number], preview: string | null, grids: GridView[]}} PageView
 * @typedef {{source: string, page: number, status: GridStatus | "no_grid" | "error", message: string,
 *   other?: string, grids: Grid[], view: PageView}} Page
 *
 * @typedef {{technique: string, name: string, place: string, text: string, cells: number[], units: number[],
 *   digits: number[], placements: [number, number][], eliminations: [number, number][],
 *   view: {shapes: Shape[], placed: Shape[]}, board?: string}} Step
 * @typedef {{status: string, message: string, puzzle: string, board: string, hint: Step | null,
 *   leads_to: Step[], steps: Step[]}} Hint
 * @typedef {{difficulty?: string, name?: string, score: number}} Rating
 * @typedef {{status: string, message: string, puzzle: string, solution: string | null, steps: Step[],
 *   rating: Rating | null}} Explanation
 * @typedef {{cell: number, row: number, column: number, written?: number, marks?: string,
 *   answer: number}} Mistake
 * @typedef {{status: string, right: number[], wrong: Mistake[], unclear: Mistake[], left: number,
 *   complete: boolean, lost_marks?: Mistake[]}} Check
 *
 * The live camera:
 * @typedef {"answers" | "hint" | "check"} LiveMode what is drawn on a frame
 * @typedef {"looking" | "reading" | "sure" | "unsolvable"} LiveState
 * @typedef {{number: number, state: LiveState, status: string | null, puzzle: string | null, written: string | null,
 *   solution: string | null,
 *   crossings: Crossings, shapes: Shape[], covers: Object<number, InkCover>,
 *   hint?: Step | null,
 *   check?: {right: number, wrong: number, unclear: number, left: number}}} LiveGrid
 *   `hint` is missing while the service looks for it, and null if nothing is left to find
 * @typedef {{frame: number, size: [number, number], state: LiveState, grids: LiveGrid[], seconds: number}} LiveAnswer
 *
 * Types of the modules:
 * @typedef {import("./board_view.js").BoardView} BoardView
 * @typedef {import("./draw.js").Drawing} Drawing
 * @typedef {import("./faces.js").Face} Face
 * @typedef {import("./faces.js").Lit} Lit
 * @typedef {import("./kept.js").Kept} Kept
 * @typedef {import("./live_camera.js").CameraTrouble} CameraTrouble
 * @typedef {import("./live_loop.js").Frame} Frame
 * @typedef {import("./pad.js").Kind} Kind
 * @typedef {import("./photo_view.js").PhotoView} PhotoView
 * @typedef {import("./reader.js").Reader} Reader
 * @typedef {import("./selection.js").Selection} Selection
 * @typedef {import("./session.js").GridSession} GridSession
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./solving.js").ByCell} ByCell
 * @typedef {import("./solving.js").NoteKind} NoteKind
 * @typedef {import("./solving.js").Paper} Paper
 * @typedef {import("./solving.js").Solving} Solving
 * @typedef {import("./workspace.js").Workspace} Workspace
 */
export {};
