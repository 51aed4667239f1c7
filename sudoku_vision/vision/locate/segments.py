"""Proposals from straight pieces of line, for grids whose lines are broken, faint or without a border.

The pieces (found by the line segment detector of Grompone von Gioi et al., 2010) are joined to longer lines
and parted into two families by their direction. Lines of one family that cross those of the other make a web.
All rows of a grid begin and end at its left and right side, all columns at its top and bottom, whether a
border is drawn there or not: so the ends of the web's lines tell its four sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array, Homography, Points, cross, homography_of_grid, is_convex
from sudoku_vision.results import Image
from sudoku_vision.vision.locate.outline import upright

MIN_PIECE = 0.018
"""Shortest piece, as a share of the picture's longer side."""
MAX_PIECES = 1500
"""Most pieces that are joined."""
FAMILY_WIDTH = np.radians(18)
"""How far the directions within a family may lie apart, half of it: lines converge in perspective."""
MIN_ANGLE = np.radians(40)
"""Least angle between the two families of a grid."""
JOIN_DISTANCE = 0.004
"""How far a piece may lie beside the line it belongs to, as a share of the picture's longer side."""
BINS = 90
"""Bins of the histogram of directions."""
MAX_PEAKS = 3
"""Directions that are tried against one another."""
SPREAD = 0.5
"""How much wider a line is searched per its own length further on: its direction is not exact."""
MOST_BESIDE = 3
"""Widest that it is searched, in join distances: further on lies the next line."""
BEYOND = 0.08
"""How far beyond its ends a line still crosses others, in its own lengths."""
END_TOLERANCE = 0.03
"""How far a line may end from the side that it runs to, in lengths of a line."""
MIN_LINES = 3
"""Least lines of each family that make a web."""
LONG = 0.6
"""Share of a web's long lines from which a line counts as running from side to side."""
LONGEST = 0.9
"""Quantile of the lengths that is a long line's: the very longest may run on into print beside the grid."""
WIDE = 0.2
"""Least distance of two ends for a line through them, as a share of the greatest: near ones misdirect."""
_NEVER_ZERO = 1e-9  # in place of a divisor below it: parallel lines cross nowhere near


def segment_proposals(grey: Image) -> Iterator[Homography]:
    """Propose grids from the straight pieces of line of a grey picture (H, W) uint8."""
    side = max(grey.shape)
    pieces = find_pieces(grey, MIN_PIECE * side)
    if len(pieces) < 2 * MIN_LINES:
        return
    for rows, columns in families(pieces):
        one = join(rows, JOIN_DISTANCE * side)
        other = join(columns, JOIN_DISTANCE * side)
        for first, second in webs(one, other):
            corners = web_corners(first, second)
            if corners is not None:
                yield upright(homography_of_grid(corners))


def find_pieces(grey: Image, least: float) -> Points:
    """Return the straight pieces of at least *least* pixels, longest first: (N, 2, 2) of end points."""
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(grey)[0]
    if found is None:
        return np.zeros((0, 2, 2))
    pieces = np.asarray(found, np.float64).reshape(-1, 2, 2)
    lengths = np.linalg.norm(pieces[:, 1] - pieces[:, 0], axis=1)
    order = np.argsort(-lengths, kind="stable")[:MAX_PIECES]
    return np.asarray(pieces[order[lengths[order] >= least]])


def families(pieces: Array) -> Iterator[tuple[Array, Array]]:
    """Yield pairs of families of pieces, by the strongest directions that lie well across one another."""
    step = pieces[:, 1] - pieces[:, 0]
    angle = np.arctan2(step[:, 1], step[:, 0]) % np.pi
    length = np.hypot(step[:, 0], step[:, 1])
    histogram, _ = np.histogram(angle, bins=BINS, range=(0, np.pi), weights=length)
    reach = round(BINS * FAMILY_WIDTH / np.pi / 2)
    smooth = np.sum([np.roll(histogram, shift) for shift in range(-reach, reach + 1)], axis=0)
    peaks: list[float] = []
    for place in np.argsort(-smooth, kind="stable").tolist():
        direction = (place + 0.5) * np.pi / BINS
        if all(_apart(direction, peak) > FAMILY_WIDTH for peak in peaks):
            peaks.append(direction)
        if len(peaks) == MAX_PEAKS:
            break
    for one, other in combinations(peaks, 2):
        if _apart(one, other) > MIN_ANGLE:
            yield pieces[_apart(angle, one) < FAMILY_WIDTH], pieces[_apart(angle, other) < FAMILY_WIDTH]


