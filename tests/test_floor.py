"""The floor: maps of the plane, outlines, and the ranks that NumPy gives."""

import numpy as np
import pytest

from sudoku_vision.geometry import (
    CROSSINGS,
    UNIT_SQUARE,
    Points,
    fit_homography,
    fit_homography_robustly,
    homography_of_grid,
    project,
)
from sudoku_vision.ranks import distinct, largest, median, medians, quantile

STEEP: Points = np.array([[120.0, 80.0], [610.0, 40.0], [700.0, 520.0], [60.0, 470.0]])
FLAT: Points = 90 * UNIT_SQUARE + 10


def test_a_homography_is_fitted_to_points_and_outliers_are_left_out() -> None:
    homography = homography_of_grid(STEEP)
    target = project(CROSSINGS, homography)
    fitted = fit_homography(CROSSINGS, target)
    assert fitted is not None
    assert np.abs(project(CROSSINGS, fitted) - target).max() < 0.01
    target[:20] += 200
    robust = fit_homography_robustly(CROSSINGS, target, stray=1.0)
    assert robust is not None
    assert robust[1].tolist() == [False] * 20 + [True] * 80
    assert np.abs(project(CROSSINGS[20:], robust[0]) - target[20:]).max() < 0.01


@pytest.mark.parametrize("count", [1, 2, 7, 180])
def test_ranks_are_those_of_numpy(count: int) -> None:
    values = np.random.default_rng(count).normal(size=(3, count))
    for share in (0, 0.3, 0.5, 0.95, 1):
        assert quantile(values, share) == pytest.approx(np.quantile(values, share))
    assert median(values) == pytest.approx(np.median(values))
    assert medians(values) == pytest.approx(np.median(values, axis=-1))
    bytes_ = (values * 20 + 230).clip(0, 255).astype(np.uint8)
    assert medians(bytes_) == pytest.approx(np.median(bytes_, axis=-1))


@pytest.mark.parametrize("count", [3, 512, 513, 1600])
def test_the_largest_are_those_of_sorted_rows(count: int) -> None:
    values = np.random.default_rng(count).normal(size=(4, count)).astype(np.float32)
    for place in (1, 3, count // 50 + 1):
        assert np.array_equal(largest(values, place), np.sort(values, axis=1)[:, -place])


def test_distinct_numbers_are_those_of_numpy() -> None:
    digits = np.random.default_rng(3).integers(0, 10, 30)
    assert np.array_equal(distinct(digits), np.unique(digits))
    assert len(distinct(digits[:0])) == 0
