"""A calendar to learn from: four photos tell together which digits of a puzzle are printed."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from sudoku_vision.vision.digits.model import load_model
from sudoku_vision.workshop.rendering.conditions import Conditions
from sudoku_vision.workshop.rendering.pen import new_hand
from sudoku_vision.workshop.rendering.picture import DrawnGrid, draw
from sudoku_vision.workshop.rendering.writing import Writing
from sudoku_vision.workshop.training.calendar import calendar_boards
from sudoku_vision.workshop.training.classes import WRITTEN
from sudoku_vision.workshop.training.dataset import check_photos, is_calendar
from sudoku_vision.workshop.training.progress import silent_steps


def write_calendar(folder: Path, *, blot: int | None = None) -> DrawnGrid:
    """Write two photos of one puzzle, half filled in by hand, and their labels; *blot* names a clue wrong."""
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True)
    writing = Writing(share=0.5, writer=new_hand(np.random.default_rng(3)))
    grid = draw(np.random.default_rng(3), Conditions(writing=writing)).grids[0]
    for number in range(2):
        again = draw(
            np.random.default_rng(3),
            Conditions(writing=writing),
            puzzles=[grid.puzzle],
            written=[grid.written],
        )
        cv2.imwrite(str(folder / "images" / f"01_02_phone_{number}.png"), again.pixels)
        label = (grid.puzzle + grid.written).astype(int)
        if blot is not None:
            label.flat[np.flatnonzero(grid.puzzle)[blot]] = grid.puzzle.max()
        rows = "\n".join(" ".join(map(str, row)) for row in label)
        (folder / "labels" / f"01_02_phone_{number}.txt").write_text(rows, encoding="utf-8")
    return grid


def test_photos_of_a_puzzle_tell_print_from_handwriting(tmp_path: Path) -> None:
    grid = write_calendar(tmp_path / "calendar")
    check_photos([tmp_path / "calendar"])
    boards = calendar_boards(tmp_path / "calendar", load_model(), silent_steps)
    assert [board.name for board in boards] == ["calendar/01_02_phone_0", "calendar/01_02_phone_1"]
    assert {board.source for board in boards} == {"01_02"}
    expected = grid.puzzle + np.where(grid.written > 0, grid.written + WRITTEN - 1, 0)
    assert (boards[0].classes == expected.ravel()).all()


def test_a_puzzle_whose_clues_make_no_sense_is_left_out(tmp_path: Path) -> None:
    write_calendar(tmp_path / "calendar", blot=0)
    assert is_calendar(tmp_path / "calendar")
    assert calendar_boards(tmp_path / "calendar", load_model(), silent_steps) == []
