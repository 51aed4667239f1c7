"""Counts say what they promise, by folder and tag, and name each mistake."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from labelled_examples import BLANK, by_fake, dat, grid, labelled_folder, misread

from sudoku_vision.output.save import save
from sudoku_vision.results import GridResult, PageResult, Photo, Reading
from sudoku_vision.workshop.evaluation.labels import find_labels
from sudoku_vision.workshop.evaluation.metrics import evaluate, mistakes
from sudoku_vision.workshop.evaluation.text import (
    counts_text,
    failures_text,
    shortened,
    verdicts_text,
)
from sudoku_vision.workshop.rendering import Drawing


@pytest.fixture
def labelled(tmp_path: Path, drawing: Drawing, no_sudoku: Drawing) -> Path:
    """A folder with a table: one puzzle, two of one picture, and a picture that holds none."""
    return labelled_folder(tmp_path / "set", drawing, no_sudoku)


def test_read_solved_wrong_and_false_are_counted_by_tag(labelled: Path) -> None:
    puzzle, full = board(PUZZLE), board(SOLUTION)
    written = np.where(puzzle == 0, full, 0).astype(np.int8)
    result = by_fake(
        labelled,
        {
            "one": [grid(misread(puzzle), "solved")],
            "two": [grid(full, "solved"), grid(BLANK, "unreadable"), grid(puzzle, "uncertain", written)],
            "none": [grid(puzzle, "solved")],
        },
    )
    figures = result.by_tag()
    assert figures["all"] == {
        "pictures": 3,
        "puzzles": 3,
        "found": 3,
        "read": 2,
        "solved": 2,
        "wrong": 2,
        "false": 1,
        "handwriting": 1,
        "handwriting_read": 1,
        "read_solved": 1,
    }
    assert figures["blur"]["wrong"] == 1
    assert (figures["negative"]["false"], figures["negative"]["wrong"]) == (1, 1)
    assert figures["second"]["read"] == 2
    assert "66.7 %" in counts_text(result)
    assert counts_text(result).splitlines()[1].endswith("1 of 1")
    assert "set" not in figures  # a single folder would say the same as all
    lines = failures_text(result.failures).splitlines()
    assert len(lines) == 2
    assert all(line.startswith("WRONG ") for line in lines)
    assert "a grid where there is none" in lines[0]
    assert lines[1].endswith("r1c1: 1 for 4")


def test_a_digit_taken_for_handwriting_is_told_as_such(labelled: Path) -> None:
    puzzle, by_hand = board(PUZZLE), board("4" + "0" * 80)
    puzzle[0, 0], puzzle[0, 1] = 0, 9
    wrong = [grid(puzzle, "uncertain", by_hand)]
    one, two, _ = by_fake(labelled, {"one": wrong, "two": wrong, "none": []}).failures
    assert mistakes(one) == ["r1c1: blank (4 by hand) for 4", "r1c2: 9 for blank"]
    assert mistakes(two) == ["r1c1: blank (4 by hand) for 4", "r1c2: 9 for blank (1 by hand)"]
    assert shortened(["a", "b", "c"], 2) == "a, b and 1 more"


def test_marks_on_written_digits_are_judged_by_what_is_written(labelled: Path) -> None:
    """The label has the whole solution in all: a wrong one is false, except where it has another digit."""
    puzzle, full = board(PUZZLE), board(SOLUTION)
    table_of = labelled / "labels.csv"
    noted = full.copy()
    noted[0, 1], noted[0, 2], noted[0, 3] = 9, 0, 8
    text = "".join(map(str, noted.ravel()))
    table_of.write_text(f"file,printed,all\none.png,{PUZZLE},{text}\n")
    written = np.where(puzzle == 0, full, 0).astype(np.int8)
    written[0, 1], written[0, 2], written[0, 4], written[0, 5] = 9, 5, 5, 2
    reading = Reading(puzzle, written, full, 1, 1.0, unclear=(5,))
    result = by_fake(labelled, {"one": [GridResult("solved", grid(puzzle, "solved").lattice, reading)]})
    blanks = int((puzzle == 0).sum())
    assert result.verdicts() == {
        "right": blanks - 4,
        "right_false": 1,  # r1c4
        "wrong": 3,
        "wrong_false": 2,  # r1c3, where nothing is written, and r1c5, where the right digit is
        "unclear": 1,
    }
    assert "called wrong 3, falsely 2; not clear 1" in verdicts_text(result.verdicts())


def test_folders_are_told_apart_and_the_worst_comes_first(labelled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    save(other / "lone.png", np.zeros((8, 8, 3), np.uint8))
    (other / "lone.dat").write_text(dat(PUZZLE))
    puzzle = board(PUZZLE)
    grids = {"one": [grid(puzzle, "solved")], "two": [], "none": [grid(puzzle, "uncertain")]}
    grids["lone"] = [grid(misread(puzzle), "solved")]

    def read(photo: Photo) -> PageResult:
        return PageResult(photo.source, 1, "no_grid", "", tuple(grids[Path(photo.source).stem]), 0.02)

    result = evaluate([*find_labels(labelled), *find_labels(other)], read)
    figures = result.by_tag()
    assert list(figures)[:3] == ["all", "set", "other"]
    assert (figures["set"]["puzzles"], figures["set"]["solved"], figures["set"]["wrong"]) == (3, 1, 0)
    assert (figures["other"]["solved"], figures["other"]["wrong"], figures["set"]["false"]) == (1, 1, 1)
    assert [outcome.picture.path.stem for outcome in result.failures] == ["lone", "none", "two", "two"]


def test_grids_are_matched_to_the_labels_they_agree_with_best(labelled: Path) -> None:
    puzzle, full = board(PUZZLE), board(SOLUTION)
    result = by_fake(labelled, {"one": [], "two": [grid(full, "solved"), grid(puzzle, "solved")], "none": []})
    assert [outcome.read for outcome in result.outcomes] == [False, True, True]
    assert result.by_tag()["all"]["wrong"] == 0
