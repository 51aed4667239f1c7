"""Shapes describe a drawing on a grid. They have no pixels, so pictures and browsers show the same drawing.

Places are (u, v) in lattice units (:mod:`sudoku_vision.geometry`); lengths are in cells.
"""

from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TypeAlias

import numpy as np

from sudoku_vision.output.drawing.figure import Colour, Line, Point
from sudoku_vision.output.overlay.print_style import PrintStyle, hollow_ground
from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.vision.results import GridStatus

FRAME_WIDTH, _LINE_WIDTH = 0.07, 0.02  # widths of a frame, and of a line of the grid, in cells
HALO, _HALO_STRENGTH = 0.075, 0.92
"""Width, in cells, and opacity of the rim of paper around a digit that lies over ink. The opacity is below 1,
so a trace of the ink stays visible."""
HOLLOW_FROM = 22.0  # no digit is hollow in a cell whose side is shorter than this, in pixels
_EDGE, _HOLLOW_WIDER = 0.42, 1.3
"""Width of each edge of a hollow stroke, and distance between the middles of its two edges; both in widths
of a full stroke."""
_MIN_STROKE, _MIN_EDGE = 1.1, 1.3  # minimum widths of full strokes and of edges of hollow ones, in pixels


@dataclass(frozen=True)
class Stroke:
    """A stroke along the path of a digit in the stroke font; ``width`` in cells.

    ``colour``: None for the colour of the paper. ``strength``: opacity, 0..1.
    """

    width: float
    colour: Colour | None
    strength: float = 1.0


@dataclass(frozen=True)
class DrawnDigit:
    """One digit in a ``cell`` (0..80), with the size, the weight and the place of a ``style``.

    ``hollow``: whether only the edges of the strokes are drawn, on a background of another colour. ``halo``:
    whether a rim of paper surrounds the digit.
    """

    cell: int
    digit: int
    style: PrintStyle
    colour: Colour
    hollow: bool = False
    halo: bool = False

    def strokes(self, pixel: float = 0.0) -> Iterator[Stroke]:
        """Yield strokes in the order of painting. *pixel*: side of a pixel in cells, or 0 without pixels."""
        width = max(self.style.weight, _MIN_STROKE * pixel)
        ground = hollow_ground(self.style) if self.hollow else None
        if self.halo or self.hollow:
            yield Stroke(width + 2 * HALO, ground, _HALO_STRENGTH)
        if self.hollow and pixel * HOLLOW_FROM <= 1:
            edge = max(_EDGE * width, _MIN_EDGE * pixel)
            yield Stroke(_HOLLOW_WIDER * width + edge, self.colour)
            yield Stroke(_HOLLOW_WIDER * width - edge, ground)
        else:
            yield Stroke(width, self.colour)


@dataclass(frozen=True)
class Wash:
    """A highlight on ``cells`` (0..80). ``strength``: opacity, 0..1.

    ``dark``: whether the paper is dark. A highlight makes dark paper lighter, and light paper darker.
    """

    cells: tuple[int, ...]
    colour: Colour
    strength: float
    dark: bool = False


@dataclass(frozen=True)
class Fade:
    """A patch of paper that covers the ink in a ``cell`` (0..80), but not grid lines and cages.

    ``strength``: opacity of this paper, 0..1.
    """

    cell: int
    strength: float = 0.65
    rules: Rules = CLASSIC


@dataclass(frozen=True)
class Tag:
    """Words about the ``status`` of a grid, beside its frame. They stand on a patch of the frame's colour."""

    status: GridStatus
    words: str
    colour: Colour


Shape: TypeAlias = DrawnDigit | Line | Wash | Fade | Tag
Shapes: TypeAlias = tuple[Shape, ...]  # all shapes on one grid, in the order of painting


def board_shapes(
    board: Board,
    style: PrintStyle,
    colour: Colour,
    *,
    hollow: bool = False,
    halo: bool = False,
    over: Container[int] = (),
    rules: Rules = CLASSIC,
) -> Shapes:
    """Return the digits of *board* (9, 9). *over*: cells (0..80) whose ink is first covered with paper."""
    shapes: list[Shape] = []
    for cell in np.flatnonzero(board).tolist():
        if cell in over:
            shapes.append(Fade(cell, 1, rules))
        shapes.append(
            DrawnDigit(cell, int(board.flat[cell]), style, colour, hollow, halo=halo or cell in over)
        )
    return tuple(shapes)


def line_in_cell(
    cell: int, places: Iterable[Point], width: float, colour: Colour, *, closed: bool = False
) -> Line:
    """Return a line through *places* (x, y), each 0..1, in a *cell* (0..80)."""
    row, column = divmod(cell, 9)
    return Line(tuple((column + x, row + y) for x, y in places), width, colour, closed)


def grid_lines(colour: Colour) -> Shapes:
    """Return all lines of the grid; each third line is twice as wide as the others."""
    return tuple(
        Line(points, (1 if at % 3 else 2) * _LINE_WIDTH, colour)
        for at in range(10)
        for points in (tuple((u, at) for u in range(10)), tuple((at, v) for v in range(10)))
    )


def frame(colour: Colour) -> Line:
    """Return a line along the border of the grid. The line bends with the paper."""
    steps = range(9)
    top, right = [(float(at), 0.0) for at in steps], [(9.0, float(at)) for at in steps]
    bottom, left = [(9.0 - at, 9.0) for at in steps], [(0.0, 9.0 - at) for at in steps]
    return Line((*top, *right, *bottom, *left), FRAME_WIDTH, colour, closed=True)


def uncovered(shapes: Iterable[Shape], covered: Collection[int]) -> Shapes:
    """Return *shapes* without the parts that lie in the cells (0..80) of *covered*."""
    left: list[Shape] = []
    for shape in shapes:
        match shape:
            case Line():
                left += _uncovered_pieces(shape, covered)
            case Wash(cells):
                left.append(replace(shape, cells=tuple(cell for cell in cells if cell not in covered)))
            case Tag():
                left.append(shape)
            case DrawnDigit(cell) | Fade(cell):
                left += [] if cell in covered else [shape]
    return tuple(left)


def _uncovered_pieces(line: Line, covered: Collection[int]) -> Iterator[Line]:
    points = (*line.points, line.points[0]) if line.closed else line.points
    hidden = [_cell_between(one, other) in covered for one, other in pairwise(points)]
    if not any(hidden):
        yield line
        return
    for is_hidden, places in groupby(range(len(hidden)), hidden.__getitem__):
        if not is_hidden:
            run = list(places)
            yield replace(line, points=points[run[0] : run[-1] + 2], closed=False)


def _cell_between(one: Point, other: Point) -> int:
    column, row = (min(max(int((a + b) / 2), 0), 8) for a, b in zip(one, other, strict=True))
    return 9 * row + column
