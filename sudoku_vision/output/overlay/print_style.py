"""Measure the sizes and colours of a grid's print in the photo, and the ink of its entries."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.geometry import homography_of_square, sampled
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.ranks import median, medians, quantile
from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Lattice

MAX_MEASURED = 9  # about how many clues, and entries, are measured: more hardly change the median
_PATCH = 32  # side in pixels of the small picture of a cell in which its digit is measured
_INNER = 0.1  # share of a cell's side that is left out at each edge, because grid lines reach into it
_PIXEL = (1 - 2 * _INNER) / (_PATCH - 1)  # distance of neighbouring pixels of this small picture, in cells
_MIN_CLUES = 3  # fewest measured clues: the median of fewer is chance, so the usual print is taken

_MIN_CONTRAST = 12.0  # least contrast of ink to paper, in grey levels: less may be the grain of the paper
_INK_QUANTILE = 0.97  # quantile of differences from paper that is taken for full ink: odd pixels don't count
_FULL_INK = 0.75  # share of the contrast of full ink above which a pixel is ink, not a smooth edge
_HEIGHTS, _WEIGHTS, _MIDDLES = (0.4, 0.72), (0.055, 0.12), (0.42, 0.58)
"""Least and greatest value of the height, the stroke width and the middle of answers, in cells. Measured
values are brought into these bounds, in which all usual print lies."""


@dataclass(frozen=True)
class PrintStyle:
    """How a grid is printed. Lengths are in cells.

    ``height`` is the height of a digit, ``weight`` the width of its strokes, and ``middle`` (x, y) its centre
    within the cell. ``ink`` and ``paper`` are colours in BGR. ``entry_ink`` is the colour of a person's
    entries; it is None if there are no entries.
    """

    height: float = 0.56
    weight: float = 0.08
    middle: tuple[float, float] = (0.5, 0.5)
    ink: tuple[float, float, float] = (40.0, 40.0, 40.0)
    paper: tuple[float, float, float] = (220.0, 220.0, 220.0)
    entry_ink: Colour | None = None


def grid_print(pixels: Image, grid: Grid) -> PrintStyle:
    """Measure how the clues of a *grid* are printed in its photo (H, W, 3) uint8 BGR.

    For entries, only the colour of the ink is measured. If fewer than ``_MIN_CLUES`` clues can be measured,
    the result is the usual print.
    """
    clues = _measured(pixels, grid.lattice, grid.puzzle)
    entries = _measured(pixels, grid.lattice, grid.written)
    entry_ink = _colour(medians(np.array(entries)[:, 4:7].T)) if entries else None
    if len(clues) < _MIN_CLUES:
        return PrintStyle(entry_ink=entry_ink)
    height, weight, x, y, *colours = medians(np.array(clues).T)
    return PrintStyle(
        height=float(np.clip(height, *_HEIGHTS)),
        weight=float(np.clip(weight, *_WEIGHTS)),
        middle=(float(np.clip(x, *_MIDDLES)), float(np.clip(y, *_MIDDLES))),
        ink=_colour(colours[:3]),
        paper=_colour(colours[3:]),
        entry_ink=entry_ink,
    )


def _measured(pixels: Image, lattice: Lattice, board: Board) -> list[list[float]]:
    """Return the results of :func:`_measure_digit` for some of the digits of *board* (9, 9).

    Digits that can't be seen are left out.
    """
    found = []
    cells = np.argwhere(board)
    for row, column in cells[:: 1 + len(cells) // MAX_MEASURED]:
        quad = lattice.cell(row, column)
        inside = (quad >= 0).all() and (quad < pixels.shape[1::-1]).all()
        measured = _measure_digit(pixels, quad) if inside else None
        if measured is not None:
            found.append(measured)
    return found


def _colour(channels: Iterable[float]) -> Colour:
    blue, green, red = (float(channel) for channel in channels)
    return blue, green, red


def _measure_digit(pixels: Image, quad: Floats) -> list[float] | None:
    """Measure the digit in the cell with the corners *quad* (4, 2); return None if it can't be seen.

    The result is ten numbers: the height of the digit, the width of its strokes, the x and y of its middle,
    and the colours (B, G, R) of ink and of paper. Lengths are in cells.
    """
    inner = np.array([[_PIXEL, 0, _INNER], [0, _PIXEL, _INNER], [0, 0, 1]], np.float64)
    patch = sampled(pixels, homography_of_square(quad) @ inner, (_PATCH, _PATCH))
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    offset = np.abs(grey - median(grey))
    strength = quantile(offset, _INK_QUANTILE)
    if strength < _MIN_CONTRAST:
        return None
    mask = (offset > strength / 2).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    left, top, width, height = (int(value) for value in stats[largest, :4])
    weight = _stroke_width((labels == largest).astype(np.uint8))
    middle_x, middle_y = left + (width - 1) / 2, top + (height - 1) / 2
    ink = patch[offset > _FULL_INK * strength].mean(axis=0)
    paper = patch[mask == 0].mean(axis=0)
    at = [_INNER + middle_x * _PIXEL, _INNER + middle_y * _PIXEL]
    return [height * _PIXEL, weight * _PIXEL, *at, *ink.tolist(), *paper.tolist()]


def _stroke_width(digit: Image) -> float:
    """Return the width in pixels of the strokes of a *digit*, a mask (H, W) with 1 where there is ink.

    The width is found from the mean distance of ink from the nearest paper: in a stroke that is w pixels
    wide, this mean is w / 4 + 1 / 2.
    """
    depth = cv2.distanceTransform(digit, cv2.DIST_L2, 3)
    return 4 * float(depth[digit > 0].mean()) - 2
