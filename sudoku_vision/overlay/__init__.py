"""Overlay: the answers drawn into the blank cells of the photo, as if they were printed there.

* Size, weight and place of the digits are measured from the print of the same grid.
* Their colour is the one of a few that can best be told from both the paper and the ink.
* A sure answer is drawn full and in a cool colour. One that may be wrong is drawn hollow, in a warm colour,
  and the grid is framed in it: wrong must never look sure, whoever looks.
* A grid without an answer is only framed, in a colour that says why.
* An answer over pencil marks has a rim of paper round it, so that it can be read.
* An entry that is surely wrong is struck out, with the right digit small beside it.
* Cells in doubt bear a question mark: there a person should look.
* Of a checked puzzle, what a person wrote is marked as a teacher would: a green tick, a red ring.

Every pixel that is not touched by a digit or a frame stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from sudoku_vision.check import Check, check
from sudoku_vision.drawing.colours import Colour
from sudoku_vision.overlay.colours import (
    FRAME_COLOURS,
    RIGHT_COLOURS,
    SURE_COLOURS,
    UNSURE_COLOURS,
    WRONG_COLOURS,
    choose_colour,
)
from sudoku_vision.overlay.ink import draw_digit, draw_digits, draw_frame, mark_cells
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
_STRIKE = np.array([[0.12, 0.86], [0.68, 0.3]], np.float32)
_BOX = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]], np.float32)
"""Marks, as places (N, 2) in the unit square of a cell."""

_CORRECTION = (0.32, 0.055, (0.86, 0.2))
"""Height, weight and middle, in cells, of the right digit beside a wrong one: in the corner, off the ring."""

_ANSWER_BESIDE = (0.42, 0.07, (0.81, 0.26))
"""The same where the wrong one is struck out and needs no room."""


def overlay(photo: Photo | Image, grids: Iterable[GridResult]) -> Image:
    """Draw what was found on *photo* into a copy of its pixels, (H, W, 3) uint8 BGR.

    Answers go into cells without a digit: neither printed nor written in. A wrong entry is struck out, and
    beside it, as beside one that is not clear, stands the right digit.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for grid in grids:
        _draw_grid(pixels, grid)
    return pixels


def overlay_check(
    photo: Photo | Image, checks: Iterable[Check], *, answers: bool = False, marks: bool = False
) -> Image:
    """Mark what a person wrote in a copy of *photo*, (H, W, 3) uint8 BGR.

    A green tick is right, a red ring wrong, with the right digit small beside it if *answers* are wanted; an
    orange question mark stands where the digit is not clear. With *marks* a red box is drawn round the pencil
    marks that have lost the right digit. Grids that are not surely read are only framed, their cells in doubt
    marked.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for checked in checks:
        _draw_check(pixels, checked, answers, marks)
    return pixels


def _draw_check(pixels: Image, checked: Check, answers: bool, marks: bool) -> None:
    """Draw the marks of one grid into *pixels*."""
    grid = checked.grid
    print_style = measure_print(pixels, grid.lattice, grid.puzzle)
    unsure = choose_colour(UNSURE_COLOURS, print_style)
    if grid.status != "solved" or grid.solution is None:
        _draw_doubtful(pixels, grid, FRAME_COLOURS.get(grid.status, unsure))
        return
    red = choose_colour(WRONG_COLOURS, print_style)
    mark_cells(pixels, grid.lattice, checked.right, choose_colour(RIGHT_COLOURS, print_style), _TICK)
    mark_cells(pixels, grid.lattice, checked.wrong, red, _RING, closed=True)
    mark_cells(pixels, grid.lattice, checked.unclear, unsure, _QUESTION, _POINT)
    lost = checked.lost_marks if marks else ()
    mark_cells(pixels, grid.lattice, lost, red, _BOX, closed=True)
    if answers:
        wrong = np.isin(np.arange(81), checked.wrong + lost).reshape(9, 9)
        _write_beside(pixels, grid, np.flatnonzero(wrong), _style_like(print_style, *_CORRECTION), red)


def _draw_grid(pixels: Image, grid: GridResult) -> None:
    """Draw the answers and the frame of one grid into *pixels*."""
    sure = grid.status == "solved"
    answers = grid.answers
    if grid.status in FRAME_COLOURS or answers is None:
        _draw_doubtful(pixels, grid, FRAME_COLOURS.get(grid.status, FRAME_COLOURS["unreadable"]))
        return
    print_style = measure_print(pixels, grid.lattice, grid.puzzle)
    colour = choose_colour(SURE_COLOURS if sure else UNSURE_COLOURS, print_style)
    marked = {cell for cell, marks in enumerate(grid.marks) if marks}
    draw_digits(pixels, grid.lattice, answers, print_style, colour, hollow=not sure, over=marked)
    checked = check(grid)
    if sure:
        mark_cells(pixels, grid.lattice, checked.wrong, choose_colour(WRONG_COLOURS, print_style), _STRIKE)
    else:
        _draw_doubtful(pixels, grid, colour)
    beside = _style_like(print_style, *_ANSWER_BESIDE)
    _write_beside(pixels, grid, (*checked.wrong, *checked.unclear), beside, colour)


def _write_beside(
    pixels: Image, grid: GridResult, cells: Iterable[int], small: PrintStyle, colour: Colour
) -> None:
    """Write the right digit *small* into some *cells* (0..80) that hold another one."""
    assert grid.solution is not None
    for cell in cells:
        draw_digit(pixels, grid.lattice, int(cell), int(grid.solution.flat[cell]), small, colour, halo=True)


def _style_like(
    print_style: PrintStyle, height: float, weight: float, middle: tuple[float, float]
) -> PrintStyle:
    """Return the same print in another size and place."""
    return replace(print_style, height=height, weight=weight, middle=middle)


def _draw_doubtful(pixels: Image, grid: GridResult, colour: Colour) -> None:
    """Frame a grid, and mark the cells that a person should look at."""
    draw_frame(pixels, grid.lattice, colour)
    mark_cells(pixels, grid.lattice, [doubt.cell for doubt in grid.doubts], colour, _QUESTION, _POINT)
