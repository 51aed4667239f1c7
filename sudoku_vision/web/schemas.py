"""Schemas: what requests say and answers hold, as pydantic models, for the description of the service.

Answers come as JSON from the workers: tests hold them to these models, the service doesn't. Grids, steps
of logic and what is drawn are plain objects here.
"""

# ruff: noqa: D101 (what an answer holds is told by its fields)

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sudoku_vision.texts import ENGLISH
from sudoku_vision.web.settings import LiveMode

Data = dict[str, Any]
Cell = Annotated[int, Field(ge=0, le=80, description="In reading order.")]
Digits = Annotated[str, Field(pattern="^[0-9]{81}$", description="81 digits, 0 for blank.")]
Language = Annotated[
    str, Field(max_length=35, description="Of names and sentences, as in de; English if it is not known.")
]
View = Annotated[
    Data, Field(description="What a browser needs to draw it: shapes, in cells, and where they lie.")
]
Step = Annotated[Data, Field(description="A step of logic, as explain --json tells of it.")]
Grid = Annotated[Data, Field(description="As solve --json tells of it.")]
CheckedGrid = Annotated[Data, Field(description="As check --json tells of it.")]
PencilMarks = Annotated[list[str], Field(min_length=81, max_length=81)]
NextPage = Annotated[
    int | None, Field(description="The first page that was left out; null where all were read.")
]
PageStatus = Literal["solved", "uncertain", "many_solutions", "no_solution", "unreadable", "no_grid", "error"]


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
    language: Language = ENGLISH


class ModeRequest(BaseModel):
    """What is to be drawn on the frames of a camera."""

    mode: LiveMode
    language: Language = ENGLISH


class Record(BaseModel):
    """Part of an answer: what it has, and nothing else."""

    model_config = ConfigDict(extra="forbid")


class Error(Record):
    error: dict[Literal["code", "message", "remedy"], str]


class ReadPage(Record):
    source: str
    page: int
    message: str
    output: None
    seconds: float


class Page(ReadPage):
    """A page as ``solve --json`` tells of it; with its view, unless it is a board in the address."""

    status: PageStatus
    grids: list[Grid]
    view: View = {}


class Pages(Record):
    pages: list[Page]
    next_page: NextPage


class CheckedPage(ReadPage):
    status: str
    grids: list[CheckedGrid]
    view: View


class CheckedPages(Record):
    pages: list[CheckedPage]
    next_page: NextPage


class CheckedState(Record):
    check: CheckedGrid
    view: View


class Settled(Record):
    grid: Grid
    view: View


class AskedBoard(Record):
    source: str
    reading: PageStatus | None
    status: Literal["one", "many", "none", "clash", "no_grid", "unreadable"]
    message: str
    puzzle: Digits
    output: None
    board: Digits


class Hint(AskedBoard):
    hint: Step | None
    leads_to: list[Step]
    steps: list[Data] = Field(default=[], description="Each with its name, place, text and view.")
    marks: PencilMarks = []
    lost_marks: list[Cell] = []


class Explanation(AskedBoard):
    solution: Digits | None
    start: Literal["clues", "entries"]
    method: str
    headings: list[Data]
    steps: list[Step]
    rating: Data | None = None


class BoardRating(AskedBoard):
    start: Literal["clues", "entries"]
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


class Limits(Record):
    bytes: int = Field(description="Of a body, a photo or a document.")
    pixels: int = Field(description="Of a picture.")
    pages: int = Field(description="Of a document, or boards of a text, that are read for one request.")
    seconds: float = Field(description="From the end of a body until its answer is there, at the longest.")


class Health(Record):
    status: Literal["ok"]
    version: str
    workers: dict[str, int]
    queue: dict[str, int]
    live: dict[str, int]
