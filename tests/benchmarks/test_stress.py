"""The stress benchmark: conditions only ever get worse, and what is counted is what happened."""

from __future__ import annotations

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from sudoku_vision.results import GridResult, GridStatus, Lattice, PageResult, Reading
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.workshop.rendering import Drawing

PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "stress.py"


def load_benchmark() -> Any:
    """The benchmark, which is a script and no part of the package."""
    spec = importlib.util.spec_from_file_location("stress_benchmark", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


stress = load_benchmark()


@pytest.fixture(scope="module")
def model() -> CellClassifier:
    return load_model()


@pytest.fixture(scope="module")
def sitter() -> Any:
    return stress.sitters(1, seed=5)[0]


@pytest.fixture(scope="module")
def clean(sitter: Any) -> Any:
    return sitter.drawn(None, 0.0)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that says *uncertain* of a bright picture, *solved* of a dim one, and finds no dark one."""

    def judge(drawing: Drawing, page: PageResult, model: CellClassifier) -> Any:
        light = drawing.pixels.mean()
        if light < 30:
            return stress.Verdict(False, False, False, False, "lost")
        wrong = bool(light < 100)
        return stress.Verdict(True, not wrong, wrong, wrong, "digits" if wrong else "")

    monkeypatch.setattr(stress, "judge", judge)
    monkeypatch.setattr(stress, "read_photo", lambda *_, **__: None)


def page_of(drawing: Drawing, status: GridStatus = "solved", **change: Any) -> PageResult:
    """The page that says exactly what was drawn, but for a change of the grid."""
    truth = drawing.grids[0]
    reading = Reading(truth.puzzle, np.zeros((9, 9), np.int8), truth.solution, 1, 0.999)
    grid = replace(GridResult(status, truth.lattice, reading), **change)
    return PageResult("", 1, grid.status, "", (grid,), 0.01)


def misread(drawing: Drawing) -> Reading:
    puzzle = drawing.grids[0].puzzle.copy()
    puzzle.reshape(81)[np.flatnonzero(puzzle)[0]] = 0
    return replace(page_of(drawing).grids[0].reading, puzzle=puzzle)


def test_strengths_only_ever_rise_from_the_clean_picture() -> None:
    names = [condition.name for condition in stress.CONDITIONS]
    assert len(set(names)) == len(names)
    for condition in stress.CONDITIONS:
        steps = np.diff(condition.strengths)
        assert (steps > 0).all() or (steps < 0).all(), condition.name
        mild = condition.spoil(stress.CLEAN, condition.strengths[0], np.random.default_rng(1))
        strong = condition.spoil(stress.CLEAN, condition.strengths[-1], np.random.default_rng(1))
        assert mild != strong != stress.CLEAN


def test_one_series_shows_the_same_puzzle_under_every_condition(sitter: Any, clean: Drawing) -> None:
    assert abs(clean.grids[0].lattice.cell_size - stress.CELL) < 0.1
    for name in ("tilt", "size", "ink"):
        (condition,) = stress.chosen_conditions(name)
        drawing = sitter.drawn(condition, condition.strengths[-1])
        again = sitter.drawn(condition, condition.strengths[-1])
        assert np.array_equal(drawing.grids[0].puzzle, clean.grids[0].puzzle)
        assert np.array_equal(drawing.pixels, again.pixels)
        assert drawing.pixels.shape != clean.pixels.shape or np.abs(drawing.pixels - clean.pixels).max() > 0


def test_series_are_seeded_and_a_longer_one_begins_with_the_shorter() -> None:
    short, long, other = stress.sitters(2, 0), stress.sitters(3, 0), stress.sitters(2, 1)
    assert all(np.array_equal(a.puzzle, b.puzzle) for a, b in zip(short, long, strict=False))
    assert [one.typeface for one in short] == [one.typeface for one in long[:2]]
    assert not np.array_equal(short[0].puzzle, other[0].puzzle)
    assert not any(one.typeface.handwritten for one in long)


def test_what_is_right_counts_in_any_turn_of_the_lattice(clean: Drawing, model: CellClassifier) -> None:
    lattice = clean.grids[0].lattice
    for turn in range(4):
        page = page_of(clean, lattice=lattice.turned(turn))
        assert stress.judge(clean, page, model) == stress.Verdict(True, True, True, False)
    unsure = stress.judge(clean, page_of(clean, "uncertain"), model)
    assert (unsure.read, unsure.solved, unsure.wrong) == (True, False, False)


def test_a_grid_elsewhere_is_not_found(clean: Drawing, model: CellClassifier) -> None:
    away = Lattice(clean.grids[0].lattice.crossings + np.float32(stress.CELL))
    verdict = stress.judge(clean, page_of(clean, "uncertain", lattice=away), model)
    assert (verdict.found, verdict.read, verdict.cause) == (False, False, "lost")
    nothing = PageResult("", 1, "no_grid", "", (), 0.01)
    assert stress.judge(clean, nothing, model).cause == "lost"


def test_what_would_be_read_along_the_true_lines_is_put_down_to_the_lines(
    clean: Drawing, model: CellClassifier
) -> None:
    verdict = stress.judge(clean, page_of(clean, reading=misread(clean)), model)
    assert verdict == stress.Verdict(True, False, True, True, "lines")


def test_unreadable_digits_are_put_down_to_the_digits(clean: Drawing, model: CellClassifier) -> None:
    white = replace(clean, pixels=np.full_like(clean.pixels, 240))
    verdict = stress.judge(white, page_of(clean, "uncertain", reading=misread(clean)), model)
    assert verdict.cause == "digits"
    nothing = PageResult("", 1, "no_grid", "", (), 0.01)
    assert stress.judge(white, nothing, model).cause == "both"


def test_levels_and_tables_count(reader: None, sitter: Any, model: CellClassifier) -> None:
    run = stress.measure(stress.chosen_conditions("exposure"), [sitter], model, thumbs=True)
    read = [level.read for level in run.of("exposure")]
    assert run.clean[0].read == 1
    assert read == sorted(read, reverse=True)
    assert sum(level.wrong for level in run.levels) > 0
    assert sum(level.causes.get("lost", 0) for level in run.levels) > 0
    table = stress.level_table(run)
    assert len(table.splitlines()) == 1 + len(run.levels)
    assert "WRONG" in table
    assert stress.withstood(run, "exposure") == "0.5"
    summary = stress.summary_table(run)
    assert summary.splitlines()[1].startswith("exposure")
    assert "before" not in summary


def test_a_run_is_kept_and_compared(
    reader: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, plot, sheet = (tmp_path / name for name in ("run.json", "plot.png", "sheet.png"))
    options = ["--count", "1", "--only", "exposure", "--json", str(kept)]
    stress.main([*options, "--plot", str(plot), "--sheet", str(sheet)])
    assert "withstood" in capsys.readouterr().out
    levels = json.loads(kept.read_text())["levels"]
    assert [level["strength"] for level in levels[:3]] == [0.0, 0.5, 0.3]
    for path in (plot, sheet):
        picture = cv2.imread(str(path))
        assert picture is not None
        assert (picture[..., 2].astype(int) - picture[..., 0] > 120).any(), "what was solved wrongly is red"
    monkeypatch.setattr(stress, "judge", lambda *_: stress.Verdict(True, True, True, False))
    stress.main(["--count", "1", "--only", "exposure", "--against", str(kept), "--plot", str(plot)])
    out, err = capsys.readouterr()
    line = next(line for line in out.splitlines() if line.startswith("exposure") and "%" in line)
    assert line.split()[:6] == ["exposure", "100", "%", "12", "%", "+88"]
    assert err == ""


def test_wrong_names_end_with_a_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[]")
    for arguments, words in (
        (["--only", "fog"], "no condition 'fog'"),
        (["--against", str(broken)], "no run of this benchmark"),
        (["--against", str(tmp_path / "none.json")], "none.json"),
        (["--plot", "plot.xyz"], ".xyz"),
        (["--count", "0"], "1 or more"),
    ):
        with pytest.raises(SystemExit) as left:
            stress.main(arguments)
        assert left.value.code == 2
        assert words in capsys.readouterr().err


def test_outputs_that_can_not_be_written_fail_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--plot", "--sheet", "--json"):
        with pytest.raises(SystemExit) as left:
            stress.main([option, str(tmp_path / "none" / "x.png")])
        assert left.value.code == 1
        assert "folder does not exist" in capsys.readouterr().err


def test_comparing_different_series_is_told(
    reader: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "run.json"
    stress.main(["--count", "1", "--only", "exposure", "--json", str(kept)])
    stress.main(["--count", "1", "--only", "exposure", "--seed", "3", "--against", str(kept)])
    assert "'seed': 0" in capsys.readouterr().err
