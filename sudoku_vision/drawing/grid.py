"""Print one sudoku grid on a canvas, and let a person write into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.drawing.canvas import Canvas, Colour, digit_mask, jittered, mixed
from sudoku_vision.drawing.typefaces import Typeface
from sudoku_vision.rendering.conditions import GridStyle, Writing
from sudoku_vision.results import Board

_DOTS_PER_CELL = 9
_PENCIL_MARK_HEIGHT = 0.2  # in cells


@dataclass(frozen=True, eq=False)
class PrintedGrid:
    """A grid on the page: outer corner and cell in page pixels, and what stands in its cells.

    ``puzzle``, ``written`` and ``solution`` are (9, 9) int8, 0 for blank.
    """

    left: float
    top: float
    cell: float
    puzzle: Board
    written: Board
    solution: Board

    @property
    def crossings(self) -> NDArray[np.float64]:
        """The line crossings (10, 10, 2) in page pixels, edge coordinates."""
        steps = self.cell * np.arange(10)
        return np.stack(np.broadcast_arrays(self.left + steps[None, :], self.top + steps[:, None]), axis=-1)


def print_grid(
    canvas: Canvas, grid: PrintedGrid, style: GridStyle, face: Typeface, paper: Colour, ink: float
) -> None:
    """Draw cells, lines and clues of *grid*. *ink* in 0..1 is how much of its colour reaches the paper."""
    _cells(canvas, grid, style)
    ground = style.cell_colour or paper
    _lines(canvas, grid, style, mixed(ground, style.line_colour, ink), ground)
    colour = mixed(ground, style.digit_colour, ink)
    for row, column in np.argwhere(grid.puzzle > 0):
        x, y = _middle(grid, int(row), int(column), style.digit_offset)
        canvas.glyph(str(grid.puzzle[row, column]), x, y, style.digit_height * grid.cell, face, colour)


def write_grid(
    canvas: Canvas, grid: PrintedGrid, writing: Writing, face: Typeface, rng: np.random.Generator
) -> None:
    """Write the digits of ``grid.written`` and pencil marks into the blank cells."""
    for row, column in np.argwhere(grid.written > 0):
        _write_digit(canvas, grid, (int(row), int(column)), writing, face, rng)
    if writing.pencil_marks > 0:
        empty = np.argwhere((grid.puzzle == 0) & (grid.written == 0))
        for row, column in empty[rng.random(len(empty)) < writing.pencil_marks]:
            _pencil_marks(canvas, grid, (int(row), int(column)), writing, face, rng)


def fill_in(puzzle: Board, solution: Board, writing: Writing, rng: np.random.Generator) -> Board:
    """What a person wrote into the blank cells, (9, 9) int8: mostly right, some wrong, some left out."""
    chosen = (puzzle == 0) & (rng.random((9, 9)) < writing.share)
    wrong = rng.random((9, 9)) < writing.wrong
    entries = np.where(wrong, rng.integers(1, 10, (9, 9)), solution)
    filled: Board = np.where(chosen, entries, 0).astype(np.int8)
    return filled


def _middle(
    grid: PrintedGrid, row: int, column: int, offset: Sequence[float] = (0.0, 0.0)
) -> tuple[float, float]:
    return (
        grid.left + (column + 0.5 + offset[0]) * grid.cell,
        grid.top + (row + 0.5 + offset[1]) * grid.cell,
    )


def _cells(canvas: Canvas, grid: PrintedGrid, style: GridStyle) -> None:
    """Background of the whole grid, shaded boxes, and the row, column and box that an app lights up."""
    left, top, cell = grid.left, grid.top, grid.cell
    if style.cell_colour is not None:
        canvas.rectangle(left, top, left + 9 * cell, top + 9 * cell, style.cell_colour)
    for box in style.shaded:
        x, y = left + 3 * cell * (box % 3), top + 3 * cell * (box // 3)
        canvas.rectangle(x, y, x + 3 * cell, y + 3 * cell, style.shade)
    if style.highlight is not None:
        row, column = divmod(style.highlight, 9)
        colour = style.highlight_colour
        canvas.rectangle(left, top + row * cell, left + 9 * cell, top + (row + 1) * cell, colour)
        canvas.rectangle(left + column * cell, top, left + (column + 1) * cell, top + 9 * cell, colour)
        x, y = left + column // 3 * 3 * cell, top + row // 3 * 3 * cell
        canvas.rectangle(x, y, x + 3 * cell, y + 3 * cell, colour)


def _lines(canvas: Canvas, grid: PrintedGrid, style: GridStyle, colour: Colour, ground: Colour) -> None:
    thin = mixed(ground, colour, style.thin_strength)
    for line in (1, 2, 4, 5, 7, 8):
        if style.thin_lines != "none":
            _line_pair(canvas, grid, line, style.thin, thin, dotted=style.thin_lines == "dotted")
    for line in (3, 6):
        _line_pair(canvas, grid, line, style.thick, colour)
    if style.border > 0:
        for line in (0, 9):
            _line_pair(canvas, grid, line, style.border, colour)


def _line_pair(
    canvas: Canvas, grid: PrintedGrid, line: int, thickness: float, colour: Colour, *, dotted: bool = False
) -> None:
    """The horizontal and the vertical line of one number, *thickness* in cells."""
    half, at, length = thickness * grid.cell / 2, line * grid.cell, 9 * grid.cell
    cap = half if line in (0, 9) else 0.0
    dots = 9 * _DOTS_PER_CELL if dotted else 1
    step = length / dots
    for dot in range(dots):
        start = dot * step - (0 if dotted else cap)
        end = start + (step / 2 if dotted else length + 2 * cap)
        x, y = grid.left, grid.top
        canvas.rectangle(x + start, y + at - half, x + end, y + at + half, colour)
        canvas.rectangle(x + at - half, y + start, x + at + half, y + end, colour)


def _write_digit(
    canvas: Canvas,
    grid: PrintedGrid,
    place: tuple[int, int],
    writing: Writing,
    face: Typeface,
    rng: np.random.Generator,
) -> None:
    digit = str(grid.written[place])
    slip = rng.normal(0, 0.06 * writing.jitter, 2)
    x, y = _middle(grid, *place, (float(slip[0]), float(slip[1])))
    if writing.typed:
        canvas.glyph(digit, x, y, writing.height * grid.cell, face, writing.colour, writing.strength)
        return
    mask = jittered(digit_mask(digit, round(writing.height * grid.cell, 1), face)[0], rng, writing.jitter)
    strength = writing.strength * float(rng.uniform(0.85, 1.0))
    canvas.ink(mask, x - mask.shape[1] / 2, y - mask.shape[0] / 2, writing.colour, strength)


def _pencil_marks(
    canvas: Canvas,
    grid: PrintedGrid,
    place: tuple[int, int],
    writing: Writing,
    face: Typeface,
    rng: np.random.Generator,
) -> None:
    """Small candidates, each at its place in a 3x3 raster as apps do, or in a row on top as people do."""
    count = int(rng.integers(1, 5))
    for rank, digit in enumerate(sorted(rng.choice(np.arange(1, 10), count, replace=False).tolist())):
        across = (digit - 1) % 3 if writing.typed else rank
        down = (digit - 1) // 3 if writing.typed else 0
        offset = ((across - 1) * 0.28 - (0 if writing.typed else 0.06), (down - 1) * 0.28)
        x, y = _middle(grid, *place, offset)
        height = _PENCIL_MARK_HEIGHT * grid.cell
        canvas.glyph(str(digit), x, y, height, face, writing.colour, 0.8 * writing.strength)
