"""Shapes: what is drawn on a grid, said without a pixel, so that a picture and a browser show the same.

Places are (u, v) in lattice units, lengths in cells: :mod:`sudoku_vision.geometry` has the words. Shapes
stand in the order of painting. :mod:`~sudoku_vision.output.overlay.shape_pixels` draws them into pixels.
"""

from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from sudoku_vision.output.drawing.colours import Colour, hex_colour
from sudoku_vision.output.overlay.colour_choice import hollow_ground
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.results import Board, GridStatus

Place: TypeAlias = tuple[float, float]  # a place (u, v), u along rows, v down columns
FRAME_WIDTH = 0.07  # width of a frame, in cells
HALO, _HALO_STRENGTH = 0.075, 0.92
"""Width in cells of the rim of paper round a digit that is drawn over ink: that of a pencil line and more. It
hides nearly all, and a trace tells that something stands there."""
HOLLOW_FROM = 22.0  # cells smaller than this, in pixels, have no room for hollow digits
_EDGE, _HOLLOW_WIDER = 0.42, 1.3
"""Width of the edges of a hollow stroke, and how far apart their middles are, in widths of a full one."""
_THINNEST, _THINNEST_EDGE = 1.1, 1.3
"""Width in pixels below which a stroke would break into dots, and an edge of a hollow one would pale."""
_DECIMALS = 4  # of lengths and places in JSON: a ten-thousandth of a cell is never seen


class Stroke(NamedTuple):
    """One of the strokes that a digit is written with, ``width`` cells wide.

    ``colour`` None is that of the paper; ``strength`` 0..1 is how much it hides of what lies below it.
    """

    width: float
    colour: Colour | None
    strength: float = 1.0


@dataclass(frozen=True)
class DrawnDigit:
    """One digit in a cell (0..80); ``height``, ``weight`` and ``middle`` as in :class:`PrintStyle`.

    ``hollow``: only the edges of its strokes. ``halo``: with a rim round it, of paper, or of the colour
    ``ground``, which shows between the edges of a hollow one, too.
    """

    cell: int
    digit: int
    height: float
    weight: float
    middle: Place
    colour: Colour
    hollow: bool = False
    halo: bool = False
    ground: Colour | None = None

    def strokes(self, pixel: float = 0.0) -> Iterator[Stroke]:
        """Yield the strokes along the pen's path, one over another; *pixel* is the side of one in cells."""
        width = max(self.weight, _THINNEST * pixel)
        if self.halo:
            yield Stroke(width + 2 * HALO, self.ground, _HALO_STRENGTH)
        if self.hollow and pixel * HOLLOW_FROM <= 1:
            edge = max(_EDGE * width, _THINNEST_EDGE * pixel)
            yield Stroke(_HOLLOW_WIDER * width + edge, self.colour)
            yield Stroke(_HOLLOW_WIDER * width - edge, self.ground)
        else:
            yield Stroke(width, self.colour)


@dataclass(frozen=True)
class DrawnLine:
    """A line with round ends through ``points``, ``width`` cells wide; a ``closed`` one ends where it begins.

    Each point is seen in the perspective of its own cell; from point to point the line runs straight.
    """

    points: tuple[Place, ...]
    width: float
    colour: Colour
    closed: bool = False


@dataclass(frozen=True)
class Wash:
    """A transparent colour on ``cells`` (0..80), as of a highlighter, through which print shows.

    Light paper is multiplied by the colour, as much as its ``strength`` 0..1 says; ``dark`` paper lightens.
    """

    cells: tuple[int, ...]
    colour: Colour
    strength: float
    dark: bool = False


@dataclass(frozen=True)
class Fade:
    """Paper laid over what stands in a ``cell`` (0..80), its lines left out.

    ``strength`` 0..1: 1 covers it, less lets it pale.
    """

    cell: int
    strength: float = 0.65


@dataclass(frozen=True)
class Tag:
    """What a frame says in *words*, on a patch of its ``colour`` beside the grid, upright as the puzzle is.

    ``status``: of the grid, for browsers that have words of their own.
    """

    status: GridStatus
    words: str
    colour: Colour


