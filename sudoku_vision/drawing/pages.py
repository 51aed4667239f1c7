"""Lay out puzzles on pages of paper: a title, captions, small print at the foot, and solutions at the end.

Lengths on paper are in millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sudoku_vision.drawing.canvas import Canvas
from sudoku_vision.drawing.colours import WHITE, Colour
from sudoku_vision.drawing.puzzle import PRINT_INK, PrintablePuzzle, print_puzzle
from sudoku_vision.drawing.typefaces import missing_glyphs, plain_typeface
from sudoku_vision.errors import UsageError
from sudoku_vision.results import Image

PaperName = Literal["a4", "letter"]
PAPERS: dict[PaperName, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of a sheet."""

PER_PAGE = (1, 2, 4, 6)
"""How many puzzles may go on a page."""

DPI = 300
"""Dots per inch of a page: a thin line is three dots wide, a page 26 MB while it is drawn."""

_MM_PER_INCH = 25.4
_MARGIN = 15.0  # wider than the 5 mm that a printer leaves white, with room to punch holes
_TITLE_HEIGHT, _FOOT_HEIGHT = 16.0, 8.0  # kept free below the upper and above the lower margin
_GAP = 8.0  # between grids
_CAPTION_HEIGHT = 6.0  # kept free above each grid
_PAGE_NUMBER_WIDTH = 20.0
_WIDEST_GRID = 150.0  # a grid alone on its page need not fill it
_TITLE_SIZE, _CAPTION_SIZE, _FOOT_SIZE = 8.0, 4.2, 3.2  # heights of the em
_SMALLEST_TEXT = 4  # pixels of the em: below, no letter can be told from another

_COLUMNS_AND_ROWS: dict[int, tuple[int, int]] = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}
_SOLUTIONS_PER_PAGE = {1: 4, 2: 6, 4: 12, 6: 12}

_GREY: Colour = (120.0, 115.0, 110.0)  # of the foot, which is not what the page is for


@dataclass(frozen=True)
class PageStyle:
    """What pages look like: paper, puzzles on a page, a title on top, small print at the foot."""

    paper: PaperName = "a4"
    per_page: int = 1
    title: str = "Sudoku"
    foot: str = ""
    dpi: int = DPI

    def __post_init__(self) -> None:
        """Refuse what can't be printed; raises UsageError."""
        if self.paper not in PAPERS:
            raise UsageError(f"There is no paper {self.paper!r}.", f"Choose {' or '.join(PAPERS)}.")
        if self.per_page not in PER_PAGE:
            choices = ", ".join(map(str, PER_PAGE))
            raise UsageError(f"{self.per_page} puzzles don't fit a page evenly.", f"Choose one of {choices}.")
        missing = missing_glyphs(self.title, plain_typeface(bold=True))
        if missing:
            what = f"The title can't be printed: the typeface has no {' '.join(map(repr, missing))}."
            raise UsageError(what, "Write it with Latin letters, or leave it empty.")

    @property
    def dots(self) -> float:
        """Pixels to the millimetre."""
        return self.dpi / _MM_PER_INCH


def draw_pages(
    items: Sequence[PrintablePuzzle], style: PageStyle, *, solutions: bool = False
) -> Iterator[Image]:
    """Draw the pages of *items*, each (H, W, 3) uint8 BGR, when it is asked for.

    With *solutions*, pages of small solved grids come last.
    """
    total = count_pages(len(items), style, solutions=solutions)
    number = 0
    for chunk in _chunks(items, style.per_page):
        number += 1
        yield _draw_page(chunk, style, (number, total), style.per_page)
    if solutions:
        small = _SOLUTIONS_PER_PAGE[style.per_page]
        for chunk in _chunks(items, small):
            number += 1
            yield _draw_page(chunk, style, (number, total), small, solved=True)


