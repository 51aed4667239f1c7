"""Labelled photos: what their labels say, where their lines lie, which belong together."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from sudoku_vision.errors import UsageError
from sudoku_vision.geometry import flat_crossings
from sudoku_vision.results import Lattice, Photo
from sudoku_vision.workshop.training.classes import BLANK, WRITTEN
from sudoku_vision.workshop.training.dataset import folds_by_source, labelled_boards, read_outlines
from sudoku_vision.workshop.training.settings import Settings
from sudoku_vision.workshop.training.snapping import snap
from sudoku_vision.workshop.training.train import train


def flat_board(side: int = 30) -> tuple[Photo, Lattice]:
    image = np.full((9 * side + 60, 9 * side + 60, 3), 230, np.uint8)
    for index in range(10):
        at, end = 30 + index * side, 30 + 9 * side
        cv2.line(image, (at, 30), (at, end), (40, 40, 40), 2)
        cv2.line(image, (30, at), (end, at), (40, 40, 40), 2)
    places = np.arange(10) * side + 30.0
    return Photo(image), Lattice(np.stack(np.meshgrid(places, places), axis=2).astype(np.float32))


def write_labels(folder: Path, digits: str) -> None:
    folder.mkdir(parents=True)
    photo, lattice = flat_board()
    cv2.imwrite(str(folder / "a.png"), photo.pixels)
    rows = "\n".join(" ".join(digits[9 * row : 9 * row + 9]) for row in range(9))
    (folder / "a.dat").write_text(f"camera\n640x480\n{rows}\n", encoding="utf-8")
    corners = ",".join(f"{x:.0f},{y:.0f}" for x, y in lattice.corners)
    names = ",".join(f"p{i}_{axis}" for i in range(1, 5) for axis in "xy")
    (folder.parent / "outlines.csv").write_text(
        f"filepath,{names}\nphotos/a.png,{corners}\n", encoding="utf-8"
    )


def test_folds_keep_photos_of_one_puzzle_together() -> None:
    names = [f"puzzle {index % 17}" for index in range(60)]
    folds = folds_by_source(names, 5, 0)
    for name in set(names):
        assert len({int(fold) for fold, other in zip(folds, names, strict=True) if other == name}) == 1
    assert np.bincount(folds).min() > 8


def test_a_rough_outline_snaps_to_the_lines() -> None:
    photo, lattice = flat_board()
    rough = lattice.corners + np.array([[4, -3], [-3, 4], [3, 2], [-4, 3]], np.float32)
    found = snap(photo, Lattice(flat_crossings(rough)))
    assert np.abs(found.crossings - lattice.crossings).max() < 2.5


def test_digits_that_only_the_filled_photo_has_are_written(tmp_path: Path) -> None:
    write_labels(tmp_path / "photos", "5" + "0" * 80)
    write_labels(tmp_path / "mixed", "51" + "0" * 79)
    (board,) = labelled_boards([tmp_path / "mixed"])
    assert board.classes[:3].tolist() == [5, WRITTEN, BLANK]
    (clean,) = labelled_boards([tmp_path / "photos"])
    assert clean.source == board.source


def test_a_label_file_with_missing_digits_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_text("camera\nsize\n1 2 3\n", encoding="utf-8")
    cv2.imwrite(str(tmp_path / "a.png"), flat_board()[0].pixels)
    names = ",".join(f"p{i}_{axis}" for i in range(1, 5) for axis in "xy")
    (tmp_path.parent / "outlines.csv").write_text(f"filepath,{names}\na.png,0,0,9,0,9,9,0,9\n")
    with pytest.raises(UsageError, match=r"a\.dat"):
        list(labelled_boards([tmp_path]))


def test_photos_without_outlines_are_named_before_any_work(tmp_path: Path) -> None:
    write_labels(tmp_path / "photos", "5" + "0" * 80)
    (tmp_path / "outlines.csv").unlink()
    with pytest.raises(UsageError, match="outline"):
        train(tmp_path / "digits.npz", photos=[tmp_path / "photos"], settings=Settings())


HEAD = "filepath,p1_x,p1_y,p2_x,p2_y,p3_x,p3_y,p4_x,p4_y"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (f"{HEAD}\na.png,0,0,9,0,9,9,0,left\n", "line 2: there are no four corners"),
        (f"{HEAD}\na.png,0,0,9,0,9,9,0,9\nb.png,0,0\n", "line 3: there are no four corners"),
        (f"{HEAD}\na.png,0,0,9,0,9,9,0,inf\n", "line 2: there are no four corners"),
        (f"{HEAD}\na.png,0,0,9,0,9,9,0,1e300\n", "line 2: there are no four corners"),
        ("name,x\na.png,0\n", "line 2: the column 'filepath' is missing"),
        ("filepath,p1_x\na.png,0\n", "line 2: the column 'p1_y' is missing"),
    ],
)
def test_a_broken_table_of_outlines_names_its_line(tmp_path: Path, table: str, words: str) -> None:
    path = tmp_path / "outlines.csv"
    path.write_text(table, encoding="utf-8")
    with pytest.raises(UsageError, match=rf"outlines\.csv, {words}\. A line is as in: filepath,p1_x"):
        read_outlines(path)


def test_a_table_of_outlines_in_another_encoding_is_told(tmp_path: Path) -> None:
    path = tmp_path / "outlines.csv"
    path.write_bytes(f"{HEAD}\n\u00e4.png,0,0,9,0,9,9,0,9\n".encode("cp1252"))
    with pytest.raises(UsageError, match="no text in UTF-8"):
        read_outlines(path)
    path.write_bytes(f"{HEAD}\n\u00e4.png,0,0,9,0,9,9,0,9\n".encode("utf-8-sig"))
    assert list(read_outlines(path)) == ["\u00e4.png"]
