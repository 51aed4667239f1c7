"""Divisions in nine connected regions of nine cells."""

from __future__ import annotations

import numpy as np

from sudoku_vision.sudoku.regions import BORDERS, BOXES, is_cut, is_even, numbered, random_regions


def test_random_regions_are_nine_connected_ones_of_nine_and_come_again_with_their_seed() -> None:
    divisions = [random_regions(np.random.default_rng(seed)) for seed in range(20)]
    assert len({division.tobytes() for division in divisions}) == 20
    for seed, division in enumerate(divisions):
        assert np.array_equal(division, numbered(division)) and is_even(division.tolist())
        group = np.arange(81)  # cells joined over borders that aren't cut
        for _ in range(81):
            for one, other in BORDERS[~is_cut(division)]:
                group[[one, other]] = min(group[one], group[other])
        assert len(set(group.tolist())) == 9
        assert np.array_equal(division, random_regions(np.random.default_rng(seed)))


def test_boxes_are_the_division_of_the_classic_sudoku() -> None:
    assert BOXES.reshape(9, 9)[::3, ::3].tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    assert np.count_nonzero(is_cut(BOXES)) == 36 and is_even(BOXES.tolist())
