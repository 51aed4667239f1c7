"""Pages of one printed ink are told by a few sums; whatever may be more than that is not plain."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.plain_print import is_plain_print, parted

CELLS = 30
SPREAD = np.full((CELLS, 4), 0.1, np.float32)
PRINTED = np.full(CELLS, 1e-4, np.float32)


def inks(variety: float = 0.1) -> Floats:
    """Inks that vary as those of one print do, by so much."""
    return np.random.default_rng(5).normal(0, variety, (CELLS, 4)).clip(-0.3, 0.3).astype(np.float32)


def test_print_of_one_ink_is_plain_blurred_or_sharp() -> None:
    for variety in (0.1, 0.01, 1e-4):
        assert is_plain_print(inks(variety), SPREAD, PRINTED)
    assert is_plain_print(np.zeros((CELLS, 4), np.float32), SPREAD, PRINTED)


def test_one_cell_that_may_be_written_is_enough_to_weigh_the_page() -> None:
    shapes = PRINTED.copy()
    shapes[7] = 0.01
    assert not is_plain_print(inks(), SPREAD, shapes)


@pytest.mark.parametrize("column", range(4))
def test_one_ink_far_off_isnt_plain(column: int) -> None:
    values = inks()
    values[3, column] += 0.8
    assert not is_plain_print(values, SPREAD, PRINTED)


@pytest.mark.parametrize("entered", [4, 10, 15, 26])
def test_two_inks_of_a_screen_arent_plain_however_near(entered: int) -> None:
    values = inks(0.005)
    values[:entered, 2] -= 0.1  # one spread: in photos that would be nothing
    assert not is_plain_print(values, SPREAD, PRINTED)


def test_two_parts_explain_two_clusters_and_two_thirds_of_a_bell() -> None:
    bell = np.random.default_rng(1).normal(0, 1, (4000, 1)).astype(np.float32)
    assert parted(bell) == pytest.approx(2 / np.pi, abs=0.02)
    assert parted(np.repeat([[0.0], [1.0]], [5, 25], axis=0)) == pytest.approx(1)
    assert parted(np.ones((9, 2), np.float32)) == pytest.approx(0)
