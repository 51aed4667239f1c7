"""Proposals from outlines: the ink of a grid hangs together, and the hull of that piece has four corners.

This needs few inner lines. Where those between boxes are all, the hull has eight corners, their ends.
"""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import (
    MIRROR,
    QUARTER_TURN,
    Anywhere,
    Homography,
    Points,
    area,
    cross,
    fit_homography,
    homography_of_grid,
    project,
    side_lengths,
)
from sudoku_vision.results import Image

Contour = NDArray[Any]  # the outline (N, 1, 2) of a piece of a mask, or its hull, in whole pixels

MAX_PIECES = 25_000
"""Pieces and holes of a mask from which on it is texture: a dense page has 15,000, a noisy photo 20,000."""
TEXTURE = 5  # side, in pixels, of the median that takes texture away

MAX_OUTLINES = 12  # most outlines that are proposed from one mask, the largest first: a page has few grids
COARSENESS = (0.02, 0.03, 0.045, 0.06, 0.08, 0.1)
"""How far a hull's corners may be cut off, in perimeters: tried one by one until four or fewer are left."""
LEAST_KEPT = 0.7
"""Share of a hull's area that its four corners must keep; else the smallest rectangle round it is taken."""
LEAST_SIDE = 0.15  # shortest side as a share of the longest: a grid seen ever so steeply has more
_ENDS = np.array([[3.0, 0], [6, 0], [9, 3], [9, 6], [6, 9], [3, 9], [0, 6], [0, 3]])
"""Where the lines between boxes end, in lattice units: without a border, these are the corners of a hull."""
_TURNS = [np.linalg.matrix_power(QUARTER_TURN, turns) for turns in range(4)]
_MIDDLE_AND_STEPS = np.array([[4.5, 4.5], [5.5, 4.5], [4.5, 5.5]])
"""A grid's middle, a place to its right and one below, in lattice units."""


def outer_hulls(mask: Image, least_side: float = 0.0) -> list[Contour]:
    """Return the hulls (N, 1, 2) of all connected pieces of a mask (H, W) uint8, the largest first.

    Both sides of the upright box round a piece are at least *least_side* pixels. Pieces within the holes of
    others count as well, straight lines of single pixels don't.
    """
    sized = [(cv2.boundingRect(contour)[2:], contour) for contour in _contours(mask)]
    large = [
        (width * height, np.asarray(cv2.convexHull(contour)))
        for (width, height), contour in sized
        if min(width, height) >= least_side and cv2.contourArea(contour, oriented=True) <= 0  # no hole
    ]
    return [hull for _, hull in sorted(large, key=lambda item: -item[0]) if len(hull) >= 3]


def sized_contours(mask: Image, least: float, most: float) -> list[tuple[float, Contour]]:
    """Return the outer contours (N, 1, 2) of the pieces of a mask (H, W) uint8 with their areas, in no order.

    Areas are those within the contours, from *least* to *most* square pixels. Pieces of less than four points
    are left out.
    """
    long = [contour for contour in _contours(mask) if len(contour) >= 4]
    sized = [(-cv2.contourArea(contour, oriented=True), contour) for contour in long]
    return [(size, contour) for size, contour in sized if least <= size <= most]  # holes: below 0


def has_too_many_pieces(mask: Image) -> bool:
    """Tell whether a mask (H, W) uint8 is texture, by where its pieces and their holes begin, from above."""
    if _count_runs(mask) <= MAX_PIECES:  # no fewer than it has pieces
        return False
    paper = cv2.bitwise_not(mask)
    touched = cv2.dilate(mask[:-1], np.ones((1, 3), np.uint8))
    pieces = cv2.bitwise_and(mask[1:], cv2.bitwise_not(touched))
    holes = cv2.bitwise_and(paper[1:], mask[:-1])
    return _count_runs(pieces) + _count_runs(holes) > MAX_PIECES


def _count_runs(mask: Anywhere) -> int:
    """Return how many runs of 255 the rows of a mask (H, W) uint8 have."""
    return cv2.countNonZero(cv2.compare(mask[:, 1:], mask[:, :-1], cv2.CMP_GT))


def _contours(mask: Image) -> list[Contour]:
    """Return the contours of all pieces of a mask and of their holes; nothing of a mask that is all texture.

    The tree of what lies in which hole isn't asked for: finding it takes time by the square of their number.
    """
    if has_too_many_pieces(mask):
        mask = np.asarray(cv2.medianBlur(mask, TEXTURE), np.uint8)
        if has_too_many_pieces(mask):
            return []
    return list(cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0])


def outline_proposals(ink: Image, min_side: float) -> Iterator[Homography]:
    """Propose grids from the hulls of connected ink in a mask (H, W) uint8, 255 where there is ink.

    Both sides of the upright box round the ink are at least *min_side* pixels. Ink within other ink counts,
    too: the dark edge of a telephone runs round all that it shows.
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
    """Return the homography of the same grid, not mirrored, its rows as nearly rightwards as can be."""
    centre, right, down = project(_MIDDLE_AND_STEPS, homography)
    right, down = right - centre, down - centre
    if cross(right, down) < 0:
        homography = homography @ MIRROR
        right = down
    turns = round(float(np.arctan2(right[1], right[0])) / (np.pi / 2))
    return np.asarray(homography @ _TURNS[-turns % 4])


def _hull_corners(hull: Contour) -> Points | None:
    """Return the four corners (4, 2) that a hull has when it is seen coarsely, or None for a sliver."""
    perimeter = cv2.arcLength(hull, True)
    for share in COARSENESS:
        corners = cv2.approxPolyDP(hull, share * perimeter, True)
        if len(corners) <= 4:
            break
    if len(corners) != 4 or area(corners) < LEAST_KEPT * area(hull):
        corners = cv2.boxPoints(cv2.minAreaRect(hull))
    quad = np.asarray(corners, np.float64).reshape(4, 2)
    sides = side_lengths(quad)
    return None if sides.min() < LEAST_SIDE * sides.max() else quad
