"""Pieces: the outlines of what hangs together in a mask, of those pieces alone that are large enough.

Of a mask of many small pieces, as a page of dots or of squared paper has, the small ones are sorted out by
their boxes before any outline is traced: that takes a fraction of the time, and gives the same outlines. Of
few pieces the outlines are traced right away. A mask that is all texture is smoothed first.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Anywhere
from sudoku_vision.results import Image

Contour = NDArray[Any]
"""The outline (N, 1, 2) of a piece of a mask, or its hull, in whole pixels."""

MAX_PIECES = 25_000
"""Pieces and holes of a mask from which on it is texture: a dense page has 15,000, a noisy photo 20,000."""
TEXTURE = 5
"""Side, in pixels, of the median that takes texture away."""
CROWDED = 0.045
"""Runs of a mask's rows, for each of its pixels, from which on small pieces are sorted out before tracing."""


def outer_hulls(mask: Image, least_side: float = 0.0) -> list[Contour]:
    """Return the hulls (N, 1, 2) of all connected pieces of a mask (H, W) uint8, the largest first.

    Both sides of the upright box round a piece are at least *least_side* pixels. Pieces within the holes of
    others count as well, straight lines of single pixels don't.
    """
    mask, is_crowded = _without_texture(mask)
    contours = _contours_of_large(mask, least_side) if is_crowded else _linked_runs(mask, least_side)
    hulls = [np.asarray(cv2.convexHull(contour)) for contour in contours]
    return sorted((hull for hull in hulls if len(hull) >= 3), key=_box_area, reverse=True)


def sized_contours(mask: Image, least: float, most: float) -> list[tuple[float, Contour]]:
    """Return the outer contours (N, 1, 2) of the pieces of a mask (H, W) uint8 with their areas, in no order.

    Areas are those within the contours, from *least* to *most* square pixels. Pieces of less than four points
    are left out.
    """
    mask, is_crowded = _without_texture(mask)
    if is_crowded:
        mask = _without_hopeless(mask, least, most)
    sized = [(-cv2.contourArea(contour, True), contour) for contour in _contours(mask) if len(contour) >= 4]
    return [(size, contour) for size, contour in sized if least <= size <= most]  # holes: below 0


def has_too_many_pieces(mask: Image, runs: int | None = None) -> bool:
    """Tell whether a mask (H, W) uint8 is texture, by where its pieces and their holes begin, from above.

    *runs*: how many runs of 255 its rows have, where they are counted already.
    """
    runs = _count_runs(mask) if runs is None else runs
    return runs > MAX_PIECES and _count_starts(mask) > MAX_PIECES


def _without_texture(mask: Image) -> tuple[Image, bool]:
    """Return what is coarser than texture in a mask, and whether it is crowded with pieces all the same.

    Nothing is left of a mask that is all texture, as of noise and of fine dots.
    """
    runs = _count_runs(mask)
    if has_too_many_pieces(mask, runs):
        mask = np.asarray(cv2.medianBlur(mask, TEXTURE), np.uint8)
        runs = _count_runs(mask)
        if has_too_many_pieces(mask, runs):
            return np.zeros_like(mask), False
    return mask, runs > CROWDED * mask.size


def _count_runs(mask: Anywhere) -> int:
    """Return how many runs of 255 the rows of a mask (H, W) uint8 have: no fewer than it has pieces."""
    return cv2.countNonZero(cv2.compare(mask[:, 1:], mask[:, :-1], cv2.CMP_GT))


def _count_starts(mask: Image) -> int:
    """Return at how many places a piece of a mask (H, W) uint8, or a hole, may begin, from above."""
    paper = cv2.bitwise_not(mask)
    touched = cv2.dilate(mask[:-1], np.ones((1, 3), np.uint8))
    pieces = cv2.bitwise_and(mask[1:], cv2.bitwise_not(touched))
    holes = cv2.bitwise_and(paper[1:], mask[:-1])
    return _count_runs(pieces) + _count_runs(holes)


def _contours(mask: Image) -> list[Contour]:
    """Return the contours of all pieces of a mask and of their holes.

    The tree of what lies in which hole isn't asked for: finding it takes time by the square of their number.
    """
    return list(cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0])


def _linked_runs(mask: Image, least_side: float) -> list[Contour]:
    """Return outlines of the pieces whose boxes have sides of at least *least_side* pixels.

    They go from the end of each row's run straight to that of the next: their hulls are those of contours,
    and they are found in half the time. Two points a row at least tell most of them to be small.
    """
    outlines = cv2.findContoursLinkRuns(mask)[0]
    large = [one for one in outlines if len(one) >= 2 * least_side and _is_large(one, least_side)]
    return [np.concatenate([one[:1], one[:0:-1]]) for one in large]  # as contours run: so hulls begin alike


def _is_large(outline: Contour, least_side: float) -> bool:
    """Tell whether the box of linked runs is large enough, and they are no hole: these run anti-clockwise."""
    _, _, width, height = cv2.boundingRect(outline)
    return min(width, height) >= least_side and cv2.contourArea(outline, oriented=True) >= 0


def _box_area(contour: Contour) -> int:
    _, _, width, height = cv2.boundingRect(contour)
    return width * height


def _labelled(mask: Image) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the number of each pixel's piece (H, W), 0 for none, and the box and size of each: (N, 5)."""
    _, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(mask, 8, cv2.CV_32S, cv2.CCL_BBDT)
    return np.asarray(labels, np.int32), np.asarray(stats, np.int32)


def _contours_of_large(mask: Image, least_side: float) -> list[Contour]:
    """Return the outer contours of the pieces whose boxes have sides of at least *least_side* pixels."""
    labels, stats = _labelled(mask)
    contours = []
    for number in (np.flatnonzero(stats[1:, 2:4].min(axis=1) >= least_side) + 1).tolist():
        x, y, width, height, _ = stats[number].tolist()
        alone = (labels[y : y + height, x : x + width] == number).view(np.uint8)
        found, _ = cv2.findContours(alone, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x, y))
        contours += found
    return contours


def _without_hopeless(mask: Image, least: float, most: float) -> Image:
    """Return a mask without the pieces whose contours can't have an area from *least* to *most*.

    A contour runs through the middles of pixels, and encloses no more than their box. By Pick's theorem its
    area is that of all pixels, less half of those on it and one, and so more than half of their number.
    """
    labels, stats = _labelled(mask)
    boxes = (stats[:, 2] - 1) * (stats[:, 3] - 1)
    hopeful = (boxes >= least) & (stats[:, 4] <= 2 * (most + 1))
    hopeful[0] = False
    return np.take(hopeful.view(np.uint8), labels)
