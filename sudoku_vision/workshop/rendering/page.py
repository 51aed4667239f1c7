"""The flat page: what it holds, its typefaces, and a grid put on it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import WHITE, Colour, mixed
from sudoku_vision.output.drawing.typefaces import Mask, Typeface, bundled_typefaces, glyph_mask
from sudoku_vision.results import NO_MARKS, Board, Marks
from sudoku_vision.workshop.rendering.conditions import Conditions, UnevenPrint
from sudoku_vision.workshop.rendering.ink_masks import SOFTENED
from sudoku_vision.workshop.rendering.printed_grid import PrintedGrid, print_grid
from sudoku_vision.workshop.rendering.writing import write_grid

T = TypeVar("T")

LEVELS = ("Easy", "Medium", "Hard", "Moderate", "No. 1284", "Puzzle 52", "Difficulty: ****", "Fiendish")
_EM = 72  # pixels: digits are drawn once at this size, then brought to theirs, so no hinting bends them
_WIDEST = 0.9  # cells: a wider digit is made smaller
_FINE = 0.6  # scale below which a digit is softened before it is made so small
_BLACK: Colour = (35.0, 33.0, 32.0)
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


def choose_fonts(conditions: Conditions, rng: np.random.Generator) -> Fonts:
    """Pick the typefaces: those that the settings name, else by chance; text is always bundled."""
    faces = bundled_typefaces()
    digits = _any_face([face for face in faces if not face.handwritten], rng)
    hand = _any_face([face for face in faces if face.handwritten], rng)
    chosen = conditions.grid.typeface or digits
    bundled = [face for face in faces if face.family in _TEXT_FAMILIES]
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


@dataclass(frozen=True, eq=False)
class Printer:
    """Prints one page on a *canvas*: what it looks like, with cells of so many pixels, in which typefaces."""

    conditions: Conditions
    cell: float
    fonts: Fonts
    rng: np.random.Generator
    canvas: Canvas = field(default_factory=lambda: Canvas.blank(1, 1, WHITE))

    def take_sheet(self, width: float, height: float) -> "Printer":
        """Return the printer before a blank sheet of *width* x *height* pixels."""
        return replace(self, canvas=Canvas.blank(round(width), round(height), self.conditions.paper))

    @property
    def ink(self) -> Colour:
        """The colour of print on the page."""
        return self.ink_of(1.0)

    def ink_of(self, darkness: float) -> Colour:
        """Return the colour of print of so much *darkness*, 1 for black."""
        return mixed(self.conditions.paper, _BLACK, self.conditions.ink * darkness)

    def uniform(self, low: float, high: float) -> float:
        """Return a number by chance."""
        return float(self.rng.uniform(low, high))

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the *choices* by chance."""
        return choices[int(self.rng.integers(len(choices)))]

    def put_grid(self, content: Content, left: float, top: float) -> PrintedGrid:
        """Print one grid with what was written into it; the result says where."""
        canvas, conditions, face = self.canvas, self.conditions, self.fonts.digits
        style = conditions.grid
        written = np.zeros((9, 9), np.int8) if content.written is None else content.written
        grid = PrintedGrid(left, top, self.cell, content.puzzle, written, content.solution, content.marks)
        if conditions.uneven is None:
            print_grid(canvas, grid, style, face, conditions.paper, conditions.ink)
        else:
            blank = replace(grid, puzzle=np.zeros_like(grid.puzzle))
            print_grid(canvas, blank, style, face, conditions.paper, conditions.ink)
            self._print_unevenly(grid, conditions.uneven)
        return write_grid(canvas, grid, conditions.writing, self.fonts.hand, self.rng)

    def _print_unevenly(self, grid: PrintedGrid, uneven: UnevenPrint) -> None:
        """Print the clues of *grid*, every digit as tall as the style has it."""
        conditions, rng = self.conditions, self.rng
        style, face = conditions.grid, self.fonts.digits
        colour = mixed(style.cell_colour or conditions.paper, style.digit_colour, conditions.ink)
        for row, column in np.argwhere(grid.puzzle > 0):
            off = np.add(style.digit_offset, rng.normal(0, uneven.slip, 2))
            x, y = grid.middle(int(row), int(column), (float(off[0]), float(off[1])))
            used = uneven.typeface if uneven.typeface is not None and rng.random() < uneven.share else face
            master = _master(used, int(grid.puzzle[row, column]))
            height = min(style.digit_height, _WIDEST * master.shape[0] / master.shape[1]) * grid.cell
            mask, left, top = _placed(master, x, y, height, float(rng.normal(0, uneven.tilt)))
            self.canvas.ink(mask, left, top, colour, float(rng.uniform(uneven.palest, 1)))


@lru_cache(maxsize=32768)
def _master(face: Typeface, digit: int) -> Mask:
    """The ink of a digit at its first size, cut to its box."""
    mask = glyph_mask(face, str(digit), _EM)
    return mask if mask.size else np.full((_EM // 2, _EM // 8), 255, np.uint8)


def _placed(master: Mask, x: float, y: float, height: float, angle: float) -> tuple[Mask, int, int]:
    """A digit *height* pixels tall, turned by *angle* degrees about (x, y): its ink, and where that goes."""
    scale = height / master.shape[0]
    if scale < _FINE:
        master = np.asarray(cv2.GaussianBlur(master, (0, 0), SOFTENED / scale), np.uint8)
    turn = np.deg2rad(angle)
    matrix = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    reach = int(np.ceil(0.6 * np.hypot(height, scale * master.shape[1]))) + 2
    left, top = int(np.floor(x)) - reach, int(np.floor(y)) - reach
    middle = np.array([x - left - 0.5, y - top - 0.5]) - matrix @ ((np.array(master.shape[::-1]) - 1) / 2)
    side = (2 * reach + 1, 2 * reach + 1)
    mask = cv2.warpAffine(master, np.c_[matrix, middle], side, flags=cv2.INTER_LINEAR)
    return np.asarray(mask, np.uint8), left, top
