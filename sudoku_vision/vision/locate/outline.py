"""Propose grids from outlines: the lines of a grid are connected ink, whose convex hull has four corners.

An outline is found even if few inner lines are seen. If a grid has no outer border, and only the four lines
between its boxes are drawn, the hull has eight corners: the ends of these lines.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import (
    GRID_CORNERS,
    MIRROR,
    QUARTER_TURN,
    Anywhere,
    Homography,
    Points,
    cross,
    fit_homography,
    homography_of_grid,
    project,
    side_lengths,
)
from sudoku_vision.values import Image

Contour = NDArray[Any]  # the outline (N, 1, 2) of a connected piece of a mask, or its hull, in whole pixels

MAX_PIECES = 25_000
"""A mask shows texture if it has more connected pieces and holes than this. Dense print has 15,000, and a
noisy photo has 20,000."""
TEXTURE = 5  # side, in pixels, of the median filter that removes texture

MAX_OUTLINES = 12  # at most this many hulls of a mask are proposed, the largest ones: pages have few grids
COARSENESS = (0.02, 0.03, 0.045, 0.06, 0.08, 0.1)
"""Greatest distance between a hull and its simplified polygon, as a share of the hull's perimeter.
The values are tried in this order until the polygon has at most four corners."""
MIN_SIDE_RATIO = 0.15
"""The shortest side of a grid has at least this share of the longest side, even in a very oblique view."""
_ENDS = np.array([[3.0, 0], [6, 0], [9, 3], [9, 6], [6, 9], [3, 9], [0, 6], [0, 3]])
"""The eight ends of the lines between boxes, in lattice units. If a grid has no outer border, these ends are
the corners of its hull."""
_TURNS = [np.linalg.matrix_power(QUARTER_TURN, turns) for turns in range(4)]


def outer_hulls(mask: Image, min_side: float = 0.0) -> list[Contour]:
    """Return the convex hulls (N, 1, 2) of all connected pieces of a mask (H, W) uint8, the largest first.

    A piece is left out if the width or height of its upright bounding box is less than *min_side* pixels. It
    is also left out if its hull has fewer than three corners, because then it is a thin straight line. Pieces
    inside a hole of another piece are returned, too.
    """
    contours, points, starts = _contours(mask)
    if not contours:
        return []
    sizes = np.maximum.reduceat(points, starts) - np.minimum.reduceat(points, starts) + 1
    large = [
        (int(sizes[one].prod()), np.asarray(cv2.convexHull(contours[one])))
        for one in np.flatnonzero(sizes.min(axis=1) >= min_side).tolist()
        if cv2.contourArea(contours[one], oriented=True) <= 0  # it isn't a hole
    ]
    return [hull for _, hull in sorted(large, key=lambda item: -item[0]) if len(hull) >= 3]


def sized_contours(mask: Image, min_area: float) -> list[tuple[float, Contour]]:
    """Return the area and the outer contour (N, 1, 2) of each connected piece of a mask (H, W) uint8.

    The area is that inside the contour, in square pixels. Pieces with an area below *min_area* are left
    out, and so are pieces whose contour has fewer than four points.
    """
    contours, points, starts = _contours(mask)
    if not contours:
        return []
    ends = np.append(starts[1:], len(points))
    following = np.roll(points, -1, axis=0)
    following[ends - 1] = points[starts]
    areas = np.add.reduceat(cross(following, points), starts) / 2
    some = np.flatnonzero(areas >= min_area).tolist()  # holes have areas < 0
    return [(float(areas[one]), contours[one]) for one in some if len(contours[one]) >= 4]


def has_too_many_pieces(mask: Image) -> bool:
    """Return whether a mask (H, W) uint8 shows texture: more than ``MAX_PIECES`` pieces and holes.

    The pieces and holes are counted by their upper ends: runs of pixels that touch no pixel of the same piece
    or hole in the row above. This is faster than finding their contours.
    """
    if _count_runs(mask) <= MAX_PIECES:  # there can't be more pieces than runs: each piece has at least one
        return False
    paper = cv2.bitwise_not(mask)
    touched = cv2.dilate(mask[:-1], np.ones((1, 3), np.uint8))
    pieces = cv2.bitwise_and(mask[1:], cv2.bitwise_not(touched))
    holes = cv2.bitwise_and(paper[1:], mask[:-1])
    return _count_runs(pieces) + _count_runs(holes) > MAX_PIECES


def _count_runs(mask: Anywhere) -> int:
    """Return the number of runs in the rows of a mask (H, W): sequences of pixels with the value 255."""
    return cv2.countNonZero(cv2.compare(mask[:, 1:], mask[:, :-1], cv2.CMP_GT))


def _contours(mask: Image) -> tuple[Sequence[Contour], NDArray[np.int32], NDArray[np.intp]]:
    """Return the N contours of all connected pieces of a mask, and of the holes in these pieces.

    Also return one array (M, 2) with the points of all contours, and the index (N,) of the first point of
    each contour. So thousands of contours of a textured page can be measured without a loop.

    A mask that shows texture is smoothed first. If it still shows texture, no contours are returned. OpenCV
    isn't asked how the contours are nested, because the time for this grows with the square of their number.
    """
    if has_too_many_pieces(mask):
        mask = np.asarray(cv2.medianBlur(mask, TEXTURE), np.uint8)
        if has_too_many_pieces(mask):
            mask = np.zeros_like(mask)
    contours: Sequence[Contour] = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]
    starts = np.cumsum([0, *map(len, contours)])[:-1]
    points = np.concatenate(contours)[:, 0] if contours else np.zeros((0, 2), np.int32)
    return contours, points, starts


def outline_proposals(ink: Image, min_side: float) -> Iterator[Homography]:
    """Yield proposals of grids: homographies from lattice units to pixels, from the hulls of connected ink.

    *ink* is a mask (H, W) uint8, 255 where there is ink. A piece of ink is left out if the width or height of
    its upright bounding box is less than *min_side* pixels. A piece of ink inside another piece is used, too,
    because the dark edge of a phone surrounds everything on its screen.
    """
    for hull in outer_hulls(ink, min_side)[:MAX_OUTLINES]:
        corners = _hull_corners(hull)
        if corners is not None:
            yield upright(homography_of_grid(corners))
        ends = cv2.approxPolyDP(hull, COARSENESS[0] * cv2.arcLength(hull, True), True)[:, 0]
        if len(ends) == len(_ENDS):
            fitted = (fit_homography(_ENDS, np.roll(ends, turn, axis=0)) for turn in range(2))
            yield from (upright(homography) for homography in fitted if homography is not None)


def upright(homography: Homography) -> Homography:
    """Return a homography of the same grid. It isn't mirrored, and its rows run from left to right."""
    first, second, third, fourth = project(GRID_CORNERS, homography)
    right, down = second + third - first - fourth, third + fourth - first - second
    if cross(right, down) < 0:
        homography = homography @ MIRROR
        right = down
    turns = round(float(np.arctan2(right[1], right[0])) / (np.pi / 2))
    return np.asarray(homography @ _TURNS[-turns % 4])


def _hull_corners(hull: Contour) -> Points | None:
    """Return the four corners (4, 2) of a simplified *hull*, or None if the hull is very narrow.

    If the hull can't be simplified to four corners, those of the smallest rectangle around it are returned.
    """
    perimeter = cv2.arcLength(hull, True)
    for share in COARSENESS:
        corners = cv2.approxPolyDP(hull, share * perimeter, True)
        if len(corners) <= 4:
            break
    if len(corners) != 4:
        corners = cv2.boxPoints(cv2.minAreaRect(hull))
    quad = np.asarray(corners, np.float64).reshape(4, 2)
    sides = side_lengths(quad)
    return None if sides.min() < MIN_SIDE_RATIO * sides.max() else quad
