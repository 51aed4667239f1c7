"""Glyphs: the digit is cut out of its cell without anything near it, and set upright."""

import cv2
import numpy as np
import pytest

from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.glyphs import cut_glyphs
from sudoku_vision.vision.digits.strokes import set_upright


def cell_with(*boxes: tuple[int, int, int, int]) -> tuple[bool, tuple[float, ...]]:
    """Whether a glyph is found in a cell of 40 pixels inked in *boxes*, and its own box in pixels."""
    cells = np.zeros((81, 40, 40), np.float32)
    for left, top, right, bottom in boxes:
        cells[0, top:bottom, left:right] = 1
    glyphs = cut_glyphs(cells)
    return bool(glyphs.found[0]), tuple(float(side) for side in np.round(40 * glyphs.box[0]))


DIGIT = (14, 10, 26, 30)


@pytest.mark.parametrize(
    ("what", "box"),
    [
        ("a mark in the corner", (3, 3, 9, 11)),
        ("a line along the edge", (0, 35, 40, 38)),
        ("a digit that reaches in from next door", (36, 10, 40, 30)),
    ],
)
def test_what_lies_near_a_digit_is_no_part_of_it(what: str, box: tuple[int, int, int, int]) -> None:
    assert cell_with(DIGIT, box) == cell_with(DIGIT)
    assert not cell_with(box)[0], what


def test_the_dot_of_a_broken_stroke_belongs_to_its_digit() -> None:
    found, box = cell_with((14, 10, 26, 24), (18, 27, 23, 32))
    assert found
    assert box[3] > 30


def test_a_glyph_is_as_large_and_strong_wherever_it_is_and_however_faint() -> None:
    cells = np.zeros((81, 40, 40), np.float32)
    cells[0, 10:30, 14:26] = 1
    cells[1, 12:28, 15:25] = 0.5
    glyphs = cut_glyphs(cells)
    for image in glyphs.images[:2]:
        rows = np.flatnonzero(image.max(axis=1) > 0.5)
        assert np.ptp(rows) + 1 == pytest.approx(22, abs=2)
        assert image.max() == pytest.approx(1)


SLOPE = np.broadcast_to(np.linspace(-0.2, 0.2, 40, dtype=np.float32), (40, 40))


def test_a_faint_stroke_on_sloping_paper_is_cut_out_whole() -> None:
    cells = np.zeros((81, 40, 40), np.float32)
    cells[:40, 8:32, 18:22] = 1.0  # the print of the page
    cells[40] = SLOPE
    for left in (10, 26):  # an H in pencil
        cells[40, 8:32, left : left + 3] += 0.25
    cells[40, 19:22, 10:29] += 0.25
    left, _, right, _ = cut_glyphs(cells).box[40]
    assert 40 * left == pytest.approx(10, abs=2)
    assert 40 * right == pytest.approx(29, abs=2)


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
