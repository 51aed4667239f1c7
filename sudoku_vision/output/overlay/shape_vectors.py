"""Turn the primitives of ``flatten`` into elements of a figure."""

from collections.abc import Iterable, Iterator

import numpy as np

from sudoku_vision.geometry import project
from sudoku_vision.output.drawing.figure import BLACK, WHITE, Area, Colour, Element, Line
from sudoku_vision.output.drawing.puzzle_figure import digit
from sudoku_vision.output.overlay.flatten import Cover, Label, PenDigit, Primitive
from sudoku_vision.output.overlay.stroke_font import PEN_PATHS, WIDTH
from sudoku_vision.vision.results import Lattice

_BOLD = 0.25  # a digit is in bold type if its strokes are wider than this, in heights of the digit
_INSET = 0.06  # share of a cell's side; this much is not covered at each edge because of grid lines


def straight_lattice(cell: float) -> Lattice:
    """Return the lattice of a straight upright grid at (0, 0); its cells are *cell* wide."""
    u, v = np.meshgrid(np.arange(10), np.arange(10))
    return Lattice((np.stack([u, v], axis=-1) * cell).astype(np.float32))


def vector_elements(
    primitives: Iterable[Primitive], *, paper: Colour = WHITE, in_type: bool = False
) -> Iterator[Element]:
    """Yield *primitives*, in millimetres, as elements of a figure. Labels are left out.

    *paper*: the colour that covers ink. *in_type*: whether digits are typeset; hollow digits never are.
    """
    for one in primitives:
        match one:
            case PenDigit():
                yield from _typed(one) if in_type and not one.shape.hollow else _pen_strokes(one, paper)
            case Cover(_, corners, strength):
                inner = corners + 2 * _INSET * (corners.mean(axis=0) - corners)
                yield Area([inner.tolist()], paper, strength)
            case Line() | Area():
                yield one
            case Label():
                pass


def _typed(one: PenDigit) -> Iterator[Element]:
    pen = one.strokes[-1]
    x, y = project(np.array([WIDTH / 2, 0.5]), one.matrix).tolist()
    yield digit(
        one.shape.digit, (x, y), one.size * (1 + pen.width), pen.colour or BLACK, bold=pen.width > _BOLD
    )


def _pen_strokes(one: PenDigit, paper: Colour) -> Iterator[Line]:
    for stroke in one.strokes:
        for path in PEN_PATHS[one.shape.digit]:
            points = project(np.array(path), one.matrix).tolist()
            yield Line(points, stroke.width * one.size, stroke.colour or paper)
