"""Labels are read in both forms, and broken ones are told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from labelled_examples import dat, labelled_folder

from sudoku_vision.errors import UsageError
from sudoku_vision.sudoku.regions import random_regions
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.workshop.evaluation.labels import LabelledPicture, find_labels, read_dat
from sudoku_vision.workshop.rendering import Drawing


@pytest.fixture
def labelled(tmp_path: Path, drawing: Drawing, no_sudoku: Drawing) -> Path:
    """A folder with a table: one puzzle, two of one picture, and a picture that holds none."""
    return labelled_folder(tmp_path / "set", drawing, no_sudoku)


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


def test_a_dat_file_with_regions_is_that_of_a_jigsaw(tmp_path: Path) -> None:
    rows = dat(PUZZLE).splitlines()[2:]
    rules = Rules(random_regions(np.random.default_rng(1)))
    regions = [" ".join(rules.regions[row : row + 9]) for row in range(0, 81, 9)]
    (tmp_path / "a.jpg").touch()
    (tmp_path / "a.dat").write_text("\n".join([*rows, "", *regions]))
    (picture,) = find_labels(tmp_path)
    assert rules.is_jigsaw and picture.labels[0].rules == rules
    assert np.array_equal(picture.labels[0].board, board(PUZZLE))
    (tmp_path / "a.dat").write_text("\n".join([*rows, "", *["1 " * 9] * 9]))
    with pytest.raises(UsageError, match="region 1 has 81"):
        find_labels(tmp_path)


def test_a_dat_file_without_header_does_not_tell_print_from_handwriting(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "a.dat").write_text("\n".join(dat(PUZZLE).splitlines()[2:]))
    ((label,),) = (picture.labels for picture in find_labels(tmp_path))
    assert label.clues is None and label.everything is not None
    assert np.array_equal(label.everything, board(PUZZLE))


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
    for label in ("a", "b"):
        (tmp_path / f"{label}.dat").write_text(dat(PUZZLE))
    assert [picture.path for picture in find_labels(tmp_path)] == [tmp_path / name]


def test_pictures_can_be_read_lying_on_their_side(labelled: Path, drawing: Drawing) -> None:
    one = find_labels(labelled)[0]
    lying = one.turned(1)
    assert lying.tags == (*one.tags, "turned 90")
    assert np.array_equal(lying.open().pixels, np.rot90(drawing.pixels, -1))
    assert np.array_equal(one.open().pixels, drawing.pixels)


def test_the_real_labels_are_all_well_formed(shared_data: Path) -> None:
    counts = {
        name: len(find_labels(shared_data / "wichtounet" / name)) for name in ("photos", "mixed", "originals")
    }
    assert counts == {"photos": 160, "mixed": 160, "originals": 8}
    wild: list[LabelledPicture] = find_labels(shared_data / "wild")
    assert sum(not picture.labels for picture in wild) == 11
