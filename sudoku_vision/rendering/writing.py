"""Write into a printed grid as a person does: digits by hand or typed into an app, and pencil marks."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.drawing.canvas import Canvas, digit_mask
from sudoku_vision.drawing.colours import Colour
from sudoku_vision.drawing.grid import PrintedGrid
from sudoku_vision.drawing.typefaces import Mask, Typeface
from sudoku_vision.results import Board

_PENCIL_MARK_HEIGHT = 0.2  # in cells


@dataclass(frozen=True)
class Writing:
    """What a person wrote in: shares of the blank cells in 0..1.

    ``typeface`` None: a handwritten one by chance; an app enters digits in the typeface of the grid
    (``typed``). ``jitter`` 0 sets every glyph alike, 1 as a steady hand does, 2 as a hasty one.
    """

    share: float = 0.0
    wrong: float = 0.0
    pencil_marks: float = 0.0
    typed: bool = False
    typeface: Typeface | None = None
    colour: Colour = (120.0, 50.0, 30.0)
    height: float = 0.6
    strength: float = 0.85
    jitter: float = 1.0


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
    x, y = grid.middle(*place, (float(slip[0]), float(slip[1])))
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
        x, y = grid.middle(*place, offset)
        height = _PENCIL_MARK_HEIGHT * grid.cell
        canvas.glyph(str(digit), x, y, height, face, writing.colour, 0.8 * writing.strength)


def jittered(mask: Mask, rng: np.random.Generator, amount: float = 1.0) -> Mask:
    """A handwritten glyph as a hand would write it the next time: turned, slanted, stretched, thicker."""
    height, width = mask.shape
    turn, slant = np.deg2rad(rng.normal(0, 6 * amount)), rng.normal(0.0, 0.12 * amount)
    scale = np.exp(rng.normal(0, 0.1 * amount, 2))
    matrix = (
        np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        @ np.array([[1.0, slant], [0.0, 1.0]])
        @ np.diag(scale)
    )
    side = round(1.5 * max(height, width)) + 4
    middle = np.array([side / 2, side / 2]) - matrix @ np.array([width / 2, height / 2])
    affine = np.hstack([matrix, middle[:, None]])
    moved = cv2.warpAffine(mask, affine, (side, side), flags=cv2.INTER_AREA)
    if rng.random() < 0.4 * amount:
        moved = cv2.dilate(moved, np.ones((2, 2), np.uint8))
    return np.asarray(moved, np.uint8)
