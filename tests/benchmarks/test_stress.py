"""The stress benchmark: conditions only ever get worse, and what is counted is what happened."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import stress

from sudoku_vision.page import Page
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Reading


def test_strengths_only_ever_rise_from_the_clean_picture() -> None:
    names = [condition.name for condition in stress.CONDITIONS]
    assert len(set(names)) == len(names)
    for condition in stress.CONDITIONS:
        steps = np.diff(condition.strengths)
        assert (steps > 0).all() or (steps < 0).all(), condition.name
        mild = condition.spoil(stress.CLEAN, condition.strengths[0], np.random.default_rng(1))
        strong = condition.spoil(stress.CLEAN, condition.strengths[-1], np.random.default_rng(1))
        assert mild != strong != stress.CLEAN


def test_the_same_puzzle_is_seen_under_every_condition() -> None:
    clean = stress.drawn(1, None, 0.0)
    assert abs(clean.grids[0].lattice.cell_size - stress.CELL) < 0.1
    tilt = stress.drawn(1, stress.CONDITIONS[0], 40)
    assert np.array_equal(tilt.grids[0].puzzle, clean.grids[0].puzzle)
    assert np.abs(tilt.pixels.astype(int) - clean.pixels).max() > 0
    assert not np.array_equal(stress.drawn(2, None, 0.0).grids[0].puzzle, clean.grids[0].puzzle)


def test_levels_are_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A reader that reads bright pictures, misreads dim ones, and finds nothing in dark ones."""
    puzzle = stress.drawn(0, None, 0.0).grids[0].puzzle

    def read(photo: Any, model: Any) -> Page:
        light = photo.pixels.mean()
        reading = Reading(puzzle if light > 100 else 0 * puzzle, 0 * puzzle, None, 1, 0.9)
        grid = Grid("solved", stress.drawn(0, None, 0.0).grids[0].lattice, reading)
        return Page("", 1, "solved", "", (grid,) if light > 30 else (), 0.0)

    monkeypatch.setattr(stress, "read_page", read)
    stress.main(["--count", "1", "--only", "exposure"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == ["clean", "1", "1", "1", "1", "0"]
    assert lines[2] == ["exposure", "0.5", "1", "1", "1", "1", "0"]
    assert ["exposure", "0.03", "1", "0", "0", "0", "0"] in lines
    assert lines[-1][:4] == ["exposure", "12", "%", "0.5"]
    assert int(lines[-1][4]) > 0
