"""Lines: measure on the flat view of a grid how deep its lines are, and where each piece of line lies.

A *profile* runs across a strip of cells. It shows at each place how deep a dark line is that runs along the
strip there. A depth is in grey levels: how much darker a line is than the darker of its two sides. Profiles
are used twice:

* :func:`best_even_lines` moves and stretches a rough proposal as a whole. The proposal may have taken a frame
  around the grid for one of its sides, or the inner edge of its border.
* :func:`find_lines` looks for each of the 180 pieces of line between neighbouring crossings. It looks near
  the place of the piece, and follows a whole line at once, so that a digit beside a piece doesn't mislead it.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY, Array, Homography
from sudoku_vision.ranks import median, quantile
from sudoku_vision.values import Image
from sudoku_vision.vision.locate.surface import CELL, MARGIN, NEAR_REACH, RIM, SIDE

Sums = NDArray[np.int16]  # sums of a few pixels of the flat view

# The next constants are for profiles; lengths are in pixels of the flat view.
HALF_WIDTHS = (1, 2, 4)  # half the widths of the lines that the line filter finds; the last is a heavy border
FINE = 15  # the unit of the line filter is 1/15 of a grey level: it takes means of one, three and five pixels
FLANK = 2  # the paper beside a line is measured at this distance from the edge of the line
PARTS = 5  # a piece of line is divided into this many narrow strips: a digit or a crossing line spoils two
STRIP = CELL // PARTS  # width of a narrow strip
GAPS = 6
"""In a clean picture, the sixth lightest of the CELL pixels of a piece of line tells whether it is dark.

Of 160 grids on screens, full of candidates, 3 are found at a wrong place with the sixth lightest pixel, 2
with the fifth, and 8 with the median.
"""
NEARLY_ALL = 0.95
"""The share that counts as nearly all.

