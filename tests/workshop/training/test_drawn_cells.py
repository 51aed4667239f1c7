"""Drawn cells are kept for the next training, under a name that stands for all they follow from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sudoku_vision.workshop.training import drawn_cells
from sudoku_vision.workshop.training.drawn_cells import draw_cells
from sudoku_vision.workshop.training.progress import silent_steps
from sudoku_vision.workshop.training.sources import gather_sources


def test_boards_are_drawn_once_for_each_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = gather_sources([], None, 0.1, 0)[0]
    first = draw_cells(sources, 2, (0, 1), silent_steps, "Drawing", tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(drawn_cells, "draw_board", None)
        again = draw_cells(sources, 2, (0, 1), silent_steps, "Drawing", tmp_path)
    assert np.array_equal(first.cells, again.cells)
    assert np.array_equal(first.classes, again.classes)
    other = draw_cells(sources, 2, (1, 1), silent_steps, "Drawing", tmp_path)
    assert not np.array_equal(first.classes, other.classes)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_board_is_the_same_however_many_are_drawn() -> None:
    sources = gather_sources([], None, 0.1, 0)[0]
    one, two = (draw_cells(sources, count, (0, 1), silent_steps, "Drawing") for count in (1, 2))
    assert np.array_equal(one.cells[0], two.cells[0])
