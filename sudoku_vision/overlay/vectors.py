"""Vectors: the shapes that are drawn on a grid as elements of a figure, for paper and files of lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sudoku_vision.drawing.colours import WHITE, Colour, mixed
from sudoku_vision.drawing.figure import Area, Element, Line, Point, box
from sudoku_vision.overlay.shapes import DrawnDigit, DrawnLine, Shape, Wash
from sudoku_vision.overlay.stroke_font import PEN_PATHS, WIDTH

_HOLLOW = 0.45
"""Of the width of a hollow digit's strokes, what stays white."""


def shape_elements(shapes: Iterable[Shape], corner: Point, cell: float) -> Iterator[Element]:
    """Yield *shapes* as they lie on a straight grid on white, from its *corner* on, *cell* mm a cell.

    What shapes hide or say of a photo is left out: on paper nothing lies below, and words have room.
    """
    for shape in shapes:
        if isinstance(shape, DrawnDigit):
            yield from _digit(shape, corner, cell)
        elif isinstance(shape, DrawnLine):
            points = [_on_paper(place, corner, cell) for place in shape.points]
            yield Line(points, shape.width * cell, shape.colour, shape.closed)
        elif isinstance(shape, Wash):
            yield from _wash(shape, corner, cell)


def _digit(digit: DrawnDigit, corner: Point, cell: float) -> Iterator[Line]:
    """Yield the path of a pen, and within it white where the digit is hollow."""
    row, column = divmod(digit.cell, 9)
    left = column + digit.middle[0] - digit.height * WIDTH / 2
    top = row + digit.middle[1] - digit.height / 2
    path = [
        _on_paper((left + digit.height * x, top + digit.height * y), corner, cell)
        for x, y in PEN_PATHS[digit.digit]
    ]
    yield Line(path, digit.weight * cell, digit.colour)
    if digit.hollow:
        yield Line(path, _HOLLOW * digit.weight * cell, WHITE)


def _wash(wash: Wash, corner: Point, cell: float) -> Iterator[Area]:
    colour: Colour = mixed(WHITE, wash.colour, wash.strength)
    for place in wash.cells:
        row, column = divmod(place, 9)
        (left, top), (right, bottom) = (_on_paper((column + one, row + one), corner, cell) for one in (0, 1))
        yield Area(box(left, top, right, bottom), colour)


def _on_paper(place: tuple[float, float], corner: Point, cell: float) -> Point:
    return corner[0] + place[0] * cell, corner[1] + place[1] * cell
