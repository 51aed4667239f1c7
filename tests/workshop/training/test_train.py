"""Training: photos give samples, a small run makes each model and its card; missing input is an error."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import PUZZLE
from labelled_examples import dat

from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.output.save import save
from sudoku_vision.vision.digits import features
from sudoku_vision.vision.digits.cascade import CLASSES, DigitModel
from sudoku_vision.vision.digits.mark_reader import MARKS
from sudoku_vision.vision.digits.mark_segmentation import Pieces
from sudoku_vision.vision.digits.model_files import MARK_READERS, OCCLUSION_MODELS, SUM_READERS, load_model
from sudoku_vision.vision.results import Photo
from workshop.rendering import Conditions, Drawing, DrawnGrid, Writing, draw
from workshop.rendering.hands import new_hand
from workshop.rendering.printed_grid import MarkBox
from workshop.training.marks import MarkBoard, labelled_by_reading, labelled_mark_boards, labels_by_place
from workshop.training.photos import (
    LabelledBoard,
    cut_boards,
    find_boards,
    labelled_pictures,
    with_models_of_others,
)
from workshop.training.samples import BLANK, JUNK, WRITTEN, digits_of, turned_classes
from workshop.training.settings import DigitSettings, Hyperparameters, Inputs, Settings
from workshop.training.sources import gather_sources, read_handwriting
from workshop.training.train import train

SMALL = DigitSettings(
    boards=3,
    held_boards=1,
    first_stage=Hyperparameters((16,), 2, 1),
    members=1,
    handwriting=Hyperparameters((8,), 2, 1),
    centres=4,
    pasted=1,
    warped=1,
)
MARK_TABLE = Path(__file__).parents[1] / "evaluation" / "calendar_marks.csv"


@pytest.fixture
def photos(tmp_path: Path, drawing: Drawing) -> list[Path]:
    """Two folders with a photo each, which count as different puzzles."""
    for name, puzzle in (("one", PUZZLE), ("two", PUZZLE.replace("4", "0", 1))):
        (tmp_path / name).mkdir()
        save(tmp_path / name / "a.png", drawing.pixels)
        (tmp_path / name / "a.dat").write_text(dat(puzzle))
    return [tmp_path / "one", tmp_path / "two"]


def test_turned_digits_become_junk_except_those_that_are_still_digits() -> None:
    classes = np.array([0, 6, 9, WRITTEN + 5, 4, 8, 1])
    assert turned_classes(classes, 2).tolist() == [BLANK, 9, 6, WRITTEN + 8, JUNK, -1, -1]
    assert turned_classes(classes, 1).tolist() == [BLANK, JUNK, JUNK, JUNK, JUNK, -1, JUNK]
    assert digits_of(np.array([0, 3, WRITTEN, WRITTEN + 8, JUNK])).tolist() == [0, 3, 1, 9, 0]


def test_a_small_training_writes_a_model_and_its_card_the_same_for_one_seed(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    one, same = (
        train("digits", tmp_path / name / "digits.npz", Inputs(), SMALL)[0] for name in ("one", "two")
    )
    assert one.header["hash"] == same.header["hash"]
    model = load_model(tmp_path / "one" / "digits.npz")
    assert model.layers[0][0][0].shape == (features.FEATURES, 16)
    assert model.layers[0][-1][1].shape == (len(CLASSES),)
    card = (tmp_path / "one" / "digits.md").read_text(encoding="utf-8")
    assert "Confusion" in card and "python -m workshop train" in card
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["digits.md", "digits.npz"]


def test_photos_are_learnt_from_and_measured_before_and_by_folds(tmp_path: Path, photos: list[Path]) -> None:
    _, metrics = train("digits", tmp_path / "digits.npz", Inputs(photos, folds=2), SMALL)
    assert metrics["photos_unseen"]["one"]["boards"] == 1
    assert metrics["photos_folds"]["two"]["boards"] == 1
    assert "by printed puzzle" in (tmp_path / "digits.md").read_text(encoding="utf-8")


def test_a_small_training_writes_a_reader_of_marks_and_its_card(tmp_path: Path) -> None:
    out = tmp_path / "marks.npz"
    reader, metrics = train("marks", out, Inputs(), Settings(boards=10, held_boards=10))
    assert MARK_READERS.load(out).header["hash"] == reader.header["hash"]
    assert metrics["held_drawn"]["cells"] > 0
    assert "digits as marks" in (tmp_path / "marks.md").read_text(encoding="utf-8")


def test_a_small_training_writes_a_reader_of_sums_and_its_card(tmp_path: Path) -> None:
    out = tmp_path / "sums.npz"
    reader, metrics = train("sums", out, Inputs(), Settings(boards=4, held_boards=4))
    assert SUM_READERS.load(out).temperature == reader.temperature
    assert metrics["held_drawn"]["sums"] > 100
    assert "the sums of killers" in (tmp_path / "sums.md").read_text(encoding="utf-8")


def test_a_small_training_writes_an_occlusion_model_and_its_card(tmp_path: Path, photos: list[Path]) -> None:
    out = tmp_path / "occlusion.npz"
    model, metrics = train("occlusion", out, Inputs(photos, folds=2, jobs=1), Settings())
    assert OCCLUSION_MODELS.load(out).header["hash"] == model.header["hash"]
    assert metrics["photos_folds"]["no cover"]["cells"] > 100
    assert metrics["photos_folds"]["misread"]["cells"] > 0
    assert "covers laid over" in (tmp_path / "occlusion.md").read_text(encoding="utf-8")


def test_what_is_missing_is_named_before_any_work(tmp_path: Path) -> None:
    out, nowhere = tmp_path / "model.npz", tmp_path / "none"
    with pytest.raises(SaveError, match="does not exist"):
        train("digits", nowhere / "digits.npz", Inputs(), SMALL)
    with pytest.raises(UsageError, match="can't be read"):
        train("digits", out, Inputs(handwriting=[nowhere]), SMALL)
    with pytest.raises(UsageError, match="not a folder"):
        train("digits", out, Inputs(fonts=[nowhere]), SMALL)
    with pytest.raises(UsageError, match="no labelled photo"):
        train("occlusion", out, Inputs(), Settings())
    save(tmp_path / "a.png", np.zeros((9, 9, 3), np.uint8))
    (tmp_path / "labels.csv").write_text(f"file,printed\na.png,{PUZZLE}\n")
    with pytest.raises(UsageError, match="no places of pencil marks"):
        train("marks", out, Inputs([tmp_path]), Settings())


@pytest.mark.parametrize(
    ("shape", "labels"), [((5, 10, 12), np.ones(5)), ((5, 28, 28), np.ones(9)), ((2, 28, 28), [3, 20])]
)
def test_handwriting_of_another_shape_is_refused(
    tmp_path: Path, shape: tuple[int, ...], labels: np.ndarray
) -> None:
    np.savez(tmp_path / "hand.npz", images=np.zeros(shape, np.uint8), labels=labels)
    with pytest.raises(UsageError, match="not as they should be"):
        gather_sources([], [tmp_path / "hand.npz"], 0)


def test_databases_of_every_kind_become_pictures_of_one_size(tmp_path: Path) -> None:
    labels = np.arange(100) % 10
    stretched = np.full((100, 16, 16), 255, np.uint8)
    np.savez(tmp_path / "stretched.npz", images=stretched, labels=labels)
    strokes = np.tile(np.array([[50, 100], [50, 50], [50, 0]], np.uint8), (100, 1, 1))
    np.savez(tmp_path / "strokes.npz", points=strokes, labels=labels)
    images, found = read_handwriting([tmp_path / "stretched.npz"])
    assert images.shape == (90, 28, 28) and set(found) == set(range(1, 10))
    widths = (images.max(axis=1) > 0).sum(axis=1)
    assert widths[found == 1].mean() < 12 < widths[found == 8].mean() < 20, "a 1 is narrow again"
    images, found = read_handwriting([tmp_path / "strokes.npz"])
    assert sorted(set(found)) == [1, 2, 3, 6, 8, 9], "lifts of the pen are unknown: no digit of two strokes"
    assert (images.max(axis=2) > 0).sum(axis=1).min() >= 16


def test_a_part_of_the_handwriting_is_held_out(tmp_path: Path) -> None:
    np.savez(tmp_path / "hand.npz", images=np.zeros((40, 28, 28), np.uint8), labels=np.ones(40, np.int64))
    kept, held = gather_sources([], [tmp_path / "hand.npz"], 0)
    assert (len(kept.labels), len(held.labels)) == (36, 4)


def pieces_at(*boxes: tuple[float, float, float, float]) -> Pieces:
    count = len(boxes)
    numbers, gaps = np.zeros(count, np.intp), np.zeros(count, np.float32)
    images = np.zeros((count, 28, 28), np.float32)
    ends = np.arange(1, count + 1)
    return Pieces(images, np.array(boxes, np.float32), numbers, numbers, numbers, ends, gaps, (count,))


def test_a_piece_is_the_mark_at_its_place() -> None:
    pieces = pieces_at(
        (0.1, 0.1, 0.2, 0.3), (0.1, 0.1, 0.35, 0.3), (0.1, 0.1, 0.15, 0.3), (0.1, 0.1, 0.25, 0.3)
    )
    marks = [MarkBox(0, 7, 0.1, 0.1, 0.2, 0.3), MarkBox(1, 4, 0.1, 0.1, 0.35, 0.3)]
    assert labels_by_place(pieces, marks).tolist() == [7, 0, -1, -1]


def test_marks_of_photos_are_labelled_only_if_they_can_be_read_as_noted() -> None:
    reader, nothing = MARK_READERS.load(), np.zeros((0, 1), np.float32)
    board = MarkBoard(nothing, np.zeros(0, np.int64), pieces_at((0.1, 0.1, 0.2, 0.3)), np.array([-1]), {})
    one = labelled_by_reading(replace(board, marks={0: frozenset({5})}), reader).labels.tolist()
    assert one in ([5], [-1])
    assert labelled_by_reading(replace(board, marks={0: frozenset({5, 6})}), reader).labels.tolist() == [-1]


def test_marks_of_labelled_photos_are_cut_out_and_labelled(shared_data: Path, tmp_path: Path) -> None:
    for kind, ending in (("images", "jpg"), ("labels", "txt")):
        (tmp_path / kind).mkdir()
        shutil.copy(shared_data / "calendar" / kind / f"02_17_iphone_14_0.{ending}", tmp_path / kind)
    model = load_model()
    photos = find_boards(labelled_pictures([tmp_path], MARK_TABLE), model)
    (board,) = labelled_mark_boards(photos, model)
    assert board.source == "02_17"
    assert np.count_nonzero(board.kinds == MARKS) == len(board.marks) > 0
    labels = labelled_by_reading(board, MARK_READERS.load()).labels
    assert set(labels[labels > 0].tolist()) <= {digit for digits in board.marks.values() for digit in digits}
    assert np.count_nonzero(labels > 0) >= len(board.marks)


@pytest.fixture(scope="module")
def model() -> DigitModel:
    return load_model()


@pytest.fixture(scope="module")
def page() -> tuple[Photo, DrawnGrid]:
    writing = Writing(share=0.5, writer=new_hand(np.random.default_rng(3)))
    drawing = draw(np.random.default_rng(3), Conditions(writing=writing))
    return Photo(drawing.pixels), drawing.grids[0]


def found(folder: Path, model: DigitModel) -> list[LabelledBoard]:
    return find_boards(labelled_pictures([folder]), model)


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
    cut = cut_boards(boards, 2, 0)
    assert (cut[0].classes == classes(page[1])).all()
    assert len(cut[0].warped) == 2


def test_a_puzzle_whose_clues_make_no_sense_is_left_out(
    tmp_path: Path, page: tuple[Photo, DrawnGrid], model: DigitModel
) -> None:
    write_calendar(tmp_path / "calendar", page, blot=0)
    assert cut_boards(found(tmp_path / "calendar", model), 0, 0) == []


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
    cut = cut_boards(boards, 0, 0)
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
    (cut,) = cut_boards([board], 0, 0)
    assert (cut.classes == classes(grid)).all()
    top_left, top_right = board.lattice.corners[:2]
    assert abs(top_left[0] - top_right[0]) < abs(top_left[1] - top_right[1]), "it is turned upright"


def test_folds_keep_photos_of_one_puzzle_together() -> None:
    items = [SimpleNamespace(source=f"puzzle {index % 17}") for index in range(60)]
    learnt: list[set[str]] = []

    def fit(seen: Sequence[SimpleNamespace]) -> set[str]:
        learnt.append({item.source for item in seen})
        return learnt[-1]

    pairs = with_models_of_others(items, 5, 0, fit)
    assert [item for _, item in pairs] == items and len(learnt) == 5
    assert not any(item.source in model for model, item in pairs)
    assert min(sum(model is one for model, _ in pairs) for one in learnt) > 8
    assert with_models_of_others(items, 0, 0, fit) == with_models_of_others(items[:0], 5, 0, fit) == []
