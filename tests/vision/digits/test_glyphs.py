"""Glyphs: the digit is cut out of its cell, what only lies near it is left, and all of it turns."""

from __future__ import annotations

import numpy as np
import pytest
from test_cascade import clean_cells

from sudoku_vision.vision.digits import features
from sudoku_vision.vision.digits.glyphs import cut_glyphs


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
