"""Contours: the outlines of what hangs together in a mask, of those pieces alone that are large enough.

A mask that is all texture, as of noise and of fine dots, is smoothed before any outline is traced: their
number bounds the time that a picture takes.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Anywhere
from sudoku_vision.results import Image

Contour = NDArray[Any]  # the outline (N, 1, 2) of a piece of a mask, or its hull, in whole pixels

MAX_PIECES = 25_000
"""Pieces and holes of a mask from which on it is texture: a dense page has 15,000, a noisy photo 20,000."""
TEXTURE = 5  # side, in pixels, of the median that takes texture away


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
