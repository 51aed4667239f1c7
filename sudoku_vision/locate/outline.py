"""Proposals from outlines: the ink of a grid hangs together, and the hull of that piece has four corners.

This needs few inner lines.
"""

from __future__ import annotations

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
    homography_of_grid,
    project,
    side_lengths,
)
from sudoku_vision.results import Image

Contour = NDArray[Any]
"""The outline (N, 1, 2) of a piece of a mask, in whole pixels."""

MAX_OUTLINES = 12
"""Most outlines that are proposed from one mask, the largest first: a page has few grids."""
COARSENESS = (0.02, 0.03, 0.045, 0.06, 0.08, 0.1)
"""How far a hull's corners may be cut off, in perimeters: tried one by one until four or fewer are left."""
LEAST_KEPT = 0.7
"""Share of a hull's area that its four corners must keep; else the smallest rectangle round it is taken."""
MAX_PIECES = 25_000
"""Pieces and holes of a mask from which on it is texture: a dense page has 15,000, a noisy photo 20,000."""
TEXTURE = 5
"""Side, in pixels, of the median that takes texture away."""
LEAST_SIDE = 0.15
"""Shortest side as a share of the longest: a grid seen ever so steeply has more."""
_MIDDLE_AND_STEPS = np.array([[4.5, 4.5], [5.5, 4.5], [4.5, 5.5]])
"""A grid's middle, a place to its right and one below, in lattice units."""


def outline_proposals(ink: Image, min_side: float) -> Iterator[Homography]:
    """Propose grids from the hulls of connected ink in a mask (H, W) uint8, 255 where there is ink.

    Both sides of the upright box round the ink are at least *min_side* pixels. Ink within other ink counts,
    too: the dark edge of a telephone runs round all that it shows.
    """
    large = []
    for contour in contours_of(ink):
        _, _, width, height = cv2.boundingRect(contour)
        if width >= min_side and height >= min_side and not _is_hole(contour):
            large.append((width * height, contour))
    large.sort(key=lambda item: -item[0])
    for _, contour in large[:MAX_OUTLINES]:
        corners = _hull_corners(cv2.convexHull(contour))
        if corners is not None:
            yield upright(homography_of_grid(corners))


def outer_contours(mask: Image) -> list[Contour]:
    """Return the outer contours (N, 1, 2) of all connected pieces of a mask (H, W) uint8.

    Pieces within the holes of others count as well, those of less than four points don't.
    """
    return [contour for contour in contours_of(mask) if not _is_hole(contour)]


def contours_of(mask: Image) -> list[Contour]:
    """Return the contours (N, 1, 2) of all connected pieces of a mask (H, W) uint8, and of their holes.

    Those of less than four points are left out. The tree of what lies in which hole isn't asked for: finding
    it takes time by the square of their number. Of a mask that is all texture, as of noise and of fine dots,
    only what is coarser counts.
    """
    if has_too_many_pieces(mask):
        mask = np.asarray(cv2.medianBlur(mask, TEXTURE), np.uint8)
        if has_too_many_pieces(mask):
            return []
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    return [contour for contour in contours if len(contour) >= 4]


def has_too_many_pieces(mask: Image) -> bool:
    """Tell whether a mask (H, W) uint8 is texture, by where its pieces and their holes begin, from above."""
    if _count_runs(mask) <= MAX_PIECES:
        return False
    paper = cv2.bitwise_not(mask)
    touched = cv2.dilate(mask[:-1], np.ones((1, 3), np.uint8))
    pieces = cv2.bitwise_and(mask[1:], cv2.bitwise_not(touched))
    holes = cv2.bitwise_and(paper[1:], mask[:-1])
    return _count_runs(pieces) + _count_runs(holes) > MAX_PIECES


def _count_runs(mask: Anywhere) -> int:
    """Return how many runs of 255 the rows of a mask (H, W) uint8 have: no fewer than it has pieces."""
    return int(np.count_nonzero(mask[:, 1:] > mask[:, :-1]))


def _is_hole(contour: Contour) -> bool:
    """Tell whether a contour runs round a hole: clockwise, where that of a piece runs the other way."""
    return float(cv2.contourArea(contour, oriented=True)) > 0


def upright(homography: Homography) -> Homography:
    """Return the homography of the same grid, not mirrored, its rows as nearly rightwards as can be."""
    centre, right, down = project(_MIDDLE_AND_STEPS, homography)
    right, down = right - centre, down - centre
    if cross(right, down) < 0:
        homography = homography @ MIRROR
        right = down
    turns = round(float(np.arctan2(right[1], right[0])) / (np.pi / 2))
    return np.asarray(homography @ np.linalg.matrix_power(QUARTER_TURN, -turns % 4))


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
