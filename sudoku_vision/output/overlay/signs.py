"""Signs: ticks, rings, strokes and question marks in cells, and small digits beside what is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shapes import Place, Shapes, Tag, frame, line_in_cell
from sudoku_vision.results import GridResult, GridStatus

TAG_WORDS: dict[GridStatus, str] = {
    "solved": "solved",
    "uncertain": "please check",
    "many_solutions": "several solutions",
    "no_solution": "no solution",
    "unreadable": "not read",
}
"""What the frame of a grid says."""

_WIDTH = 0.055
"""Width of a sign's line, in cells."""


@dataclass(frozen=True)
class Sign:
    """Lines through places in the unit square of a cell; ``closed`` ones end where they begin."""

    paths: tuple[tuple[Place, ...], ...]
    closed: bool = False


def _path(*places: Place) -> tuple[Place, ...]:
    return places


def _round_the_middle(start: float, end: float) -> tuple[Place, ...]:
    """Return points on a circle about the middle of a cell, clockwise from *start* to *end*, in degrees."""
    turn = np.radians(np.linspace(start, end, 2 + round((end - start) / 12)))
    return tuple((0.5 + 0.38 * float(np.cos(t)), 0.5 + 0.38 * float(np.sin(t))) for t in turn)


TICK = Sign((_path((0.7, 0.82), (0.77, 0.91), (0.92, 0.7)),))
RING = Sign((_round_the_middle(0, 348),), closed=True)
OPEN_RING = Sign((_round_the_middle(8, 272),))
BOX = Sign((_path((0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92)),), closed=True)
OPEN_BOX = Sign((_path((0.6, 0.08), (0.08, 0.08), (0.08, 0.92), (0.92, 0.92), (0.92, 0.52)),))
"""Open ones leave a corner to a right digit."""
STRIKE = Sign((_path((0.12, 0.86), (0.68, 0.3)),))
QUESTION = Sign(
    (
        _path(
            (0.75, 0.67), (0.79, 0.61), (0.86, 0.61), (0.9, 0.67), (0.88, 0.73), (0.82, 0.78), (0.82, 0.83)
        ),
        _path((0.82, 0.91), (0.82, 0.92)),
    )
)


@dataclass(frozen=True)
class SmallDigit:
    """Height, weight and middle, in cells, of a right digit beside a wrong one."""

    height: float
    weight: float
    middle: tuple[float, float]


BESIDE_RING = SmallDigit(0.36, 0.06, (0.82, 0.23))
"""In the corner that an open ring or box leaves."""
BESIDE_STRIKE = SmallDigit(0.42, 0.07, (0.81, 0.26))
"""Larger, since what is struck out needs no room."""


def sign_shapes(cells: Iterable[int], sign: Sign, colour: Colour) -> Shapes:
    """Return a *sign* in some *cells* (0..80)."""
    return tuple(
        line_in_cell(cell, path, _WIDTH, colour, closed=sign.closed) for cell in cells for path in sign.paths
    )


def beside(print_style: PrintStyle, small: SmallDigit) -> PrintStyle:
    """Return how a right digit is written beside a wrong one."""
    return replace(print_style, height=small.height, weight=small.weight, middle=small.middle)


def doubtful_shapes(grid: GridResult, colour: Colour) -> Shapes:
    """Return a frame round a grid with its word, and signs in the cells that a person should look at."""
    signs = sign_shapes([doubt.cell for doubt in grid.doubts], QUESTION, colour)
    return frame(colour), *signs, Tag(grid.status, TAG_WORDS[grid.status], colour)
