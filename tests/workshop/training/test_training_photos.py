"""Photos to learn from: their grids are found as their labels say, and print is told from handwriting."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import save
from sudoku_vision.results import Photo
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.model import load_model
from sudoku_vision.workshop.rendering import Conditions, DrawnGrid, Writing, draw
from sudoku_vision.workshop.rendering.hands import new_hand
from sudoku_vision.workshop.training.photos import (
    LabelledBoard,
    cut_boards,
    find_boards,
    folds_by_source,
    labelled_pictures,
)
from sudoku_vision.workshop.training.samples import WRITTEN
from sudoku_vision.workshop.training.settings import silent_steps


@pytest.fixture(scope="module")
def model() -> DigitModel:
    return load_model()


@pytest.fixture(scope="module")
def page() -> tuple[Photo, DrawnGrid]:
    """A puzzle half filled in by hand."""
    writing = Writing(share=0.5, writer=new_hand(np.random.default_rng(3)))
    drawing = draw(np.random.default_rng(3), Conditions(writing=writing))
    return Photo(drawing.pixels), drawing.grids[0]


def found(folder: Path, model: DigitModel) -> list[LabelledBoard]:
    return find_boards(labelled_pictures([folder]), model, silent_steps)


def rows(board: np.ndarray) -> str:
    return "\n".join(" ".join(map(str, row)) for row in board)


def write_calendar(folder: Path, page: tuple[Photo, DrawnGrid], blot: int | None = None) -> None:
    """Write two photos of one puzzle and their labels; *blot* is the number of a clue that is named wrong."""
    photo, grid = page
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True)
    label = grid.puzzle + grid.written
    if blot is not None:
        label.flat[np.flatnonzero(grid.puzzle)[blot]] = grid.puzzle.max()
    for name in ("01_02_phone_0", "01_02_phone_1"):
        save(folder / "images" / f"{name}.png", photo.pixels)
        (folder / "labels" / f"{name}.txt").write_text(rows(label), encoding="utf-8")


def classes(grid: DrawnGrid) -> np.ndarray:
    return (grid.puzzle + np.where(grid.written > 0, grid.written + WRITTEN - 1, 0)).ravel()


def test_photos_of_a_puzzle_tell_print_from_handwriting(
    tmp_path: Path, page: tuple[Photo, DrawnGrid], model: DigitModel
) -> None:
    write_calendar(tmp_path / "calendar", page)
    boards = found(tmp_path / "calendar", model)
    assert [board.name for board in boards] == ["calendar/01_02_phone_0", "calendar/01_02_phone_1"]
    assert {board.source for board in boards} == {"01_02"}
    cut = cut_boards(boards, 2, 0, silent_steps)
    assert (cut[0].classes == classes(page[1])).all()
    assert len(cut[0].warped) == 2


def test_a_puzzle_whose_clues_make_no_sense_is_left_out(
    tmp_path: Path, page: tuple[Photo, DrawnGrid], model: DigitModel
) -> None:
    write_calendar(tmp_path / "calendar", page, blot=0)
    assert cut_boards(found(tmp_path / "calendar", model), 0, 0, silent_steps) == []


def test_of_digits_that_are_no_puzzle_the_ink_tells_which_are_written(
    tmp_path: Path, model: DigitModel
) -> None:
    random = np.random.default_rng(1).integers(1, 10, (2, 9, 9)).astype(np.int8)
    printed, written = random[0] * (np.indices((9, 9)).sum(axis=0) % 3 == 0), random[1].copy()
    written[(printed > 0) | (np.indices((9, 9))[0] % 2 == 0)] = 0
    writing = Writing(writer=new_hand(np.random.default_rng(3)))
    page = draw(np.random.default_rng(3), Conditions(writing=writing), puzzles=[printed], written=[written])
    for name in ("board_0099", "board_0100"):
        save(tmp_path / f"{name}.png", page.pixels)
        (tmp_path / f"{name}.dat").write_text(rows(printed + written))
    boards = found(tmp_path, model)
    assert [board.source for board in boards] == ["board_00", "board_01"], (
        "a hundred neighbours are one source"
    )
    cut = cut_boards(boards, 0, 0, silent_steps)
    assert (cut[0].classes == classes(page.grids[0])).mean() > 0.97


def test_clues_that_are_labelled_need_not_be_told_and_a_photo_may_lie_on_its_side(
    tmp_path: Path, page: tuple[Photo, DrawnGrid], model: DigitModel
) -> None:
    photo, grid = page
    save(tmp_path / "a.png", np.ascontiguousarray(np.rot90(photo.pixels)))
    boards = (grid.puzzle, grid.puzzle + grid.written)
    printed, everything = ("".join(map(str, board.flat)) for board in boards)
    (tmp_path / "labels.csv").write_text(f"file,printed,all\na.png,{printed},{everything}\n")
    (board,) = found(tmp_path, model)
    (cut,) = cut_boards([board], 0, 0, silent_steps)
    assert (cut.classes == classes(grid)).all()
    top_left, top_right = board.lattice.corners[:2]
    assert abs(top_left[0] - top_right[0]) < abs(top_left[1] - top_right[1]), "it is turned upright"


def test_folders_without_labels_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no labelled pictures"):
        labelled_pictures([tmp_path])


def test_folds_keep_photos_of_one_puzzle_together() -> None:
    names = [f"puzzle {index % 17}" for index in range(60)]
    folds = folds_by_source(names, 5, 0)
    for name in set(names):
        assert len({int(fold) for fold, other in zip(folds, names, strict=True) if other == name}) == 1
    assert np.bincount(folds).min() > 8
