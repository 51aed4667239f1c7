"""Reliability: the figures say how far confidence holds, and the picture shows it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, Run, board
from hypothesis import example, given
from hypothesis import strategies as st

from sudoku_vision.output.save import save
from sudoku_vision.results import GridResult, Lattice, Reading
from sudoku_vision.workshop.evaluation.labels import Label, LabelledPicture
from sudoku_vision.workshop.evaluation.metrics import Outcome
from sudoku_vision.workshop.evaluation.reliability import (
    EDGES,
    Pair,
    binned,
    calibration_error,
    draw_reliability,
    pairs_of,
    reliability_dict,
    reliability_text,
    wilson,
)
from sudoku_vision.workshop.rendering import Drawing

HONEST = [Pair(0.75, number % 4 > 0) for number in range(40)]
"""Forty grids with confidence 0.75, of which thirty are right."""


def grid(confidence: float, *, solved: bool = False) -> GridResult:
    x, y = np.meshgrid(np.arange(10), np.arange(10))
    lattice = Lattice(np.stack([x, y], axis=-1).astype(np.float32) * 20)
    reading = Reading(board(PUZZLE), np.zeros((9, 9), np.int8), None, 1, confidence)
    return GridResult("solved" if solved else "uncertain", lattice, reading)


def test_intervals_are_wilsons() -> None:
    assert wilson(9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=1e-4)
    assert wilson(0, 0) == (0, 1)


def test_an_honest_reader_has_no_calibration_error() -> None:
    (one,) = (one for one in binned(HONEST) if one.count)
    assert (one.low, one.high, one.count, one.right, one.share) == (0.5, 0.8, 40, 30, 0.75)
    assert one.interval[0] < 0.75 < one.interval[1]
    assert calibration_error([one]) == pytest.approx(0)
    assert math.isnan(calibration_error(binned([])))


@given(st.lists(st.floats(0, 1), max_size=60))
@example([0.95, 0.95, 0.95])
def test_every_pair_falls_into_one_bin_and_edges_belong_to_the_upper_one(confidences: list[float]) -> None:
    bins = binned([Pair(confidence, True) for confidence in confidences])
    assert sum(one.count for one in bins) == len(confidences)
    assert all(one.low <= one.mean_confidence <= one.high for one in bins if one.count)
    at_edges = binned([Pair(edge, True) for edge in EDGES])
    assert [one.count for one in at_edges] == [1] * (len(EDGES) - 2) + [2]


def test_pairs_count_false_grids_and_leave_out_what_nobody_knows() -> None:
    label = Label(board(PUZZLE))
    puzzle = LabelledPicture(Path("a.jpg"), (), (label,))
    nothing = LabelledPicture(Path("b.jpg"), (), ())
    outcomes = [
        Outcome(puzzle, label, grid(0.9, solved=True)),
        Outcome(puzzle, label, None),
        Outcome(puzzle, None, grid(0.4)),
        Outcome(nothing, None, grid(0.3)),
    ]
    assert pairs_of(outcomes) == [Pair(0.9, True, True), Pair(0.3, False)]
    filled = Label(None, board(SOLUTION))
    assert pairs_of([Outcome(LabelledPicture(Path("c.jpg"), (), (filled,)), filled, grid(0.9))]) == []


def test_the_table_names_bins_groups_and_how_often_solved_may_be_wrong() -> None:
    sure = [Pair(1.0, True, True)] * 20
    groups = {"photos": HONEST, "sure": sure, "all": [*HONEST, *sure]}
    text = reliability_text(groups)
    assert "0.5 to 0.8" in text
    assert "0.999 to 1" in text
    assert [line.split()[0] for line in text.splitlines()[-3:]] == ["photos", "sure", "all"]
    figures = reliability_dict(groups)
    assert figures["sure"]["solved_wrong_at_most"] == pytest.approx(0.1611, abs=1e-4)
    assert (figures["all"]["grids"], figures["all"]["solved"], figures["all"]["solved_wrong"]) == (60, 20, 0)
    assert figures["photos"]["bins"][0]["right"] == 30
    assert "all" in reliability_text({"all": []})


def test_the_chart_shows_bins_that_are_surely_worse_than_they_say_in_red() -> None:
    def red(pairs: list[Pair]) -> int:
        pixels = draw_reliability({"all": pairs}, sure=0.99).astype(int)
        return int((pixels[..., 2] - pixels[..., 0] > 150).sum())

    assert red([Pair(0.999, number % 2 == 0) for number in range(40)]) > red(HONEST) == 0


def test_the_command_tells_and_draws_how_far_confidence_holds(
    run: Run, drawing: Drawing, tmp_path: Path
) -> None:
    save(tmp_path / "a.png", drawing.pixels)
    rows = [" ".join(PUZZLE[start : start + 9]) for start in range(0, 81, 9)]
    (tmp_path / "a.dat").write_text("\n".join(["drawn", "480x480", *rows]))
    picture = tmp_path / "reliability.png"
    ran = run("evaluate", tmp_path, "--reliability", picture)
    assert ran.status == 0
    assert "95 % interval" in ran.out
    seen = cv2.imread(str(picture))
    assert seen is not None
    assert seen.shape == draw_reliability({"all": []}, sure=0.99).shape
    figures = json.loads(run("evaluate", tmp_path, "--reliability", picture, "--json").out)
    assert list(figures["reliability"]) == [tmp_path.name, "all"]
    assert figures["reliability"][tmp_path.name]["grids"] == 1
    assert run("evaluate", tmp_path, "--reliability", tmp_path / "r.xyz").status == 2
