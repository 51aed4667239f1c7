"""Schemas: what requests say and answers hold, as pydantic models, for the description of the service.

Answers come as JSON from the workers: tests hold them to these models, the service doesn't. Each field has a
description, and an example where its type says too little: the page ``/docs`` shows both.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sudoku_vision.texts import ENGLISH
from sudoku_vision.web.settings import LiveMode

Data = dict[str, Any]
PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
OVERRIDES = "r3c5=8,r4c1=blank,r2c6=w7"
REGIONS = "111222333112224333112244335116444355166748555667748859667788899666778899677778999"


def told(description: str, *example: Any, **bounds: Any) -> Any:
    """Return what is said of a field, with an example of it, its default and its bounds."""
    return Field(description=description, examples=list(example) or None, **bounds)


Cell = Annotated[int, told("A cell, 0 to 80 in reading order.", 18, ge=0, le=80)]
Digits = Annotated[str, told("81 digits, 0 for blank.", PUZZLE, pattern="^[0-9]{81}$")]
Solution = Annotated[Digits | None, told("81 digits; null where there is not exactly one.", SOLUTION)]
Language = Annotated[str, told("Of names and sentences; English if it is not known.", "de", max_length=35)]
RulesName = Annotated[str, told("The rules: classic, diagonal or jigsaw; empty: as read.", "diagonal")]
RegionsText = Annotated[str, told("Of a jigsaw: for each cell the number 1 to 9 of its region.", REGIONS)]
Point = Annotated[list[float], Field(min_length=2, max_length=2, examples=[[53.8, 176.4]])]
Crossings = Annotated[
    list[list[Point]],
    told("Where its lines cross, in pixels: 10 row lines of 10 points x, y.", [[[53.8, 176.4]]]),
]
CellDigit = Annotated[list[int], Field(min_length=2, max_length=2, examples=[[18, 9]])]
Shapes = Annotated[
    list[Data],
    told(
        "What is to be drawn, in order: digit, line, wash, fade or tag. Lengths and points are in cells.",
        [{"shape": "wash", "cells": [18], "colour": "#ffe178", "strength": 0.75, "dark": False}],
    ),
]
PencilMarks = Annotated[
    list[str], told("The pencil marks of each cell.", ["", "28"], min_length=81, max_length=81)
]
PageStatus = Literal["solved", "uncertain", "many_solutions", "no_solution", "unreadable", "no_grid", "error"]
GridStatus = Annotated[
    Literal["solved", "uncertain", "many_solutions", "no_solution", "unreadable"],
    told("What became of it; uncertain where cells may be read wrongly.", "solved"),
]
BoardStatus = Annotated[
    Literal["one", "many", "none", "clash", "gave_up", "no_grid", "unreadable"],
    told(
        "How many solutions it has; clash where a digit stands twice in a unit, gave_up if not settled.",
        "one",
    ),
]
LiveState = Annotated[
    Literal["looking", "reading", "sure", "unsolvable"], told("How far the reading is.", "sure")
]
Confidence = Annotated[float, Field(ge=0, le=1, examples=[0.9999])]
Start = Annotated[
    Literal["clues", "entries"],
    told("Whether the way begins with the clues or with what is filled in.", "entries"),
]
NextPage = Annotated[int | None, told("The first page that was left out; null where all were read.", None)]
Technique = Annotated[str, told("What people call it, in English.", "full house")]


class PhotoWords(BaseModel):
    """What is said of a picture, in the address or in fields of a form; an empty text says nothing."""

    page: int | None = told("This page or board alone; from 1.", 3, default=None, ge=1, le=999_999)
    overrides: str = told(
        "What cells hold: a clue, nothing, or a digit that a person wrote.", OVERRIDES, default=""
    )
    corners: str = told(
        "The grid's four corners, x,y in pixels, clockwise from the top left.",
        "10,12,410,9,415,402,8,400",
        default="",
    )
    rules: RulesName = ""
    regions: RegionsText = ""
    marks: bool = told("For check: tell marks that have lost the right digit.", default=False)
    answers: bool = told("For check: draw the right digit beside a wrong one.", default=False)

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, values: Data) -> Data:
        return {name: value for name, value in values.items() if value != ""}


class StateRequest(BaseModel):
    """A grid that was read before, and what is said of it."""

    state: str = told("From a view, as it first came.", "SHsYoXjT9bjrStqh")
    overrides: str = told("All that was said of cells so far.", OVERRIDES, default="")
    rules: RulesName = ""
    regions: RegionsText = ""
    filled: str = told("81 digits that were filled in since, for hint, explain and check.", default="")
    notes: PencilMarks | None = told("For hint and explain: in place of the pencil marks.", default=None)
    marks: bool = told(
        "For hint: go on from the person's pencil marks. For check: tell those that are wrong.", default=False
    )
    answers: bool = told("For check: draw the right digit beside a wrong one.", default=False)
    language: Language = ENGLISH


class ModeRequest(BaseModel):
    """What is to be drawn on the frames of a camera."""

    mode: LiveMode = told("The answers, the next step, or verdicts on what is written.", "hint")
    language: Language = ENGLISH


class Record(BaseModel):
    """Part of an answer: what it has, and nothing else."""

    model_config = ConfigDict(extra="forbid")


class Refusal(Record):
    """Why there is no answer."""

    code: str = told("For programs; it stays the same.", "not_a_picture")
    message: str = told("What is wrong, in a sentence.", "This is no picture that can be read.")
    remedy: str = told("What helps, in a sentence.", "Send a photo as JPEG, PNG, WebP or HEIC, or a PDF.")


class Error(Record):
    """What is answered instead, with a status of 400 or more."""

    error: Refusal = told("What went wrong.")


class Look(Record):
    """How a grid is printed, so that answers fit in; lengths are in cells, colours #rrggbb."""

    height: float = told("Of its digits.", 0.5677)
    weight: float = told("Of their strokes.", 0.0617)
    middle: Point = told("Where a digit stands in its cell.", [0.5129, 0.5])
    ink: str = told("Of the printed digits.", "#0e0d0b")
    paper: str = told("Behind them.", "#c4c1b9")
    colour: str = told("Of the answers.", "#0050cd")
    hollow: bool = told("Whether answers are drawn hollow, for they are not sure.", False)
    ground: str = told("Of the inside of hollow digits.", "#f3f3f1")
    dark: bool = told("Whether the page is light on dark.", False)


