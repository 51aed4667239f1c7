"""Search: proposals are bent onto their grids by the lines that are seen, with a limited effort."""

import sys
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from sudoku_vision.geometry import UNIT_SQUARE, Array, homography_of_grid
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.locate import fit, locate, proposed, quick_locate, search
from sudoku_vision.vision.locate.candidate import GridCandidate, Proposal
from sudoku_vision.vision.locate.fit import score_proposal, shift_to_best
from sudoku_vision.vision.locate.lines import LineEvidence, find_lines, line_profiles
from sudoku_vision.vision.locate.outline import MAX_PIECES, has_too_many_pieces, outer_hulls
from sudoku_vision.vision.locate.score import MISPLACED, TOLERANCE, share_seen
from sudoku_vision.vision.locate.surface import CELL, CROSSINGS, MARGIN, SIDE, Pyramid, flat_surface
from sudoku_vision.vision.locate.threshold import THRESHOLDS
from sudoku_vision.vision.results import Photo
from workshop.rendering import Bend, Conditions, Drawing, Optics, draw


@pytest.mark.parametrize("number", [0, 2])
def test_a_quick_search_finds_the_same_grid_as_the_full_one(number: int) -> None:
    photo = Photo(draw(np.random.default_rng(1), Conditions(size=(640, 480))).pixels)
    (quick,), (full,) = quick_locate(photo, number), locate(photo)
    assert np.abs(quick.crossings - full.crossings).max() < 0.1 * full.cell_size


def test_the_first_proposals_include_the_grid() -> None:
    drawing = draw(np.random.default_rng(1), Conditions(size=(640, 480)))
    true = drawing.grids[0].lattice
    off = [np.abs(corners - true.corners).max() for corners in proposed(Photo(drawing.pixels))]
    assert min(off) < 0.5 * true.cell_size


BLANK: Image = np.full((600, 600), 230, np.uint8)


def square(x: float, y: float, side: float = 90.0, sign: int = 1) -> Proposal:
    return Proposal(flat_surface(homography_of_grid(side * UNIT_SQUARE + np.array([x, y]))), sign)


def test_a_search_ends_after_a_number_of_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = []

    def proposals(*_: object, **__: object) -> Iterator[Proposal]:
        for place in range(100):
            judged.append(place)
            yield square(5 * place, 50 * len(judged) // 100)

    module = sys.modules[search.__module__]
    monkeypatch.setattr(module, "proposals_at", proposals)
    assert search(Pyramid(BLANK), THRESHOLDS, 30) == ([], 0)
    assert len(judged) == 30


def crossword(side: int, across: int) -> Image:
    """Return a clean crossword of so many cells *across*, (side, side, 3); a fifth of them are black."""
    pixels = np.full((side, side, 3), 255, np.uint8)
    black = np.random.default_rng(across).random((across, across)) < 0.2
    cell = (side - 100) // across
    for row, column in np.ndindex(across, across):
        x, y = 50 + cell * column, 50 + cell * row
        width = -1 if black[row, column] else 1
        cv2.rectangle(pixels, (x, y), (x + cell, y + cell), (0, 0, 0), width)
    return pixels


def test_a_crossword_beside_a_clean_grid_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    scored = []

    def score(pyramid: Pyramid, proposal: Proposal) -> GridCandidate:
        scored.append(proposal)
        return score_proposal(pyramid, proposal)

    monkeypatch.setattr(fit, "score_proposal", score)
    clean = Conditions(size=(900, 900), optics=Optics(blur=0, noise=0, jpeg=0))
    drawing = draw(np.random.default_rng(1), clean)
    found = locate(Photo(np.hstack([drawing.pixels, crossword(900, 13)])))
    assert len(found) == len(drawing.grids)
    assert np.abs(found[0].corners - drawing.grids[0].lattice.corners).max() < 3
    assert len(scored) < 60


@pytest.mark.parametrize("step", [2, 3])
def test_fine_dots_are_texture_and_not_a_hundred_thousand_pieces(step: int) -> None:
    """The contours of all of them, with the tree of holes, would take a minute."""
    dots: Image = np.zeros((1500, 2000), np.uint8)
    dots[::step, ::step] = 255
    assert has_too_many_pieces(dots)
    assert outer_hulls(dots) == []
    assert len(outer_hulls(np.asarray(~dots, np.uint8))) <= 1


def test_coarse_pieces_are_found_among_fine_dots() -> None:
    mask: Image = np.zeros((1000, 1000), np.uint8)
    mask[::3, ::3] = 255
    mask[300:700, 300:700] = 255
    assert MAX_PIECES < (1000 / 3) ** 2
    (hull,) = outer_hulls(mask)
    low, high = hull.reshape(-1, 2).min(axis=0), hull.reshape(-1, 2).max(axis=0)
    assert np.abs([*(low - 300), *(high - 699)]).max() <= 3


def test_pieces_count_and_their_holes_do_not() -> None:
    mask: Image = np.zeros((60, 60), np.uint8)
    mask[10:50, 10:50] = 255
    mask[20:40, 20:40] = 0
    mask[28:32, 28:32] = 255
    assert sorted(len(hull) for hull in outer_hulls(mask)) == [4, 4]


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
