"""Photos to learn from: their grids are found by their labels, and print is separated from handwriting."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import save
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.model_files import load_model
from sudoku_vision.vision.results import Photo
from workshop.rendering import Conditions, DrawnGrid, Writing, draw
from workshop.rendering.hands import new_hand
from workshop.training.photos import (
    LabelledBoard,
    cut_boards,
    find_boards,
    folds_by_source,
    labelled_pictures,
)
from workshop.training.samples import WRITTEN
from workshop.training.settings import silent_steps


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
    """Write two photos of one puzzle and their labels; *blot* is the number of a clue with a wrong label."""
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


def test_photos_of_a_puzzle_decide_together_what_is_print(
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


def test_if_digits_are_no_puzzle_the_ink_decides_which_are_written(tmp_path: Path, model: DigitModel) -> None:
    random = np.random.default_rng(1).integers(1, 10, (2, 9, 9)).astype(np.int8)
    printed, written = random[0] * (np.indices((9, 9)).sum(axis=0) % 3 == 0), random[1].copy()
    written[(printed > 0) | (np.indices((9, 9))[0] % 2 == 0)] = 0
    writing = Writing(writer=new_hand(np.random.default_rng(3)))
    page = draw(np.random.default_rng(3), Conditions(writing=writing), puzzles=[printed], written=[written])
    for name in ("board_0099", "board_0100"):
        save(tmp_path / f"{name}.png", page.pixels)
        (tmp_path / f"{name}.dat").write_text(rows(printed + written))
    boards = found(tmp_path, model)
    sources = [board.source for board in boards]
    assert sources == ["board_00", "board_01"], "a hundred neighbours are one source"
    cut = cut_boards(boards, 0, 0, silent_steps)
    assert (cut[0].classes == classes(page.grids[0])).mean() > 0.97


def test_labelled_clues_count_and_a_photo_may_lie_on_its_side(
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
    items = [SimpleNamespace(source=f"puzzle {index % 17}") for index in range(60)]
    folds = list(folds_by_source(items, 5, 0))
    for seen, held in folds:
        assert not {item.source for item in seen} & {item.source for item in held}
        assert len(seen) + len(held) == 60 and len(held) > 8
    assert sum(len(held) for _, held in folds) == 60
    assert not list(folds_by_source(items, 0, 0)) and not list(folds_by_source(items[:0], 5, 0))
