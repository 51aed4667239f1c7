"""Search: a quick one finds the same grid, and the effort is limited however busy the picture is."""

import sys
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from sudoku_vision.geometry import UNIT_SQUARE, homography_of_grid
from sudoku_vision.values import Image
from sudoku_vision.vision.locate import fit, locate, proposed, quick_locate, search
from sudoku_vision.vision.locate.candidate import GridCandidate, Proposal
from sudoku_vision.vision.locate.fit import score_proposal
from sudoku_vision.vision.locate.outline import MAX_PIECES, has_too_many_pieces, outer_hulls
from sudoku_vision.vision.locate.surface import Pyramid, flat_surface
from sudoku_vision.vision.locate.threshold import THRESHOLDS
from sudoku_vision.vision.results import Photo
from workshop.rendering import Conditions, Optics, draw


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
