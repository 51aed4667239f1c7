"""The models of requests and answers. FastAPI uses them to check and to describe requests and answers.

Each field has a description. It also has an example if its type says too little. The page ``/docs`` shows
both. A field with a default is absent from an answer if the job doesn't set it.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sudoku_vision.texts import ENGLISH
from sudoku_vision.web.settings import LiveMode

Data = dict[str, Any]
PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
OVERRIDES = "r3c5=8,r4c1=blank,r2c6=w7"
REGIONS = "111111222113334442513333342555555342665654442766664882777688882777689889779999999"


def about(description: str, *example: Any, **options: Any) -> Any:
    """Return a field of a model with a *description*, an *example*, and pydantic's *options*."""
    return Field(description=description, examples=list(example) or None, **options)


Cell = Annotated[int, about("A cell, 0 to 80 in reading order.", 18, ge=0, le=80)]
Digits = Annotated[str, about("81 digits, 0 for blank.", PUZZLE, pattern="^[0-9]{81}$")]
Clues = Annotated[Digits, about("The clues, 81 digits.", PUZZLE)]
Solution = Annotated[Digits | None, about("81 digits; null if there is not exactly one.", SOLUTION)]
Language = Annotated[str, about("Language of names and sentences; English if unknown.", "de", max_length=35)]
RulesName = Annotated[
    str,
    about(
        "The rules: classic, diagonal or jigsaw, or JSON as in answers, for a killer; empty: as read.",
        "diagonal",
    ),
]
RegionsText = Annotated[str, about("For each cell of a jigsaw, the number of its region.", REGIONS)]
FilledText = Annotated[str, about("81 digits that were filled in since.")]
Overrides = Annotated[str, about("What cells hold: a clue, nothing, or a digit by hand.", OVERRIDES)]
Answers = Annotated[bool, about("For check: draw the right digit beside a wrong one.")]
Point = Annotated[list[float], about("x and y in pixels.", [53.8, 176.4], min_length=2, max_length=2)]
CellDigit = Annotated[list[int], about("A cell and a digit.", [18, 9], min_length=2, max_length=2)]
PencilMarks = Annotated[
    list[str], about("The pencil marks of each cell.", ["", "28"], min_length=81, max_length=81)
]
GridStatus = Annotated[
    Literal["solved", "uncertain", "many_solutions", "no_solution", "unreadable"],
    about("The result; uncertain if cells may be misread.", "solved"),
]
PageStatus = GridStatus | Literal["no_grid", "error"]
Confidence = Annotated[float, Field(ge=0, le=1, examples=[0.9999])]
Start = Annotated[
    Literal["clues", "entries"], about("Whether the way begins with the clues, or with the entries, too.")
]
NextPage = Annotated[int | None, about("The first page that was left out; null if all were read.")]


class PhotoOptions(BaseModel):
    """Options for a picture, in the address or in the fields of a form; an empty text counts as absent."""

    page: int | None = about("This page or board alone; from 1.", 3, default=None, ge=1, le=999_999)
    overrides: Overrides = ""
    corners: str = about(
        "The grid's four corners, x,y in pixels, clockwise from the top left.",
        "10,12,410,9,415,402,8,400",
        default="",
    )
    rules: RulesName = ""
    regions: RegionsText = ""
    marks: bool = about("For check: name marks that have lost the right digit.", default=False)
    answers: Answers = False

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, values: Data) -> Data:
        return {name: value for name, value in values.items() if value != ""}


class StateRequest(BaseModel):
    """A question about a grid that was read before."""

    state: str = about("The state of a view, as it first came.", "SHsYoXjT9bjrStqh")
    overrides: Overrides = ""
    rules: RulesName = ""
    regions: RegionsText = ""
    filled: str = about("81 digits that were filled in since, for hint, explain and check.", default="")
    notes: PencilMarks | None = about("For hint and explain: used instead of the pencil marks.", default=None)
    marks: bool = about("For hint: go on from the pencil marks. For check: name wrong ones.", default=False)
    answers: Answers = False
    language: Language = ENGLISH


class LiveWish(BaseModel):
    """What to draw on the frames of a camera: answers, the next step, or verdicts."""

    mode: LiveMode = "answers"
    language: Language = ENGLISH


class Record(BaseModel):
    """An object in an answer; it has no other keys than those of its model."""

    model_config = ConfigDict(extra="forbid")


class Refusal(Record):
    """The reason why there is no answer."""

    code: str = about("A name for programs, which never changes.", "not_a_picture")
    message: str = about("What is wrong, in a sentence.", "This is no picture that can be read.")
    remedy: str = about("What helps, in a sentence.", "Send a photo as JPEG, PNG, WebP or HEIC, or a PDF.")


class Error(Record):
    """The body of each answer with a status of 400 or more: it says why the request can't be answered."""

    error: Refusal = about("What went wrong.")


class GridView(BaseModel):
    """What the page draws of one grid, and how to ask about it again; only the fields below are described."""

    model_config = ConfigDict(extra="allow")
    crossings: list[list[Point]] = about("The crossings of its lines: 10 row lines of 10 points.")
    state: str = about("Send it back to /api/settle, check, hint or explain.", "SHsYoXjT9bjrStqh")


