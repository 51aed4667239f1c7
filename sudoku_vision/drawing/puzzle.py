"""Print one puzzle: its grid in plain black on white, alone in a picture or anywhere on a page."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.drawing.canvas import Canvas
from sudoku_vision.drawing.colours import WHITE, Colour
from sudoku_vision.drawing.grid import GridStyle, PrintedGrid, print_grid
from sudoku_vision.drawing.typefaces import plain_typeface
from sudoku_vision.results import NO_MARKS, Board, Image, Lattice, Marks

PRINT_INK: Colour = (24.0, 22.0, 20.0)
"""The near black of clues, lines and titles."""

_ANSWER: Colour = (95.0, 90.0, 85.0)  # grey: clues must stay the darker ones in a solved grid
_STYLE = GridStyle(
    thin=0.016, thick=0.042, border=0.05, line_colour=PRINT_INK, digit_colour=PRINT_INK, digit_height=0.54
)
_MARK_STEP, _MARK_HEIGHT = 0.28, 0.18  # cells: from one pencil mark to the next, and how tall they are

_PICTURE_CELL = 96  # pixels: sharp on a screen and in print 8 cm wide at 300 dpi
_PICTURE_MARGIN = 0.75  # cells of white round the grid: what reads it again wants paper there


@dataclass(frozen=True, eq=False)
class PrintablePuzzle:
    """A puzzle to print: ``puzzle`` and ``solution`` (9, 9) int8; ``name`` and ``note`` go above its grid.

    ``marks``: the pencil marks of 81 cells, printed small where it is solved.
    """

    puzzle: Board
    solution: Board
    name: str = ""
    note: str = ""
    marks: Marks = NO_MARKS


def draw_puzzle(item: PrintablePuzzle, *, solved: bool = False) -> Image:
    """Draw one grid on white, (1008, 1008, 3) uint8 BGR; *solved* with the answers between its clues."""
    side = round((9 + 2 * _PICTURE_MARGIN) * _PICTURE_CELL)
    canvas = Canvas.blank(side, side, WHITE)
    corner = _PICTURE_MARGIN * _PICTURE_CELL
    print_puzzle(canvas, item, (corner, corner), _PICTURE_CELL, solved=solved)
    return canvas.pixels


def puzzle_lattice() -> Lattice:
    """Return where the grid lies in the pictures of :func:`draw_puzzle`."""
    steps = _PICTURE_CELL * (_PICTURE_MARGIN + np.arange(10, dtype=np.float32)) - 0.5
    return Lattice(np.stack(np.meshgrid(steps, steps), axis=-1))


def print_puzzle(
    canvas: Canvas, item: PrintablePuzzle, corner: tuple[float, float], cell: float, *, solved: bool = False
) -> None:
    """Print a grid on *canvas*, its outer corner at (left, top), *cell* pixels a cell.

    Where it is *solved*, the answers are lighter than the clues.
    """
    left, top = corner
    nothing = np.zeros((9, 9), np.int8)
    grid = PrintedGrid(left, top, cell, item.puzzle, nothing, item.solution)
    print_grid(canvas, grid, _STYLE, plain_typeface(bold=solved), WHITE, 1.0)
    if solved:
        answers = replace(grid, puzzle=np.where(item.puzzle > 0, 0, item.solution).astype(np.int8))
        lighter = replace(_STYLE, digit_colour=_ANSWER)
        print_grid(canvas, answers, lighter, plain_typeface(), WHITE, 1.0)
        _print_marks(canvas, grid, item.marks)


def _print_marks(canvas: Canvas, grid: PrintedGrid, marks: Marks) -> None:
    """Print pencil marks, each at its place of a 3x3 raster in its cell."""
    for cell, digits in enumerate(marks):
        for digit in digits:
            down, across = divmod(digit - 1, 3)
            x, y = grid.middle(*divmod(cell, 9), (_MARK_STEP * (across - 1), _MARK_STEP * (down - 1)))
            canvas.glyph(str(digit), x, y, _MARK_HEIGHT * grid.cell, plain_typeface(), _ANSWER)
