"""Written digits are set upright: slanted and narrow ones come out like straight ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.handwriting import set_upright


def seven(slant: float, width: float) -> Floats:
    """A 7 of 28 pixels, sheared by *slant* and *width* pixels wide."""
    image = np.zeros((28, 28), np.float32)
    for (x1, y1), (x2, y2) in (((-0.5, -9), (0.5, -9)), ((0.5, -9), (-0.2, 9))):
        ends = [(round(14 + width * x - slant * y), round(14 + y)) for x, y in ((x1, y1), (x2, y2))]
        cv2.line(image, ends[0], ends[1], 1.0, 3, cv2.LINE_AA)
    return np.clip(image, 0, 1)


def likeness(one: Floats, other: Floats) -> float:
    return float((one * other).sum() / np.sqrt((one**2).sum() * (other**2).sum()))


@pytest.mark.parametrize("slant", [-0.4, 0.4])
def test_slant_is_taken_out(slant: float) -> None:
    straight, slanted = set_upright(np.stack([seven(0.0, 12), seven(slant, 12)]))
    assert likeness(straight, slanted) > 0.9
    assert likeness(seven(0.0, 12), seven(slant, 12)) < 0.75


def test_a_narrow_digit_is_widened() -> None:
    narrow = seven(0.0, 6)
    (wide,) = set_upright(narrow[None])
    assert (wide > 0.5).any(axis=0).sum() > (narrow > 0.5).any(axis=0).sum()
    assert (wide > 0.5).any(axis=1).sum() == pytest.approx((narrow > 0.5).any(axis=1).sum(), abs=1)


def test_blank_glyphs_and_none_at_all_pass() -> None:
    assert not set_upright(np.zeros((2, 28, 28), np.float32)).any()
    assert set_upright(np.zeros((0, 28, 28), np.float32)).shape == (0, 28, 28)
