"""The command line of the workshop: figures, outputs, wrong usage, signals."""

import json
import signal
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import cv2
import pytest
from conftest import Run

from sudoku_vision.page import Page
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.results import Photo


def test_pictures_that_can_not_be_opened_are_named_and_counted_apart(
    run_workshop: Run, labelled: Path
) -> None:
    """The figures are the same, however many processes read."""
    (labelled / "images" / "two.png").write_bytes(b"no picture")
    alone, shared = (run_workshop("evaluate", labelled, "--json", "--jobs", jobs) for jobs in (1, 2))
    assert (shared.status, shared.err) == (alone.status, alone.err) == (0, alone.err)
    assert "not opened" in alone.err and "two.png" in alone.err
    figures, same = json.loads(alone.out), json.loads(shared.out)
    assert figures.pop("median_seconds") > 0 and same.pop("median_seconds") > 0
    assert figures == same
    assert (figures["tags"]["all"]["pictures"], figures["tags"]["all"]["puzzles"]) == (2, 1)
    (unopened,) = figures["not_opened"]
    assert unopened["picture"].endswith("two.png")
    for name in ("one", "none"):
        (labelled / "images" / f"{name}.png").unlink()
    ran = run_workshop("evaluate", labelled)
    assert (ran.status, ran.out) == (3, "")
    assert "None of the labelled pictures could be opened" in ran.err


def test_evaluate_prints_figures_and_writes_the_sheet(
    run_workshop: Run, labelled: Path, tmp_path: Path
) -> None:
    sheet = tmp_path / "failures.png"
    ran = run_workshop("evaluate", labelled, "--sheet", sheet, "--reliability")
    assert ran.status == 0
    assert ran.out.splitlines()[1].split()[:5] == ["all", "3", "3", "2", "2"]
    assert "median time" in ran.out and "95 % interval" in ran.out
    seen = cv2.imread(str(sheet))
    assert seen is not None and seen.shape[1] > 600
    figures = json.loads(run_workshop("evaluate", labelled, "--reliability", "--json").out)
    assert list(figures["reliability"]) == ["set", "all"]
    assert figures["reliability"]["all"]["grids"] == 2


def test_outputs_that_can_not_be_written_fail_before_any_work(
    run_workshop: Run, labelled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Mock(side_effect=AssertionError("the work has begun"))
    monkeypatch.setattr("workshop.commands.read_page", work)
    for call in (
        ("evaluate", labelled, "--sheet", tmp_path / "none" / "x.png"),
        ("train", "--photos", labelled, "--out", tmp_path / "none" / "model.npz"),
        ("train", "--photos", labelled, "--out", tmp_path),
    ):
        ran = run_workshop(*call)
        assert (ran.status, ran.out) == (1, "")
        assert "folder" in ran.err
    assert run_workshop("evaluate", labelled, "--sheet", tmp_path / "failures.xyz").status == 2


def test_what_is_read_is_never_overwritten(run_workshop: Run, labelled: Path) -> None:
    picture, digits = labelled / "images" / "one.png", labelled / "digits.npz"
    digits.write_bytes(b"handwriting")
    hard = picture.with_stem("hard")
    hard.hardlink_to(picture)
    before = picture.read_bytes()
    for call in (
        ("evaluate", labelled, "--sheet", hard),
        ("train", "--handwriting", digits, "--out", digits),
    ):
        ran = run_workshop(*call)
        assert ran.status == 2 and "overwrite" in ran.err
    assert (picture.read_bytes(), digits.read_bytes()) == (before, b"handwriting")


def test_drawn_pictures_are_the_same_for_one_seed_and_can_be_evaluated(
    run_workshop: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "drawn"
    written = []
    for _ in range(2):
        assert run_workshop("draw", folder, "--kind", "sheet", "-n", 2, "--seed", 3).status == 0
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert written[0] == written[1] and len(written[0]) == 3
    figures = json.loads(run_workshop("evaluate", folder, "--json").out)["tags"]
    assert (figures["sheet"]["puzzles"], figures["all"]["found"]) == (2, 2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ((), "See: python -m workshop --help"),
        (("train",), "--fonts"),
        (
            ("train", "--quick", "--fonts", ".", "--out", "m.npz"),
            "there are no fonts in it. Name folders of fonts.",
        ),
        (("train", "--seed", "-1"), "'-1'. See: python -m workshop train --help"),
        (("train", "--part", "paper"), "'paper'"),
        (("evaluate", "nothing"), "no such folder"),
        (("evaluate", "--jobs", "2", "--cluster", "tcp://a:1", "."), "--cluster and --jobs"),
        (("evaluate", "x" * 3000), "file name too long"),
    ],
)
def test_wrong_usage_is_one_line(
    run_workshop: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run_workshop(*call)
    assert ran.status in (1, 2) and not ran.out
    assert words in ran.err and ran.err.count("\n") == 1 and len(ran.err) < 1500
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_an_evaluation_with_its_own_status(
    run_workshop: Run, labelled: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def stopped(photo: Photo, **_: Any) -> Page:
        if "two" in photo.source:
            signal.raise_signal(number)
        return read_page(photo)

    monkeypatch.setattr("workshop.commands.read_page", stopped)
    ran = run_workshop("evaluate", labelled, "--jobs", 1)
    assert (ran.status, ran.out) == (128 + number, "")
    assert "interrupted after 1 of 3 pictures" in ran.err
