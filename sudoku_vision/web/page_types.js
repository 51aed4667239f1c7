/**
 * The types that several scripts of the page use. First the values that travel between the page and the service, which
 * docs/web.md describes.
 *
 * A cell is 0..80 in reading order. A point is [x, y] in pixels of the upright picture. The middle of the
 * first pixel is [0, 0].
 *
 * @typedef {[number, number]} Point
 * @typedef {Point[][]} Crossings ten row lines of ten points each
 *
 * @typedef {[number, number, number, number, number, number]} Affine the six numbers a b c d e f of SVG's matrix()
 * @typedef {{layer: "cover" | "multiply" | "screen" | "ink", svg: string, cell?: number, digit?: number}} Shape `svg` contains
 *   {cover}, {paper} or names of texts, which draw.js replaces
 * @typedef {{svg: string, paper: string}} InkCover paper over the ink of a cell, and its colour
 *
 * @typedef {{height: number, middle: Point, strokes: number[][], paper: string, colour: string, dark: boolean}} Look how a digit
 *   looks that is an answer; lengths are in cells
 * @typedef {{crossings: Crossings, answers: string, unclear: number[], hidden: string, clues_by_hand: boolean, look: Look, lines: string,
 *   units: Object<string, number[]>, shapes: Shape[], covers: Object<number, InkCover>, state: string}} GridView `lines`: the lines of a flat board, as SVG; `units`: the
 *   cells of each unit, by the unit's number in steps
 * @typedef {{cell: number, row: number, column: number, kind: "cage" | "clue" | "role" | "entry", digits: number[],
 *   probabilities: number[], cages?: Cage[]}} Doubt `cages` replaces the digits if the kind is "cage"
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
 * @typedef {{picture: HTMLCanvasElement, size: [number, number], jpeg: Blob}} Frame
 *   `picture` holds the frame of the camera until the next frame is taken. `jpeg` is the smaller copy that is sent. `size` is
 *   the width and height of this copy, in pixels
 * @typedef {"insecure" | "unsupported" | "denied" | "missing" | "in_use" | "unfit" | "ended"} CameraTrouble
 *   `insecure`: browsers give no camera to pages over plain http. `unfit`: no camera has the size that we ask for.
 *
 * The page:
 * @typedef {"answers" | "solve" | "hint" | "check" | "steps"} Mode
 * @typedef {"entry" | "note" | "centre" | "colour" | "clue" | "written"} Kind what the digit keys write: the person's own
 *   entries, notes or colours; or corrections of printed or handwritten digits in the photo
 * @typedef {"right" | "wrong" | "unclear"} Verdict
 *
 * @typedef {{title: string, isOther: boolean, photo: Blob | null, share: number, isLong: boolean, controller: AbortController}} Reading
 *   `isOther`: whether it replaces the open session; `share`: the sent share of the photo, 0..1; `isLong`: whether reading takes
 *   long
 *
 * @typedef {object} Shown what a mode shows of a puzzle
 * @property {string} [status] chooses the colour of the headline
 * @property {string} [title] by default, the title of the status or of the mode
 * @property {string} sentence
 * @property {string} [more] a text elsewhere on the page that screen readers read out after the sentence
 * @property {string} [warning] a sentence about what is wrong
 * @property {Shape[]} [shapes]
 * @property {string | null} [answers] 81 digits
 * @property {string} [placed] digits that the shapes draw in addition to the answers
 * @property {boolean} [others] whether the answers of the other grids are drawn, too
 * @property {boolean} [fresh]
 * @property {number} [focus] the cell to be marked in the board if no cell is chosen
 * @property {number[]} [look] cells to look at
 * @property {Map<number, Verdict>} [verdicts]
 * @property {Check | null} [check]
 * @property {ShownHint} [hint]
 * @property {{explanation: Explanation | null, number: number}} [steps]
 *
 * @typedef {{step?: Step, level: string, isLast: boolean, isWaiting: boolean, label: string, caution: string, count: number}} ShownHint
 *   `label`: the words of the button that shows more; `count`: how many steps lead to the next digit
 *
 * @typedef {{drawings: Drawing[], faces: Face[], warning: string, focus?: number}} Scene what photo and board show
 * @typedef {"clue" | "entry" | "written" | "answer" | "filled" | "marks" | "empty"} FaceKind
 * @typedef {{cell: number, digit: number, kind: FaceKind, marks: string, centre: string, places: Note[], colour: string,
 *   own: boolean, verdict: "" | Verdict, signs: string[]}} Face what a cell shows; `places`: the places of its notes;
 *   `own`: whether the person wrote these notes in the page; `signs`: clashing, looked (the place to look at), doubtful, corrected
 * @typedef {Record<Shape["layer"], string>} Drawing the content of each layer, as SVG
 * @typedef {{digit: number, height: number, middle: Point}} Note a digit, and its place in a cell whose side is 1
 * @typedef {{digit: string, peers: number[], same: number[], noted: number[]}} Lit the cells that are highlighted
 *
 * What a person does on a grid:
 * @typedef {Readonly<Object<string, string>>} ByCell by cell, 0..80
 * @typedef {object} Work
 * @property {ByCell} corrections the corrections of the reading: "8" (printed), "w7" (handwritten) or "blank"
 * @property {string} entries 81 digits, 0 for none
 * @property {ByCell} notes the person's candidates, "135", in place of the marks in the photo
 * @property {ByCell} [centre] notes in the middle of the cell
 * @property {ByCell} [colours] the colours of cells, "1" to "9"
 * @property {ByCell} [struck] digits that hints have eliminated
 * @property {Rules} [rules] the rules that the person chose in place of those that were read
 * @property {readonly string[]} [cages] the corrections of cages, each in the form that the service reads
 *
 * @typedef {"notes" | "centre" | "colours"} NoteKind
 * @typedef {{readonly past: readonly Work[], readonly now: Work, readonly future: readonly Work[],
 *   readonly hints?: number}} Solving `past` and `future` are for undo and redo; `hints`: number of hint steps that were shown
 * @typedef {{readonly puzzle: string, readonly written: string, readonly marks: readonly string[],
 *   readonly rules?: Rules}} Paper a grid as it was read
 * @typedef {{status: string, puzzle: string, written: string, marks: string[], rules?: Rules}} KeptGrid the grid as it was first read
 * @typedef {{id: string, grid: KeptGrid, solving: Solving, seconds?: number, lines?: string, units?: GridView["units"],
 *   corrected?: Partial<KeptGrid>}} Kept what the browser stores of a grid; `lines` and `units` as in the view of the grid;
 *   `corrected`: what the corrections have changed in the grid
 *
 * Types that modules make:
 * @typedef {import("./static/session.js").GridSession} GridSession
 * @typedef {import("./static/session.js").Session} Session
 * @typedef {typeof import("./static/state.js").state} State
 */