class GridView(Record):
    """What a browser needs to draw one grid, and to ask about it again."""

    crossings: Crossings
    answers: Digits = told("The digits that are to be filled in.", "0" * 80 + "9")
    unclear: list[Cell] = told("Entries whose digit may be another one.", [])
    hidden: str = told("The areas that can't be seen, such as r4c5-r6c6.", "")
    clues_by_hand: bool = told("Whether its clues are written by hand.", False)
    look: Look = told("How it is printed.")
    shapes: Shapes
    state: str = told("What /api/settle, check, hint and explain want back.", "SHsYoXjT9bjrStqh")


class PageView(Record):
    """What a browser needs to draw one page."""

    size: list[int] = told("Width and height of the upright picture, in pixels.", [900, 1200])
    preview: str | None = told(
        "The picture as a data: address, where browsers can't show it themselves.", None
    )
    grids: list[GridView] = told("Of each grid of the page.")


class Drawn(Record):
    """What is drawn of one step."""

    shapes: Shapes


class InCell(Record):
    """Something that stands in a cell."""

    cell: Cell
    row: int = told("Its row, 1 to 9 from the top.", 3)
    column: int = told("Its column, 1 to 9 from the left.", 1)


class Entry(InCell):
    """A digit that a person wrote."""

    digit: int = told("What was written.", 9)
    confidence: Confidence = told("The probability that it is read right.", 0.9919)


class Doubt(InCell):
    """A cell that may be read wrongly."""

    kind: Literal["clue", "role", "entry"] = told(
        "What hangs on it: the answer, who wrote the digit, or which digit a person wrote.", "clue"
    )
    digits: list[int] = told("What it may hold, likeliest first; 0 for nothing.", [3, 8])
    probabilities: list[float] = told("Of each of them.", [0.7, 0.3])


class Mistake(InCell):
    """A cell whose entry or marks are not right."""

    written: int | None = told("What was written.", 4, default=None)
    marks: str | None = told("The marks that stand there.", default=None)
    answer: int = told("What belongs there.", 8)


class PlayedRules(Record):
    """The rules of a puzzle that is not classic."""

    name: Literal["diagonal", "jigsaw", "diagonal jigsaw"] = told("What it is called.", "jigsaw")
    regions: RegionsText | None = told("Of a jigsaw.", REGIONS, default=None)


Rules = Annotated[PlayedRules | None, told("Absent of classic ones.", default=None)]


class ReadGrid(Record):
    """What was read of a grid."""

    corners: list[Point] | None = told(
        "Top left, top right, bottom right, bottom left, in pixels; null of a board in text.",
        [[53.8, 176.4], [848.1, 180.2], [851.0, 974.9], [50.3, 970.7]],
    )
    puzzle: Digits = told("The clues.", PUZZLE)
    written: Digits = told("What a person wrote into blank cells.", "0" * 81)
    solution: Solution
    confidence: Confidence = told("The probability that the solution is right.", 0.9999)
    marks: PencilMarks | None = told("The pencil marks of each cell.", default=None)
    doubts: list[Doubt] = told("Cells to look at.", [])
    hidden: list[Cell] = told("Cells that can't be seen, and on which the answer depends.", default=[])
    clashes: list[Cell] = told("Clues that contradict one another.", default=[])
    rules: Rules


