"""Measure the depth of a grid's lines on its flat view, and find where each piece of line lies.

The *flat view* is a small straightened picture of a grid. The *depth* of a line is the number of grey levels
by which the line is darker than the darker of its two sides. A black line on white paper has a large depth. A
faint line has a small depth.

A *profile* runs along a column or row of cells, and crosses the ten lines of the other direction. At each of
its pixels, the profile holds the depth of a line at this place. Two functions use the profiles:

* :func:`best_even_lines` moves and stretches a rough proposal as a whole. This is needed if a side of the
  proposal lies on a frame around the grid, or on the inner edge of the grid's border.
* :func:`find_lines` looks for each of the 180 pieces of line between neighbouring crossings, near the place
  where the piece is expected. The nine pieces of a line are searched together. If each piece were searched
  alone, a digit beside a piece would be taken for the line.
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
HALF_WIDTHS = (1, 2, 4)
"""Half the widths of the lines that the line filter finds. The 4 is for a heavy border."""
FINE = 15
"""The unit of the line filter is 1 / FINE of a grey level. In this unit, means of one, three and five pixels
are whole numbers."""
FLANK = 2  # distance from the edge of a line, in pixels, at which the paper beside the line is measured
PARTS = 5  # number of strips of a piece of line: a digit or a crossing line changes at most two of them
STRIP = CELL // PARTS  # width of a strip, in pixels
GAPS = 6
"""In a picture without noise, a piece of line has the grey level of its GAPS-th lightest pixel. The piece has
CELL pixels. So up to five of them can be lighter than the line, like the gaps of a dotted line.

Of 160 grids on screens, full of small candidate digits, 3 are found at a wrong place with the sixth lightest
pixel, 2 with the fifth, and 8 with the median.
"""
NEARLY_ALL = 0.95
"""Wherever comments say "nearly all", at least this share is meant.

:func:`best_even_lines` also uses it: depths above this quantile of all depths are lowered to the quantile.
"""

# The next constants are for ten evenly spaced lines.
MIN_GAIN = 1.15  # the ten lines are moved only if their total depth becomes larger by at least this factor
WIDENED = 3
"""A line that is one pixel wide is widened to this many pixels. If the place of an evenly spaced line is
between two pixels, it is rounded to one of them. The widened line shows its full depth at both pixels."""
_SHIFTS = np.arange(-(CELL // 2) + 1, CELL // 2) / CELL  # shifts of a line, in cells: less than half a cell
_STARTS = np.repeat(_SHIFTS, len(_SHIFTS))
_ENDS = 9 + np.tile(_SHIFTS, len(_SHIFTS))
_EVEN_LINES = np.clip(np.rint(MARGIN + CELL * np.linspace(_STARTS, _ENDS, 10)).astype(int), 0, SIDE - 1)
"""The places (10, N), in pixels, of ten evenly spaced lines. There is one column for each pair of a shift of
the first line and a shift of the last line."""

# The next constants are for pieces of line.
BOX = 3  # every third line is a line between boxes
USUAL = 0.3
"""The usual depth of lines is this quantile of the depths of all pieces of line. Pieces with a digit
beside them have larger depths, but they are fewer than 70 % of all pieces."""
MIN_STRENGTH = 2.0
"""A piece of line is seen only if its depth is larger than this, in grey levels. Camera noise is weaker.

