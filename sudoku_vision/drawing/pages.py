"""Printing: puzzles as pictures, and as pages of paper with titles, captions and solutions, drawn or as PDF.

Drawn with the parts of the renderer that know neither camera nor chance: a canvas, a printed grid, the
bundled typefaces. Lengths on paper are in millimetres.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import cv2
import numpy as np
from PIL import Image as Pictures

from sudoku_vision.drawing.canvas import WHITE, Canvas, Colour
from sudoku_vision.drawing.grid import GridStyle, PrintedGrid, print_grid
from sudoku_vision.drawing.typefaces import Typeface, bundled_typefaces
from sudoku_vision.errors import UsageError
from sudoku_vision.results import Board, Image, Lattice

PaperName = Literal["a4", "letter"]
PAPERS: dict[PaperName, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of a sheet."""

PER_PAGE = (1, 2, 4, 6)
"""How many puzzles may go on a page."""

DPI = 300
"""Dots per inch of a page: a thin line is three dots wide, a page 26 MB while it is drawn."""

_MM_PER_INCH = 25.4
_MARGIN, _HEAD, _FOOT, _GAP = 15.0, 16.0, 8.0, 8.0
_CAPTION, _PAGE_NUMBER = 6.0, 20.0
_MOST_GRID = 150.0  # a grid alone on its page need not fill it
_TITLE_SIZE, _CAPTION_SIZE, _FOOT_SIZE = 8.0, 4.2, 3.2  # heights of the em

_COLUMNS_AND_ROWS: dict[int, tuple[int, int]] = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}
_SOLUTIONS_PER_PAGE = {1: 4, 2: 6, 4: 12, 6: 12}

_SMALLEST = 4  # pixels of the em

_PICTURE_CELL = 96  # pixels
_PICTURE_MARGIN = 0.75  # cells

_INK: Colour = (24.0, 22.0, 20.0)
_QUIET: Colour = (120.0, 115.0, 110.0)
_ANSWER: Colour = (95.0, 90.0, 85.0)
_STYLE = GridStyle(
    thin=0.016, thick=0.042, border=0.05, line_colour=_INK, digit_colour=_INK, digit_height=0.54
)


@dataclass(frozen=True, eq=False)
class Item:
    """A puzzle to print: ``puzzle`` and ``solution`` (9, 9) int8; ``name`` and ``note`` go above its grid."""

    puzzle: Board
    solution: Board
    name: str = ""
    note: str = ""


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
        missing = missing_glyphs(self.title)
        if missing:
            what = f"The title can't be printed: the typeface has no {' '.join(map(repr, missing))}."
            raise UsageError(what, "Write it with Latin letters, or leave it empty.")


def draw_puzzle(item: Item, *, solved: bool = False) -> Image:
    """One grid on white, (1008, 1008, 3) uint8 BGR; *solved* with the answers between its clues."""
    side = round((9 + 2 * _PICTURE_MARGIN) * _PICTURE_CELL)
    canvas = Canvas.blank(side, side, WHITE)
    corner = _PICTURE_MARGIN * _PICTURE_CELL
    _draw_grid(canvas, item, (corner, corner), _PICTURE_CELL, solved=solved)
    return canvas.pixels


def puzzle_lattice() -> Lattice:
    """Where the grid lies in the pictures of :func:`draw_puzzle`."""
    steps = _PICTURE_CELL * (_PICTURE_MARGIN + np.arange(10, dtype=np.float32)) - 0.5
    return Lattice(np.stack(np.meshgrid(steps, steps), axis=-1))


def draw_pages(items: Sequence[Item], style: PageStyle, *, solutions: bool = False) -> Iterator[Image]:
    """The pages of *items*, each (H, W, 3) uint8 BGR and drawn when it is asked for.

    With *solutions*, pages of small solved grids come last.
    """
    total = count_pages(len(items), style, solutions=solutions)
    number = 0
    for block in _blocks(items, style.per_page):
        number += 1
        yield _draw_page(block, style, (number, total))
    if solutions:
        small = _SOLUTIONS_PER_PAGE[style.per_page]
        for block in _blocks(items, small):
            number += 1
            yield _draw_page(block, style, (number, total), small, solved=True)


