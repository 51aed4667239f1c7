"""Labels are read in all forms, and broken ones are reported."""

from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from labelled_examples import dat, labelled_folder

from sudoku_vision.errors import UsageError
from sudoku_vision.sudoku.regions import random_regions
from sudoku_vision.sudoku.rules import Rules
from workshop.evaluation.labels import Label, find_labels, read_dat
from workshop.rendering import Drawing


def label_of(folder: Path, text: str, name: str = "a.jpg") -> Label:
    """Write a picture and its ``.dat`` file; return its label."""
    folder.mkdir(exist_ok=True)
    (folder / name).touch()
    (folder / "a.dat").write_text(text)
    (picture,) = find_labels(folder)
    assert picture.path == folder / name and picture.tags == (folder.name,)
    return picture.labels[0]


def test_a_table_gives_pictures_tags_and_several_puzzles(
    tmp_path: Path, drawing: Drawing, no_sudoku: Drawing
) -> None:
    folder = labelled_folder(tmp_path / "set", drawing, no_sudoku)
    one, two, none = find_labels(folder)
    assert one.path == folder / "images" / "one.png"
    assert one.tags == ("set", "photo", "blur")
    assert np.array_equal(one.labels[0].board, board(PUZZLE))
    assert two.tags == ("set", "photo", "second")
    assert len(two.labels) == 2
    assert none.labels == ()
    assert np.array_equal(one.open().pixels, drawing.pixels)


def test_a_dat_file_has_clues_and_a_full_one_those_of_its_twin(tmp_path: Path) -> None:
    photo, mixed = label_of(tmp_path / "photos", dat(PUZZLE)), label_of(tmp_path / "mixed", dat(SOLUTION))
    assert photo.everything is None
    assert mixed.clues is not None and mixed.everything is not None
    assert np.array_equal(mixed.clues, board(PUZZLE))
    assert np.array_equal(mixed.everything, board(SOLUTION))


def test_a_dat_file_without_header_does_not_distinguish_print_and_handwriting(tmp_path: Path) -> None:
    label = label_of(tmp_path, "\n".join(dat(PUZZLE).splitlines()[2:]))
    assert label.clues is None and label.everything is not None
    assert np.array_equal(label.everything, board(PUZZLE))


def test_a_dat_file_with_regions_is_that_of_a_jigsaw(tmp_path: Path) -> None:
    rows = dat(PUZZLE).splitlines()[2:]
    rules = Rules(random_regions(np.random.default_rng(1)))
    regions = [" ".join(rules.regions[row : row + 9]) for row in range(0, 81, 9)]
    label = label_of(tmp_path, "\n".join([*rows, "", *regions]))
    assert rules.is_jigsaw and label.rules == rules
    assert np.array_equal(label.board, board(PUZZLE))
    with pytest.raises(UsageError, match="region 1 has 81"):
        label_of(tmp_path, "\n".join([*rows, "", *["1 " * 9] * 9]))


@pytest.mark.parametrize("name", ["a.jpg", "a.JPG", "a.heic", "a.TIFF"])
def test_a_label_finds_its_picture_of_any_kind(tmp_path: Path, name: str) -> None:
    (tmp_path / "b.dat").write_text(dat(PUZZLE))
    label_of(tmp_path, dat(PUZZLE), name)


def test_a_row_with_all_digits_alone_is_also_a_puzzle(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(f"file,printed,all\na.png,,{SOLUTION}\n")
    ((label,),) = (picture.labels for picture in find_labels(tmp_path))
    assert label.clues is None
    assert np.array_equal(label.board, board(SOLUTION))


def test_broken_labels_are_reported(tmp_path: Path) -> None:
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
        (f"file,printed,marks\na.png,{PUZZLE},r0c1:5\n", "'r0c1:5'"),
    ],
)
def test_a_table_that_is_no_table_of_labels_is_reported(tmp_path: Path, table: str, words: str) -> None:
    (tmp_path / "labels.csv").write_text(table)
    with pytest.raises(UsageError, match=words):
        find_labels(tmp_path)


def test_the_real_labels_are_all_well_formed(shared_data: Path) -> None:
    folders = [shared_data / "wichtounet" / name for name in ("photos", "mixed", "originals")]
    assert [len(find_labels(folder)) for folder in folders] == [160, 160, 8]
    assert sum(not picture.labels for picture in find_labels(shared_data / "wild")) == 11