A line's full depth is this quantile of all profiles; deeper places count as this depth.
"""

# The next constants are for even lines.
MIN_GAIN = 1.15  # a moved proposal must show at least this many times as much line as the original proposal
WIDENED = 3  # pixels to which a line is widened, so that a place between two pixels shows its full depth, too
_SHIFTS = np.arange(-(CELL // 2) + 1, CELL // 2) / CELL  # shifts, in cells, of less than half a cell each way
_STARTS = np.repeat(_SHIFTS, len(_SHIFTS))
_ENDS = 9 + np.tile(_SHIFTS, len(_SHIFTS))
_STAY = len(_STARTS) // 2
_LINES = _STARTS[:, None] + (_ENDS - _STARTS)[:, None] * np.arange(10) / 9
_EVEN_LINES = np.clip(np.rint(MARGIN + CELL * _LINES).astype(int), 0, SIDE - 1).T.copy()
"""Places of ten even lines for each combination of a start and an end, (10, N)."""

# The next constants are for pieces of line.
BOX = 3  # every third line is a line between boxes
USUAL = 0.3  # quantile of the depths of all pieces that is the usual depth: more than 30 % have no digit near
MIN_USUAL = 1.0
"""Smallest usual depth, in grey levels; it keeps the noise of a blank picture from being magnified."""
CLIP = 2.0  # a dark place counts as at most this many usual depths: what is deeper is a digit
STEP_COST = 0.1  # cost, in median depths, if a line moves aside by one pixel from one piece to the next
NEIGHBOURHOOD = 5  # of so many neighbouring pieces, the second lowest depth is taken as the depth of the line


def line_profiles(view: Image) -> Array:
    """Return the line profiles of a flat *view* (SIDE, SIDE): (2, 9 strips of cells, SIDE), row lines first.

    Each strip of cells is divided into five narrow strips. The profile of each narrow strip is filtered: a
    step from light to dark gives nothing, a line gives its depth. The result is the median of the five
    profiles. A digit or a crossing line hardly changes this median.
    """
    across = np.stack([cv2.transpose(view)[MARGIN:-MARGIN], view[MARGIN:-MARGIN]]).astype(np.int16)
    narrow = across.reshape(-1, STRIP, SIDE).sum(axis=1, dtype=np.int16)  # OpenCV is twice as fast on int16
    parts = line_filter(narrow).reshape(2, 9, PARTS, SIDE).transpose(2, 0, 1, 3)
    return np.asarray(median_of_five(*parts) / (FINE * STRIP))


def clean_profiles(view: Image) -> Array:
    """Return the line profiles of a flat *view* without noise, in the shape of :func:`line_profiles`.

    Without noise, a piece of line has nearly no gaps. But a column of candidates has gaps, so it isn't taken
    for a line. Candidates beside a line don't make the line seem less deep.
    """
    across = np.stack([view.T[MARGIN:-MARGIN], view[MARGIN:-MARGIN]]).reshape(18, CELL, SIDE)
    lightest = np.partition(across, CELL - GAPS, axis=1)[:, CELL - GAPS].astype(np.int16)
    return np.asarray(line_filter(lightest).reshape(2, 9, SIDE) / FINE)


def median_of_five(a: Sums, b: Sums, c: Sums, d: Sums, e: Sums) -> Sums:
    """Return the median of five arrays, element by element; comparing is ten times as fast as sorting."""
    a, b = np.minimum(a, b), np.maximum(a, b)
    c, d = np.minimum(c, d), np.maximum(c, d)
    one, other = np.maximum(a, c), np.minimum(b, d)  # these two enclose the median of the four
    return np.asarray(np.minimum(np.maximum(np.minimum(one, other), e), np.maximum(one, other)))


def line_filter(profiles: Sums) -> Sums:
    """Return how deep a dark line is at each place of *profiles*, (M, N) int16; each row is one profile.

    The depth is the darker of the line's two sides minus its middle. It is computed for several widths of
    lines, and the largest is returned. The unit of the result is 1 / FINE of the unit of *profiles*. The
    *profiles* may be sums of up to seven pixels; larger sums would exceed int16.
    """
    most, length = max(HALF_WIDTHS) + FLANK, profiles.shape[1]
    padded = np.asarray(cv2.copyMakeBorder(profiles, 0, 0, most, most, cv2.BORDER_REPLICATE), np.int16)
    fine = padded * np.int16(FINE)

    def moved(values: Sums, by: int) -> Sums:
        return values[:, most + by : most + by + length]

    depths, middle = [], profiles
    for width in HALF_WIDTHS:
        half, reach = width // 2, width + FLANK
        if half:  # this middle is one pixel wider at either end than the middle of the last width
            # OpenCV, unlike NumPy, is as fast on parts of rows as on whole rows.
            ends = cv2.add(moved(padded, -half), moved(padded, half))
            middle = np.asarray(cv2.add(middle, ends), np.int16)
        sides = cv2.min(moved(fine, -reach), moved(fine, reach))
        depths.append(cv2.subtract(sides, middle * np.int16(FINE // (2 * half + 1))))
    return np.asarray(cv2.max(cv2.max(depths[0], depths[1]), depths[2]), np.int16)


def lines_beyond(view: Image) -> Array:
    """Return the depths (4, 10) with which ten lines go on outside each side, in the order of ``SIDES``."""
    wide = MARGIN - RIM  # the line along a side may cover the pixels next to it
    strips = np.stack([view.T[-wide:], view[-wide:], view.T[:wide], view[:wide]])
    near = round(NEAR_REACH * CELL)
    window = MARGIN + CELL * np.arange(10)[:, None] + np.arange(-near, near + 1)
    depths = line_filter(strips.sum(axis=1, dtype=np.int16))[:, window]
    return np.asarray(depths.max(axis=2) / (FINE * wide))


@dataclass(frozen=True, eq=False)
class EvenLines:
    """Ten evenly spaced lines each way, at the place near a proposal where most line is seen.

    ``stretching`` (3, 3) moves and stretches the proposal to this place, in lattice units. ``contrast`` (2,),
    row lines first, is the mean depth on the even lines, divided by the mean depth of all places. It is about
    1 for noise.
    """

    stretching: Homography
    contrast: tuple[float, float]


def best_even_lines(profiles: Array) -> EvenLines:
    """Return the ten evenly spaced lines each way that show the most line near a rough proposal.

    *profiles* are what :func:`line_profiles` returns. In each direction, the lines are moved and stretched,
    by less than half a cell at either end. A direction in which this gains little stays as it is.
    """
    deep = quantile(profiles, NEARLY_ALL)
    ridge = np.clip(profiles, 0, max(deep, TINY)).mean(axis=1)
    wide = cv2.dilate(ridge, np.ones((1, WIDENED), np.uint8))
    down, across = (_best_stretch(line) for line in wide)
    stretching = np.array([[across[1], 0, across[0]], [0, down[1], down[0]], [0, 0, 1]])
    return EvenLines(stretching, (down[2], across[2]))


def _best_stretch(ridge: Array) -> tuple[float, float, float]:
    """Return start, step and contrast of the ten even lines that show most depth in *ridge* (SIDE,).

    The start is the place of the first line, the step the distance of two lines, both in cells.
    """
    seen = ridge.take(_EVEN_LINES).sum(axis=0)
    best = int(seen.argmax())
    contrast = float(seen[best] / 10 / max(float(ridge.mean()), TINY))
    if seen[best] < MIN_GAIN * seen[_STAY]:
        best = _STAY
    return float(_STARTS[best]), float((_ENDS[best] - _STARTS[best]) / 9), contrast


@dataclass(frozen=True, eq=False)
class LineEvidence:
    """What is seen of each piece of line: ``offset`` and ``strength``, arrays (2, 10, 9).

    The offset is the distance of a piece from its place, in cells; the strength is its depth in grey levels.
    The first index is 0 for row lines (offset in v) and 1 for column lines (offset in u). The second index is
    the line, the third the piece along the line. ``inside`` (2, 10, 9) is 1 if a piece lies in the picture, 0
    if it lies on the picture's edge, and -1 if it lies outside.
    """

    offset: Array
    strength: Array
    inside: NDArray[np.int8]

    def levelled(self) -> "LineEvidence":
        """Return the evidence with no piece much stronger than its neighbours along the line.

        Such a piece is a digit: it may be far deeper than the line, or stand where no line is drawn at all.
        """
        beside = NEIGHBOURHOOD // 2
        padded = np.pad(self.strength, ((0, 0), (0, 0), (beside, beside)), mode="reflect")
        near = np.lib.stride_tricks.sliding_window_view(padded, NEIGHBOURHOOD, axis=2)
        usual = np.maximum(np.sort(near, axis=3)[..., 1], MIN_USUAL)
        return replace(self, strength=np.minimum(self.strength, CLIP * usual))


def find_lines(profiles: Array, reach: float, inside: NDArray[np.int8]) -> LineEvidence:
    """Return what is seen of each piece of line in *profiles*, at most *reach* cells from its place.

    To find the path of a line, depths far above the usual depth are compressed, because digits are black even
    where lines are faint.
    """
    radius = max(1, round(reach * CELL))
    seen = profiles.take(_window_places(radius))
    deepest = seen.max(axis=1)
    clip = CLIP * max(quantile(deepest, USUAL), MIN_USUAL)
    best = _smoothest_path(_clipped(seen, clip), _clipped(deepest, clip))
    top, found = _top_of_parabola(seen, best)
    strength = np.where(inside > 0, _by_line(found), 0)
    return LineEvidence((_by_line(top) - radius) / CELL, strength, inside)


def _clipped(depth: Array, limit: float) -> Array:
    """Return *depth* compressed: nearly unchanged while it is small, and always below the *limit*."""
    return depth / (1 + np.maximum(depth, 0) / limit)


@lru_cache
def _window_places(radius: int) -> NDArray[np.intp]:
    """Return for each piece of line the places up to *radius* pixels from it, (9, W, 20).

    A place is a flat index into profiles (2, 9, SIDE). The first axis is the piece along a line, the second
    the W places, the third the line: ten row lines, then ten column lines. With this order of axes, all lines
    are followed at once.
    """
    lines = MARGIN + CELL * np.arange(10)
    places = np.clip(np.arange(-radius, radius + 1)[:, None] + lines, 0, SIDE - 1)  # the shape is (W, 10)
    profile = SIDE * np.arange(18).reshape(2, 9, 1, 1)
    return np.asarray((profile + places).transpose(1, 2, 0, 3).reshape(9, 2 * radius + 1, 20), np.intp)


def _by_line(values: Array) -> Array:
    """Return values (9, 20) of pieces of line as an array (2, 10, 9), ordered as in :class:`LineEvidence`."""
    return np.ascontiguousarray(values.T).reshape(2, 10, 9)


def _smoothest_path(seen: Array, deepest: Array) -> NDArray[np.int64]:
    """Return the path of each line: the place (9, 20) of each of its pieces in the windows *seen* (9, W, 20).

    *deepest* (9, 20) is the largest depth in each window. A path has the greatest total depth, minus a cost
    for every step aside; so a digit or another line nearby doesn't divert the path. It is found by dynamic
    programming, for both halves of a line at once, from its ends to its middle and back.
    """
    step = np.arange(seen.shape[1])
    cost = STEP_COST * median(deepest) * (step[:, None] - step) ** 2
    inwards = np.concatenate([seen[:5], seen[:3:-1]], axis=2)  # (5, W, 40): both halves hold the middle piece
    totals = [inwards[0]]
    for piece in inwards[1:]:
        totals.append(piece + (totals[-1][:, None] - cost[..., None]).max(axis=0))
    halves = totals.pop()
    middle = (halves[:, :20] + halves[:, 20:] - seen[4]).argmax(axis=0)
    outwards = [np.concatenate([middle, middle])]
    for total in reversed(totals):
        outwards.append((total - cost.take(outwards[-1], axis=1)).argmax(axis=0))
    paths = np.array(outwards)
    return np.concatenate([paths[:0:-1, :20], paths[:, 20:]])


def _top_of_parabola(seen: Array, best: NDArray[np.int64]) -> tuple[Array, Array]:
    """Return the places (9, 20) of lines between pixels, and the depths (9, 20) at their *best* pixels.

    *seen* (9, W, 20) are the windows; *best* (9, 20) are the places of the lines in them, as whole pixels.
    The top of a parabola through the depths at a best pixel and its two neighbours gives the exact place.
    """
    size, lines = seen.shape[1:]
    flat = seen.ravel()
    inner = np.minimum(np.maximum(best, 1), size - 2)
    at = (np.arange(9)[:, None] * size + inner) * lines + np.arange(lines)
    left, top, right = flat.take(at - lines), flat.take(at), flat.take(at + lines)
    bend = left - 2 * top + right
    curved = np.abs(bend) > TINY
    shift = np.where(curved, 0.5 * (left - right) / np.where(curved, bend, 1), 0.0)
    place = np.where(best == inner, best + np.minimum(np.maximum(shift, -0.5), 0.5), best)
    return place, flat.take(at + (best - inner) * lines)
