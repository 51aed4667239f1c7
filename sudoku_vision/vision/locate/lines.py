"""Lines: measure on the flat view of a grid how deep its lines are, and where each piece of line lies.

A *profile* shows how strongly a dark line runs at each place across a strip of cells. All depths are in grey
levels: how much darker a line is than the darker of its two sides. The profiles serve twice:

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
from sudoku_vision.vision.locate.surface import CELL, MARGIN, SIDE

Sums = NDArray[np.int16]  # sums of a few pixels of the flat view

# Profiles; lengths are in pixels of the flat view.
HALF_WIDTHS = (1, 2, 4)  # half the widths of lines that the line filter finds: up to a heavy border
FINE = 15  # the line filter counts in such parts of a grey level: it takes means of one, three and five
FLANK = 2  # distance beyond a line's half width at which the paper beside it is measured
PARTS = 5  # narrow strips into which a piece of line is divided: a digit or a crossing line spoils two
STRIP = CELL // PARTS  # width of such a strip
GAPS = 6
"""Pixels of a piece of line, of CELL, that may be as light as paper in a clean picture. Of 160 screens full
of candidates, the median misplaced 8, this misplaces 3; with 5 pixels it is 2."""
NEARBY = np.arange(-2, 3)  # a line's depth is looked for within a tenth of a cell of its place
CROSSING_GAP = MARGIN // 3  # left out beyond a side, because the line along that side has its width there

# Even lines.
MIN_GAIN = 1.15  # a moved proposal must show so many times as much line as the original one
FULL_DEPTH = 0.95  # quantile of all profiles that is a line's full depth: deeper digits count no more
WIDENED = 3  # pixels to which a line is widened, so that places between pixels lose nothing
_SHIFTS = np.arange(-(CELL // 2) + 1, CELL // 2) / CELL  # cells: just under half a cell to either side
_STARTS = np.repeat(_SHIFTS, len(_SHIFTS))
_ENDS = 9 + np.tile(_SHIFTS, len(_SHIFTS))
_STAY = len(_STARTS) // 2
_LINES = _STARTS[:, None] + (_ENDS - _STARTS)[:, None] * np.arange(10) / 9
_EVEN_LINES = np.clip(np.rint(MARGIN + CELL * _LINES).astype(int), 0, SIDE - 1).T.copy()
"""Places of ten even lines for each combination of a start and an end, (10, N)."""

# Pieces of line.
BOX = 3  # every third line is one between boxes
USUAL = 0.3  # quantile of the pieces' depths that is the usual depth: more than 30 % have no digit near
MIN_USUAL = 1.0
"""Grey levels: the usual depth is never lower, so that the noise of a blank picture isn't magnified."""
CLIP = 2.0  # a dark place counts at most as much as so many usual lines, however dark it is
STEP_COST = 0.1  # cost, in typical depths, if a line moves aside by one pixel from one piece to the next
NEIGHBOURHOOD = 5  # pieces along a line whose depths give its depth there: all but one reach it


def line_profiles(view: Image) -> Array:
    """Return the line profiles of a flat *view* (SIDE, SIDE): (2, 9 strips of cells, SIDE), row lines first.

    Each strip of cells is divided into five narrow ones. The profile across each narrow strip is filtered: a
    step from light to dark gives nothing, a line gives its depth. The result is the median of the five. A
    digit or a crossing line hardly changes this median.
    """
    across = np.stack([cv2.transpose(view)[MARGIN:-MARGIN], view[MARGIN:-MARGIN]]).astype(np.int16)
    narrow = across.reshape(-1, STRIP, SIDE).sum(axis=1, dtype=np.int16)  # OpenCV is twice as fast on int16
    parts = line_filter(narrow).reshape(2, 9, PARTS, SIDE).transpose(2, 0, 1, 3)
    return np.asarray(median_of_five(*parts) / (FINE * STRIP))


def clean_profiles(view: Image) -> Array:
    """Return the line profiles of a flat *view* without noise, as :func:`line_profiles` does.

    Here a piece of line runs unbroken. A column of candidates has gaps, and leaves nothing; nor do candidates
    beside a line make it seem less deep.
    """
    across = np.stack([view.T[MARGIN:-MARGIN], view[MARGIN:-MARGIN]]).reshape(18, CELL, SIDE)
    lightest = np.partition(across, CELL - GAPS, axis=1)[:, CELL - GAPS].astype(np.int16)
    return np.asarray(line_filter(lightest).reshape(2, 9, SIDE) / FINE)


def median_of_five(a: Sums, b: Sums, c: Sums, d: Sums, e: Sums) -> Sums:
    """Return the median of five arrays of one shape by comparisons, ten times as fast as by sorting."""
    a, b = np.minimum(a, b), np.maximum(a, b)
    c, d = np.minimum(c, d), np.maximum(c, d)
    one, other = np.maximum(a, c), np.minimum(b, d)  # the middle two of the four
    return np.asarray(np.minimum(np.maximum(np.minimum(one, other), e), np.maximum(one, other)))