def count_pages(count: int, style: PageStyle, *, solutions: bool = False) -> int:
    """How many pages :func:`draw_pages` gives for *count* puzzles."""
    pages = -(-count // style.per_page)
    return pages + (-(-count // _SOLUTIONS_PER_PAGE[style.per_page]) if solutions else 0)


def pdf(
    pages: Iterable[Image],
    dpi: int = DPI,
    *,
    title: str = "Sudoku",
    on_page: Callable[[], Any] = lambda: None,
) -> bytes:
    """Pages (H, W, 3) uint8 BGR as a PDF document, *dpi* pixels to the inch.

    One page is held unpacked at a time; *on_page* is called after each.
    """
    file = io.BytesIO()
    for place, pixels in enumerate(pages):
        grey = Pictures.fromarray(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8))
        grey.save(file, "PDF", resolution=dpi, quality=_QUALITY, title=title, append=place > 0)
        on_page()
    return file.getvalue()


_QUALITY = 92
"""Of JPEG in a PDF: no ripples round print that a printer would show."""


def missing_glyphs(words: str) -> list[str]:
    """The characters of *words* that the typeface of titles and captions doesn't have, each once."""
    font = _face(bold=True).font(40)
    empty = bytes(font.getmask("\uffff"))  # what stands for any character that is not there
    printed = [char for char in dict.fromkeys(words) if char != " "]
    return [char for char in printed if not char.isprintable() or bytes(font.getmask(char)) == empty]


def _blocks(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _draw_page(
    items: Sequence[Item],
    style: PageStyle,
    number: tuple[int, int],
    per_page: int | None = None,
    *,
    solved: bool = False,
) -> Image:
    """One page; *number* is its own and that of all."""
    dot = style.dpi / _MM_PER_INCH  # dots to the millimetre
    width, height = PAPERS[style.paper]
    canvas = Canvas.blank(round(width * dot), round(height * dot), WHITE)
    title = " ".join(filter(None, [style.title, "(solutions)" if solved else ""]))
    room = (width - 2 * _MARGIN) * dot
    _fit_text(canvas, title, (_MARGIN * dot, _MARGIN * dot), _TITLE_SIZE * dot, room, _INK, bold=True)
    _draw_foot(canvas, style.foot, number, dot)
    columns, rows = _COLUMNS_AND_ROWS[per_page or style.per_page]
    across = (width - 2 * _MARGIN - (columns - 1) * _GAP) / columns
    down = (height - 2 * _MARGIN - _HEAD - _FOOT - (rows - 1) * _GAP) / rows
    side = min(across, down - _CAPTION, _MOST_GRID)
    for place, item in enumerate(items):
        row, column = divmod(place, columns)
        left = _MARGIN + column * (across + _GAP) + (across - side) / 2
        top = _MARGIN + _HEAD + row * (down + _GAP) + _CAPTION
        _draw_caption(canvas, item, (left, top - _CAPTION, left + side), dot)
        _draw_grid(canvas, item, (left * dot, top * dot), side * dot / 9, solved=solved)
    return canvas.pixels


def _draw_foot(canvas: Canvas, words: str, number: tuple[int, int], dot: float) -> None:
    top = canvas.height - (_MARGIN + _FOOT_SIZE) * dot + _FOOT_SIZE * dot / 2
    size, room = _FOOT_SIZE * dot, canvas.width - (2 * _MARGIN + _PAGE_NUMBER) * dot
    _fit_text(canvas, words, (_MARGIN * dot, top), size, room, _QUIET)
    if number[1] > 1:
        page = f"{number[0]} / {number[1]}"
        _text_to_the_right(canvas, page, canvas.width - _MARGIN * dot, top, size, _QUIET)


def _draw_caption(canvas: Canvas, item: Item, place: tuple[float, float, float], dot: float) -> None:
    """Name and note over a grid, between (left, top, right) in millimetres."""
    left, top, right = (length * dot for length in place)
    size = _CAPTION_SIZE * dot
    canvas.text(item.name, left, top, size, _face(bold=True), _INK)
    _text_to_the_right(canvas, item.note, right, top, size, _INK)


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
    """A line of text from its top left *corner*, set smaller if it takes more than *room*."""
    face, pixels = _face(bold=bold), round(size)
    while pixels > _SMALLEST and face.font(pixels).getlength(words) > room:
        pixels -= 1
    canvas.text(words, *corner, pixels, face, colour)


def _text_to_the_right(
    canvas: Canvas, words: str, right: float, top: float, size: float, colour: Colour
) -> None:
    width = _face().font(round(size)).getlength(words)
    canvas.text(words, right - width, top, size, _face(), colour)


def _draw_grid(canvas: Canvas, item: Item, corner: tuple[float, float], cell: float, *, solved: bool) -> None:
    """Print a grid with its outer corner at (left, top); answers are lighter than clues."""
    left, top = corner
    nothing = np.zeros((9, 9), np.int8)
    grid = PrintedGrid(left, top, cell, item.puzzle, nothing, item.solution)
    print_grid(canvas, grid, _STYLE, _face(bold=solved), WHITE, 1.0)
    if solved:
        answers = replace(grid, puzzle=np.where(item.puzzle > 0, 0, item.solution).astype(np.int8))
        plain = replace(_STYLE, digit_colour=_ANSWER)
        print_grid(canvas, answers, plain, _face(), WHITE, 1.0)


@lru_cache(maxsize=2)
def _face(*, bold: bool = False) -> Typeface:
    """The plain sans-serif that comes along."""
    faces = [face for face in bundled_typefaces() if face.family == "Arimo"]
    return max(faces, key=lambda face: face.weight if bold else -face.weight)
