"""Vectors: shapes on a grid as elements of a figure, for paper, files of lines, and stamps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from sudoku_vision.output.drawing.colours import WHITE, Colour
from sudoku_vision.output.drawing.figure import Area, Element, Line, Point, box
from sudoku_vision.output.overlay.ink import HALO
from sudoku_vision.output.overlay.shapes import DrawnDigit, DrawnLine, Fade, Place, Shape, Tag, Wash
from sudoku_vision.output.overlay.stroke_font import PEN_PATHS, WIDTH

Placing: TypeAlias = Callable[[Iterable[Place]], Sequence[Point]]
"""Gives the points of places (u, v), in millimetres."""

DigitElements: TypeAlias = Callable[[DrawnDigit, Placing, float, Colour], Iterable[Element]]
"""Gives the elements of a digit; the rest as for :func:`shape_elements`."""

_HOLLOW_WIDER, _HOLLOW_LEFT = 1.5, 0.6
"""Widths of a hollow stroke, and of what is left out of it, in pens."""

_INSET = 0.06
"""Share of a cell that is left out on each side where it is faded, so that its lines stay."""


def straight(corner: Point, cell: float) -> Placing:
    """Return the placing of an upright grid with straight lines: its outer *corner* and *cell*, in mm."""
    return lambda places: [(corner[0] + u * cell, corner[1] + v * cell) for u, v in places]


def pen_digit(shape: DrawnDigit, place: Placing, cell: float, paper: Colour) -> Iterator[Element]:
    """Yield the path of a pen that writes a digit; within it its ground, where the digit is hollow."""
    row, column = divmod(shape.cell, 9)
    height = shape.height - shape.weight
    x, y = column + shape.middle[0], row + shape.middle[1]
    path = place([(x + (u - WIDTH / 2) * height, y + (v - 0.5) * height) for u, v in PEN_PATHS[shape.digit]])
    pen, ground = shape.weight * cell, shape.ground or paper
    outer = pen * _HOLLOW_WIDER if shape.hollow else pen
    if shape.halo:
        yield Line(path, outer + 2 * HALO * cell, ground, round=True)
    yield Line(path, outer, shape.colour, round=True)
    if shape.hollow:
        yield Line(path, pen * _HOLLOW_LEFT, ground, round=True)


def shape_elements(
    shapes: Iterable[Shape],
    place: Placing,
    cell: float,
    *,
    digit: DigitElements = pen_digit,
    paper: Colour = WHITE,
) -> Iterator[Element]:
    """Yield the elements of *shapes* on a grid, in their order.

    *cell* is how wide a cell is, in millimetres, *paper* the colour of what is laid over what fades. The word
    of a frame is left out: who lays out the page knows where there is room for it.
    """
    for shape in shapes:
        match shape:
            case DrawnDigit():
                yield from digit(shape, place, cell, paper)
            case DrawnLine():
                points = place(shape.points)
                yield Line(points, shape.width * cell, shape.colour, shape.closed, round=True)
            case Wash():
                for number in shape.cells:
                    yield Area(place(_cell_box(number, 0.0)), shape.colour, shape.strength)
            case Fade():
                yield Area(place(_cell_box(shape.cell, _INSET)), paper, shape.strength)
            case Tag():
                pass


def _cell_box(cell: int, inset: float) -> Sequence[Place]:
    row, column = divmod(cell, 9)
    return box(column + inset, row + inset, column + 1 - inset, row + 1 - inset)
