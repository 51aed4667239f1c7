"""Glyph similarity: print repeats itself, a hand doesn't."""

from __future__ import annotations

import numpy as np
import pytest
from ink_pages import cells_of

from sudoku_vision.results import Photo
from sudoku_vision.vision.digits.print_vs_handwriting import similarity_evidence
from sudoku_vision.workshop.rendering import Conditions, Drawing, Optics, Writing, draw


@pytest.fixture(scope="module")
def filled_in() -> Drawing:
    """A printed puzzle that a hand has filled in."""
    conditions = Conditions(
        size=(600, 600),
        layout="close_up",
        clues=34,
        writing=Writing(share=1.0, jitter=1.6, height_spread=0.2),
        optics=Optics(blur=0.8, noise=3, jpeg=80),
    )
    return draw(np.random.default_rng(3), conditions)


def test_printed_digits_are_liker_one_another_than_written_ones(filled_in: Drawing) -> None:
    grid = filled_in.grids[0]
    printed, written = grid.puzzle.reshape(81), grid.written.reshape(81)
    cells = cells_of(Photo(filled_in.pixels), grid.lattice)
    of_print = [similarity_evidence(cells[printed == digit]) for digit in range(1, 10)]
    by_hand = [similarity_evidence(cells[written == digit]) for digit in range(1, 10)]
    assert np.median(np.concatenate(of_print)) < -0.5
    assert np.median(np.concatenate(by_hand)) > 0.5
