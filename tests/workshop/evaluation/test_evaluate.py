"""The command evaluate: figures, sheet, and what it says of pictures that can't be opened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest
from conftest import Run
from labelled_examples import labelled_folder

from sudoku_vision.workshop.rendering import Drawing


@pytest.fixture
def labelled(tmp_path: Path, drawing: Drawing, no_sudoku: Drawing) -> Path:
    """A folder with a table: one puzzle, two of one picture, and a picture that holds none."""
    return labelled_folder(tmp_path / "set", drawing, no_sudoku)


def test_a_picture_that_can_not_be_opened_is_named_and_counted_apart(
    run: Run, labelled: Path, tmp_path: Path
) -> None:
    (labelled / "images" / "two.png").write_bytes(b"no picture")
    ran = run("evaluate", labelled, "--json")
    assert ran.status == 0
    figures = json.loads(ran.out)
    assert (figures["tags"]["all"]["pictures"], figures["tags"]["all"]["puzzles"]) == (2, 1)
    (unopened,) = figures["not_opened"]
    assert unopened["picture"].endswith("two.png")
    assert "not opened" in ran.err and "two.png" in ran.err
    for name in ("one", "none"):
        (labelled / "images" / f"{name}.png").unlink()
    ran = run("evaluate", labelled)
    assert (ran.status, ran.out) == (3, "")
    assert "None of the labelled pictures could be opened" in ran.err


def test_the_command_prints_figures_and_writes_the_sheet(run: Run, labelled: Path, tmp_path: Path) -> None:
    ran = run("evaluate", labelled, "--sheet", tmp_path / "failures.png")
    assert ran.status == 0
    assert ran.out.splitlines()[0].split()[:4] == ["tag", "pictures", "puzzles", "found"]
    assert "median time" in ran.out
    sheet = cv2.imread(str(tmp_path / "failures.png"))
    assert sheet is not None
    assert sheet.shape[1] > 600
    figures = json.loads(run("evaluate", labelled, "--json").out)
    everything = figures["tags"]["all"]
    assert (everything["puzzles"], everything["read"], everything["wrong"], everything["false"]) == (
        3,
        2,
        0,
        0,
    )
    assert figures["median_seconds"] > 0
    assert run("evaluate", tmp_path / "nothing").status == 2
    assert run("evaluate", labelled, "--sheet", tmp_path / "failures.xyz").status == 2


def test_outputs_that_can_not_be_written_fail_before_any_work(
    run: Run, labelled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: Any, **__: Any) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr("sudoku_vision.pipeline.read_photo", work)
    place = tmp_path / "none" / "x.png"
    for call in (
        ("evaluate", labelled, "--sheet", place),
        ("evaluate", labelled, "--reliability", place),
        ("train", "--photos", labelled, "--out", tmp_path / "none" / "model.npz"),
        ("train", "--photos", labelled, "--out", tmp_path),
    ):
        ran = run(*call)
        assert (ran.status, ran.out) == (1, "")
        assert "folder" in ran.err


def test_training_on_nothing_is_wrong_usage_and_touches_no_model(run: Run, tmp_path: Path) -> None:
    ran = run("train", "--out", tmp_path / "model.npz")
    assert (ran.status, ran.out) == (2, "") and "--fonts" in ran.err
    assert not any(tmp_path.iterdir())


def test_training_does_not_write_over_what_it_learns_from(run: Run, tmp_path: Path) -> None:
    digits = tmp_path / "digits.npz"
    digits.write_bytes(b"handwriting")
    ran = run("train", "--handwriting", digits, "--out", digits)
    assert ran.status == 2 and "overwrite" in ran.err
    assert digits.read_bytes() == b"handwriting"


def test_the_figures_are_the_same_however_many_processes_read(run: Run, labelled: Path) -> None:
    (labelled / "images" / "one.png").write_bytes(b"no picture")
    call = ["evaluate", labelled, "--json"]
    alone, shared = (run(*call, "--jobs", jobs) for jobs in (1, 2))
    assert (shared.status, shared.err) == (alone.status, alone.err)
    figures, expected = json.loads(shared.out), json.loads(alone.out)
    for timed in (figures, expected):
        assert timed.pop("median_seconds") > 0
    assert figures == expected
    assert len(figures["not_opened"]) == 1
