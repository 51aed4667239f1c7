"""Outlines of the pieces of a mask."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sudoku_vision.results import Image
from sudoku_vision.vision.locate.contours import Contour, outer_hulls

LEAST_SIDE = 25


def blots(seed: int) -> Image:
    """A mask of patches of all sizes, many of them touching at corners, within frames and within holes."""
    rng = np.random.default_rng(seed)
    mask: Image = np.zeros((300, 400), np.uint8)
    for _ in range(1500):
        x, y = rng.integers(0, 390), rng.integers(0, 290)
        width, height = rng.integers(1, 8, 2)
        mask[y : y + height, x : x + width] = rng.choice([0, 255])
    for _ in range(6):
        x, y, size = rng.integers(0, 300), rng.integers(0, 200), rng.integers(30, 90)
        cv2.rectangle(mask, (int(x), int(y)), (int(x + size), int(y + size)), 255, 2)
        mask[y + 4 : y + size - 4, x + 4 : x + size - 4] = 0
        mask[y + 8 : y + size - 8, x + 8 : x + size - 8] = 255
    return mask


def as_text(hulls: list[Contour]) -> list[str]:
    """Hulls in any order, each begun anywhere."""
    return sorted(str(sorted(hull.reshape(-1, 2).tolist())) for hull in hulls)


@pytest.mark.parametrize("seed", range(8))
def test_hulls_are_those_of_the_outer_contours(seed: int) -> None:
    mask = blots(seed)
    contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    outer = [contour for contour, place in zip(contours, tree[0], strict=True) if place[3] < 0]
    large = [one for one in outer if min(cv2.boundingRect(one)[2:]) >= LEAST_SIDE]
    assert as_text(outer_hulls(mask, LEAST_SIDE)) == as_text([cv2.convexHull(one) for one in large])
