"""Drawings: a grid as it would be read, a cover over a cell, and the insides of cells."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import GridStatus, Lattice, Reading
from workshop.rendering import Drawing
from workshop.rendering.covers import covered, hidden_share, random_cover

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


_HIDDEN, _AREA = 0.85, 40  # share of the cell that the cover must hide; cells that it may hide at most


def laid_over(drawing: Drawing, kind: str, cell: int) -> tuple[Image, Floats]:
    """Lay a cover of a *kind* over a *cell*, and few others; return the picture and what it hides (81,)."""
    lattice = drawing.grids[0].lattice
    for seed in range(200):
        cover = random_cover(kind, lattice, [cell], drawing.pixels, np.random.default_rng(seed))
        share = hidden_share(drawing.pixels, cover, lattice).mean(axis=(1, 2))
        if share[cell] > _HIDDEN and share.sum() < _AREA:
            return covered(drawing.pixels, cover), share
    raise AssertionError(f"no {kind} lies over this cell")
