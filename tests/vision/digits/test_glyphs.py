"""Glyphs: the digit is cut out of its cell without anything near it, described in all turns, and set
upright."""

import cv2
import numpy as np
import pytest
from test_cascade import clean_cells

from sudoku_vision.values import Floats
from sudoku_vision.vision.digits import features
from sudoku_vision.vision.digits.glyphs import cut_glyphs
from sudoku_vision.vision.digits.segmentation import without_shadows
from sudoku_vision.vision.digits.strokes import set_upright


def test_features_have_the_promised_length_and_turn_with_the_cell() -> None:
    cells = clean_cells()
    glyphs = cut_glyphs(cells)
    assert features.describe(glyphs).shape == (81, features.FEATURES)
    turned = cut_glyphs(np.ascontiguousarray(np.rot90(cells, 1, axes=(1, 2))))
    assert glyphs.turned(1).images == pytest.approx(turned.images, abs=0.35)
    assert glyphs.turned(1).box == pytest.approx(turned.box, abs=1e-5)
    assert glyphs.turned(4).images == pytest.approx(glyphs.images)


def test_the_turns_of_glyphs_are_described_as_if_each_were_turned_first() -> None:
    glyphs = cut_glyphs(clean_cells())
    for turn, described in features.describe_turns(glyphs).items():
        assert described == pytest.approx(features.describe(glyphs.turned(turn)), abs=1e-3)


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
SHADOW = np.clip(2 * SLOPE, 0.0, 0.3)  # with a soft edge


def level(cell: Floats) -> Floats:
    """One cell of 40 pixels without its shadows."""
    cells = np.stack([cell, cell]).astype(np.float32)
    coarse = np.stack([cv2.resize(one, (10, 10), interpolation=cv2.INTER_AREA) for one in cells])
    result: Floats = without_shadows(cells, coarse)[0]
    return result


@pytest.mark.parametrize("paper", [SLOPE, SHADOW], ids=["slope", "shadow"])
def test_uneven_paper_becomes_even(paper: Floats) -> None:
    assert np.ptp(level(paper)[4:-4, 4:-4]) < 0.6 * np.ptp(paper)


@pytest.mark.parametrize("width", [2, 4, 8])
def test_strokes_keep_their_strength(width: int) -> None:
    cell = np.zeros((40, 40), np.float32)
    cell[6:34, 18 : 18 + width] = 1.0
    cell[6 : 6 + width, 8:32] = 1.0
    assert level(cell)[cell > 0] == pytest.approx(1.0, abs=0.05)


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


def test_blank_glyphs_and_none_at_all_pass() -> None:
    assert not set_upright(np.zeros((2, 28, 28), np.float32)).any()
    assert set_upright(np.zeros((0, 28, 28), np.float32)).shape == (0, 28, 28)
