"""Schemas: what requests say and answers hold, as pydantic models, for the description of the service.

Answers come as JSON from the workers: tests hold them to these models, the service doesn't.
"""

# ruff: noqa: D101 (what an answer holds is told by its fields)

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Data = dict[str, Any]
Cell = Annotated[int, Field(ge=0, le=80, description="In reading order.")]
Digits = Annotated[str, Field(pattern="^[0-9]{81}$", description="81 digits, 0 for blank.")]
Point = Annotated[list[float], Field(min_length=2, max_length=2)]
PencilMarks = Annotated[list[str], Field(min_length=81, max_length=81)]
GridStatus = Literal["solved", "uncertain", "many_solutions", "no_solution", "unreadable"]
PageStatus = GridStatus | Literal["no_grid", "error"]


class PhotoWords(BaseModel):
    """What is said of a picture, in the address or in fields of a form; an empty text says nothing."""

    page: int | None = Field(None, ge=1, le=999_999, description="This page or board alone; from 1.")
    overrides: str = Field("", description="What cells hold, as in r3c5=8,r4c1=blank,r2c6=w7.")
    corners: str = Field("", description="The grid's four corners, x,y, clockwise from the top left.")
    marks: bool = Field(False, description="For check: tell marks that have lost the right digit.")
    answers: bool = Field(False, description="For check: draw the right digit beside a wrong one.")

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, values: Data) -> Data:
        return {name: value for name, value in values.items() if value != ""}


class StateRequest(BaseModel):
    """A grid that was read before, and what is said of it."""

    state: str = Field(description="From a view; always that of the first answer.")
    overrides: str = Field("", description="All that was said so far: r3c5=8,r4c1=blank.")
    filled: str = Field("", description="81 digits that were filled in since.")
    marks: bool = False
    answers: bool = False


class Record(BaseModel):
    """Part of an answer: what it has, and nothing else."""

    model_config = ConfigDict(extra="forbid")


class ProblemWords(Record):
    """What went wrong: a code for programs, two sentences for people."""

    code: str
    message: str
    remedy: str


class Error(Record):
    error: ProblemWords


class Drawn(Record):
    shapes: list[Data] = Field(description="Digits, lines, washes, fades and tags; lengths in cells.")


class GridView(Drawn):
    """What a browser needs to draw a grid."""

    crossings: list[list[Point]] = Field(description="10 rows of 10, in pixels.")
    answers: Digits
    unclear: list[Cell]
    clues_by_hand: bool
    look: Data = Field(description="How answers look, for what a page draws by itself; lengths in cells.")
    state: str


class View(Record):
    """What a browser needs to draw a page; a preview if it can't show the picture itself."""

    size: list[int] = Field(description="Width and height in pixels.")
    preview: str | None
    grids: list[GridView]


class ReadGrid(Record):
    corners: list[Point] | None
    puzzle: Digits
    written: Digits
    confidence: float = Field(ge=0, le=1)
    solution: Digits | None
    doubts: list[Data]


class Grid(ReadGrid):
    """As ``solve --json`` tells of it."""

    status: GridStatus
    marks: PencilMarks
    entries: list[Data]
    repaired: list[Cell]


class CheckedGrid(ReadGrid):
    """As ``check --json`` tells of it."""

    status: str
    right: list[Cell]
    wrong: list[Data] = Field(description="Each with its cell, row, column, what is written, and the answer.")
    unclear: list[Data]
    left: int
    complete: bool
    marks: PencilMarks = []
    lost_marks: list[Data] = []


class ReadPage(Record):
    source: str
    page: int
    message: str
    output: None
    seconds: float


class BoardPage(ReadPage):
    status: PageStatus
    grids: list[Grid]


class Page(BoardPage):
    view: View


class Pages(Record):
    pages: list[Page]


class CheckedPage(ReadPage):
    status: str
    grids: list[CheckedGrid]
    view: View


class CheckedPages(Record):
    pages: list[CheckedPage]


class CheckedState(Record):
    check: CheckedGrid
    view: GridView


class Settled(Record):
    grid: Grid
    view: GridView


class Step(Record):
    """A step of logic, as ``explain --json`` tells of it; what it places and strikes as [cell, digit]."""

    technique: str
    cells: list[Cell]
    digits: list[int]
    units: list[int]
    covers: list[int]
    colours: list[Any]
    links: list[Any]
    placements: list[list[int]]
    eliminations: list[list[int]]
    trial: Data | None
    branches: list[Data]
    blockers: list[list[int]]
    struck: list[list[int]]
    text: str


class DrawnStep(Step):
    board: Digits
    view: Drawn


class AskedBoard(Record):
    source: str
    reading: PageStatus | None
    status: Literal["one", "many", "none", "clash", "no_grid", "unreadable"]
    message: str
    puzzle: Digits
    output: None
    board: Digits


class BoardHint(AskedBoard):
    hint: Step | None
    leads_to: list[Step]


class Hint(BoardHint):
    steps: list[Data] = Field(description="Each with its name, place, text and view.")
    marks: PencilMarks = []
    lost_marks: list[Cell] = []


class BoardExplanation(AskedBoard):
    solution: Digits | None
    method: str
    headings: list[Data]
    steps: list[Step]


class Explanation(AskedBoard):
    solution: Digits | None
    method: str
    headings: list[Data]
    steps: list[DrawnStep]
    rating: Data | None


class BoardRating(AskedBoard):
    difficulty: str | None
    score: int | None
    hardest: str | None
    counts: dict[str, int]


class BoardLinks(Record):
    links: dict[str, str]
    texts: dict[str, str]


class LiveFrame(Record):
    frame: int
    size: list[int]
    state: Literal["looking", "reading", "sure", "unsolvable"]
    grids: list[Data]
    seconds: float


class PenPaths(Record):
    width: float
    paths: dict[str, list[Point]]


class Health(Record):
    status: Literal["ok"]
    version: str
    workers: dict[str, int]
    queue: dict[str, int]
    live: dict[str, int]
