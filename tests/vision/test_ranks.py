"""Ranks: the medians and quantiles that NumPy gives."""

import numpy as np
import pytest

from sudoku_vision.ranks import distinct, largest, median, medians, quantile


@pytest.mark.parametrize("count", [1, 2, 7, 180])
def test_ranks_are_those_of_numpy(count: int) -> None:
    values = np.random.default_rng(count).normal(size=(3, count))
    for share in (0, 0.3, 0.5, 0.95, 1):
        assert quantile(values, share) == pytest.approx(np.quantile(values, share))
    assert median(values) == pytest.approx(np.median(values))
    assert medians(values) == pytest.approx(np.median(values, axis=-1))
    bytes_ = (values * 20 + 230).clip(0, 255).astype(np.uint8)
    assert medians(bytes_) == pytest.approx(np.median(bytes_, axis=-1))


@pytest.mark.parametrize("digits", [0, 1, 6])
def test_high_quantiles_of_many_values_are_those_of_numpy(digits: int) -> None:
    """With few digits, many values are equal."""
    values = np.random.default_rng(digits).normal(size=(90, 20, 20)).round(digits)
    sorted_values = np.sort(values, axis=None).reshape(values.shape)
    for share in (0.91, 0.95, 0.995, 0.99999, 1):
        for some in (values, sorted_values, sorted_values[::-1]):
            assert quantile(some, share) == pytest.approx(np.quantile(some, share))


@pytest.mark.parametrize("count", [3, 512, 513, 1600])
def test_the_largest_are_those_of_sorted_rows(count: int) -> None:
    values = np.random.default_rng(count).normal(size=(4, count)).astype(np.float32)
    for place in (1, 3, count // 50 + 1):
        assert np.array_equal(largest(values, place), np.sort(values, axis=1)[:, -place])


def test_distinct_numbers_are_those_of_numpy() -> None:
    digits = np.random.default_rng(3).integers(0, 10, 30)
    assert np.array_equal(distinct(digits), np.unique(digits))
    assert len(distinct(digits[:0])) == 0
