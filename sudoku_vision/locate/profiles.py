"""Line profiles: how strongly dark lines run along and across the flat view of a grid.

All depths are in grey levels: how much darker a line is than the darker of its two sides.
"""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.geometry import Array
from sudoku_vision.locate.flatten import CELL, MARGIN, SIDE
from sudoku_vision.results import Floats

HALF_WIDTHS = (1, 2, 4)
"""Half widths of line, in pixels of the flat view, that the line filter answers to: up to a heavy border."""
FLANK = 2
"""Pixels of the flat view beyond a line's half width at which the paper beside it is measured."""
PARTS = 5
"""Narrow strips that a piece of line is parted into: a digit or a crossing line spoils at most two."""
NEARBY = np.arange(-2, 3)
"""Pixels of the flat view round a line's place, a tenth of a cell, within which its depth is looked for."""
CROSSING_GAP = MARGIN // 3
"""Pixels beyond a side that are left out: the line along that side has its width there."""
ROUND_THE_MIDDLE = np.arange(-CELL // 5, CELL // 5 + 1)
"""Pixels of the flat view round the middle of a cell in which a line that parts it would run."""
FEW_CROSSED = 0.2
"""Quantile of the six places where a line through cells is looked for: it must be there at nearly all."""
_INNER_LINES = np.array([1, 2, 4, 5, 7, 8])  # lines between cells that share a box


def line_profiles(view: Floats) -> Array:
    """Return how strongly a dark line runs along each piece, anywhere near it.

    (2, 9 strips of cells, SIDE across) for a flat *view* (SIDE, SIDE), row lines first.

    Each strip of cells is parted into five narrow ones, and the profile across each of these is filtered: a
    step from light to dark gives nothing, a line gives its depth. The median of the five counts, in which
    neither a digit nor a line that crosses has much say.
    """
    return _of_strips_of_cells(line_filter(_narrow_strips(view)))


def step_profiles(view: Floats) -> Array:
    """Return how large a step of grey levels is along each piece, anywhere near it.

    (2, 9 strips of cells, SIDE across) for a flat *view* (SIDE, SIDE), row lines first; measured on the same
    narrow strips as :func:`line_profiles`.
    """
    strips = _narrow_strips(view)
    padded = cv2.copyMakeBorder(strips, FLANK, FLANK, 0, 0, cv2.BORDER_REPLICATE)
    return _of_strips_of_cells(np.abs(padded[2 * FLANK :] - padded[: -2 * FLANK]))


def _of_strips_of_cells(narrow: Floats) -> Array:
    """Return the median profile of each strip of cells, (2, 9, SIDE), from those of its narrow strips."""
    middle = median_of_five(*narrow.reshape(SIDE, 2, 9, PARTS).transpose(3, 0, 1, 2))
    return np.ascontiguousarray(middle.transpose(1, 2, 0), np.float64)


def _narrow_strips(view: Floats) -> Floats:
    """Return the profiles across five narrow strips of each strip of cells, (SIDE, 2 * 9 * PARTS).

    They run downwards side by side: OpenCV takes means down the columns four times as fast as along the rows.
    """
    strips = 9 * PARTS
    down = cv2.resize(view[:, MARGIN:-MARGIN], (strips, SIDE), interpolation=cv2.INTER_AREA)
    across = cv2.resize(view[MARGIN:-MARGIN], (SIDE, strips), interpolation=cv2.INTER_AREA)
    return np.concatenate([down, across.T], axis=1)


def median_of_five(a: Floats, b: Floats, c: Floats, d: Floats, e: Floats) -> Floats:
    """Return the median of five arrays of one shape, by comparing: ten times as fast as sorting."""
    a, b = np.minimum(a, b), np.maximum(a, b)
    c, d = np.minimum(c, d), np.maximum(c, d)
    one, other = np.maximum(a, c), np.minimum(b, d)  # between them lies the middle of the four
    return np.asarray(np.minimum(np.maximum(np.minimum(one, other), e), np.maximum(one, other)))


def line_filter(profiles: Floats) -> Floats:
    """Return the depth of a dark line at each place of *profiles* (M, N) float32, (M, N): they run downwards.

    That is the lower of its two sides minus its middle, the best over several line widths.
    """
    most = max(HALF_WIDTHS) + FLANK
    padded = cv2.copyMakeBorder(profiles, most, most, 0, 0, cv2.BORDER_REPLICATE)
    length = len(profiles)
    depth = np.full(profiles.shape, -np.inf, np.float32)
    side = np.empty_like(depth)
    for width in HALF_WIDTHS:
        reach = width + FLANK
        middle = 2 * (width // 2) + 1
        centre = profiles
        if middle > 1:
            centre = np.asarray(cv2.blur(profiles, (1, middle), borderType=cv2.BORDER_REPLICATE), np.float32)
        before = padded[most - reach : most - reach + length]
        after = padded[most + reach : most + reach + length]
        np.minimum(before, after, out=side)
        side -= centre
        np.maximum(depth, side, out=depth)
    return depth


def lines_beyond(view: Floats) -> Floats:
    """Return how strongly the ten lines run on beyond each side, (4, 10): right, left, bottom, top."""
    strips = np.stack(
        [
            view[:, -MARGIN + CROSSING_GAP :].mean(axis=1),
            view[:, : MARGIN - CROSSING_GAP].mean(axis=1),
            view[-MARGIN + CROSSING_GAP :].mean(axis=0),
            view[: MARGIN - CROSSING_GAP].mean(axis=0),
        ],
        axis=1,
    )
    window = MARGIN + CELL * np.arange(10)[:, None] + NEARBY
    return np.asarray(line_filter(strips)[window].max(axis=1).T)


def line_through_cells(view: Floats) -> float:
    """Return the depth of the deepest line through the middle of cells, where none should run.

    It is looked for where it crosses the lines between cells that share a box: there no digit stands.
    """
    places = MARGIN + CELL * _INNER_LINES[:, None] + NEARBY
    strips = np.concatenate([view[places].mean(axis=1), view.T[places].mean(axis=1)]).T
    middles = MARGIN + CELL * np.arange(9)[:, None] + CELL // 2 + ROUND_THE_MIDDLE
    depths = line_filter(strips)[middles].max(axis=1).reshape(9, 2, len(_INNER_LINES))
    return float(np.quantile(depths, FEW_CROSSED, axis=2).max())
