"""Signs: ticks, rings, strokes and question marks in cells, and small digits beside what is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.drawing.colours import Colour
from sudoku_vision.overlay.print import PrintStyle
from sudoku_vision.overlay.shapes import Place, Shapes, drawn_digit, frame, line_in_cell
from sudoku_vision.results import GridResult

_WIDTH = 0.055
"""Width of a sign's line, in cells."""


@dataclass(frozen=True)
class Sign:
    """Lines through places in the unit square of a cell; ``closed`` ones end where they begin."""

    paths: tuple[tuple[Place, ...], ...]
    closed: bool = False


def _path(*places: Place) -> tuple[Place, ...]:
    return places


_CIRCLE = [
    (0.5 + 0.38 * float(np.cos(t)), 0.5 + 0.38 * float(np.sin(t))) for t in np.linspace(0, 2 * np.pi, 33)
]

TICK = Sign((_path((0.7, 0.82), (0.77, 0.91), (0.92, 0.7)),))
RING = Sign((_path(*_CIRCLE[:-1]),), closed=True)
BOX = Sign((_path((0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92)),), closed=True)
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


BESIDE_RING = SmallDigit(0.32, 0.055, (0.86, 0.2))
"""In the corner, off the ring."""
BESIDE_STRIKE = SmallDigit(0.42, 0.07, (0.81, 0.26))
"""Larger, since what is struck out needs no room."""


def sign_shapes(cells: Iterable[int], sign: Sign, colour: Colour) -> Shapes:
    """Return a *sign* in some *cells* (0..80)."""
    return tuple(
        line_in_cell(cell, path, _WIDTH, colour, closed=sign.closed) for cell in cells for path in sign.paths
    )


def right_digits(
    grid: GridResult, cells: Iterable[int], print_style: PrintStyle, small: SmallDigit, colour: Colour
) -> Shapes:
    """Return the right digits beside those in some *cells* (0..80) of a solved grid that hold another one."""
    assert grid.solution is not None
    style = replace(print_style, height=small.height, weight=small.weight, middle=small.middle)
    digits = grid.solution.ravel().tolist()
    return tuple(drawn_digit(cell, digits[cell], style, colour, halo=True) for cell in cells)


def doubtful_shapes(grid: GridResult, colour: Colour) -> Shapes:
    """Return a frame round a grid, and signs in the cells that a person should look at."""
    return frame(colour), *sign_shapes([doubt.cell for doubt in grid.doubts], QUESTION, colour)
