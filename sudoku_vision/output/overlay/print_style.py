"""How a grid is printed, and what is written into it: sizes and colours, measured in the photo."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.geometry import homography_of_square
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.results import Board, Floats, GridResult, Image, Lattice
from sudoku_vision.vision.ranks import median, medians, quantile

MEASURED_CLUES = 9  # so many clues, and entries, are measured at most: their median hardly changes with more
_PATCH = 32  # side in pixels of the patch on which a printed cell is measured
_INNER = 0.1  # part of a cell left out at each side when its print is measured: grid lines end there
_PIXEL = (1 - 2 * _INNER) / (_PATCH - 1)  # distance between neighbouring pixels of the patch, in cells
_FEWEST_CLUES = 3  # with fewer measured clues the usual print is taken: a median of one or two is chance

_FAINTEST = 12.0
"""Contrast of ink, in grey levels, below which a digit can't be told from the grain of the paper."""

_INK_SHARE = 0.97
"""Quantile of the differences from the paper's grey: the ink reaches it, and odd pixels hardly matter."""

_FULL_INK = 0.75
"""Share of the ink's contrast above which a pixel shows its colour, not that of a smooth edge."""

_HEIGHTS, _WEIGHTS, _MIDDLES = (0.4, 0.72), (0.055, 0.12), (0.42, 0.58)
"""Bounds, in cells, within which answers are drawn, whatever was measured: what stands in print."""


@dataclass(frozen=True)
class PrintStyle:
    """How a grid is printed; lengths in cells.

    ``height`` of the digits, ``weight`` of their strokes, ``middle`` (x, y) of a digit within its cell, and
    the colours of ``ink`` and ``paper`` in BGR; ``entry_ink``: that of digits that a person entered, None
    where there are none.
    """

    height: float = 0.56
    weight: float = 0.08
    middle: tuple[float, float] = (0.5, 0.5)
    ink: tuple[float, float, float] = (40.0, 40.0, 40.0)
    paper: tuple[float, float, float] = (220.0, 220.0, 220.0)
    entry_ink: Colour | None = None


def measure_print(pixels: Image, lattice: Lattice, puzzle: Board, written: Board | None = None) -> PrintStyle:
    """Measure how the clues of *puzzle* (9, 9) are printed in the cells of *lattice*.

    Of what is *written* (9, 9) only the ink is measured. The usual print is taken where too few clues can be
    seen.
    """
    clues = _measured(pixels, lattice, puzzle)
    entries = [] if written is None else _measured(pixels, lattice, written)
    entry_ink = _colour(medians(np.array(entries)[:, 4:7].T)) if entries else None
    if len(clues) < _FEWEST_CLUES:
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


def grid_print(pixels: Image, grid: GridResult) -> PrintStyle:
    """Measure how a *grid* is printed and written into, in its photo (H, W, 3) uint8 BGR."""
    return measure_print(pixels, grid.lattice, grid.puzzle, grid.written)


def _measured(pixels: Image, lattice: Lattice, board: Board) -> list[list[float]]:
    """Measure some digits of *board* (9, 9) that can be seen, as :func:`_measure_digit` does."""
    found = []
    cells = np.argwhere(board)
    for row, column in cells[:: 1 + len(cells) // MEASURED_CLUES]:
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
    """Measure the digit in the cell with corners *quad* (4, 2); None if it can't be seen.

    Returns its height and weight, the x and y of its middle, then ink and paper, lengths in cells.
    """
    patch = _inner_patch(pixels, quad)
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    offset = np.abs(grey - median(grey))
    strength = quantile(offset, _INK_SHARE)
    if strength < _FAINTEST:
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


def _inner_patch(pixels: Image, quad: Floats) -> Image:
    """Straighten the cell with corners *quad* (4, 2), its rim left out: (_PATCH, _PATCH, 3) uint8 BGR."""
    inner = np.array([[_PIXEL, 0, _INNER], [0, _PIXEL, _INNER], [0, 0, 1]], np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = homography_of_square(quad) @ inner
    patch = cv2.warpPerspective(
        pixels, matrix, (_PATCH, _PATCH), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(patch, np.uint8)


def _stroke_width(digit: Image) -> float:
    """Return the width in pixels of the strokes of a *digit* (H, W), 1 where there is ink.

    Across a stroke of w pixels the distances from its edges have the mean w / 4 + 1 / 2.
    """
    depth = cv2.distanceTransform(digit, cv2.DIST_L2, 3)
    return 4 * float(depth[digit > 0].mean()) - 2
