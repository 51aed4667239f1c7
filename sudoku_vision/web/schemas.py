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
Share = Annotated[float, Field(ge=0, le=1)]
Point = Annotated[list[float], Field(min_length=2, max_length=2)]
Pair = Annotated[list[int], Field(min_length=2, max_length=2)]
PencilMarks = Annotated[list[str], Field(min_length=81, max_length=81)]
Corners = Annotated[list[Point], Field(min_length=4, max_length=4)]
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
    def _without_blanks(cls, values: dict[str, Any]) -> dict[str, Any]:
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


class Shape(BaseModel):
    """Something drawn on a grid, with cells 0..80, lengths in cells, and colours ``#rrggbb``.

    A digit has its cell, digit, height, weight, middle, colour, ground, and whether it is hollow or has a
    halo; a line points, width, colour, and whether it is closed; a wash cells, colour, strength, and whether
    it is dark; a fade a cell and strength; a tag the status, words and colour.
    """

    shape: Literal["digit", "line", "wash", "fade", "tag"]
    model_config = ConfigDict(extra="allow")


class Drawn(Record):
    shapes: list[Shape]


class Look(Record):
    """How answers look, for what a page draws by itself; lengths in cells."""

    height: float
    weight: float
    middle: Point
    ink: str
    paper: str
    colour: str
    hollow: bool
    ground: str
    dark: bool


class GridView(Drawn):
    """What a browser needs to draw a grid: its 10 x 10 crossings in pixels, and its state."""

    crossings: list[list[Point]]
    answers: Digits
    unclear: list[Cell]
    clues_by_hand: bool
    look: Look
    state: str


class View(Record):
    """What a browser needs to draw a page: its width and height, and a picture if it can't show it."""

    size: Pair
    preview: str | None
    grids: list[GridView]


class ReadGrid(Record):
    corners: Corners | None
    puzzle: Digits
    written: Digits
    confidence: Share
    solution: Digits | None
    doubts: list[Data]


class Grid(ReadGrid):
    status: GridStatus
    marks: PencilMarks
    entries: list[Data]
    repaired: list[Cell]


class CheckedGrid(ReadGrid):
    status: str
    right: list[Cell]
    wrong: list[Cell]
    unclear: list[Cell]
    left: int
    complete: bool
    marks: PencilMarks = Field(default=[])
    lost_marks: list[Cell] = Field(default=[])


class BoardPage(Record):
    """A page as ``solve --json`` tells of it."""

    source: str
    page: int
    status: PageStatus
    message: str
    output: None
    seconds: float
    grids: list[Grid]


class Page(BoardPage):
    view: View


class Pages(Record):
    pages: list[Page]


class CheckedPage(Record):
    """A page as ``check --json`` tells of it, and its view."""

    source: str
    page: int
    status: str
    message: str
    output: None
    seconds: float
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
    """A step of logic, as ``explain --json`` tells of it; placements are pairs of cell and digit."""

    technique: str
    cells: list[Cell]
    digits: list[int]
    units: list[int]
    covers: list[int]
    colours: list[Any]
    links: list[Any]
    placements: list[Pair]
    eliminations: list[Pair]
    trial: Data | None
    branches: list[Data]
    blockers: list[Pair]
    struck: list[Pair]
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


class StepWords(Record):
    name: str
    place: str
    text: str
    view: Drawn


class Hint(BoardHint):
    steps: list[StepWords]
    marks: PencilMarks = Field(default=[])
    lost_marks: list[Cell] = Field(default=[])


class BoardExplanation(AskedBoard):
    solution: Digits | None
    method: str
    headings: list[Data]
    steps: list[Step]


class Rating(Record):
    difficulty: str | None
    score: int | None
    hardest: str | None
    counts: dict[str, int]


class BoardRating(AskedBoard, Rating):
    pass


class Explanation(AskedBoard):
    solution: Digits | None
    method: str
    headings: list[Data]
    steps: list[DrawnStep]
    rating: Rating | None


class BoardLinks(Record):
    links: dict[str, str]
    texts: dict[str, str]


class LiveFrame(Record):
    frame: int
    size: Pair
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
