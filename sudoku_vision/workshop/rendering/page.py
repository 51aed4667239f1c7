"""The flat page: what it holds, its typefaces, and a grid put on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import Colour, mixed
from sudoku_vision.output.drawing.grid import PrintedGrid, print_grid
from sudoku_vision.output.drawing.typefaces import Typeface, bundled_typefaces
from sudoku_vision.results import NO_MARKS, Board, Marks
from sudoku_vision.workshop.rendering.conditions import Conditions
from sudoku_vision.workshop.rendering.hand_drawn_lines import draw_lines
from sudoku_vision.workshop.rendering.uneven_print import print_unevenly
from sudoku_vision.workshop.rendering.writing import write_grid

LEVELS = ("Easy", "Medium", "Hard", "Moderate", "No. 1284", "Puzzle 52", "Difficulty: ****", "Fiendish")
_TEXT_FAMILIES = ("Arimo", "Crimson Text", "Zilla Slab")


@dataclass(frozen=True, eq=False)
class Content:
    """What stands in one grid, (9, 9) int8 boards and 81 sets of marks.

    ``written`` None, or no marks at all: made up, as the conditions say.
    """

    puzzle: Board
    solution: Board
    written: Board | None = None
    marks: Marks = NO_MARKS


@dataclass(frozen=True, eq=False)
class Page:
    """A flat page: ``canvas`` in page pixels, its grids (the first is aimed at), and the fold of a book.

    ``spine`` is the x of the fold in page pixels, None where there is none.
    """

    canvas: Canvas
    grids: tuple[PrintedGrid, ...]
    spine: float | None = None


@dataclass(frozen=True, eq=False)
class Fonts:
    """The typefaces of one page: grid digits, handwriting, running text and headlines."""

    digits: Typeface
    hand: Typeface
    text: Typeface
    head: Typeface


@dataclass(frozen=True)
class Area:
    """A rectangle of the page in page pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Width in page pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height in page pixels."""
        return self.bottom - self.top


def choose_fonts(conditions: Conditions, faces: Sequence[Typeface], rng: np.random.Generator) -> Fonts:
    """Pick the typefaces: those that the settings name, else by chance; text is always bundled."""
    digits = _any_face([face for face in faces if not face.handwritten] or faces, rng)
    hand = _any_face([face for face in faces if face.handwritten] or faces, rng)
    chosen = conditions.grid.typeface or digits
    bundled = [face for face in bundled_typefaces() if face.family in _TEXT_FAMILIES]
    text, head = (bundled[int(place)] for place in rng.integers(0, len(bundled), 2))
    if conditions.writing.typed:
        hand = chosen
    return Fonts(chosen, conditions.writing.typeface or hand, text, head)


def _any_face(faces: Sequence[Typeface], rng: np.random.Generator) -> Typeface:
    """A face of a family by chance, mostly upright and neither hairline nor poster black, as print is."""
    families = sorted({face.family for face in faces})
    family = families[int(rng.integers(len(families)))]
    members = [face for face in faces if face.family == family]
    plain = [face for face in members if not face.slanted and 300 <= face.weight <= 700]
    choice = plain if plain and rng.random() < 0.88 else members
    return choice[int(rng.integers(len(choice)))]


def put_grid(
    canvas: Canvas,
    conditions: Conditions,
    content: Content,
    at: tuple[float, float],
    cell: float,
    fonts: Fonts,
    rng: np.random.Generator,
) -> PrintedGrid:
    """Print one grid with what was written into it; the result says where."""
    written = np.zeros((9, 9), np.int8) if content.written is None else content.written
    grid = PrintedGrid(at[0], at[1], cell, content.puzzle, written, content.solution, content.marks)
    style = conditions.grid
    if conditions.line_shake > 0:
        colour = mixed(conditions.paper, style.line_colour, conditions.ink)
        draw_lines(canvas, grid, style, colour, conditions.line_shake, rng)
        style = replace(style, thin=0.0, thick=0.0, border=0.0)
    if conditions.uneven is None:
        print_grid(canvas, grid, style, fonts.digits, conditions.paper, conditions.ink)
    else:
        blank = replace(grid, puzzle=np.zeros_like(grid.puzzle))
        print_grid(canvas, blank, style, fonts.digits, conditions.paper, conditions.ink)
        colour = mixed(style.cell_colour or conditions.paper, style.digit_colour, conditions.ink)
        print_unevenly(canvas, grid, style, fonts.digits, colour, conditions.uneven, rng)
    lit = (style.lit_digit, style.lit_colour) if style.lit_digit else None
    return write_grid(canvas, grid, conditions.writing, fonts.hand, rng, lit)


def page_ink(conditions: Conditions, darkness: float = 1.0) -> Colour:
    """Return the colour of print on the page."""
    black: Colour = (35.0, 33.0, 32.0)
    return mixed(conditions.paper, black, conditions.ink * darkness)