class Grid(ReadGrid):
    """A grid as ``solve --json`` tells of it."""

    status: GridStatus
    entries: list[Entry] = told("What a person wrote, where it is known how sure that is.")
    repaired: list[Cell] = told("Cells that the rules read otherwise than their ink.", [])


class CheckedGrid(ReadGrid):
    """A grid as ``check --json`` tells of it."""

    status: str = told("How what is written stands.", "wrong")
    right: list[Cell] = told("Entries that are right.", [4])
    wrong: list[Mistake] = told("Entries that are not.")
    unclear: list[Mistake] = told("Entries that can't be read for sure.", [])
    left: int = told("How many cells are blank.", 33)
    complete: bool = told("Whether all is filled in, and right.", False)
    lost_marks: list[Mistake] | None = told("Cells whose marks lack the right digit.", default=None)


class ReadPage(Record):
    """A page of what was sent."""

    source: str = told("What it is called: photo or board.", "photo")
    page: int = told("Its number, from 1.", 1)
    message: str = told("What is to be said of it, in a sentence.", "")
    output: None = told("Always null.", None)
    seconds: float = told("What reading it took.", 0.1883)
    other: str | None = told("What it shows instead of a sudoku: killer, samurai, 6x6.", default=None)


class Page(ReadPage):
    """A page as ``solve --json`` tells of it."""

    status: PageStatus = told("That of its least sure grid.", "solved")
    grids: list[Grid] = told("Its grids.")
    view: PageView | None = told("Not of a board in the address.", default=None)


class Pages(Record):
    """Several pages of a document, or boards of a text."""

    pages: list[Page] = told("In order.")
    next_page: NextPage


class CheckedPage(ReadPage):
    """A page as ``check --json`` tells of it."""

    status: str = told("That of its worst grid.", "wrong")
    grids: list[CheckedGrid] = told("Its grids.")
    view: PageView = told("What is drawn of it.")


class CheckedPages(Record):
    """Several pages of a document, or boards of a text."""

    pages: list[CheckedPage] = told("In order.")
    next_page: NextPage


class CheckedState(Record):
    """What is written in a grid that was read before."""

    check: CheckedGrid = told("The verdicts.")
    view: GridView = told("What is drawn of it.")


class Settled(Record):
    """A grid that was read before, with a person's word for some cells."""

    grid: Grid = told("What it reads as now.")
    view: GridView = told("What is drawn of it.")


class Step(Record):
    """A step of logic; candidates are a cell and a digit.

    Units count from 0: rows, from 9 columns, 18 boxes, 27 diagonals, 29 regions.
    """

    technique: Technique
    text: str = told("The step in words.", "In column 5, r1c5 is the last blank cell.")
    cells: list[Cell] = told("The cells of the pattern.", [4])
    digits: list[int] = told("The digits concerned.", [9])
    units: list[int] = told("Where the pattern lies.", [13])
    covers: list[int] = told("The units that it clears, where those are others.", [])
    colours: list[list[Cell]] = told("Two groups of cells, one all true and the other all false.", [])
    links: list[Data] = told("The inferences of a chain, in order.", [])
    placements: list[CellDigit] = told("What is filled in.", [[4, 9]])
    eliminations: list[CellDigit] = told("What is struck out.", [])
    branches: list[Data] = told("What a forcing net follows, all to the same end.", [])
    trial: Data | None = told("What a trial found.", None)
    blockers: list[CellDigit] = told("The digits that leave a single no other place.", [])
    struck: list[CellDigit] = told("Candidates that earlier steps have struck out.", [])
    name: str | None = told(
        "The technique in the language that was asked for; not of boards in the address.", default=None
    )
    place: str | None = told("Where to look, where a name is told, too.", "in column 5", default=None)
    board: Digits | None = told("The board before it; of explanations by a state alone.", default=None)
    view: Drawn | None = told("What is drawn of it; of explanations by a state alone.", default=None)


class SeenStep(Record):
    """What is told of a step before it is told whole."""

    name: str = told("The technique in the language that was asked for.", "full house")
    place: str = told("Where to look.", "in column 5")
    text: str = told("The step in words.", "In column 5, r1c5 is the last blank cell.")
    view: Drawn = told("What is drawn of it.")


