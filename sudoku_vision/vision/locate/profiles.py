"""Line profiles: how strongly dark lines run along and across the flat view of a grid.

All depths are in grey levels: how much darker a line is than the darker of its two sides. By its profiles a
rough guess is brought closer to the lines seen, each direction moved as a whole: it may have caught a frame
round the grid with one of its sides, or the inner edge of its border.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY, Array, Homography
from sudoku_vision.results import Image
from sudoku_vision.vision.locate.flatten import CELL, MARGIN, SIDE
from sudoku_vision.vision.ranks import quantile

Sums = NDArray[np.int16]  # sums of a few pixels of the flat view

HALF_WIDTHS = (1, 2, 4)
"""Half widths of line, in pixels of the flat view, that the line filter answers to: up to a heavy border."""
FINE = 15
"""Parts of a grey level that the line filter counts in: those of means over one, three and five pixels."""
FLANK = 2  # pixels of the flat view beyond a line's half width at which the paper beside it is measured
PARTS = 5  # narrow strips that a piece of line is parted into: a digit or a crossing line spoils at most two
STRIP = CELL // PARTS  # pixels across such a strip
NEARBY = np.arange(-2, 3)
"""Pixels of the flat view round a line's place, a tenth of a cell, within which its depth is looked for."""
CROSSING_GAP = MARGIN // 3
"""Pixels beyond a side that are left out: the line along that side has its width there."""

WORTH_MOVING = 1.15  # how many times as much line a stretched guess must show to be taken
FULL_DEPTH = 0.95  # quantile of all profiles at which a line has its full depth: deeper digits count no more
WIDENED = 3
"""Pixels of the flat view to which a ridge of line is widened, so that places between pixels lose nothing."""
_SHIFTS = np.arange(-(CELL // 2) + 1, CELL // 2) / CELL  # cells: just under half a cell to either side
_STARTS = np.repeat(_SHIFTS, len(_SHIFTS))
_ENDS = 9 + np.tile(_SHIFTS, len(_SHIFTS))
_STAY = len(_STARTS) // 2
_LINES = _STARTS[:, None] + (_ENDS - _STARTS)[:, None] * np.arange(10) / 9
_COMBS = np.clip(np.rint(MARGIN + CELL * _LINES).astype(int), 0, SIDE - 1).T.copy()
"""Places of the ten lines of each comb, (10, N)."""


def line_profiles(view: Image) -> Array:
    """Return how strongly a dark line runs along each piece, anywhere near it.

    (2, 9 strips of cells, SIDE across) for a flat *view* (SIDE, SIDE), row lines first.

    Each strip of cells is parted into five narrow ones, and the profile across each of these is filtered: a
    step from light to dark gives nothing, a line gives its depth. The median of the five counts, in which
    neither a digit nor a line that crosses has much say.
    """
    across = np.stack([cv2.transpose(view)[MARGIN:-MARGIN], view[MARGIN:-MARGIN]]).astype(np.int16)
    narrow = across.reshape(-1, STRIP, SIDE).sum(axis=1, dtype=np.int16)  # OpenCV is twice as fast on int16
    parts = line_filter(narrow).reshape(2, 9, PARTS, SIDE).transpose(2, 0, 1, 3)
    return np.asarray(median_of_five(*parts) / (FINE * STRIP))


def median_of_five(a: Sums, b: Sums, c: Sums, d: Sums, e: Sums) -> Sums:
    """Return the median of five arrays of one shape, by comparing: ten times as fast as sorting."""
    a, b = np.minimum(a, b), np.maximum(a, b)
    c, d = np.minimum(c, d), np.maximum(c, d)
    one, other = np.maximum(a, c), np.minimum(b, d)  # between them lies the middle of the four
    return np.asarray(np.minimum(np.maximum(np.minimum(one, other), e), np.maximum(one, other)))


def line_filter(profiles: Sums) -> Sums:
    """Return the depth of a dark line at each place of *profiles* (M, N) int16, (M, N): they run rightwards.

    That is the lower of its two sides minus its middle, the best over several line widths; FINE times what
    *profiles* count, which are sums of up to seven pixels.
    """
    most, length = max(HALF_WIDTHS) + FLANK, profiles.shape[1]
    padded = np.asarray(cv2.copyMakeBorder(profiles, 0, 0, most, most, cv2.BORDER_REPLICATE), np.int16)
    fine = padded * np.int16(FINE)

    def moved(values: Sums, by: int) -> Sums:
        return values[:, most + by : most + by + length]

    depths, middle = [], profiles
    for width in HALF_WIDTHS:
        half, reach = width // 2, width + FLANK
        if half:  # one pixel wider at either end than the last
            middle = _sum(middle, _sum(moved(padded, -half), moved(padded, half)))
        sides = cv2.min(moved(fine, -reach), moved(fine, reach))
        depths.append(cv2.subtract(sides, middle * np.int16(FINE // (2 * half + 1))))
    return np.asarray(cv2.max(cv2.max(depths[0], depths[1]), depths[2]), np.int16)


def _sum(one: Sums, other: Sums) -> Sums:
    """Return the sum of two arrays (M, N); NumPy takes twice as long where rows are parts of longer ones."""
    return np.asarray(cv2.add(one, other), np.int16)


def lines_beyond(view: Image) -> Array:
    """Return how strongly the ten lines run on beyond each side, (4, 10): right, left, bottom, top."""
    wide = MARGIN - CROSSING_GAP
    strips = np.stack([view.T[-wide:], view.T[:wide], view[-wide:], view[:wide]])
    window = MARGIN + CELL * np.arange(10)[:, None] + NEARBY
    depths = line_filter(strips.sum(axis=1, dtype=np.int16))[:, window]
    return np.asarray(depths.max(axis=2) / (FINE * wide))


@dataclass(frozen=True, eq=False)
class Comb:
    """Ten even lines each way, moved and stretched to where most line is seen near a proposal.

    ``stretching`` (3, 3) brings the proposal there, in lattice units. ``contrast`` (2,) is how much line lies
    on them, row lines first, over what lies anywhere: 1 where they are nowhere but everywhere, as in noise.
    """

    stretching: Homography
    contrast: tuple[float, float]


def best_comb(profiles: Array) -> Comb:
    """Return the comb of ten lines each way that shows the most line near a rough guess.

    *profiles* are those of :func:`line_profiles`. Each direction is moved and stretched, at most by half a
    cell at either end. Of all such moves the one with the most line wins, unless staying is nearly as good.
    """
    deep = quantile(profiles, FULL_DEPTH)
    ridge = np.clip(profiles, 0, max(deep, TINY)).mean(axis=1)
    wide = cv2.dilate(ridge, np.ones((1, WIDENED), np.uint8))
    down, across = (_best_stretch(line) for line in wide)
    stretching = np.array([[across[1], 0, across[0]], [0, down[1], down[0]], [0, 0, 1]])
    return Comb(stretching, (down[2], across[2]))


def _best_stretch(ridge: Array) -> tuple[float, float, float]:
    """Return start and step, in cells, of the ten even lines on which most of *ridge* (SIDE,) lies.

    And how much lies on them, on the average, as a multiple of what lies anywhere.
    """
    seen = ridge.take(_COMBS).sum(axis=0)
    best = int(seen.argmax())
    contrast = float(seen[best] / 10 / max(float(ridge.mean()), TINY))
    if seen[best] < WORTH_MOVING * seen[_STAY]:
        best = _STAY
    return float(_STARTS[best]), float((_ENDS[best] - _STARTS[best]) / 9), contrast
