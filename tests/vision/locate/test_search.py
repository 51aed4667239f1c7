"""Search: the best of each place, in reading order, and in bounded time for films."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.geometry import UNIT_SQUARE, homography_of_grid
from sudoku_vision.results import Photo
from sudoku_vision.vision.locate import (
    best_of_each_place,
    is_beaten,
    locate,
    proposed,
    quick_locate,
    reading_order,
)
from sudoku_vision.vision.locate.candidate import GridCandidate
from sudoku_vision.vision.locate.surface import flat_surface
from sudoku_vision.workshop.rendering import Conditions, draw


def at(x: float, y: float, side: float = 90, score: float = 1.0) -> GridCandidate:
    """A candidate with its top left corner at (x, y)."""
    return GridCandidate(flat_surface(homography_of_grid(side * UNIT_SQUARE + np.array([x, y]))), score)


def test_reading_order_goes_by_bands_then_from_left_to_right() -> None:
    first, second, third, fourth = at(0, 20), at(200, 0), at(10, 150), at(220, 130)
    assert reading_order([fourth, first, third, second]) == [first, second, third, fourth]
    assert reading_order([]) == []


def test_of_candidates_that_overlap_the_best_stays() -> None:
    poor, good, apart = at(0, 0, score=0.8), at(10, 0, score=0.9), at(200, 0, score=0.7)
    assert best_of_each_place([poor, apart, good]) == [good, apart]
    assert is_beaten(poor, [good])
    assert not is_beaten(good, [poor])
    assert not is_beaten(apart, [good])


@pytest.mark.parametrize("number", [0, 2])
def test_a_quick_search_finds_what_the_full_one_does(number: int) -> None:
    photo = Photo(draw(np.random.default_rng(1), Conditions(size=(640, 480))).pixels)
    (quick,), (full,) = quick_locate(photo, number), locate(photo)
    assert np.abs(quick.crossings - full.crossings).max() < 0.1 * full.cell_size


def test_the_first_places_tried_include_the_grid() -> None:
    drawing = draw(np.random.default_rng(1), Conditions(size=(640, 480)))
    true = drawing.grids[0].lattice
    off = [np.abs(corners - true.corners).max() for corners in proposed(Photo(drawing.pixels))]
    assert min(off) < 0.5 * true.cell_size
