"""Write into a printed grid as a person does: digits by hand or typed into an app, and pencil marks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudoku_vision.drawing.canvas import Canvas
from sudoku_vision.drawing.colours import Colour
from sudoku_vision.drawing.grid import PrintedGrid
from sudoku_vision.drawing.typefaces import Typeface
from sudoku_vision.rendering.hands import TypefaceWriter, Writer
from sudoku_vision.rendering.ink_masks import jittered, unevenly_pressed
from sudoku_vision.results import Board

_SLIP = 0.06  # in cells: how far from the middle a steady hand writes
_MARK_STRENGTH = 0.8  # of the strength of the digits: pencil marks are written lightly
_MARK_STEP = 0.28  # in cells: from one pencil mark to the next
_MARK_ROW_SHIFT = 0.06  # in cells: a row of marks by hand starts further left than the raster of an app


@dataclass(frozen=True)
class Writing:
    """What a person wrote in: shares of the blank cells in 0..1.

    ``typeface`` None: a handwritten one by chance; an app enters digits in the typeface of the grid
    (``typed``). ``writer`` writes instead of a typeface. ``jitter`` 0 sets every glyph alike, 1 as a steady
    hand does, 2 as a hasty one. ``height`` is in cells, each digit's own as much as ``height_spread`` (a
    share) off; ``uneven`` is the share of digits that a pencil pressed unevenly. Pencil marks stand up to
    ``most_marks`` in a cell, ``mark_height`` cells tall, in ``mark_colour`` (None: that of the digits), typed
    where ``marks_typed`` (None: as the digits are).
    """

    share: float = 0.0
    wrong: float = 0.0
    pencil_marks: float = 0.0
    typed: bool = False
    typeface: Typeface | None = None
    colour: Colour = (120.0, 50.0, 30.0)
    height: float = 0.6
    strength: float = 0.85
    jitter: float = 1.0
    writer: Writer | None = None
    height_spread: float = 0.0
    uneven: float = 0.0
    most_marks: int = 4
    mark_height: float = 0.2
    mark_colour: Colour | None = None
    marks_typed: bool | None = None


def write_grid(
    canvas: Canvas, grid: PrintedGrid, writing: Writing, face: Typeface, rng: np.random.Generator
) -> None:
    """Write the digits of ``grid.written`` and pencil marks into the blank cells."""
    for row, column in np.argwhere(grid.written > 0):
        _write_digit(canvas, grid, (int(row), int(column)), writing, face, rng)
    if writing.pencil_marks > 0:
        empty = np.argwhere((grid.puzzle == 0) & (grid.written == 0))
        for row, column in empty[rng.random(len(empty)) < writing.pencil_marks]:
            _pencil_marks(canvas, grid, (int(row), int(column)), writing, face, rng)


def fill_in(puzzle: Board, solution: Board, writing: Writing, rng: np.random.Generator) -> Board:
    """Return what a person wrote into the blank cells, (9, 9) int8: mostly right, some wrong or left out."""
    chosen = (puzzle == 0) & (rng.random((9, 9)) < writing.share)
    wrong = rng.random((9, 9)) < writing.wrong
    entries = np.where(wrong, rng.integers(1, 10, (9, 9)), solution)
    filled: Board = np.where(chosen, entries, 0).astype(np.int8)
    return filled


def _write_digit(
    canvas: Canvas,
    grid: PrintedGrid,
    place: tuple[int, int],
    writing: Writing,
    face: Typeface,
    rng: np.random.Generator,
) -> None:
    digit = int(grid.written[place])
    slip = rng.normal(0, _SLIP * writing.jitter, 2)
    x, y = grid.middle(*place, (float(slip[0]), float(slip[1])))
    height = writing.height * grid.cell
    if writing.typed:
        canvas.glyph(str(digit), x, y, height, face, writing.colour, writing.strength)
        return
    if writing.height_spread > 0:
        height *= 1 + float(rng.uniform(-1, 1)) * writing.height_spread
    writer = writing.writer or TypefaceWriter(face)
    mask = jittered(writer.glyph(digit, height, rng), rng, writing.jitter)
    strength = writing.strength * float(rng.uniform(0.85, 1.0))
    if writing.uneven > 0 and rng.random() < writing.uneven:
        mask = unevenly_pressed(mask, rng)
    canvas.ink(mask, x - mask.shape[1] / 2, y - mask.shape[0] / 2, writing.colour, strength)


def _pencil_marks(
    canvas: Canvas,
    grid: PrintedGrid,
    place: tuple[int, int],
    writing: Writing,
    face: Typeface,
    rng: np.random.Generator,
) -> None:
    """Small candidates, each at its place in a 3x3 raster as apps do, or in a row on top as people do."""
    typed = writing.typed if writing.marks_typed is None else writing.marks_typed
    colour = writing.mark_colour or writing.colour
    count = int(rng.integers(1, writing.most_marks + 1))
    for rank, digit in enumerate(sorted(rng.choice(np.arange(1, 10), count, replace=False).tolist())):
        across = (digit - 1) % 3 if typed else rank
        down = (digit - 1) // 3 if typed else 0
        offset = ((across - 1) * _MARK_STEP - (0 if typed else _MARK_ROW_SHIFT), (down - 1) * _MARK_STEP)
        x, y = grid.middle(*place, offset)
        height = writing.mark_height * grid.cell
        canvas.glyph(str(digit), x, y, height, face, colour, _MARK_STRENGTH * writing.strength)
