"""Fit: a proposal is bent onto its grid by the lines that are seen, and the score is the share of them."""

import cv2
import numpy as np
import pytest

from sudoku_vision.geometry import Array, homography_of_grid
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.locate.candidate import GridCandidate, Proposal
from sudoku_vision.vision.locate.fit import score_proposal, shift_to_best
from sudoku_vision.vision.locate.lines import LineEvidence, find_lines, line_profiles
from sudoku_vision.vision.locate.score import MISPLACED, TOLERANCE, share_seen
from sudoku_vision.vision.locate.surface import CELL, CROSSINGS, MARGIN, SIDE, Pyramid, flat_surface
from workshop.rendering import Bend, Conditions, Drawing, draw


def seeded(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def pyramid_of(drawing: Drawing) -> Pyramid:
    return Pyramid(np.asarray(cv2.cvtColor(drawing.pixels, cv2.COLOR_BGR2GRAY), np.uint8))


def farthest(candidate: GridCandidate, truth: Floats) -> float:
    """The largest error of a crossing, in pixels."""
    found = candidate.surface(CROSSINGS).reshape(10, 10, 2)
    return float(np.linalg.norm(found - truth, axis=2).max())


def test_a_proposal_is_bent_along_the_lines_of_a_bowed_page() -> None:
    drawing = draw(seeded(), Conditions(bend=Bend(arch=0.1)))
    true = drawing.grids[0].lattice
    guess = Proposal(flat_surface(homography_of_grid(true.corners)))
    assert farthest(GridCandidate(guess.surface, 0.0), true.crossings) > 0.2 * true.cell_size
    fitted = score_proposal(pyramid_of(drawing), guess)
    assert farthest(fitted, true.crossings) < 0.08 * true.cell_size
    assert fitted.score > 0.95


def test_a_proposal_one_cell_off_is_shifted_to_the_grid() -> None:
    drawing = draw(seeded(), Conditions())
    true = drawing.grids[0].lattice
    place = GridCandidate(flat_surface(homography_of_grid(true.corners)), 0.0)
    pyramid = pyramid_of(drawing)
    wrong = score_proposal(pyramid, place.shifted(1, 0))
    assert wrong.score < 0.9
    assert farthest(shift_to_best(pyramid, wrong, []), true.crossings) < 0.08 * true.cell_size


def test_dark_lines_make_no_grid_of_light_ones() -> None:
    drawing = draw(seeded(), Conditions())
    homography = homography_of_grid(drawing.grids[0].lattice.corners)
    assert score_proposal(pyramid_of(drawing), Proposal(flat_surface(homography), sign=-1)).score < 0.5


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


def test_missing_lines_and_misplaced_boxes_reduce_the_score_further() -> None:
    split = np.full((2, 10, 9), 30.0)
    split[0, [1, 4, 7]] = 0
    assert share_seen(evidence_of(split)) == pytest.approx(MISPLACED * 153 / 180)
    moved = np.full((2, 10, 9), 30.0)
    moved[:, [1, 4, 7]] = 60
    assert share_seen(evidence_of(moved)) == pytest.approx(MISPLACED)


def test_lines_that_are_deep_along_a_part_are_those_of_a_jigsaw() -> None:
    jigsaw = np.full((2, 10, 9), 30.0)
    jigsaw[:, [1, 4, 7], :6] = 90
    assert share_seen(evidence_of(jigsaw)) == 1


def test_pieces_on_the_edge_of_the_picture_do_not_count_and_those_beyond_are_missing() -> None:
    strength, inside = np.full((2, 10, 9), 30.0), INSIDE.copy()
    strength[:, :, 0] = 0
    inside[:, :, 0] = 0
    assert share_seen(LineEvidence(np.zeros((2, 10, 9)), strength, inside)) == 1
    inside[:, :, 0] = -1
    assert share_seen(LineEvidence(np.zeros((2, 10, 9)), strength, inside)) == pytest.approx(160 / 180)
    inside[:, :, :4] = 0
    assert share_seen(LineEvidence(np.zeros((2, 10, 9)), strength, inside)) == 0
