"""Overlay: the answers drawn into the blank cells of the photo, as if they were printed there.

* Size, weight and place of the digits are measured from the print of the same grid.
* Their colour is the one of a few that can best be told from both the paper and the ink.
* A sure answer is drawn full and in a cool colour. One that may be wrong is drawn hollow, in a warm colour,
  and the grid is framed in it: wrong must never look sure, whoever looks.
* A grid without an answer is only framed, in a colour that says why.
* Cells in doubt bear a question mark: there a person should look.
* Of a checked puzzle, what a person wrote is marked as a teacher would: a green tick, a red ring.

Every pixel that is not touched by a digit or a frame stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sudoku_vision.check import Check
from sudoku_vision.drawing.colours import Colour
from sudoku_vision.overlay.colours import (
    FRAME_COLOURS,
    RIGHT_COLOURS,
    SURE_COLOURS,
    UNSURE_COLOURS,
    WRONG_COLOURS,
    choose_colour,
)
from sudoku_vision.overlay.ink import draw_digits, draw_frame, mark_cells
from sudoku_vision.overlay.print import PrintStyle, measure_print
from sudoku_vision.results import GridResult, Image, Photo

_TICK = np.array([[0.7, 0.82], [0.77, 0.91], [0.92, 0.7]], np.float32)
_QUESTION = np.array(
    [[0.75, 0.67], [0.79, 0.61], [0.86, 0.61], [0.9, 0.67], [0.88, 0.73], [0.82, 0.78], [0.82, 0.83]],
    np.float32,
)
_POINT = np.array([[0.82, 0.91], [0.82, 0.92]], np.float32)
_RING = (0.5 + 0.38 * np.array([[np.cos(t), np.sin(t)] for t in np.linspace(0, 2 * np.pi, 33)[:-1]])).astype(
    np.float32
)
"""Marks, as places (N, 2) in the unit square of a cell."""

_CORRECTION = (0.32, 0.055, (0.86, 0.2))
"""Height, weight and middle, in cells, of the right digit beside a wrong one: in the corner, off the ring."""


def overlay(photo: Photo | Image, grids: Iterable[GridResult]) -> Image:
    """Draw what was found on *photo* into a copy of its pixels, (H, W, 3) uint8 BGR.

    Answers go into cells without any ink: neither printed nor written in.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for grid in grids:
        _draw_grid(pixels, grid)
    return pixels


def overlay_check(photo: Photo | Image, checks: Iterable[Check], *, answers: bool = False) -> Image:
    """Mark what a person wrote in a copy of *photo*, (H, W, 3) uint8 BGR.

    A green tick is right, a red ring wrong, with the right digit small beside it if *answers* are wanted; an
    orange question mark stands where the digit is not clear. Grids that are not surely read are only framed,
    their cells in doubt marked.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for check in checks:
        _draw_check(pixels, check, answers)
    return pixels


def _draw_check(pixels: Image, check: Check, answers: bool) -> None:
    """Draw the marks of one grid into *pixels*."""
    grid = check.grid
    print_style = measure_print(pixels, grid.lattice, grid.puzzle)
    unsure = choose_colour(UNSURE_COLOURS, print_style)
    if grid.status != "solved" or grid.solution is None:
        _draw_doubtful(pixels, grid, FRAME_COLOURS.get(grid.status, unsure))
        return
    red = choose_colour(WRONG_COLOURS, print_style)
    mark_cells(pixels, grid.lattice, check.right, choose_colour(RIGHT_COLOURS, print_style), _TICK)
    mark_cells(pixels, grid.lattice, check.wrong, red, _RING, closed=True)
    mark_cells(pixels, grid.lattice, check.unclear, unsure, _QUESTION, _POINT)
    if answers:
        wrong = np.isin(np.arange(81), check.wrong).reshape(9, 9)
        height, weight, middle = _CORRECTION
        small = PrintStyle(height, weight, middle, print_style.ink, print_style.paper)
        draw_digits(pixels, grid.lattice, np.where(wrong, grid.solution, 0).astype(np.int8), small, red)


def _draw_grid(pixels: Image, grid: GridResult) -> None:
    """Draw the answers and the frame of one grid into *pixels*."""
    sure = grid.status == "solved"
    answers = grid.answers
    if grid.status in FRAME_COLOURS or answers is None:
        _draw_doubtful(pixels, grid, FRAME_COLOURS.get(grid.status, FRAME_COLOURS["unreadable"]))
        return
    print_style = measure_print(pixels, grid.lattice, grid.puzzle)
    colour = choose_colour(SURE_COLOURS if sure else UNSURE_COLOURS, print_style)
    draw_digits(pixels, grid.lattice, answers, print_style, colour, hollow=not sure)
    if not sure:
        _draw_doubtful(pixels, grid, colour)


def _draw_doubtful(pixels: Image, grid: GridResult, colour: Colour) -> None:
    """Frame a grid, and mark the cells that a person should look at."""
    draw_frame(pixels, grid.lattice, colour)
    mark_cells(pixels, grid.lattice, [doubt.cell for doubt in grid.doubts], colour, _QUESTION, _POINT)