class AskedBoard(Record):
    """A board that something was asked about."""

    source: str = told("What it is called, or the board of the address.", "photo")
    reading: PageStatus | None = told("The status of its reading; null of a board in text.", "solved")
    status: BoardStatus
    message: str = told("What is to be said with it, in a sentence.", "")
    puzzle: Digits = told("The clues.", PUZZLE)
    output: None = told("Always null.", None)
    board: Digits = told("The clues, and what is rightly filled in.", PUZZLE)
    rules: Rules


class Hint(AskedBoard):
    """The easiest next step; none where the board is full or hasn't one solution."""

    hint: Step | None = told("The step; null where there is none.")
    leads_to: list[Step] = told("Those after it, up to the next digit that can be filled in.", [])
    steps: list[SeenStep] = told("All of them as a browser shows them; of a state alone.", default=[])
    marks: PencilMarks | None = told("The pencil marks that the hint goes on from.", default=None)
    lost_marks: list[Cell] = told("Cells whose marks lack the right digit.", default=[])


class Difficulty(Record):
    """How hard a puzzle is; null and nothing where it hasn't one solution."""

    difficulty: str | None = told("Easy, medium, hard, expert or extreme, by its hardest technique.", "easy")
    score: int | None = told("What its steps cost together.", 504)
    hardest: Technique | None = told("The hardest technique that it takes.", "hidden single")
    counts: dict[str, int] = told(
        "How often each technique is used.", {"full house": 21, "hidden single": 30}
    )


class Explanation(AskedBoard):
    """Every step to the solution; none where the board hasn't one."""

    solution: Solution
    start: Start
    method: str = told("How the steps were chosen.", "easiest")
    headings: list[list[int | str]] = told("Before which step which words stand.", [])
    steps: list[Step] = told("In order.")
    rating: Difficulty | None = told("Of a state alone.", default=None)


class BoardRating(AskedBoard, Difficulty):
    """How hard the board of an address is."""

    start: Start


class BoardLinks(Record):
    """Where else a board can be played."""

    links: dict[str, str] = told(
        "By the name of a site.", {"sudoku.coach": "https://sudoku.coach/en/play/530..."}
    )
    texts: dict[str, str] = told("The board as text, in a line and as a grid.", {"line": PUZZLE})


class PenPaths(Record):
    """How a pen writes each digit."""

    width: float = told("Of a digit, its height being 1.", 0.56)
    paths: dict[str, Any] = told("Of each digit, in the words of SVG.", {"1": "M0.2 0.2 L0.5 0 L0.5 1"})


class LiveCounts(Record):
    """How what is written stands."""

    right: int = told("Entries that are right.", 17)
    wrong: int = told("Entries that are not.", 1)
    unclear: int = told("Entries that can't be read for sure.", 0)
    left: int = told("Blank cells.", 33)


class LiveGrid(Record):
    """A grid in a frame."""

    number: int = told("The same from frame to frame.", 1)
    state: LiveState
    status: GridStatus | None = told("Null while it is not read.", "solved")
    puzzle: Digits | None = told("The clues; null while it is not read.", PUZZLE)
    written: Digits | None = told("What a person wrote into blank cells; null likewise.", "0" * 81)
    solution: Solution = told("Of a grid that is sure.", SOLUTION)
    crossings: Crossings
    shapes: Shapes
    words: list[str] = told("What is to be said beside it.", [])
    rules: Rules
    hint: Step | None = told(
        "The next step; null where none is left, absent while it is looked for.", default=None
    )
    check: LiveCounts | None = told("How what is written stands; of the mode check.", default=None)


class LiveFrame(Record):
    """What is seen in a frame of a camera."""

    frame: int = told("Its number, from 0.", 12)
    size: list[int] = told("Its width and height, in pixels.", [960, 540])
    state: LiveState
    grids: list[LiveGrid] = told("The grids that are followed.")
    seconds: float = told("What looking at it took.", 0.0105)


class Limits(Record):
    """What one request may bring, and how long it may take."""

    bytes: int = told("Of a body, a photo or a document.", 20_000_000)
    pixels: int = told("Of a picture.", 50_000_000)
    pages: int = told("Of a document, or boards of a text, that are read for one request.", 20)
    seconds: float = told("From the end of a body until its answer is there, at the longest.", 20.0)


class Health(Record):
    """How the service is."""

    status: Literal["ok", "no_workers"] = told("Whether a worker is ready; without one, with 503.")
    version: str = told("Of this program.", "1.0.0")
    workers: dict[str, int] = told(
        "How many there are, are ready, busy, and were lost.", {"workers": 2, "ready": 2}
    )
    queue: dict[str, int] = told("How many requests wait, and may.", {"waiting": 0, "room": 16})
    live: dict[str, int] = told("How many cameras there are, and may be.", {"clients": 0, "room": 8})