def _apart(one: Any, other: float) -> Any:
    """Return the angle between directions in radians, 0 to pi / 2."""
    return np.abs((one - other + np.pi / 2) % np.pi - np.pi / 2)


def join(pieces: Array, distance: float) -> Array:
    """Join pieces (N, 2, 2), longest first, that lie within *distance* pixels of one line: (M, 2, 2).

    All lines point the same way along their family.
    """
    if not len(pieces):
        return pieces
    along = pieces[0, 1] - pieces[0, 0]
    flip = (pieces[:, 1] - pieces[:, 0]) @ along < 0
    pieces = np.where(flip[:, None, None], pieces[:, ::-1], pieces)
    free = np.ones(len(pieces), bool)
    joined = []
    for seed in range(len(pieces)):
        if not free[seed]:
            continue
        start, direction = pieces[seed, 0], pieces[seed, 1] - pieces[seed, 0]
        direction = direction / np.linalg.norm(direction)
        offset = pieces - start
        beside = np.abs(cross(offset, direction)).max(axis=1)
        place = offset @ direction
        slack = distance * (1 + SPREAD * np.abs(place).max(axis=1) / max(place[seed, 1], 1e-6))
        mine = free & (beside < np.minimum(slack, MOST_BESIDE * distance))
        free[mine] = False
        joined.append(start + np.array([[place[mine].min()], [place[mine].max()]]) * direction)
    return np.array(joined)


def webs(one: Array, other: Array) -> Iterator[tuple[Array, Array]]:
    """Yield lines that hang together by crossing: (N, 2, 2) of *one* family, (M, 2, 2) of the *other*."""
    if min(len(one), len(other)) < MIN_LINES:
        return
    crosses = _crossings(one, other)
    free = crosses.sum(axis=1) >= MIN_LINES
    while free.any():
        rows = np.arange(len(one)) == np.flatnonzero(free)[0]
        for _ in range(len(one)):
            columns = crosses[rows].any(axis=0)
            grown = rows | crosses[:, columns].any(axis=1)
            if (grown == rows).all():
                break
            rows = grown
        free &= ~rows
        if min(rows.sum(), columns.sum()) >= MIN_LINES:
            yield one[rows], other[columns]


def _crossings(one: Array, other: Array) -> NDArray[np.bool_]:
    """Return which lines of two families cross, (N, M), a little beyond their ends included."""
    start, step = one[:, None, 0], (one[:, 1] - one[:, 0])[:, None]
    begin, stride = other[None, :, 0], (other[:, 1] - other[:, 0])[None]
    turn = cross(step, stride)
    turn = np.where(np.abs(turn) < _NEVER_ZERO, _NEVER_ZERO, turn)
    gap = begin - start
    here = cross(gap, stride) / turn
    there = cross(gap, step) / turn
    low, high = -BEYOND, 1 + BEYOND
    return np.asarray((here > low) & (here < high) & (there > low) & (there < high))


def web_corners(rows: Points, columns: Points) -> Points | None:
    """Return the four corners (4, 2) of the sides on which the lines of a web end, or None."""
    sides = []
    for lines in (rows, columns):
        lengths = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
        long = lines[lengths > LONG * np.quantile(lengths, LONGEST)]
        if len(long) < MIN_LINES:
            return None
        tolerance = END_TOLERANCE * float(np.median(np.linalg.norm(long[:, 1] - long[:, 0], axis=1)))
        sides += [_common_line(long[:, 0], tolerance), _common_line(long[:, 1], tolerance)]
    left, right, top, bottom = sides
    corners = np.array(
        [np.cross(a, b) for a, b in ((left, top), (right, top), (right, bottom), (left, bottom))]
    )
    if (np.abs(corners[:, 2]) < _NEVER_ZERO).any():
        return None
    points = corners[:, :2] / corners[:, 2:]
    return points if is_convex(points) else None


def _common_line(points: Array, tolerance: float) -> Array:
    """Return the line (a, b, c) of ax + by + c = 0 on which most of *points* (N, 2) lie."""
    first, second = np.triu_indices(len(points), 1)
    spread = points[second] - points[first]
    length = np.linalg.norm(spread, axis=1)
    wide = length > WIDE * length.max()
    first, spread, length = first[wide], spread[wide], length[wide]
    normal = np.stack([-spread[:, 1], spread[:, 0]], axis=1) / length[:, None]
    level = (normal * points[first]).sum(axis=1)
    distance = np.abs(points @ normal.T - level)
    best = int(np.clip(1 - distance / tolerance, 0, None).sum(axis=0).argmax())
    return np.array([*normal[best], -level[best]])
