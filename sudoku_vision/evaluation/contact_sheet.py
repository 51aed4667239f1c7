"""Contact sheet: every failure at a glance, the worst first.

A row each: the photo with the grid that was found, the same grid straightened with the wrong cells ringed,
and what was read, with what the label says.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.drawing.colours import BLUE, GREEN, INK, PINK, RED, YELLOW
from sudoku_vision.drawing.tiles import TILE, board_lattice, draw_empty_board, titled
from sudoku_vision.evaluation.evaluate import Outcome, differing, merged, mistakes, shortened
from sudoku_vision.overlay.ink import draw_digits, draw_frame
from sudoku_vision.overlay.print import PrintStyle
from sudoku_vision.rectify import straighten
from sudoku_vision.results import Board, Floats, GridResult, Image, Photo

SIDE = 360
"""Height and width of each of the three pictures of a row, in pixels."""

COLUMNS = 2
"""Failures side by side."""

MAX_ROWS = 150
"""So many rows are drawn at most: more make a picture that no viewer opens."""

LEGEND = (
    "black: printed, blue: by hand, as the label has it; pink cell: not read right, in red or blue what was "
    "read, in green the label; yellow cell: handwriting misread"
)

_GAP = 8

_DIGIT = PrintStyle(height=0.6, weight=0.08)
_READ = PrintStyle(0.55, 0.08, (0.36, 0.5))
_LABEL = PrintStyle(0.42, 0.07, (0.8, 0.68))
"""How digits are written into a cell: alone, or what was read beside what is right."""

Cells = NDArray[np.bool_]
"""Some cells of a board, (9, 9)."""


def contact_sheet(failures: Sequence[Outcome]) -> Image:
    """Draw the failures into one picture (H, W, 3) uint8 BGR; a white line of text if there are none."""
    shown = failures[: MAX_ROWS * COLUMNS]
    if not shown:
        return titled(np.full((1, SIDE, 3), 255, np.uint8), "no failures")
    rows = [draw_failure(outcome) for outcome in shown]
    rows += [np.full_like(rows[0], 255)] * (-len(rows) % COLUMNS)
    sheet = np.vstack([np.hstack(rows[i : i + COLUMNS]) for i in range(0, len(rows), COLUMNS)])
    count = f"failures: {len(failures)}" + (f", {len(shown)} shown" if len(shown) < len(failures) else "")
    return titled(sheet, f"{count}. {LEGEND}")


def draw_failure(outcome: Outcome) -> Image:
    """One row: photo with the grid found, straightened grid, and the board that was read."""
    photo, grid = outcome.picture.open(), outcome.grid
    seen = photo.pixels.copy()
    flat = np.full((SIDE, SIDE, 3), 255, np.uint8)
    if grid is not None:
        draw_frame(seen, grid.lattice, GREEN, 0.15)
        flat = _ringed(_straightened(photo, grid), _bad(outcome))
    panels = [_fitted(panel) for panel in (seen, flat, draw_comparison(outcome))]
    gap = np.full((SIDE, _GAP, 3), 255, np.uint8)
    row = np.hstack([panels[0], gap, panels[1], gap, panels[2], gap])
    words = shortened(mistakes(outcome), 8)
    words = words or ("on the right what the label says" if grid is None else "on the right what was read")
    row = titled(titled(row, words), _caption(outcome))
    return np.vstack([row, np.full((_GAP, row.shape[1], 3), 255, np.uint8)])


def _caption(outcome: Outcome) -> str:
    grid = outcome.grid
    status = "not found" if grid is None else f"{grid.status}, confidence {grid.confidence:.3f}"
    mark = "WRONGLY CALLED SOLVED " if outcome.wrong else ""
    mark += "NO GRID HERE " if outcome.false else ""
    return f"{mark}{outcome.picture.path.name}  {status}  {' '.join(outcome.picture.tags)}"


def _bad(outcome: Outcome) -> Cells:
    """The cells that were not read right."""
    if outcome.label is None or outcome.grid is None:
        return np.zeros((9, 9), bool)
    return differing(outcome.label, outcome.grid)


def _miswritten(outcome: Outcome) -> Cells:
    """The other cells whose handwriting was not read right, where the label has it."""
    if outcome.label is None or outcome.grid is None or outcome.label.everything is None:
        return np.zeros((9, 9), bool)
    wrong: Cells = (merged(outcome.grid) != outcome.label.everything) & ~_bad(outcome)
    return wrong


def draw_comparison(outcome: Outcome) -> Image:
    """What was read against what is right, in the colours of :data:`LEGEND`.

    Without a grid the label alone is drawn, without a label what was read alone.
    """
    image = draw_empty_board()
    bad, miswritten = _bad(outcome), _miswritten(outcome)
    for cells, colour in ((bad, PINK), (miswritten, YELLOW)):
        for row, column in np.argwhere(cells):
            image[row * TILE + 3 : (row + 1) * TILE - 2, column * TILE + 3 : (column + 1) * TILE - 2] = colour
    label, grid, wrong = outcome.label, outcome.grid, bad | miswritten
    if grid is not None:
        for board, fine, colour in ((grid.puzzle, INK, RED), (grid.written, BLUE, BLUE)):
            draw_digits(image, board_lattice(), _only(board, ~wrong), _DIGIT, fine)
            draw_digits(image, board_lattice(), _only(board, wrong), _READ, colour)
    if label is not None:
        truth = label.board if label.everything is None else np.where(bad, label.board, label.everything)
        if grid is None:
            draw_digits(image, board_lattice(), label.board, _DIGIT, GREEN)
        else:
            draw_digits(image, board_lattice(), _only(truth, wrong), _LABEL, GREEN)
    return image


def _only(board: Board, cells: Cells) -> Board:
    return np.where(cells, board, 0).astype(np.int8)


def _ringed(image: Image, cells: Cells) -> Image:
    """A straightened grid with a red ring around some of its cells."""
    side = image.shape[0] // 9
    for row, column in np.argwhere(cells):
        corner = (int(column) * side, int(row) * side)
        cv2.rectangle(image, corner, (corner[0] + side - 1, corner[1] + side - 1), RED, max(2, side // 12))
    return image


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
