// @ts-check
/**
 * The values that travel between the page and the service, as docs/web.md tells them.
 *
 * A cell is 0..80 in reading order. A point is [x, y] in pixels of the upright picture, the middle of its
 * first pixel being [0, 0]; lattice units are [u, v] in cells, [0, 0] the first crossing of a grid.
 *
 * @typedef {[number, number]} Point
 * @typedef {Point[][]} Crossings ten row lines of ten points each
 *
 * @typedef {{shape: "digit", cell: number, digit: number, height: number, weight: number, middle: Point,
 *   colour: string, hollow: boolean, halo: boolean, ground: string | null}} DigitShape
 * @typedef {{shape: "line", points: Point[], width: number, colour: string, closed: boolean}} LineShape
 * @typedef {{shape: "wash", cells: number[], colour: string, strength: number, dark: boolean}} WashShape
 * @typedef {{shape: "fade", cell: number, strength: number}} FadeShape
 * @typedef {{shape: "tag", status: GridStatus, words: string, colour: string}} TagShape
 * @typedef {DigitShape | LineShape | WashShape | FadeShape | TagShape} Shape
 *
 * @typedef {{height: number, weight: number, middle: Point, ink: string, paper: string, colour: string,
 *   hollow: boolean, ground: string, dark: boolean}} Look
 * @typedef {{crossings: Crossings, answers: string, unclear: number[], hidden: string, clues_by_hand: boolean, look: Look,
 *   shapes: Shape[], state: string}} GridView
 * @typedef {{cell: number, row: number, column: number, kind: "clue" | "role" | "entry", digits: number[],
 *   probabilities: number[]}} Doubt
 * @typedef {"solved" | "uncertain" | "many_solutions" | "no_solution" | "unreadable"} GridStatus
 * @typedef {{name: string, regions?: string}} Rules `regions` of a jigsaw: of each cell the number 1..9 of its region
 * @typedef {{status: GridStatus, corners: Point[] | null, puzzle: string, written: string, solution: string | null,
 *   marks: string[], confidence: number, doubts: Doubt[], hidden?: number[], clashes?: number[],
 *   rules?: Rules}} Grid `rules` unless they are classic
 * @typedef {{size: [number, number], preview: string | null, grids: GridView[]}} PageView
 * @typedef {{source: string, page: number, status: GridStatus | "no_grid" | "error", message: string,
 *   other?: string, grids: Grid[], view: PageView}} Page
 *
 * @typedef {{technique: string, name: string, place: string, text: string, cells: number[], units: number[],
 *   digits: number[], placements: [number, number][], eliminations: [number, number][],
 *   view: {shapes: Shape[]}, board?: string}} Step
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
 * @typedef {"answers" | "hint" | "check"} LiveMode what is drawn
 * @typedef {{mode: LiveMode, language: string}} Wish what is drawn, and how it is said
 * @typedef {"looking" | "reading" | "sure" | "unsolvable"} LiveState
 * @typedef {{number: number, state: LiveState, status: string | null, puzzle: string | null, written: string | null,
 *   solution: string | null,
 *   crossings: Crossings, shapes: Shape[],
 *   hint?: Step | null,
 *   check?: {right: number, wrong: number, unclear: number, left: number}}} LiveGrid
 *   `hint` is missing while it is looked for, and null where nothing is left to find
 * @typedef {{frame: number, size: [number, number], state: LiveState, grids: LiveGrid[], seconds: number}} LiveAnswer
 */
export {};
