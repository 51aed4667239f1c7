"""The grid of a drawing as it would be read, and the insides of cells where something may be drawn."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import GridStatus, Lattice, Reading
from workshop.rendering import Drawing

BLANK = np.zeros((9, 9), np.int8)

_SIDE, _LINES = 40, 6
"""Pixels of a straightened cell, and how many at each of its sides are left out, as its lines are there."""


def grid_of(drawing: Drawing, status: GridStatus = "solved", **more: Any) -> Grid:
    """The first grid of a drawing; its status says whether it has a solution. *more*: of its reading."""
    grid = drawing.grids[0]
    solution = grid.solution if status in ("solved", "uncertain") else None
    reading = Reading(grid.puzzle, BLANK, solution, 1, 0.99)
    return Grid(status, grid.lattice, replace(reading, **more))


def cell_of(picture: NDArray[np.uint8] | Floats, lattice: Lattice, cell: int, lines: int = 3) -> NDArray[Any]:
    """The inside of one cell (0..80), straightened, without so many pixels at each side."""
    square = _SIDE * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(lattice.cell(*divmod(cell, 9)), square)
    straight = cv2.warpPerspective(picture, matrix, (_SIDE, _SIDE))
    return np.asarray(straight)[lines:-lines, lines:-lines]


def changed_cells(before: Image, after: Image, lattice: Lattice, share: float = 0.02) -> NDArray[np.bool_]:
    """The cells (9, 9) of which more than *share* has changed well inside their lines."""
    change = (before != after).any(axis=2).astype(np.float32)
    shares = [cell_of(change, lattice, cell, _LINES).mean() for cell in range(81)]
    return np.array(shares).reshape(9, 9) > share
