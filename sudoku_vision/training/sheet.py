"""Contact sheet: every failure at a glance. A row each: the photo, the straightened grid, what was read."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from sudoku_vision.debug import TILE, board_lattice, draw_board, draw_lattice, titled
from sudoku_vision.errors import OpenError
from sudoku_vision.load import load_photo
from sudoku_vision.overlay import Colour, Print, draw_digits
from sudoku_vision.rectify import straighten
from sudoku_vision.results import Board, Floats, GridResult, Image, Photo
from sudoku_vision.training.evaluate import Outcome, differing

SIDE = 360
"""Height and width of each of the three pictures of a row, in pixels."""

COLUMNS = 2
"""Failures side by side."""

MAX_ROWS = 150
"""So many rows are drawn at most: more make a picture that no viewer opens."""

_GAP = 8
_RED: Colour = (20, 20, 215)
_GREEN: Colour = (60, 140, 0)
_INK: Colour = (40, 40, 40)


def contact_sheet(failures: Sequence[Outcome]) -> Image:
    """Draw the failures into one picture (H, W, 3) uint8 BGR; a white line of text if there are none."""
    rows = [draw_failure(outcome) for outcome in failures[: MAX_ROWS * COLUMNS]]
    if not rows:
        return titled(np.full((1, SIDE, 3), 255, np.uint8), "no failures")
    blank = np.full_like(rows[0], 255)
    rows += [blank] * (-len(rows) % COLUMNS)
    return np.vstack([np.hstack(rows[i : i + COLUMNS]) for i in range(0, len(rows), COLUMNS)])


def draw_failure(outcome: Outcome) -> Image:
    """One row: photo with the lattice found, straightened grid, and the board that was read."""
    try:
        photo = load_photo(outcome.picture.path)
    except OpenError:
        photo = Photo(np.full((SIDE, SIDE, 3), 255, np.uint8))
    grid = outcome.grid
    seen = draw_lattice(photo, [] if grid is None else [grid.lattice])
    flat = np.full((SIDE, SIDE, 3), 255, np.uint8) if grid is None else _straightened(photo, grid)
    panels = [_fitted(panel) for panel in (seen, flat, draw_comparison(outcome))]
    gap = np.full((SIDE, _GAP, 3), 255, np.uint8)
    row = np.hstack([panels[0], gap, panels[1], gap, panels[2], gap])
    return np.vstack([titled(row, _caption(outcome)), np.full((_GAP, row.shape[1], 3), 255, np.uint8)])


def _caption(outcome: Outcome) -> str:
    grid = outcome.grid
    status = "not found" if grid is None else f"{grid.status}, confidence {grid.confidence:.3f}"
    if outcome.label is not None and grid is not None:
        status += f", {int(differing(outcome.label, grid).sum())} cells differ"
    tags = " ".join(outcome.picture.tags)
    wrong = "WRONGLY CALLED SOLVED  " if outcome.wrong else ""
    return f"{wrong}{outcome.picture.path.parent.name}/{outcome.picture.path.name}  {status}  {tags}"


def draw_comparison(outcome: Outcome) -> Image:
    """What was read against what is right.

    Digits that agree are black; where they differ the cell is red, with what was read and, green, the truth.
    Without a grid the label alone is drawn, without a label what was read alone.
    """
    image = draw_board(np.zeros((81, 8, 8), np.float32))
    lattice, look = board_lattice(), Print(height=0.6, weight=0.08)
    if outcome.label is None or outcome.grid is None:
        board = outcome.grid.puzzle if outcome.label is None and outcome.grid is not None else _truth(outcome)
        draw_digits(image, lattice, board, look, _INK if outcome.label is None else _GREEN)
        return image
    bad = differing(outcome.label, outcome.grid)
    truth, read = outcome.label.board, outcome.grid.puzzle
    if outcome.label.clues is None:
        read = np.where(read > 0, read, outcome.grid.written).astype(np.int8)
    for row, column in np.argwhere(bad):
        cell = image[row * TILE + 3 : (row + 1) * TILE - 2, column * TILE + 3 : (column + 1) * TILE - 2]
        cell[:] = (205, 205, 255)
    draw_digits(image, lattice, _only(read, ~bad), look, _INK)
    draw_digits(image, lattice, _only(read, bad), Print(0.55, 0.08, (0.38, 0.5)), _RED)
    draw_digits(image, lattice, _only(truth, bad), Print(0.42, 0.07, (0.8, 0.68)), _GREEN)
    return image


def _truth(outcome: Outcome) -> Board:
    return np.zeros((9, 9), np.int8) if outcome.label is None else outcome.label.board


def _only(board: Board, cells: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Board:
    return np.where(cells, board, 0).astype(np.int8)


def _straightened(photo: Photo, grid: GridResult) -> Image:
    """The grid of a photo, straightened along its own lines."""
    cells: Image = straighten(photo, grid.lattice)
    side = cells.shape[1]
    return np.ascontiguousarray(cells.reshape(9, 9, side, side, 3).swapaxes(1, 2)).reshape(
        9 * side, 9 * side, 3
    )


def _fitted(image: Image | Floats) -> Image:
    """Fit a picture into a white square of SIDE pixels."""
    scale = SIDE / max(image.shape[:2])
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    square = np.full((SIDE, SIDE, 3), 255, np.uint8)
    square[: size[1], : size[0]] = small
    return square
