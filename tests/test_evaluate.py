"""Evaluate: labels are read in both forms, and the counts say what they promise."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, Run, board

from sudoku_vision.errors import UsageError
from sudoku_vision.results import Board, GridResult, GridStatus, Lattice, PageResult, Photo, Reading
from sudoku_vision.save import save
from sudoku_vision.training.evaluate import Evaluation, evaluate, failures_text, table
from sudoku_vision.training.labels import LabelledPicture, find_labels, read_dat
from sudoku_vision.training.render import Drawing
from sudoku_vision.training.sheet import contact_sheet

BLANK = np.zeros((9, 9), np.int8)


def dat(text: str) -> str:
    rows = [" ".join(text[i : i + 9]) for i in range(0, 81, 9)]
    return "\n".join(["a phone", "640x480:24 JPG", *rows]) + " \n"


def grid(puzzle: Board, status: GridStatus, written: Board = BLANK) -> GridResult:
    crossings = np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1).astype(np.float32) * 20 + 10
    return GridResult(status, Lattice(crossings), Reading(puzzle, written, None, 1, 0.9))


def misread(puzzle: Board) -> Board:
    other = puzzle.copy()
    other[0, 0] = 1
    return other


@pytest.fixture
def labelled(tmp_path: Path, drawing: Drawing, no_sudoku: Drawing) -> Path:
    """A folder with a table: one puzzle, two of one picture, and a picture that holds none."""
    images = tmp_path / "set" / "images"
    images.mkdir(parents=True)
    save(images / "one.png", drawing.pixels)
    save(images / "two.png", drawing.pixels)
    save(images / "none.png", no_sudoku.pixels)
    rows = [
        "id,file,tags,printed,all",
        f"1,one.png,photo;blur,{PUZZLE},",
        f"2,two.png,photo,{PUZZLE},{SOLUTION}",
        f"3,two.png,photo;second,{SOLUTION},",
        "4,none.png,negative,,",
    ]
    (tmp_path / "set" / "labels.csv").write_text("\n".join(rows) + "\n")
    return tmp_path / "set"


def by_fake(folder: Path, grids: dict[str, list[GridResult]]) -> Evaluation:
    """Evaluate with a reader that says what it is told, by the picture's name."""

    def read(photo: Photo) -> PageResult:
        found = tuple(grids[Path(photo.source).stem])
        return PageResult(photo.source, 1, "no_grid", "", found, 0.02)

    return evaluate(find_labels(folder), read)


def test_a_table_gives_pictures_tags_and_several_puzzles(labelled: Path) -> None:
    one, two, none = find_labels(labelled)
    assert one.path == labelled / "images" / "one.png"
    assert one.tags == ("photo", "blur")
    assert np.array_equal(one.labels[0].board, board(PUZZLE))
    assert two.tags == ("photo", "second")
    assert len(two.labels) == 2
    assert none.labels == ()


def test_dat_files_beside_pictures(tmp_path: Path) -> None:
    for name, text in (("photos", PUZZLE), ("mixed", SOLUTION)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.jpg").write_bytes(b"")
        (tmp_path / name / "a.dat").write_text(dat(text))
    (tmp_path / "mixed" / "b.dat").write_text(dat(SOLUTION))
    (photo,) = find_labels(tmp_path / "photos")
    (mixed,) = find_labels(tmp_path / "mixed")
    assert photo.tags == ("photos",)
    assert photo.labels[0].everything is None
    clues, everything = mixed.labels[0].clues, mixed.labels[0].everything
    assert clues is not None and everything is not None
    assert np.array_equal(clues, board(PUZZLE))
    assert np.array_equal(everything, board(SOLUTION))


def test_broken_labels_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        find_labels(tmp_path / "none")
    with pytest.raises(UsageError, match="no labelled pictures"):
        find_labels(tmp_path)
    (tmp_path / "a.dat").write_text("x\ny\n1 2 3\n")
    with pytest.raises(UsageError, match="81 digits, got '123'"):
        read_dat(tmp_path / "a.dat")


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
    }
    assert figures["blur"]["wrong"] == 1
    assert (figures["negative"]["false"], figures["negative"]["wrong"]) == (1, 1)
    assert figures["second"]["read"] == 2
    assert "66.7 %" in table(result)
    lines = failures_text(result).splitlines()
    assert len(lines) == 2
    assert all(line.startswith("WRONG ") for line in lines)
    assert "1 cells differ" in lines[0]
    assert "a grid where there is none" in lines[1]


def test_grids_are_matched_to_the_labels_they_agree_with_best(labelled: Path) -> None:
    puzzle, full = board(PUZZLE), board(SOLUTION)
    result = by_fake(labelled, {"one": [], "two": [grid(full, "solved"), grid(puzzle, "solved")], "none": []})
    assert [outcome.read for outcome in result.outcomes] == [False, True, True]
    assert result.by_tag()["all"]["wrong"] == 0


def test_where_only_all_digits_are_known_print_and_handwriting_count_together(tmp_path: Path) -> None:
    save(tmp_path / "a.png", np.zeros((8, 8, 3), np.uint8))
    (tmp_path / "a.dat").write_text(dat(SOLUTION))
    puzzle, full = board(PUZZLE), board(SOLUTION)
    written = np.where(puzzle == 0, full, 0).astype(np.int8)
    result = by_fake(tmp_path, {"a": [grid(puzzle, "solved", written)]})
    assert result.by_tag()["all"]["read"] == 1


def test_a_picture_that_can_not_be_opened_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    (tmp_path / "a.dat").write_text(dat(PUZZLE))
    figures = by_fake(tmp_path, {}).by_tag()["all"]
    assert (figures["puzzles"], figures["found"]) == (1, 0)


def test_the_contact_sheet_shows_every_failure(labelled: Path) -> None:
    puzzle = board(PUZZLE)
    result = by_fake(
        labelled, {"one": [grid(misread(puzzle), "solved")], "two": [], "none": [grid(puzzle, "uncertain")]}
    )
    failures = [outcome for outcome in result.outcomes if outcome.failed]
    assert len(failures) == 4
    sheet = contact_sheet(failures)
    one = contact_sheet(failures[:1])
    assert sheet.shape == (2 * one.shape[0], one.shape[1], 3)
    red = (sheet[..., 2].astype(int) - sheet[..., 0] > 40).mean()
    assert red > 0.0005
    assert contact_sheet([]).shape[0] < 60


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


def test_the_real_labels_are_all_well_formed(shared_data: Path) -> None:
    counts = {
        name: len(find_labels(shared_data / "wichtounet" / name)) for name in ("photos", "mixed", "originals")
    }
    assert counts == {"photos": 160, "mixed": 160, "originals": 8}
    wild: list[LabelledPicture] = find_labels(shared_data / "wild")
    assert sum(not picture.labels for picture in wild) == 11
