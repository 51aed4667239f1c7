"""Bold and regular digits of one ink are told apart, though strokes differ from digit to digit as well."""

from __future__ import annotations

import numpy as np
import pytest
from ink_pages import assert_drawn_roles
from numpy.typing import NDArray

from sudoku_vision.vision.digits.boldness import two_weights
from sudoku_vision.workshop.rendering import draw_role

WIDTHS = np.array([0.0, 0.1, -0.06, -0.04, 0.12, 0.02, 0.0, -0.05, 0.05, 0.0])
"""Log-widths of the digits of a typeface, less their mean."""


def strokes(
    digits: NDArray[np.int64], regular: NDArray[np.bool_], step: float, noise: float
) -> NDArray[np.float64]:
    rng = np.random.default_rng(0)
    return np.asarray(-2.5 + WIDTHS[digits] - step * regular + rng.normal(0, noise, len(digits)))


@pytest.mark.parametrize("step", [0.2, 0.3, 0.4])
def test_bold_and_regular_digits_are_told_apart(step: float) -> None:
    rng = np.random.default_rng(1)
    digits, regular = rng.integers(1, 10, 50), rng.random(50) < 0.4
    found = two_weights(strokes(digits, regular, step, 0.015), digits)
    assert found is not None and found.log_odds > 0
    assert np.array_equal(found.regular, regular)


@pytest.mark.parametrize("noise", [0.015, 0.05, 0.1])
def test_digits_of_one_weight_are_not_divided(noise: float) -> None:
    digits = np.random.default_rng(2).integers(1, 10, 40)
    assert two_weights(strokes(digits, np.zeros(40, bool), 0.0, noise), digits) is None


@pytest.mark.parametrize("seed", [1, 2])
def test_bold_givens_beside_regular_entries_of_the_same_colour_are_given(seed: int) -> None:
    assert_drawn_roles(draw_role(np.random.default_rng(seed), "bold_givens"))
