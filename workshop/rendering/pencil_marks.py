"""Draw pencil marks: the small candidates that people and apps put into unsolved cells.

Lengths are in cells. A mark's place is the offset (x, y) of its middle from the middle of its cell.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.random import Generator

from sudoku_vision.output.drawing.figure import Colour
from sudoku_vision.sudoku.board import Marks
from sudoku_vision.sudoku.rules import PEERS
from workshop.rendering.printed_grid import PrintedGrid

MarkLayout = Literal["row", "two_rows", "corner", "corners", "bottom", "centre", "square"]

MARK_LAYOUTS: tuple[MarkLayout, ...] = get_args(MarkLayout)
"""Arrangements of marks in a cell. ``row``: spread over the top. ``two_rows``: spread over two rows.
``corner``: close together in the top left corner. ``corners``: one in each corner. ``bottom``: spread over
the bottom. ``centre``: close together in the middle. ``square``: each digit at its own place in three
rows."""

_MARGIN = 0.07  # distance between the marks and the lines around their cell, in cells
_WIDTH = 0.58  # assumed width of a mark, as a share of its height
_CLOSE = 0.66  # distance between the middles of marks close together, as a share of their height
_WIDE = 0.95  # largest distance between the middles of marks spread out, as a share of their height
_LEADING = 1.12  # distance between the middles of two rows of marks, as a share of the height of marks
_SQUARE_STEP = 0.28  # distance between the middles of neighbours in the layout ``square``, in cells
_SQUARE_HEIGHT = 0.27  # largest height of marks in the layout ``square``, in cells
_CORNER_PLACES = ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1), (-1, 0), (1, 0), (0, 0))
"""Places (x, y) in the layout ``corners``. A cell's smallest digit has the first place, and so on. -1 is left
or top."""

Place = tuple[float, float]


@dataclass(frozen=True)
class MarkStyle:
    """The number and the style of pencil marks."""

    share: float = 0.0  # share of the blank cells that have marks
    most: int = 4  # largest number of marks in a cell
    height: float = 0.2  # height of a mark in cells
    layout: MarkLayout | None = None  # None means ``square`` for typed marks, otherwise ``row``
    colour: Colour | None = None  # None means the colour of the written digits
    typed: bool | None = None  # whether marks are typed; None means "as the written digits"
    strength: float = 0.8  # strength of the ink, as a share of the strength of written digits
    sensible: bool = False  # if true, marks are the solution and digits that no peer has; otherwise random


def choose_marks(grid: PrintedGrid, style: MarkStyle, rng: Generator) -> Marks:
    """Return random pencil marks for the blank cells of *grid*."""
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


def mark_places(layout: MarkLayout, digits: Sequence[int], height: float) -> tuple[list[Place], float]:
    """Return the places of *digits*, and their height: *height*, or less if they don't fit into the cell."""
    if layout == "square":
        places = [(_SQUARE_STEP * ((d - 1) % 3 - 1), _SQUARE_STEP * ((d - 1) // 3 - 1)) for d in digits]
        return places, min(height, _SQUARE_HEIGHT)
    if layout == "corners":
        height = min(height, (1 - 2 * _MARGIN) / (2 if len(digits) <= 4 else 3) / _LEADING)
        reach = (0.5 - _MARGIN - _WIDTH * height / 2, 0.5 - _MARGIN - height / 2)
        return [(reach[0] * x, reach[1] * y) for x, y in _CORNER_PLACES[: len(digits)]], height
    return _rows(layout, len(digits), height)


def _rows(layout: MarkLayout, count: int, height: float) -> tuple[list[Place], float]:
    """Return the places of *count* marks, in as few rows as possible, and the height of the marks.

    If marks of the wanted *height* don't fit into the cell, the marks become smaller.
    """
    room = 1 - 2 * _MARGIN
    while True:
        across = max(1, 1 + math.floor((room - _WIDTH * height) / (_CLOSE * height) + 1e-9))
        across = min(across, max(1, -(-count // 2))) if layout == "two_rows" else across
        down = -(-count // across)
        if down <= 1 or (1 + _LEADING * (down - 1)) * height <= room:
            break
        height *= 0.9
    in_row = min(across, count)
    step = _CLOSE * height  # for marks close together, in the layouts ``corner`` and ``centre``
    if in_row > 1 and layout not in ("corner", "centre"):
        step = max(step, min(_WIDE * height, (room - _WIDTH * height) / (in_row - 1)))
    first_x = -room / 2 + _WIDTH * height / 2
    if layout == "centre":
        first_x = -step * (in_row - 1) / 2
    leading = room - height if layout == "two_rows" else _LEADING * height
    first_y = {"bottom": room / 2 - height / 2 - leading * (down - 1), "centre": -leading * (down - 1) / 2}
    y = first_y.get(layout, -room / 2 + height / 2)
    return [(first_x + step * (i % across), y + leading * (i // across)) for i in range(count)], height
