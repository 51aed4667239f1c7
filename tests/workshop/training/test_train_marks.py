"""Training the reader of pencil marks: a small run makes a model and its card."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sudoku_vision.errors import UsageError
from sudoku_vision.output.drawing.grid import MarkBox
from sudoku_vision.vision.digits.mark_model import load_mark_reader
from sudoku_vision.vision.digits.mark_reader import MARKS
from sudoku_vision.vision.digits.mark_segmentation import Pieces
from sudoku_vision.vision.digits.model import load_model
from sudoku_vision.workshop.evaluation.calendar import read_mark_table
from sudoku_vision.workshop.training.mark_samples import MarkBoard, labelled_mark_boards, labels_by_place
from sudoku_vision.workshop.training.marks import MarkSettings, labelled_by_reading, measure_marks
from sudoku_vision.workshop.training.progress import silent_steps
from sudoku_vision.workshop.training.train_marks import train_marks

SMALL = MarkSettings(boards=10, held_boards=10)


def test_a_small_training_writes_a_reader_and_its_card(tmp_path: Path) -> None:
    out = tmp_path / "marks.npz"
    reader, metrics = train_marks(out, settings=SMALL)
    assert load_mark_reader(out).header["hash"] == reader.header["hash"]
    assert metrics["held_drawn"]["cells"] > 0
    assert "digits taken for marks" in (tmp_path / "marks.md").read_text(encoding="utf-8")


def test_folders_without_labelled_pages_are_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="half-solved page"):
        train_marks(tmp_path / "marks.npz", photos=[tmp_path])


def pieces_at(*boxes: tuple[float, float, float, float]) -> Pieces:
    count = len(boxes)
    numbers = np.zeros(count, np.intp)
    ends = np.arange(1, count + 1)
    images = np.zeros((count, 28, 28), np.float32)
    gaps = np.zeros(count, np.float32)
    return Pieces(images, np.array(boxes, np.float32), numbers, numbers, numbers, ends, gaps, (count,))


def test_a_piece_is_the_mark_whose_place_it_has() -> None:
    pieces = pieces_at(
        (0.1, 0.1, 0.2, 0.3), (0.1, 0.1, 0.35, 0.3), (0.1, 0.1, 0.15, 0.3), (0.1, 0.1, 0.25, 0.3)
    )
    marks = [MarkBox(0, 7, 0.1, 0.1, 0.2, 0.3), MarkBox(1, 4, 0.1, 0.1, 0.35, 0.3)]
    assert labels_by_place(pieces, marks).tolist() == [7, 0, -1, -1]


def test_marks_of_photos_are_labelled_only_where_they_can_be_read_as_noted() -> None:
    reader = load_mark_reader()
    board = MarkBoard(
        np.zeros((0, 1), np.float32),
        np.zeros(0, np.int64),
        pieces_at((0.1, 0.1, 0.2, 0.3)),
        np.array([-1]),
        {},
    )
    assert labelled_by_reading(replace(board, marks={0: frozenset({5})}), reader).labels.tolist() in (
        [5],
        [-1],
    )
    assert labelled_by_reading(replace(board, marks={0: frozenset({5, 6})}), reader).labels.tolist() == [-1]
    assert measure_marks(reader, []).cells == 0


def test_marks_of_labelled_photos_are_cut_out_and_labelled(shared_data: Path, tmp_path: Path) -> None:
    for kind, ending in (("images", "jpg"), ("labels", "txt")):
        (tmp_path / kind).mkdir()
        shutil.copy(shared_data / "calendar" / kind / f"02_17_iphone_14_0.{ending}", tmp_path / kind)
    table = read_mark_table(Path(__file__).parents[1] / "evaluation" / "calendar_marks.csv")
    (board,) = labelled_mark_boards(tmp_path, table, load_model(), silent_steps)
    assert board.source == "02_17"
    assert np.count_nonzero(board.kinds == MARKS) == len(board.marks) > 0
    labels = labelled_by_reading(board, load_mark_reader()).labels
    assert set(labels[labels > 0].tolist()) <= {digit for digits in board.marks.values() for digit in digits}
    assert np.count_nonzero(labels > 0) >= len(board.marks)
