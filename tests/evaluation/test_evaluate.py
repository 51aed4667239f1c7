"""Evaluate: labels are read in both forms, and the counts say what they promise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, Run, board

from sudoku_vision.drawing.colours import GREEN, PINK, RED, YELLOW, Colour
from sudoku_vision.errors import UsageError
from sudoku_vision.evaluation.contact_sheet import (
    contact_sheet,
    draw_comparison,
    draw_failure,
)
from sudoku_vision.evaluation.evaluate import (
    Evaluation,
    evaluate,
    failures_text,
    mistakes,
    shortened,
    table,
    verdicts_text,
)
from sudoku_vision.evaluation.labels import LabelledPicture, find_labels, picture_beside, read_dat
from sudoku_vision.rendering import Drawing
from sudoku_vision.results import Board, GridResult, GridStatus, Image, Lattice, PageResult, Photo, Reading
from sudoku_vision.save import save

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
    assert one.tags == ("set", "photo", "blur")
    assert np.array_equal(one.labels[0].board, board(PUZZLE))
    assert two.tags == ("set", "photo", "second")
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
    (tmp_path / "b.dat").mkdir()
    with pytest.raises(UsageError, match="can't be read"):
        read_dat(tmp_path / "b.dat")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("file,digits\na.png,1\n", "lacks a column file or printed"),
        ("", "lacks a column"),
        (f"file,printed\n,{PUZZLE}\n", "line 2 names no file"),
        ("file,printed\na.png,123\n", "81 digits, got '123'"),
    ],
)
def test_a_table_that_is_no_table_of_labels_is_told(tmp_path: Path, table: str, words: str) -> None:
    (tmp_path / "labels.csv").write_text(table)
    with pytest.raises(UsageError, match=words):
        find_labels(tmp_path)


def test_a_row_with_all_digits_alone_is_a_puzzle_too(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(f"file,printed,all\na.png,,{SOLUTION}\n")
    ((label,),) = (picture.labels for picture in find_labels(tmp_path))
    assert label.clues is None
    assert np.array_equal(label.board, board(SOLUTION))


@pytest.mark.parametrize("name", ["a.jpg", "a.JPG", "a.heic", "a.TIFF"])
def test_a_label_finds_its_picture_of_any_kind(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    assert picture_beside(tmp_path / "a.dat") == tmp_path / name
    assert picture_beside(tmp_path / "b.dat") is None


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
    assert table(result).splitlines()[1].endswith("1 of 1")
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
    assert "called wrong 3, falsely 2; not clear 1" in verdicts_text(result)


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


def test_pictures_can_be_read_lying_on_their_side(labelled: Path, drawing: Drawing) -> None:
    one = find_labels(labelled)[0]
    lying = one.turned(1)
    assert lying.tags == (*one.tags, "turned 90")
    assert np.array_equal(lying.open().pixels, np.rot90(drawing.pixels, -1))
    assert np.array_equal(one.open().pixels, drawing.pixels)


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


def test_the_contact_sheet_shows_every_failure(labelled: Path) -> None:
    puzzle = board(PUZZLE)
    result = by_fake(
        labelled, {"one": [grid(misread(puzzle), "solved")], "two": [], "none": [grid(puzzle, "uncertain")]}
    )
    failures = result.failures
    assert len(failures) == 4
    sheet = contact_sheet(failures)
    one, two = contact_sheet(failures[:1]), contact_sheet(failures[:2])
    assert one.shape == two.shape
    assert sheet.shape[0] - one.shape[0] > 300
    assert contact_sheet([]).shape[0] < 60


def coloured(image: Image, colour: Colour) -> int:
    """Pixels of nearly this colour."""
    return int((np.abs(image.astype(int) - colour).max(axis=2) < 20).sum())


def test_a_failure_shows_where_what_was_read_and_what_is_right(labelled: Path) -> None:
    puzzle = board(PUZZLE)
    grids = {"one": [grid(misread(puzzle), "solved")], "two": [], "none": [grid(puzzle, "uncertain")]}
    misread_one, false, unfound, _ = by_fake(labelled, grids).failures
    board_side = draw_comparison(misread_one).shape[0] // 9
    read, right = draw_comparison(misread_one), draw_comparison(unfound)
    corner = read[:board_side, :board_side]
    assert min(coloured(corner, RED), coloured(corner, GREEN), coloured(corner, PINK)) > 30
    assert coloured(read[board_side:], PINK) == coloured(read[board_side:], GREEN) == 0
    assert coloured(right, GREEN) > 1000
    assert coloured(draw_comparison(false), GREEN) == 0
    assert coloured(draw_failure(misread_one), RED) > coloured(draw_failure(false), RED)


def test_misread_handwriting_is_marked_in_another_colour(labelled: Path) -> None:
    puzzle, full = board(PUZZLE), board(SOLUTION)
    written = np.where(puzzle == 0, full, 0).astype(np.int8)
    written[0, 1] = 9
    second = misread(full)
    grids = {"one": [], "two": [grid(puzzle, "solved", written), grid(second, "uncertain")], "none": []}
    result = by_fake(labelled, grids)
    outcome = next(o for o in result.outcomes if o.label is not None and o.label.everything is not None)
    assert outcome.read and not outcome.all_read
    image = draw_comparison(outcome)
    assert coloured(image, YELLOW) > 1000
    assert coloured(image, PINK) == 0


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
    lying = json.loads(run("evaluate", labelled, "--turn", "all", "--json").out)["tags"]
    assert (lying["all"]["pictures"], lying["turned 270"]["pictures"]) == (12, 3)
    assert lying["turned 90"]["read"] == 2
    assert run("evaluate", tmp_path / "nothing").status == 2
    assert run("evaluate", labelled, "--turn", "45").status == 2
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
        ("train", "--out", tmp_path / "none" / "model.npz"),
        ("train", "--out", tmp_path),
    ):
        ran = run(*call)
        assert (ran.status, ran.out) == (1, "")
        assert "folder" in ran.err


def test_the_real_labels_are_all_well_formed(shared_data: Path) -> None:
    counts = {
        name: len(find_labels(shared_data / "wichtounet" / name)) for name in ("photos", "mixed", "originals")
    }
    assert counts == {"photos": 160, "mixed": 160, "originals": 8}
    wild: list[LabelledPicture] = find_labels(shared_data / "wild")
    assert sum(not picture.labels for picture in wild) == 11
