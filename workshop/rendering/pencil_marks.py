"""Pencil marks: the small candidates that people and apps put into unsolved cells.

Lengths are in cells. Places are offsets (x, y) from the middle of a cell.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.random import Generator

from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.sudoku.board import Marks
from sudoku_vision.sudoku.rules import PEERS
from workshop.rendering.canvas import Canvas, digit_mask
from workshop.rendering.hands import Writer, in_typeface, ink_box, jittered
from workshop.rendering.printed_grid import MarkBox, PrintedGrid
from workshop.rendering.typefaces import Mask, Typeface

MarkLayout = Literal["row", "two_rows", "corner", "corners", "bottom", "centre", "square"]

MARK_LAYOUTS: tuple[MarkLayout, ...] = get_args(MarkLayout)
"""Where marks stand: spread over a row on top or over two rows; close together in the top left corner; one in
each corner; in a row at the bottom or in the middle; or each at its own place of a 3x3 raster."""

_MARGIN = 0.07  # cells between the marks and the lines round their cell
_WIDTH = 0.58  # width of a mark, as a share of its height; the next three are such shares, too
_CLOSE, _WIDE = 0.66, 0.95  # from one mark to the next, close together and apart
_LEADING = 1.12  # from one row to the next
_SLIP = 0.06  # how far off its place a steady hand puts a mark
_SQUARE_STEP = 0.28  # cells from one place of the raster to the next
_SQUARE_HEIGHT = 0.27  # cells: taller marks would touch one another in the raster
_CORNER_PLACES = ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1), (-1, 0), (1, 0), (0, 0))
"""The places of ``corners`` in the order in which they are taken; right and down are 1."""

Place = tuple[float, float]


@dataclass(frozen=True)
class MarkStyle:
    """Pencil marks: ``share`` of the blank cells have some, up to ``most`` in a cell.

    ``height`` is in cells. ``layout`` None: the raster if they are typed, else a row on top. ``colour``,
    ``typed`` and ``writer`` None: as the digits are written. ``strength`` of the ink, as a share of
    the digits' strength. ``sensible`` marks are candidates: no peer has the digit, and the right one is
    among them. Other marks are any digits.
    """

    share: float = 0.0
    most: int = 4
    height: float = 0.2
    layout: MarkLayout | None = None
    colour: Colour | None = None
    typed: bool | None = None
    writer: Writer | None = None
    strength: float = 0.8
    sensible: bool = False


def choose_marks(grid: PrintedGrid, style: MarkStyle, rng: Generator) -> Marks:
    """Return the marks of the 81 cells of *grid*; a cell with a digit has none."""
    marks: list[frozenset[int]] = [frozenset()] * 81
    if style.share <= 0:
        return tuple(marks)
    digits = np.where(grid.puzzle > 0, grid.puzzle, grid.written).ravel()
    empty = np.flatnonzero(digits == 0)
    for cell in empty[rng.random(len(empty)) < style.share].tolist():
        count = int(rng.integers(1, style.most + 1))
        right = int(grid.solution.flat[cell]) if style.sensible else 0
        seen = {int(digits[peer]) for peer in PEERS[cell]} - {right} if style.sensible else set()
        choice = [digit for digit in range(1, 10) if digit not in seen]
        drawn = rng.choice(choice, min(count, len(choice)), replace=False).tolist()
        if right and right not in drawn:
            drawn[0] = right
        marks[cell] = frozenset(drawn)
    return tuple(marks)


def draw_marks(
    canvas: Canvas, grid: PrintedGrid, style: MarkStyle, face: Typeface, jitter: float, rng: Generator
) -> tuple[MarkBox, ...]:
    """Draw ``grid.marks``, and return where each lies; *style* must name the colour and the writer."""
    boxes: list[MarkBox] = []
    layout = style.layout or ("square" if style.typed else "row")
    writer = style.writer or in_typeface(face)
    for cell, digits in enumerate(grid.marks):
        places, height = mark_places(layout, sorted(digits), style.height)
        for digit, place in zip(sorted(digits), places, strict=True):
            x, y = grid.middle(*divmod(cell, 9), place)
            tall = height * grid.cell
            if style.typed:
                mask, lift = digit_mask(str(digit), round(tall, 1), face)
                left, top = x - mask.shape[1] / 2, y + lift
            else:
                slip = rng.normal(0, _SLIP * jitter * tall, 2)
                mask = jittered(writer(digit, tall, rng), rng, jitter)
                left, top = x - mask.shape[1] / 2 + slip[0], y - mask.shape[0] / 2 + slip[1]
            canvas.ink(mask, left, top, style.colour or (0.0, 0.0, 0.0), style.strength)
            boxes.append(_box(grid, cell, digit, mask, (left, top)))
    return tuple(boxes)


def _box(grid: PrintedGrid, cell: int, digit: int, mask: Mask, corner: Place) -> MarkBox:
    """Return where the ink of a mask lies in its cell; its *corner* is in page pixels."""
    x, y, width, height = ink_box(mask)
    row, column = divmod(cell, 9)
    left = (corner[0] + x - grid.left) / grid.cell - column
    top = (corner[1] + y - grid.top) / grid.cell - row
    return MarkBox(cell, digit, left, top, left + width / grid.cell, top + height / grid.cell)


def mark_places(layout: MarkLayout, digits: Sequence[int], height: float) -> tuple[list[Place], float]:
    """Return where each of *digits* stands, and their height: less than *height* if many must fit."""
    if layout == "square":
        places = [(_SQUARE_STEP * ((d - 1) % 3 - 1), _SQUARE_STEP * ((d - 1) // 3 - 1)) for d in digits]
        return places, min(height, _SQUARE_HEIGHT)
    if layout == "corners":
        height = min(height, (1 - 2 * _MARGIN) / (2 if len(digits) <= 4 else 3) / _LEADING)
        reach = (0.5 - _MARGIN - _WIDTH * height / 2, 0.5 - _MARGIN - height / 2)
        return [(reach[0] * x, reach[1] * y) for x, y in _CORNER_PLACES[: len(digits)]], height
    return _rows(layout, len(digits), height)


def _rows(layout: MarkLayout, count: int, height: float) -> tuple[list[Place], float]:
    """Place *count* marks in as few rows as they need; the first rows are full."""
    room = 1 - 2 * _MARGIN
    while True:
        across = max(1, 1 + math.floor((room - _WIDTH * height) / (_CLOSE * height) + 1e-9))
        across = min(across, max(1, -(-count // 2))) if layout == "two_rows" else across
        down = -(-count // across)
        if down <= 1 or (1 + _LEADING * (down - 1)) * height <= room:
            break
        height *= 0.9
    in_row = min(across, count)
    step = _CLOSE * height  # in a corner and in the middle; elsewhere as wide as fits
    if in_row > 1 and layout not in ("corner", "centre"):
        step = max(step, min(_WIDE * height, (room - _WIDTH * height) / (in_row - 1)))
    first_x = -room / 2 + _WIDTH * height / 2
    if layout == "centre":
        first_x = -step * (in_row - 1) / 2
    leading = room - height if layout == "two_rows" else _LEADING * height
    first_y = {"bottom": room / 2 - height / 2 - leading * (down - 1), "centre": -leading * (down - 1) / 2}
    y = first_y.get(layout, -room / 2 + height / 2)
    return [(first_x + step * (i % across), y + leading * (i // across)) for i in range(count)], height
