"""Debug view: the lattice of a grid as it is tracked, and what is read of it so far."""

from __future__ import annotations

import numpy as np

from sudoku_vision.drawing.colours import Colour
from sudoku_vision.live.tracked_grid import TrackedGrid
from sudoku_vision.overlay.colours import UNSURE_COLOURS
from sudoku_vision.overlay.ink import draw_digits, draw_path, points_in_cell
from sudoku_vision.overlay.print import PrintStyle
from sudoku_vision.results import Floats, Image

_LINE_WIDTH = 0.03
"""Width of a line, in cells; the borders of boxes are twice as wide."""
_DIGITS = PrintStyle(height=0.26, weight=0.045, middle=(0.17, 0.2))
"""How what is read stands in a cell, in cells: small and in its corner, off the print."""
_PRINTED: Colour = (205, 80, 0)
"""Blue, of digits that are read as print."""
_WRITTEN: Colour = (170, 20, 110)
"""Violet, of digits that are read as handwriting."""

_angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_RING: Floats = (0.5 + 0.4 * np.stack([np.cos(_angles), np.sin(_angles)], axis=1)).astype(np.float32)
"""A ring about a cell in doubt, as points (N, 2) in the unit square of the cell."""


def draw_debug_view(picture: Image, grid: TrackedGrid, colour: Colour) -> None:
    """Draw the lattice of a grid in a *colour*, what is read in its cells, and rings about cells in doubt."""
    lattice = grid.lattice
    for line in range(10):
        width = (2 if line % 3 == 0 else 1) * _LINE_WIDTH * lattice.cell_size
        draw_path(picture, lattice.crossings[line], colour, width)
        draw_path(picture, lattice.crossings[:, line], colour, width)
    if grid.result is None:
        return
    draw_digits(picture, lattice, grid.result.puzzle, _DIGITS, _PRINTED)
    draw_digits(picture, lattice, grid.result.written, _DIGITS, _WRITTEN)
    for doubt in grid.result.doubts:
        ring = points_in_cell(lattice, doubt.cell, _RING)
        draw_path(picture, ring, UNSURE_COLOURS[0], _LINE_WIDTH * lattice.cell_size, closed=True)


def debug_words(grid: TrackedGrid, words: str) -> str:
    """Return all that is known of a grid, in a line: number, *words* for its state, confidence, size."""
    confidence = f", confidence {grid.result.confidence:.2f}" if grid.result is not None else ""
    return f"grid {grid.number}: {words}{confidence}, cells of {grid.lattice.cell_size:.0f} px"
