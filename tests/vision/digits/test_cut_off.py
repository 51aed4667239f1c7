"""Cells that run off the picture: what is seen of them counts less, and they are not known to be blank."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.geometry import GRID_CORNERS, flat_crossings
from sudoku_vision.pipeline import read_photo
from sudoku_vision.results import DigitScores, Lattice, Photo
from sudoku_vision.vision.decode import MIN_SUPPORT
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.digits.cropped_cells import share_cut_off, with_cut_off_cells_doubted
from sudoku_vision.workshop.rendering import Conditions, draw

LATTICE = Lattice(flat_crossings(40 * GRID_CORNERS))
"""Cells of 40 pixels from (0, 0) on."""


def test_the_share_of_each_cell_beyond_the_picture() -> None:
    assert not share_cut_off(LATTICE, 361, 361).any()
    share = share_cut_off(LATTICE, 344, 361).reshape(9, 9)
    assert not share[:, :8].any()
    assert np.allclose(share[:, 8], 0.4, atol=0.05)
    moved = Lattice(LATTICE.crossings - np.array([0, 12], np.float32))
    share = share_cut_off(moved, 361, 361).reshape(9, 9)
    assert not share[1:].any()
    assert np.allclose(share[0], 0.3, atol=0.05)


def test_of_a_cell_cut_off_less_is_known_the_more_is_gone() -> None:
    sure = np.full((81, 10), 1e-6)
    sure[:, 7] = 1 - 9e-6
    scores = DigitScores(np.log(sure).astype(np.float32), np.zeros(81, np.float32))
    share = np.zeros(81)
    share[:3] = 0.1, 0.35, 0.7
    found = np.exp(with_cut_off_cells_doubted(scores, share).log_probs)
    assert found[0, 7] > 0.99
    assert 0.3 < found[1, 7] < 0.8
    assert found[2, 0] > 0.9
    assert found[2, 7] < MIN_SUPPORT
    assert np.array_equal(found[3:], np.exp(scores.log_probs)[3:])
    assert with_cut_off_cells_doubted(scores, np.zeros(81)) is scores


@pytest.mark.parametrize("cut", [0.2, 0.35, 0.45])
def test_a_grid_that_runs_off_the_picture_is_never_solved_wrongly(cut: float) -> None:
    model = load_model()
    for seed in range(3):
        drawing = draw(np.random.default_rng(seed), Conditions(size=(500, 500)))
        lattice, truth = drawing.grids[0].lattice, drawing.grids[0].puzzle
        right = round(float(lattice.crossings[:, -1, 0].mean() - cut * lattice.cell_size))
        page = read_photo(Photo(np.ascontiguousarray(drawing.pixels[:, :right])), model=model)
        for grid in page.grids:
            assert np.array_equal(grid.puzzle[:, :8], truth[:, :8]) or grid.status != "solved"
            if grid.status == "solved" and grid.solution is not None:
                assert np.array_equal(np.where(truth > 0, grid.solution, 0), truth)
