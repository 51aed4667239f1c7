"""Divisions in nine connected regions of nine cells."""

from __future__ import annotations

import numpy as np

from sudoku_vision.sudoku.regions import BORDERS, is_cut, random_regions, unevenness
from sudoku_vision.sudoku.rules import BOXES, Rules


def test_random_regions_are_nine_connected_ones_of_nine_and_come_again_with_their_seed() -> None:
    divisions = [random_regions(np.random.default_rng(seed)) for seed in range(20)]
    assert len(set(divisions)) == 20
    for seed, division in enumerate(divisions):
        assert Rules(division).regions == division and not unevenness([int(region) for region in division])
        group = np.arange(81)  # cells joined over borders that aren't cut
        for _ in range(81):
            for one, other in BORDERS[~is_cut(division)]:
                group[[one, other]] = min(group[one], group[other])
        assert len(set(group.tolist())) == 9
        assert division == random_regions(np.random.default_rng(seed))


def test_boxes_cut_the_fewest_borders() -> None:
    assert np.count_nonzero(is_cut(BOXES)) == 36