If the usual depth of lines is smaller, this value replaces it. So the noise of a blank picture isn't
magnified.
"""
CLIP = 2.0
"""Depths are lowered to at most this multiple of the usual depth: digits have larger depths than lines."""
STEP_COST = 0.1  # cost if the next piece lies one pixel farther to the side, as a share of the median depth
NEIGHBOURHOOD = 5
"""Number of pieces that are compared: a piece and its neighbours along the line. The second smallest depth of
these pieces is the usual depth of the line there."""


def line_profiles(view: Image) -> Array:
    """Return the profiles (2, 9, SIDE) of a flat *view* (SIDE, SIDE).

    A profile holds a depth for each of SIDE pixels: how much darker a line at this pixel is than both of its
    sides. The first nine profiles cross the row lines, one in each column of cells. The other nine profiles
    cross the column lines, one in each row of cells.

    For a profile, the row or column of cells is divided lengthwise into five narrow strips. The line filter
    computes the depth in each strip. A step from light to dark has the depth 0. The profile is the median of
    these five depths. A digit or a crossing line hardly changes this median.
    """
    across = np.stack([cv2.transpose(view)[MARGIN:-MARGIN], view[MARGIN:-MARGIN]]).astype(np.int16)
    narrow = across.reshape(-1, STRIP, SIDE).sum(axis=1, dtype=np.int16)  # OpenCV is twice as fast on int16
    parts = line_filter(narrow).reshape(2, 9, PARTS, SIDE).transpose(2, 0, 1, 3)
    return np.asarray(median_of_five(*parts) / (FINE * STRIP))


def clean_profiles(view: Image) -> Array:
    """Return profiles like those of :func:`line_profiles`, for a flat *view* of a picture without noise.

    In such a picture, a piece of line has nearly no gaps. But a column of small candidate digits has gaps. So
    these profiles don't show a column of digits as a line. The digits don't lower the depth of a line beside
    them, either.
    """
    across = np.stack([view.T[MARGIN:-MARGIN], view[MARGIN:-MARGIN]]).reshape(18, CELL, SIDE)
    # The lightest pixels so far, the lightest first. With NumPy's partition, this would take 4 times as long.
    lightest: list[Image] = []
    for pixel in across.transpose(1, 0, 2):
        for place, lighter in enumerate(lightest):
            lightest[place], pixel = np.maximum(lighter, pixel), np.minimum(lighter, pixel)
        if len(lightest) < GAPS:
            lightest.append(pixel)
    return np.asarray(line_filter(lightest[-1].astype(np.int16)).reshape(2, 9, SIDE) / FINE)


def median_of_five(a: Sums, b: Sums, c: Sums, d: Sums, e: Sums) -> Sums:
    """Return the median of five arrays, element by element.

    Only minima and maxima of pairs are computed. This is ten times as fast as sorting.
    """
    a, b = np.minimum(a, b), np.maximum(a, b)
    c, d = np.minimum(c, d), np.maximum(c, d)
    one, other = np.maximum(a, c), np.minimum(b, d)  # the median of a, b, c and d lies between these two
    return np.asarray(np.minimum(np.maximum(np.minimum(one, other), e), np.maximum(one, other)))


def line_filter(profiles: Sums) -> Sums:
    """Return the depth of a dark line at each place of *profiles*, an array (M, N) int16.

    Here, each row of *profiles* holds the grey levels across the lines. The depth of a line is the grey level
    of its darker side, minus the mean grey level of the line itself. The depth is computed for lines of
    several widths, and the largest depth is returned. The result is in units of 1 / FINE of a grey level. The
    values of *profiles* can also be sums of up to seven pixels; larger sums would exceed int16.
    """
    most, length = max(HALF_WIDTHS) + FLANK, profiles.shape[1]
    padded = np.asarray(cv2.copyMakeBorder(profiles, 0, 0, most, most, cv2.BORDER_REPLICATE), np.int16)
    fine = padded * np.int16(FINE)

    def moved(values: Sums, by: int) -> Sums:
        return values[:, most + by : most + by + length]

    depths, middle = [], profiles
    for width in HALF_WIDTHS:
        half, reach = width // 2, width + FLANK
        if half:  # the middle of the line grows by one pixel on each side: from 1 to 3, and then to 5 pixels
            # OpenCV adds parts of rows as fast as whole rows. NumPy adds parts of rows more slowly.
            ends = cv2.add(moved(padded, -half), moved(padded, half))
            middle = np.asarray(cv2.add(middle, ends), np.int16)
        sides = cv2.min(moved(fine, -reach), moved(fine, reach))
        depths.append(cv2.subtract(sides, middle * np.int16(FINE // (2 * half + 1))))
    return np.asarray(cv2.max(cv2.max(depths[0], depths[1]), depths[2]), np.int16)


def lines_beyond(view: Image) -> Array:
    """Return the depths (4, 10) of lines outside the grid: at each side, of the ten lines that end there.

    The depth is how dark a line is. The order of the sides is that of ``SIDES``. *view* (SIDE, SIDE) is the
    flat view, with a margin outside the grid.
    """
    wide = MARGIN - RIM  # RIM pixels beside the grid are left out: the line along the side may cover them
    strips = np.stack([view.T[-wide:], view[-wide:], view.T[:wide], view[:wide]])
    near = round(NEAR_REACH * CELL)
    window = MARGIN + CELL * np.arange(10)[:, None] + np.arange(-near, near + 1)
    depths = line_filter(strips.sum(axis=1, dtype=np.int16))[:, window]
    return np.asarray(depths.max(axis=2) / (FINE * wide))


def best_even_lines(profiles: Array) -> tuple[Homography, float]:
    """Find the ten evenly spaced lines in each direction that have the largest total depth (darkness).

    *profiles* is the result of :func:`line_profiles` for a rough proposal. In each direction, the first and
    the last line of the proposal are moved by less than half a cell. The lines of a direction stay where they
    are if their total depth would grow by less than the factor :data:`MIN_GAIN`.

    There are two results. The first is a matrix (3, 3) in lattice units. It moves and stretches the proposal
    to the lines that were found. The second is the sum of the contrast of row lines and the contrast of
    column lines. A contrast is the mean depth on the lines, divided by the mean depth at all places. It is
    about 1 for noise.
    """
    deep = quantile(profiles, NEARLY_ALL)
    ridge = np.clip(profiles, 0, max(deep, TINY)).mean(axis=1)
    wide = cv2.dilate(ridge, np.ones((1, WIDENED), np.uint8))
    down, across = (_best_stretch(line) for line in wide)
    stretching = np.array([[across[1], 0, across[0]], [0, down[1], down[0]], [0, 0, 1]])
    return stretching, down[2] + across[2]


def _best_stretch(ridge: Array) -> tuple[float, float, float]:
    """Return the start, step and contrast of the ten evenly spaced lines with the largest total depth.

    *ridge* (SIDE,) holds the depth (darkness) at each pixel across the lines. The start is the place of the
    first line, and the step is the distance between two lines, both in cells. For the contrast, see
    :func:`best_even_lines`.
    """
    seen = ridge.take(_EVEN_LINES).sum(axis=0)
    best = int(seen.argmax())
    contrast = float(seen[best] / 10 / max(float(ridge.mean()), TINY))
    stay = len(seen) // 2
    if seen[best] < MIN_GAIN * seen[stay]:
        best = stay
    return float(_STARTS[best]), float((_ENDS[best] - _STARTS[best]) / 9), contrast


@dataclass(frozen=True, eq=False)
class LineEvidence:
    """What is seen of each of the 180 pieces of line of a grid, as arrays (2, 10, 9).

    A piece is the part of a line between two neighbouring crossings. ``offset`` is its distance from its
    expected place, in cells. ``strength`` is its depth: by how many grey levels it is darker than its sides.
    ``inside`` is 1 if the piece lies in the picture, 0 if it lies on the picture's edge, and -1 if it lies
    outside. The first index is 0 for row lines (offset downwards) and 1 for column lines (offset to the
    right). The second index is the line, and the third is the piece along the line.
    """

    offset: Array
    strength: Array
    inside: NDArray[np.int8]

    def levelled(self) -> "LineEvidence":
        """Return a copy of this evidence in which no piece is much stronger than its neighbours on the line.

        A piece that is much stronger than its neighbours is a digit. It can even stand where no line is
        drawn. Its strength is lowered to ``CLIP`` times the usual strength of the line there (see
        ``NEIGHBOURHOOD``).
        """
        beside = NEIGHBOURHOOD // 2
        padded = np.pad(self.strength, ((0, 0), (0, 0), (beside, beside)), mode="reflect")
        near = np.lib.stride_tricks.sliding_window_view(padded, NEIGHBOURHOOD, axis=2)
        usual = np.maximum(np.sort(near, axis=3)[..., 1], MIN_STRENGTH)
        return replace(self, strength=np.minimum(self.strength, CLIP * usual))


def find_lines(profiles: Array, reach: float, inside: NDArray[np.int8]) -> LineEvidence:
    """Search each piece of line within *reach* cells of its expected place, and return what is seen of it.

    *profiles* is the result of :func:`line_profiles`. *inside* (2, 10, 9) says whether a piece lies in the
    picture, as in :class:`LineEvidence`. Digits are black even where lines are faint. So depths far above the
    usual depth are compressed before the path of a line is searched.
    """
    radius = max(1, round(reach * CELL))
    seen = profiles.take(_window_places(radius))
    deepest = seen.max(axis=1)
    clip = CLIP * max(quantile(deepest, USUAL), MIN_STRENGTH)
    best = _smoothest_path(_clipped(seen, clip), _clipped(deepest, clip))
    top, found = _top_of_parabola(seen, best)
    strength = np.where(inside > 0, _by_line(found), 0)
    return LineEvidence((_by_line(top) - radius) / CELL, strength, inside)


def _clipped(depth: Array, limit: float) -> Array:
    """Return *depth*, compressed: small depths hardly change, and large depths stay below *limit*."""
    return depth / (1 + np.maximum(depth, 0) / limit)


@lru_cache
def _window_places(radius: int) -> NDArray[np.intp]:
    """Return the window (9, W, 20) of each piece of line: the W places at most *radius* pixels from it.

    A place is a flat index into profiles (2, 9, SIDE). The first axis of the result is the piece along a
    line, the second is the place in the window, and the third is the line: ten row lines, then ten column
    lines. In this order, NumPy handles all 20 lines in one step.
    """
    lines = MARGIN + CELL * np.arange(10)
    places = np.clip(np.arange(-radius, radius + 1)[:, None] + lines, 0, SIDE - 1)  # the shape is (W, 10)
    profile = SIDE * np.arange(18).reshape(2, 9, 1, 1)
    return np.asarray((profile + places).transpose(1, 2, 0, 3).reshape(9, 2 * radius + 1, 20), np.intp)


def _by_line(values: Array) -> Array:
    """Return values (9, 20) of pieces of line as an array (2, 10, 9), ordered as in :class:`LineEvidence`."""
    return np.ascontiguousarray(values.T).reshape(2, 10, 9)


def _smoothest_path(seen: Array, deepest: Array) -> NDArray[np.int64]:
    """Return the paths of the 20 lines: the place (9, 20) of each piece of line in its window.

    *seen* (9, W, 20) holds the depths (darkness) in the window of each piece. *deepest* (9, 20) is the
    largest depth in each window. Each step aside from one piece to the next has a cost, which keeps the path
    away from a digit or another line nearby. The path with the largest total depth minus the costs is
    returned. Dynamic programming finds this path: it runs from both ends of a line to the middle piece, and
    then traces the best places back.
    """
    step = np.arange(seen.shape[1])
    cost = STEP_COST * median(deepest) * (step[:, None] - step) ** 2
    # (5, W, 40): each of the 20 lines as two halves of five pieces, from its ends to its middle piece.
    inwards = np.concatenate([seen[:5], seen[:3:-1]], axis=2)
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
    """Return the exact place (9, 20) of each piece of line, in fractions of pixels, and its depth (9, 20).

    *seen* (9, W, 20) holds the depths in the window of each piece. *best* (9, 20) is the place of the piece
    in its window, in whole pixels. The exact place is the top of a parabola through the depths at this pixel
    and its two neighbours. The returned depth is the depth at the pixel *best*.
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
