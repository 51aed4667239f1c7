"""Line evidence: where lines are seen, how deep, and when they run on."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.geometry import Array
from sudoku_vision.results import Image
from sudoku_vision.vision.locate.flatten import CELL, MARGIN, SIDE
from sudoku_vision.vision.locate.line_evidence import LineEvidence, find_lines
from sudoku_vision.vision.locate.profiles import (
    line_profiles,
)
from sudoku_vision.vision.locate.score import GAPPED, MISPLACED, TOLERANCE, share_seen

INSIDE = np.ones((2, 10, 9), np.int8)


def flat_view(offset: int = 0) -> Image:
    """A grid of lines 40 grey levels deep, *offset* pixels off its place to the right."""
    view = np.full((SIDE, SIDE), 200, np.uint8)
    for line in range(10):
        at = MARGIN + CELL * line
        view[at, :] = 160
        view[:, at + offset] = 160
    return view


@pytest.mark.parametrize("offset", [-3, 0, 4])
def test_lines_are_seen_where_they_are_drawn(offset: int) -> None:
    evidence = find_lines(line_profiles(flat_view(offset)), 0.3, INSIDE)
    assert np.allclose(evidence.offset[1], offset / CELL, atol=0.02)
    assert np.allclose(evidence.offset[0], 0, atol=0.02)
    assert np.allclose(evidence.strength, 40, atol=1)


def test_a_digit_beside_its_line_does_not_divert_it() -> None:
    view = flat_view()
    view[MARGIN + 4 * CELL + 3 : MARGIN + 4 * CELL + 6, MARGIN + 4 * CELL + 2 : MARGIN + 5 * CELL - 2] = 20
    evidence = find_lines(line_profiles(view), 0.3, INSIDE)
    assert np.abs(evidence.offset).max() < TOLERANCE


def evidence_of(strength: Array) -> LineEvidence:
    return LineEvidence(np.zeros((2, 10, 9)), strength, INSIDE)


def test_the_score_is_the_share_of_pieces_seen() -> None:
    strength = np.full((2, 10, 9), 30.0)
    assert share_seen(evidence_of(strength)) == 1
    strength[0, :, 0] = 0
    assert share_seen(evidence_of(strength)) == pytest.approx(170 / 180)
    far = LineEvidence(np.full((2, 10, 9), 0.2), strength, INSIDE)
    assert share_seen(far) == 0
    assert share_seen(far, tolerance=0.3) == pytest.approx(170 / 180)


def test_whole_lines_missing_and_boxes_at_wrong_places_cost_extra() -> None:
    split = np.full((2, 10, 9), 30.0)
    split[0, [1, 4, 7]] = 0
    assert share_seen(evidence_of(split)) == pytest.approx(GAPPED * 153 / 180)
    moved = np.full((2, 10, 9), 30.0)
    moved[:, [1, 4, 7]] = 60
    assert share_seen(evidence_of(moved)) == pytest.approx(MISPLACED)


def test_lines_that_stand_out_along_a_part_are_those_of_a_jigsaw() -> None:
    jigsaw = np.full((2, 10, 9), 30.0)
    jigsaw[:, [1, 4, 7], :6] = 90
    assert share_seen(evidence_of(jigsaw)) == 1


def test_what_lies_on_the_edge_of_the_picture_is_not_judged_and_beyond_it_is_missing() -> None:
    strength, inside = np.full((2, 10, 9), 30.0), INSIDE.copy()
    strength[:, :, 0] = 0
    inside[:, :, 0] = 0
    assert share_seen(LineEvidence(np.zeros((2, 10, 9)), strength, inside)) == 1
    inside[:, :, 0] = -1
    assert share_seen(LineEvidence(np.zeros((2, 10, 9)), strength, inside)) == pytest.approx(160 / 180)
    inside[:, :, :4] = 0
    assert share_seen(LineEvidence(np.zeros((2, 10, 9)), strength, inside)) == 0