Shape: TypeAlias = DrawnDigit | DrawnLine | Wash | Fade | Tag
Shapes: TypeAlias = tuple[Shape, ...]  # what is drawn on one grid, in the order of painting


def shape_dicts(shapes: Iterable[Shape]) -> list[dict[str, Any]]:
    """Return shapes for JSON: the name of each, and its fields; colours as ``#rrggbb``."""
    return [
        {"shape": type(shape).__name__.removeprefix("Drawn").lower()}
        | {
            field: hex_colour(value) if field in ("colour", "ground") and value else _plain(value)
            for field, value in vars(shape).items()
        }
        for shape in shapes
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return round(value, _DECIMALS) if isinstance(value, float) else value


def drawn_digit(
    cell: int,
    digit: int,
    print_style: PrintStyle,
    colour: Colour,
    *,
    hollow: bool = False,
    halo: bool = False,
) -> DrawnDigit:
    """Return one *digit* in a *cell* (0..80), of the size, weight and place of *print_style*.

    A *hollow* one has a ground of its own, so that its thin edges are seen on any paper.
    """
    style = print_style
    ground = hollow_ground(style) if hollow else None
    return DrawnDigit(
        cell, digit, style.height, style.weight, style.middle, colour, hollow, halo or hollow, ground
    )


def board_shapes(
    board: Board,
    print_style: PrintStyle,
    colour: Colour,
    *,
    hollow: bool = False,
    halo: bool = False,
    over: Container[int] = (),
) -> Shapes:
    """Return the digits of *board* (9, 9), 0 for none.

    In the cells *over* ink, such as pencil marks, that is covered by paper.
    """
    shapes: list[Shape] = []
    for cell in np.flatnonzero(board).tolist():
        if cell in over:
            shapes.append(Fade(cell, strength=1))
        digit, rim = int(board.flat[cell]), halo or cell in over
        shapes.append(drawn_digit(cell, digit, print_style, colour, hollow=hollow, halo=rim))
    return tuple(shapes)


def line_in_cell(
    cell: int, places: Iterable[Place], width: float, colour: Colour, *, closed: bool = False
) -> DrawnLine:
    """Return a line through *places* in the unit square of a *cell* (0..80)."""
    row, column = divmod(cell, 9)
    return DrawnLine(tuple((column + x, row + y) for x, y in places), width, colour, closed)


def frame(colour: Colour, width: float = FRAME_WIDTH) -> DrawnLine:
    """Return the outer border of the grid, crossing by crossing, so that it bends with the paper."""
    ahead, back = [float(place) for place in range(9)], [float(place) for place in range(9, 0, -1)]
    points = [
        *((u, 0.0) for u in ahead),
        *((9.0, v) for v in ahead),
        *((u, 9.0) for u in back),
        *((0.0, v) for v in back),
    ]
    return DrawnLine(tuple(points), width, colour, closed=True)


def uncovered(shapes: Iterable[Shape], covered: Collection[int]) -> Shapes:
    """Return *shapes* without what lies in *covered* cells (0..80), or along a covered cell at the border."""
    if not covered:
        return tuple(shapes)
    left: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, DrawnLine):
            left += _uncovered_pieces(shape, covered)
        elif isinstance(shape, Wash):
            left.append(replace(shape, cells=tuple(cell for cell in shape.cells if cell not in covered)))
        elif isinstance(shape, Tag) or shape.cell not in covered:
            left.append(shape)
    return tuple(left)


def _uncovered_pieces(line: DrawnLine, covered: Collection[int]) -> Iterator[DrawnLine]:
    """Yield the pieces of a line between those that lie in covered cells."""
    points = (*line.points, line.points[0]) if line.closed else line.points
    hidden = [_cell_between(one, other) in covered for one, other in pairwise(points)]
    if not any(hidden):
        yield line
        return
    for cut, places in groupby(range(len(hidden)), lambda place: hidden[place]):
        if not cut:
            run = list(places)
            yield replace(line, points=points[run[0] : run[-1] + 2], closed=False)


def _cell_between(one: Place, other: Place) -> int:
    """Return the cell (0..80) in which the middle between two places lies."""
    column, row = (min(max(int((a + b) / 2), 0), 8) for a, b in zip(one, other, strict=True))
    return 9 * row + column