def line_filter(profiles: Sums) -> Sums:
    """Return the depth of a dark line at each place of *profiles* (M, N) int16, which run rightwards: (M, N).

    The depth is the darker of its two sides minus its middle, the largest over several line widths. It is
    counted in parts of 1 / FINE. The *profiles* are sums of up to seven pixels.
    """
    most, length = max(HALF_WIDTHS) + FLANK, profiles.shape[1]
    padded = np.asarray(cv2.copyMakeBorder(profiles, 0, 0, most, most, cv2.BORDER_REPLICATE), np.int16)
    fine = padded * np.int16(FINE)

    def moved(values: Sums, by: int) -> Sums:
        return values[:, most + by : most + by + length]

    depths, middle = [], profiles
    for width in HALF_WIDTHS:
        half, reach = width // 2, width + FLANK
        if half:  # one pixel wider at either end than the last width
            # Unlike NumPy, OpenCV is as fast on rows that are parts of longer ones.
            ends = cv2.add(moved(padded, -half), moved(padded, half))
            middle = np.asarray(cv2.add(middle, ends), np.int16)
        sides = cv2.min(moved(fine, -reach), moved(fine, reach))
        depths.append(cv2.subtract(sides, middle * np.int16(FINE // (2 * half + 1))))
    return np.asarray(cv2.max(cv2.max(depths[0], depths[1]), depths[2]), np.int16)


def lines_beyond(view: Image) -> Array:
    """Return how strongly the ten lines run on beyond each side, (4, 10): right, left, bottom, top."""
    wide = MARGIN - CROSSING_GAP
    strips = np.stack([view.T[-wide:], view.T[:wide], view[-wide:], view[:wide]])
    window = MARGIN + CELL * np.arange(10)[:, None] + NEARBY
    depths = line_filter(strips.sum(axis=1, dtype=np.int16))[:, window]
    return np.asarray(depths.max(axis=2) / (FINE * wide))


@dataclass(frozen=True, eq=False)
class EvenLines:
    """Ten even lines each way, moved and stretched to the place near a proposal where most line is seen.

    ``stretching`` (3, 3) moves the proposal there, in lattice units. ``contrast`` (2,), row lines first:
    the mean depth on the even lines, divided by the mean depth of all places; noise has about 1.
    """

    stretching: Homography
    contrast: tuple[float, float]


def best_even_lines(profiles: Array) -> EvenLines:
    """Return the ten even lines each way that show the most line near a rough proposal.

    *profiles* are those of :func:`line_profiles`. Each direction is moved and stretched, at most by half a
    cell at either end. The proposal stays if that is nearly as good.
    """
    deep = quantile(profiles, FULL_DEPTH)
    ridge = np.clip(profiles, 0, max(deep, TINY)).mean(axis=1)
    wide = cv2.dilate(ridge, np.ones((1, WIDENED), np.uint8))
    down, across = (_best_stretch(line) for line in wide)
    stretching = np.array([[across[1], 0, across[0]], [0, down[1], down[0]], [0, 0, 1]])
    return EvenLines(stretching, (down[2], across[2]))


def _best_stretch(ridge: Array) -> tuple[float, float, float]:
    """Return start and step, in cells, of the ten even lines that cover most of *ridge* (SIDE,).

    The third number is their contrast.
    """
    seen = ridge.take(_EVEN_LINES).sum(axis=0)
    best = int(seen.argmax())
    contrast = float(seen[best] / 10 / max(float(ridge.mean()), TINY))
    if seen[best] < MIN_GAIN * seen[_STAY]:
        best = _STAY
    return float(_STARTS[best]), float((_ENDS[best] - _STARTS[best]) / 9), contrast


@dataclass(frozen=True, eq=False)
class LineEvidence:
    """The ``offset`` of each piece of line in cells, and its ``strength`` in grey levels, (2, 10, 9) each.

    The first index is 0 for row lines (offset in v) and 1 for column lines (offset in u), then the line, then
    the piece along it. ``inside`` is 1 if a piece lies in the picture, 0 on its edge, -1 beyond.
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
    """Return the evidence of each piece of line in *profiles*, within *reach* cells of its place.

    Depths far above the usual one are compressed, because digits are black even where lines are faint.
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
    """Return the flat indices into profiles (2, 9, SIDE) within *radius* pixels of each piece, (9, W, 20).

    The first index is the piece along a line, the last one the line: ten row lines, then ten column lines.
    This order allows following all lines at once.
    """
    lines = MARGIN + CELL * np.arange(10)
    places = np.clip(np.arange(-radius, radius + 1)[:, None] + lines, 0, SIDE - 1)  # (W, 10)
    profile = SIDE * np.arange(18).reshape(2, 9, 1, 1)
    return np.asarray((profile + places).transpose(1, 2, 0, 3).reshape(9, 2 * radius + 1, 20), np.intp)


def _by_line(values: Array) -> Array:
    """Return values (9, 20) of pieces of line in the order of :class:`LineEvidence`, (2, 10, 9)."""
    return np.ascontiguousarray(values.T).reshape(2, 10, 9)


def _smoothest_path(seen: Array, deepest: Array) -> NDArray[np.int64]:
    """Return the path of each line through the windows of its pieces, (9, W, 20) to (9, 20).

    *deepest* (9, 20) is the largest depth in each window. By dynamic programming it is the path with the
    greatest total depth, minus a cost for every step aside; so a digit or another line nearby doesn't divert
    it. Both halves of a line are computed at once, from its ends to its middle and back.
    """
    step = np.arange(seen.shape[1])
    cost = STEP_COST * median(deepest) * (step[:, None] - step) ** 2
    inwards = np.concatenate([seen[:5], seen[:3:-1]], axis=2)  # (5, W, 40), the middle piece twice
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
    """Return the tops of parabolas through the *best* values and their neighbours, and these values, (9, 20).

    *seen* (9, W, 20) are the windows; *best* (9, 20) are places in them.
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
