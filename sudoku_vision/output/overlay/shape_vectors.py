"""Vectors: shapes on a grid as elements of a figure, for paper, files of lines, and stamps."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from sudoku_vision.output.drawing.colours import WHITE, Colour
from sudoku_vision.output.drawing.figure import Area, Element, Line, Point, box
from sudoku_vision.output.drawing.puzzle_figure import digit
from sudoku_vision.output.overlay.shapes import DrawnDigit, DrawnLine, Fade, Place, Shape, Wash
from sudoku_vision.output.overlay.stroke_font import PEN_PATHS, WIDTH

Placing: TypeAlias = Callable[[Iterable[Place]], Sequence[Point]]
"""Gives the points of places (u, v), in millimetres."""

_BOLD = 0.2  # width of a pen, in heights of its digit, beyond which what is written in type is bold
_INSET = 0.06  # share of a cell that is left out on each side where it is faded, so that its lines stay


def straight(corner: Point, cell: float) -> Placing:
    """Return the placing of an upright grid with straight lines: its outer *corner* and *cell*, in mm."""
    return lambda places: [(corner[0] + u * cell, corner[1] + v * cell) for u, v in places]


def shape_elements(
    shapes: Iterable[Shape], place: Placing, cell: float, *, paper: Colour = WHITE, in_type: bool = False
) -> Iterator[Element]:
    """Yield the elements of *shapes* on a grid, in their order.

    *cell* is how wide a cell is, in millimetres, *paper* the colour of what is laid over what fades. Digits
    are written with a pen, or *in_type*, if they aren't hollow. The word of a frame is left out: who lays out
    the page knows where there is room for it.
    """
    for shape in shapes:
        match shape:
            case DrawnDigit():
                if in_type and not shape.hollow:
                    (middle,) = place([_middle_of(shape)])
                    bold = shape.weight > _BOLD * shape.height
                    yield digit(shape.digit, middle, shape.height * cell, shape.colour, bold=bold)
                else:
                    yield from _pen_strokes(shape, place, cell, paper)
            case DrawnLine():
                yield Line(place(shape.points), shape.width * cell, shape.colour, shape.closed)
            case Wash():
                boxes = [place(_cell_box(number, 0.0)) for number in shape.cells]
                yield Area(boxes, shape.colour, shape.strength)
            case Fade():
                yield Area([place(_cell_box(shape.cell, _INSET))], paper, shape.strength)


def _middle_of(shape: DrawnDigit) -> Place:
    row, column = divmod(shape.cell, 9)
    return column + shape.middle[0], row + shape.middle[1]


def _pen_strokes(shape: DrawnDigit, place: Placing, cell: float, paper: Colour) -> Iterator[Line]:
    (x, y), height = _middle_of(shape), shape.height - shape.weight
    path = place([(x + (u - WIDTH / 2) * height, y + (v - 0.5) * height) for u, v in PEN_PATHS[shape.digit]])
    for width, colour, _ in shape.strokes():
        yield Line(path, width * cell, colour or paper)


def _cell_box(cell: int, inset: float) -> Sequence[Place]:
    row, column = divmod(cell, 9)
    return box(column + inset, row + inset, column + 1 - inset, row + 1 - inset)