class PageView(Record):
    """What the page needs to draw one page."""

    size: list[int] = about("Width and height of the upright picture, in pixels.", [900, 1200])
    preview: str | None = about("The picture as a data: address, if browsers can't show it themselves.")
    grids: list[GridView] = about("A view of each grid.")


class InCell(Record):
    """Something in a cell, with the place of the cell."""

    cell: Cell
    row: int = about("Its row, 1 to 9 from the top.", 3)
    column: int = about("Its column, 1 to 9 from the left.", 1)


class Entry(InCell):
    """A digit that a person wrote."""

    digit: int = about("What was written.", 9)
    confidence: Confidence = about("The probability that it is read right.", 0.9919)


class Cage(Record):
    """A cage of a killer."""

    sum: int = about("The sum of its digits.", 12)
    cells: list[Cell] = about("Its cells.", [0, 1, 9])


class Doubt(InCell):
    """A cell that may be misread."""

    kind: Literal["cage", "clue", "role", "entry"] = about(
        "What may be wrong: its cage or the sum of it, its clue, who wrote its digit, or what a person wrote."
    )
    digits: list[int] = about("What it may hold, likeliest first; 0 for nothing.", [3, 8])
    probabilities: list[float] = about("The probability of each of them.", [0.7, 0.3])
    cages: list[Cage] = about("The cages that it may be in, if its cage is in doubt.", default=[])


class Mistake(InCell):
    """A cell with a wrong entry or wrong marks."""

    written: int = about("What was written.", 4, default=0)
    marks: str = about("The marks that stand there.", default="")
    answer: int = about("What belongs there.", 8)


class Rules(Record):
    """The rules of a puzzle that is not a classic sudoku."""

    name: str = about("What the rules are called: one or several of diagonal, jigsaw and killer.", "jigsaw")
    regions: RegionsText = ""
    cages: list[Cage] = about("The cages of a killer.", default=[])


OwnRules = Annotated[Rules | None, about("Absent if the puzzle is classic.")]


class ReadGrid(Record):
    """The reading of a grid."""

    corners: list[Point] | None = about(
        "Top left, top right, bottom right, bottom left; null for a board in text."
    )
    puzzle: Clues
    written: Digits = about("What a person wrote into blank cells.", "0" * 81)
    solution: Solution
    confidence: Confidence = about("The probability that the solution is right.", 0.9999)
    doubts: list[Doubt] = about("Cells to look at.")
    hidden: list[Cell] = about("Cells that can't be seen, and that the answer depends on.", default=[])
    clashes: list[Cell] = about("Clues that contradict one another.", default=[])
    rules: OwnRules = None


class Grid(ReadGrid):
    """A grid, with the keys that ``solve --json`` gives it."""

    status: GridStatus
    marks: PencilMarks
    entries: list[Entry] = about("What a person wrote, if it is known how sure the reading is.")
    repaired: list[Cell] = about("Cells whose likeliest digit was overruled by the rules.")


class CheckedGrid(ReadGrid):
    """A grid, with the keys that ``check --json`` gives it."""

    status: str = about("The verdict on what is written.", "wrong")
    right: list[Cell] = about("Entries that are right.", [4])
    wrong: list[Mistake] = about("Entries that are not.")
    unclear: list[Mistake] = about("Entries that can't be read for sure.")
    left: int = about("How many cells are blank.", 33)
    complete: bool = about("Whether all is filled in, and right.")
    marks: PencilMarks = []
    lost_marks: list[Mistake] = about("Cells whose marks lack the right digit.", default=[])


class ReadPage(Record):
    """One page of a picture or document, or one board of a text."""

    source: str = about("Its name: photo or board.", "photo")
    page: int = about("Its number, from 1.", 1)
    message: str = about("What a person should know about it, in a sentence.")
    output: None = about("Always null.")
    seconds: float = about("The time that reading took.", 0.1883)
    other: str = about("What it shows instead of a sudoku: killer, samurai, 6x6.", default="")


class Page(ReadPage):
    """A page, with the keys that ``solve --json`` gives it."""

    status: PageStatus = about("The status of its least sure grid.", "solved")
    grids: list[Grid] = about("Its grids.")
    view: PageView | None = about("What a browser draws; absent for a board in the address.", default=None)


class Pages(Record):
    """Several pages of a document, or boards of a text."""

    pages: list[Page] = about("All of them, in order.")
    next_page: NextPage


class CheckedPage(ReadPage):
    """A page, with the keys that ``check --json`` gives it."""

    status: str = about("The status of its worst grid.", "wrong")
    grids: list[CheckedGrid] = about("Its grids.")
    view: PageView = about("What is drawn of it.")


class CheckedPages(Record):
    """Several pages of a document, or boards of a text."""

    pages: list[CheckedPage] = about("All of them, in order.")
    next_page: NextPage


class CheckedState(Record):
    """The verdicts on the entries of a grid that was read before."""

    check: CheckedGrid = about("The verdicts.")
    view: GridView = about("What is drawn of it.")