def count_pages(count: int, style: PageStyle, *, solutions: bool = False) -> int:
    """Return how many pages :func:`draw_pages` gives for *count* puzzles."""
    pages = -(-count // style.per_page)
    return pages + (-(-count // _SOLUTIONS_PER_PAGE[style.per_page]) if solutions else 0)


def _chunks(items: Sequence[PrintablePuzzle], size: int) -> Iterator[Sequence[PrintablePuzzle]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _draw_page(
    items: Sequence[PrintablePuzzle],
    style: PageStyle,
    number: tuple[int, int],
    per_page: int,
    *,
    solved: bool = False,
) -> Image:
    """Draw one page; *number* is its own and that of all."""
    width, height = PAPERS[style.paper]
    canvas = Canvas.blank(round(width * style.dots), round(height * style.dots), WHITE)
    _draw_title(canvas, style, solved=solved)
    _draw_foot(canvas, style, number)
    side, places = _grid_places(style.paper, per_page)
    for item, (left, top) in zip(items, places, strict=False):
        _draw_caption(canvas, item, (left, top - _CAPTION_HEIGHT, left + side), style.dots)
        corner = (left * style.dots, top * style.dots)
        print_puzzle(canvas, item, corner, side * style.dots / 9, solved=solved)
    return canvas.pixels


def _grid_places(paper: PaperName, per_page: int) -> tuple[float, list[tuple[float, float]]]:
    """Return the side of each grid of a page, and the (left, top) of all, row by row."""
    width, height = PAPERS[paper]
    columns, rows = _COLUMNS_AND_ROWS[per_page]
    across = (width - 2 * _MARGIN - (columns - 1) * _GAP) / columns
    down = (height - 2 * _MARGIN - _TITLE_HEIGHT - _FOOT_HEIGHT - (rows - 1) * _GAP) / rows
    side = min(across, down - _CAPTION_HEIGHT, _WIDEST_GRID)
    return side, [
        (
            _MARGIN + column * (across + _GAP) + (across - side) / 2,
            _MARGIN + _TITLE_HEIGHT + row * (down + _GAP) + _CAPTION_HEIGHT,
        )
        for row in range(rows)
        for column in range(columns)
    ]


def _draw_title(canvas: Canvas, style: PageStyle, *, solved: bool) -> None:
    words = " ".join(filter(None, [style.title, "(solutions)" if solved else ""]))
    margin, room = _MARGIN * style.dots, (PAPERS[style.paper][0] - 2 * _MARGIN) * style.dots
    _fit_text(canvas, words, (margin, margin), _TITLE_SIZE * style.dots, room, PRINT_INK, bold=True)


def _draw_foot(canvas: Canvas, style: PageStyle, number: tuple[int, int]) -> None:
    """Write the small print to the left, and to the right which of several pages this is."""
    margin, size = _MARGIN * style.dots, _FOOT_SIZE * style.dots
    top = canvas.height - (_MARGIN + _FOOT_SIZE / 2) * style.dots
    room = canvas.width - (2 * _MARGIN + _PAGE_NUMBER_WIDTH) * style.dots
    _fit_text(canvas, style.foot, (margin, top), size, room, _GREY)
    if number[1] > 1:
        _right_text(canvas, f"{number[0]} / {number[1]}", (canvas.width - margin, top), size, _GREY)


def _draw_caption(
    canvas: Canvas, item: PrintablePuzzle, place: tuple[float, float, float], dots: float
) -> None:
    """Write name and note over a grid, between (left, top, right) in millimetres."""
    left, top, right = (length * dots for length in place)
    size = _CAPTION_SIZE * dots
    canvas.text(item.name, left, top, size, plain_typeface(bold=True), PRINT_INK)
    _right_text(canvas, item.note, (right, top), size, PRINT_INK)


def _fit_text(
    canvas: Canvas,
    words: str,
    corner: tuple[float, float],
    size: float,
    room: float,
    colour: Colour,
    *,
    bold: bool = False,
) -> None:
    """Write a line of text from its top left *corner*, smaller if it takes more than *room* (pixels)."""
    face, pixels = plain_typeface(bold=bold), round(size)
    while pixels > _SMALLEST_TEXT and face.font(pixels).getlength(words) > room:
        pixels -= 1
    canvas.text(words, *corner, pixels, face, colour)


def _right_text(canvas: Canvas, words: str, corner: tuple[float, float], size: float, colour: Colour) -> None:
    """Write a line of text that ends at its top right *corner*."""
    face = plain_typeface()
    right, top = corner
    canvas.text(words, right - face.font(round(size)).getlength(words), top, size, face, colour)
