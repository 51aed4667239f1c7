"""Draw a contact sheet: one picture that shows the failures, the worst first.

For each failure, the sheet shows the photo with the outline of the grid, and the straightened grid.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from sudoku_vision.output.debug import titled
from sudoku_vision.output.drawing.figure import GREEN, PINK, RED, WHITE, YELLOW
from sudoku_vision.values import Image
from sudoku_vision.vision.rectify import straighten
from sudoku_vision.vision.results import Photo
from workshop.evaluation.metrics import Outcome, mistakes
from workshop.evaluation.text import shortened
from workshop.rendering.canvas import Canvas
from workshop.rendering.typefaces import plain_typeface

SIDE = 360  # height and width of each picture, in pixels
COLUMNS = 2  # number of failures side by side on the sheet
MAX_ROWS = 150  # largest number of rows; many viewers can't open a taller picture

LEGEND = "pink: a cell not read right, yellow: handwriting misread; red: what was read, green: the label"

_GAP = 8  # distance between pictures, in pixels
_NAMED_MISTAKES = 8  # at most this number of misread cells is listed above a failure
_READ, _LABEL = (0.17, 0.18), (0.83, 0.82)  # centres (x, y), 0..1, of the two digits in a misread cell


def contact_sheet(failures: Sequence[Outcome]) -> Image:
    """Return one picture (H, W, 3) uint8 BGR of the *failures*, with at most MAX_ROWS rows."""
    shown = failures[: MAX_ROWS * COLUMNS]
    if not shown:
        return titled(np.full((1, SIDE, 3), 255, np.uint8), "no failures")
    rows = [draw_failure(outcome) for outcome in shown]
    rows += [np.full_like(rows[0], 255)] * (-len(rows) % COLUMNS)
    sheet = np.vstack([np.hstack(rows[i : i + COLUMNS]) for i in range(0, len(rows), COLUMNS)])
    count = f"failures: {len(failures)}" + (f", {len(shown)} shown" if len(shown) < len(failures) else "")
    return titled(sheet, f"{count}. {LEGEND}")


def draw_failure(outcome: Outcome) -> Image:
    """Return a picture (H, W, 3) uint8 BGR of one failure."""
    photo, grid = outcome.picture.open(), outcome.grid
    seen, flat = photo.pixels.copy(), np.full((SIDE, SIDE, 3), 255, np.uint8)
    if grid is not None:
        corners = np.round(grid.lattice.corners).astype(np.int32)
        cv2.polylines(seen, [corners], True, GREEN, max(3, max(seen.shape) // 150))
        flat = draw_straightened(photo, outcome)
    gap = np.full((SIDE, _GAP, 3), 255, np.uint8)
    row = np.hstack([_fitted(seen), gap, _fitted(flat), gap])
    row = titled(titled(row, shortened(mistakes(outcome), _NAMED_MISTAKES)), _caption(outcome))
    return np.vstack([row, np.full((_GAP, row.shape[1], 3), 255, np.uint8)])


def _caption(outcome: Outcome) -> str:
    grid = outcome.grid
    status = "not found" if grid is None else f"{grid.status}, confidence {grid.confidence:.3f}"
    mark = "WRONGLY CALLED SOLVED " if outcome.wrong else "NO GRID HERE " if outcome.false else ""
    return f"{mark}{outcome.picture.path.name}  {status}  {' '.join(outcome.picture.tags)}"


def draw_straightened(photo: Photo, outcome: Outcome) -> Image:
    """Return the straightened grid (H, W, 3) uint8 BGR of an *outcome*.

    A misread cell shows the digit that was read and the digit of the label.
    """
    assert outcome.grid is not None
    cells: Image = straighten(photo, outcome.grid.lattice)
    side = cells.shape[1]
    pixels = cells.reshape(9, 9, side, side, 3).swapaxes(1, 2).reshape(9 * side, 9 * side, 3)
    canvas, label, face = Canvas(np.ascontiguousarray(pixels)), outcome.label, plain_typeface(bold=True)
    if label is None:
        return canvas.pixels
    either = outcome.grid.board
    read = outcome.grid.puzzle if label.clues is not None else either
    for row, column in np.ndindex(9, 9):
        x, y = column * side, row * side
        pair, colour = (read[row, column], label.board[row, column]), PINK
        if pair[0] == pair[1] and label.everything is not None:
            pair, colour = (either[row, column], label.everything[row, column]), YELLOW
        if pair[0] != pair[1]:
            canvas.frame(x, y, x + side, y + side, side / 12, colour)
            for digit, ink, (across, down) in zip(pair, (RED, GREEN), (_READ, _LABEL), strict=True):
                at, level, half = x + across * side, y + down * side, 0.16 * side
                canvas.rectangle(at - half, level - half, at + half, level + half, WHITE)
                canvas.glyph(str(digit or "-"), at, level, 1.7 * half, face, ink)
    return canvas.pixels


def _fitted(image: Image) -> Image:
    """Return a picture scaled to fit into a white square with a side of SIDE pixels."""
    scale = SIDE / max(image.shape[:2])
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    square = np.full((SIDE, SIDE, 3), 255, np.uint8)
    square[: size[1], : size[0]] = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return square
