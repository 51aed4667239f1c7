"""A view has all that a browser needs to draw a grid over its picture."""

from __future__ import annotations

import numpy as np
import pytest
from handler_samples import SAMPLES, sample, solved

from sudoku_vision import read_photo
from sudoku_vision.api.board_pages import NO_PLACE
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.results import Board, DigitScores, board_text
from sudoku_vision.vision.load import load_photo
from sudoku_vision.web.state import GridState, InkContent
from sudoku_vision.web.view import grid_view


def test_the_view_lies_on_the_upright_picture() -> None:
    told = solved("exif_turned.jpg")
    page, photo = read_photo(SAMPLES / "exif_turned.jpg"), load_photo(sample("exif_turned.jpg"))
    assert told["view"]["size"] == [photo.pixels.shape[1], photo.pixels.shape[0]]
    (view,), (grid,) = told["view"]["grids"], page.grids
    assert np.abs(np.array(view["crossings"]) - grid.lattice.crossings).max() < 0.01
    assert grid.answers is not None and view["answers"] == board_text(grid.answers)
    assert not view["clues_by_hand"] and view["unclear"] == []
    look = view["look"]
    assert 0.4 <= look["height"] <= 0.72 and look["colour"].startswith("#") and not look["hollow"]


@pytest.mark.parametrize("by_hand", [True, False])
def test_handwritten_clues_are_told(puzzle: Board, by_hand: bool) -> None:
    log_probs = np.log(np.full((81, 10), 1e-4, np.float32))
    log_probs[np.arange(81), puzzle.ravel()] = np.log(0.999)
    scores = DigitScores(log_probs, np.full(81, float(by_hand), np.float32))
    kept = GridState(InkContent(scores, puzzle), NO_PLACE, PrintStyle(), (9, 9))
    assert grid_view(kept.grid(), kept, "")["clues_by_hand"] == by_hand
