"""Debug view: the lattice of a grid as it is tracked, and what is read of it so far."""

from __future__ import annotations

import numpy as np

from sudoku_vision.live.tracked_grid import TrackedGrid
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.overlay.colour_choice import UNSURE_COLOURS
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shape_pixels import draw_path, draw_shapes
from sudoku_vision.output.overlay.shapes import Place, board_shapes, line_in_cell
from sudoku_vision.results import Image

_LINE_WIDTH = 0.03
"""Width of a line, in cells; the borders of boxes are twice as wide."""
_DIGITS = PrintStyle(height=0.26, weight=0.045, middle=(0.17, 0.2))
"""How what is read stands in a cell, in cells: small and in its corner, off the print."""
_PRINTED: Colour = (205, 80, 0)
"""Blue, of digits that are read as print."""
_WRITTEN: Colour = (170, 20, 110)
"""Violet, of digits that are read as handwriting."""

_RING: tuple[Place, ...] = tuple(
    (0.5 + 0.4 * float(np.cos(t)), 0.5 + 0.4 * float(np.sin(t)))
    for t in np.linspace(0, 2 * np.pi, 24, endpoint=False)
)
"""A ring about a cell in doubt, in the unit square of the cell."""


def draw_debug_view(picture: Image, grid: TrackedGrid, colour: Colour) -> None:
    """Draw the lattice of a grid in a *colour*, what is read in its cells, and rings about cells in doubt."""
    lattice = grid.lattice
    for line in range(10):
        width = (2 if line % 3 == 0 else 1) * _LINE_WIDTH * lattice.cell_size
        draw_path(picture, lattice.crossings[line], colour, width)
        draw_path(picture, lattice.crossings[:, line], colour, width)
    if grid.result is None:
        return
    rings = [
        line_in_cell(doubt.cell, _RING, _LINE_WIDTH, UNSURE_COLOURS[0], closed=True)
        for doubt in grid.result.doubts
    ]
    printed = board_shapes(grid.result.puzzle, _DIGITS, _PRINTED)
    written = board_shapes(grid.result.written, _DIGITS, _WRITTEN)
    draw_shapes(picture, lattice, (*printed, *written, *rings))


def debug_words(grid: TrackedGrid, words: str) -> str:
    """Return all that is known of a grid, in a line: number, *words* for its state, confidence, size."""
    confidence = f", confidence {grid.result.confidence:.2f}" if grid.result is not None else ""
    return f"grid {grid.number}: {words}{confidence}, cells of {grid.lattice.cell_size:.0f} px"
