"""The stress benchmark: conditions only ever get worse, and what is counted is what happened."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import stress

from sudoku_vision.page import Page
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Doubt, Reading


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
    truth = stress.drawn(0, None, 0.0).grids[0]

    def read(photo: Any, model: Any) -> Page:
        light = photo.pixels.mean()
        reading = Reading(truth.puzzle, 0 * truth.puzzle, truth.solution, 1, 0.9)
        if light < 100:
            reading = replace(reading, puzzle=0 * truth.puzzle, solution=0 * truth.puzzle)
        grid = Grid("solved", truth.lattice, reading)
        return Page("", 1, "solved", "", (grid,) if light > 30 else (), 0.0)

    monkeypatch.setattr(stress, "read_page", read)
    stress.main(["--count", "1", "--only", "exposure"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == ["clean", "1", "1", "1", "1", "0", "0"]
    assert lines[2] == ["exposure", "0.5", "1", "1", "1", "1", "0", "0"]
    assert ["exposure", "0.03", "1", "0", "0", "0", "0", "0"] in lines
    assert lines[-1][:4] == ["exposure", "12", "%", "0.5"]
    assert int(lines[-1][4]) > 0


def test_a_lost_clue_is_not_wrong_if_the_answer_is_right_but_it_must_be_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawing = stress.drawn(0, None, 0.0)
    truth = drawing.grids[0]
    lost = int(np.flatnonzero(truth.puzzle)[0])
    puzzle = np.where(np.arange(81).reshape(9, 9) == lost, 0, truth.puzzle).astype(np.int8)
    doubt = Doubt(lost, (0, 5), (0.6, 0.4), kind="role")

    def counts(*doubts: Doubt) -> set[str]:
        reading = Reading(puzzle, 0 * puzzle, truth.solution, 1, 0.999, doubts=doubts)
        grids = (Grid("solved", truth.lattice, reading),)
        monkeypatch.setattr(stress, "read_page", lambda *_, **__: Page("", 1, "solved", "", grids, 0.0))
        return set(stress.counted(drawing, load_model()))

    assert counts() == {"found", "solved", "unnamed"}
    assert counts(doubt) == {"found", "solved"}