class Settled(Record):
    """A grid that was read before, decoded again with a person's corrections of some cells."""

    grid: Grid = about("What it reads as now.")
    view: GridView = about("What is drawn of it.")


class Step(Record):
    """A step of logic.

    Units have numbers: rows from 0, columns from 9, boxes from 18, diagonals from 27, regions from 29.
    """

    technique: str = about("What people call it, in English.", "full house")
    text: str = about("The step in words.", "In column 5, r1c5 is the last blank cell.")
    cells: list[Cell] = about("The cells of the pattern.", [4])
    digits: list[int] = about("The digits concerned.", [9])
    units: list[int] = about("The units of the pattern.", [13])
    covers: list[int] = about("The units that it clears, if those are others.")
    colours: list[list[Cell]] = about("Two groups of cells: if one is true, the other is false.")
    links: list[Data] = about("The inferences of a chain, in order.")
    placements: list[CellDigit] = about("What is filled in.", [[4, 9]])
    eliminations: list[CellDigit] = about("What is struck out.")
    branches: list[Data] = about("What a forcing net follows, all to the same end.")
    trial: Data | None = about("What a trial found.")
    blockers: list[CellDigit] = about("The digits that leave a single no other place.")
    struck: list[CellDigit] = about("Candidates that earlier steps have struck out.")
    name: str = about("Its name in the chosen language; absent for a board in the address.", default="")
    place: str = about("The place to look at, if there is a name.", "in column 5", default="")
    board: Digits = about("The board before it; only if a state is explained.", default="")
    view: Data = about("What the page draws of it; only if a state is explained.", default={})


class SeenStep(Record):
    """A step of logic in the form in which a browser shows it."""

    name: str = about("The technique in the chosen language.", "full house")
    place: str = about("The place to look at.", "in column 5")
    text: str = about("The step in words.", "In column 5, r1c5 is the last blank cell.")
    view: Data = about("What the page draws of it.")


class BoardAnswer(Record):
    """The answer to a question about a board."""

    source: str = about("Its name, or the board of the address.", "photo")
    reading: PageStatus | None = about("The status of its reading; null for a board in text.", "solved")
    status: Literal["one", "many", "none", "clash", "gave_up", "no_grid", "unreadable"] = about(
        "How many solutions there are; clash: a digit stands twice in a unit; gave_up: not settled.", "one"
    )
    message: str = about("What a person should know about it, in a sentence.")
    puzzle: Clues
    output: None = about("Always null.")
    board: Digits = about("The clues, and what is rightly filled in.", PUZZLE)
    rules: OwnRules = None


class Hint(BoardAnswer):
    """The easiest next step; there is none if the board is full or doesn't have exactly one solution."""

    hint: Step | None = about("The step; null if there is none.")
    leads_to: list[Step] = about("Those after it, up to the next digit that can be filled in.")
    steps: list[SeenStep] = about("All of them as a browser shows them; only for a state.", default=[])
    marks: PencilMarks = about("The pencil marks that the hint goes on from.", default=[])
    lost_marks: list[Cell] = about("Cells whose marks lack the right digit.", default=[])


class Difficulty(Record):
    """How hard a puzzle is; the values are null or empty if it doesn't have exactly one solution."""

    difficulty: str | None = about("Easy, medium, hard, expert or extreme, by its hardest technique.", "easy")
    score: int | None = about("What its steps cost together.", 504)
    hardest: str | None = about("The hardest technique that it takes.", "hidden single")
    counts: dict[str, int] = about("How often each technique is used.", {"hidden single": 30})


class Explanation(BoardAnswer):
    """All steps to the solution; there are none if the board doesn't have exactly one solution."""

    solution: Solution
    start: Start
    method: str = about("How the steps were chosen.", "easiest")
    headings: list[list[int | str]] = about("Headings, each with the number of the step that it precedes.")
    steps: list[Step] = about("All of them, in order.")
    rating: Difficulty | None = about("How hard it is; only for a state.", default=None)


class BoardRating(BoardAnswer, Difficulty):
    """How hard the board in the address is."""

    start: Start


class BoardLinks(Record):
    """Other places to play a board."""

    links: dict[str, str] = about("Links by the name of a site.")
    texts: dict[str, str] = about("The board as text, in a line and as a grid.", {"line": PUZZLE})


class Limits(Record):
    """The limits for the size and the time of one request."""

    bytes: int = about("Largest size of a body: a photo or a document.", 20_000_000)
    pixels: int = about("Largest number of pixels of a picture.", 50_000_000)
    pages: int = about("Most pages of a document, or boards of a text, for one request.", 20)
    seconds: float = about("Longest time from the end of a body to its answer.", 20.0)


class Health(Record):
    """The state of the service."""

    status: Literal["ok", "no_workers"] = about("Whether a worker is ready; if none is, the status is 503.")
    version: str = about("Version of this program.", "1.0.0")
    workers: dict[str, int] = about("How many there are, are ready, busy, and were lost.", {"ready": 2})
    queue: dict[str, int] = about("How many requests wait, and may wait.", {"waiting": 0, "room": 16})
    live: dict[str, int] = about("How many cameras there are, and may be.", {"clients": 0, "room": 8})
