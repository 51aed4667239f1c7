"""Boards drawn to learn from: they follow from the seed, and their labels say what is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.vision.rectify import rectify
from sudoku_vision.workshop.training.boards import draw_board
from sudoku_vision.workshop.training.samples import BLANK, is_printed, is_written
from sudoku_vision.workshop.training.sources import Sources, gather_sources


@pytest.fixture(scope="module")
def sources() -> Sources:
    return gather_sources([], [], 0.1, 0)[0]


def test_a_drawn_board_follows_from_its_seed(sources: Sources) -> None:
    one, same = (draw_board(sources, np.random.default_rng(5)) for _ in range(2))
    other = draw_board(sources, np.random.default_rng(6))
    assert np.array_equal(one.photo.pixels, same.photo.pixels)
    assert np.array_equal(one.classes, same.classes)
    assert one.photo.pixels.shape != other.photo.pixels.shape or (one.classes != other.classes).any()


def test_drawn_digits_lie_in_their_cells(sources: Sources) -> None:
    for seed in range(4):
        board = draw_board(sources, np.random.default_rng(seed))
        cells = rectify(board.photo, board.lattice)
        ink = np.clip(cells, 0, 1)[:, 8:-8, 8:-8].mean(axis=(1, 2))
        printed, blank = is_printed(board.classes), board.classes == BLANK
        if blank.any():
            assert np.median(ink[printed]) > 1.5 * np.median(ink[blank])


def test_boards_to_learn_from_hold_print_handwriting_and_blanks(sources: Sources) -> None:
    classes = np.concatenate([draw_board(sources, np.random.default_rng(seed)).classes for seed in range(12)])
    shares = [is_printed(classes).mean(), is_written(classes).mean(), (classes == BLANK).mean()]
    assert min(shares) > 0.1
    assert shares[0] > shares[1], "most digits of a page are print"
