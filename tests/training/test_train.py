"""Training: boards follow from the seed, labelled photos are understood, a small run makes a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from sudoku_vision.digits import features
from sudoku_vision.digits.classes import CLASSES
from sudoku_vision.digits.model import load_model
from sudoku_vision.digits.network import forward, log_softmax
from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.geometry import flat_crossings
from sudoku_vision.rectify import rectify
from sudoku_vision.rendering.pen import FORMS, new_hand, pen_mask
from sudoku_vision.results import Lattice, Photo
from sudoku_vision.training import dataset
from sudoku_vision.training.boards import Sources, draw_board
from sudoku_vision.training.classes import BLANK, JUNK, WRITTEN
from sudoku_vision.training.fitting import Recipe, Samples, best_temperature, fit_network, scale, unscaled
from sudoku_vision.training.handwriting import learn_dictionary, pasted, warped
from sudoku_vision.training.photos import digits_of
from sudoku_vision.training.train import (
    Settings,
    Tracker,
    card_place,
    gather_sources,
    train,
    turned_classes,
)

SMALL = Settings(
    boards=6,
    held_boards=2,
    first=Recipe((16,), 2, 1),
    members=1,
    expert=Recipe((8,), 2, 1),
    centres=4,
    pasted=1,
    warped=1,
)


@pytest.fixture(scope="module")
def sources() -> Sources:
    return gather_sources([], None, SMALL)[0]


def test_a_drawn_board_follows_from_its_seed(sources: Sources) -> None:
    one, same = (draw_board(sources, np.random.default_rng(5)) for _ in range(2))
    other = draw_board(sources, np.random.default_rng(6))
    assert np.array_equal(one.photo.pixels, same.photo.pixels)
    assert np.array_equal(one.classes, same.classes)
    assert one.photo.pixels.shape != other.photo.pixels.shape or (one.classes != other.classes).any()


def test_drawn_digits_lie_in_their_cells(sources: Sources) -> None:
    for seed in range(8):
        board = draw_board(sources, np.random.default_rng(seed))
        cells = rectify(board.photo, board.lattice)
        ink = np.clip(cells, 0, 1)[:, 8:-8, 8:-8].mean(axis=(1, 2))
        printed, blank = (board.classes > BLANK) & (board.classes < WRITTEN), board.classes == BLANK
        if blank.any():
            assert np.median(ink[printed]) > 1.5 * np.median(ink[blank])


def test_every_hand_forms_every_digit() -> None:
    rng = np.random.default_rng(0)
    assert set(FORMS) == set(range(1, 10))
    for _ in range(20):
        hand = new_hand(rng)
        for digit in range(1, 10):
            assert pen_mask(hand, digit, rng).mean() > 2


def test_turned_digits_become_junk_but_for_those_that_are_digits_still() -> None:
    classes = np.array([0, 6, 9, WRITTEN + 5, 4, 8, 1])
    assert turned_classes(classes, 2).tolist() == [BLANK, 9, 6, WRITTEN + 8, JUNK, -1, -1]
    assert turned_classes(classes, 1).tolist() == [BLANK, JUNK, JUNK, JUNK, JUNK, -1, JUNK]


def test_digits_of_classes() -> None:
    assert digits_of(np.array([0, 3, WRITTEN, WRITTEN + 8, JUNK])).tolist() == [0, 3, 1, 9, 0]


def test_folds_keep_photos_of_one_puzzle_together() -> None:
    names = [f"puzzle {index % 17}" for index in range(60)]
    folds = dataset.folds_by_source(names, 5, 0)
    for name in set(names):
        assert len({int(fold) for fold, other in zip(folds, names, strict=True) if other == name}) == 1
    assert np.bincount(folds).min() > 8


def flat_board(side: int = 30) -> tuple[Photo, Lattice]:
    image = np.full((9 * side + 60, 9 * side + 60, 3), 230, np.uint8)
    for index in range(10):
        at, end = 30 + index * side, 30 + 9 * side
        cv2.line(image, (at, 30), (at, end), (40, 40, 40), 2)
        cv2.line(image, (30, at), (end, at), (40, 40, 40), 2)
    places = np.arange(10) * side + 30.0
    return Photo(image), Lattice(np.stack(np.meshgrid(places, places), axis=2).astype(np.float32))


def test_a_rough_outline_snaps_to_the_lines() -> None:
    photo, lattice = flat_board()
    rough = lattice.corners + np.array([[4, -3], [-3, 4], [3, 2], [-4, 3]], np.float32)
    found = dataset.snap(photo, Lattice(flat_crossings(rough)))
    assert np.abs(found.crossings - lattice.crossings).max() < 2.5


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


def test_digits_that_only_the_filled_photo_has_are_written(tmp_path: Path) -> None:
    write_labels(tmp_path / "photos", "5" + "0" * 80)
    write_labels(tmp_path / "mixed", "51" + "0" * 79)
    (board,) = dataset.labelled_boards([tmp_path / "mixed"])
    assert board.classes[:3].tolist() == [5, WRITTEN, BLANK]
    (clean,) = dataset.labelled_boards([tmp_path / "photos"])
    assert clean.source == board.source


def test_a_label_file_with_missing_digits_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_text("camera\nsize\n1 2 3\n", encoding="utf-8")
    cv2.imwrite(str(tmp_path / "a.png"), flat_board()[0].pixels)
    names = ",".join(f"p{i}_{axis}" for i in range(1, 5) for axis in "xy")
    (tmp_path.parent / "outlines.csv").write_text(f"filepath,{names}\na.png,0,0,9,0,9,9,0,9\n")
    with pytest.raises(UsageError, match=r"a\.dat"):
        list(dataset.labelled_boards([tmp_path]))


def test_a_small_training_writes_a_model_and_its_card(tmp_path: Path) -> None:
    out = tmp_path / "digits.npz"
    trained = train(out, settings=SMALL, show_progress=False)
    model = load_model(out)
    assert model.header["hash"] == trained.model.header["hash"]
    assert model.layers[0][0][0].shape == (features.FEATURES, 16)
    assert model.layers[0][-1][1].shape == (len(CLASSES),)
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "Confusion" in card
    assert "sudoku-vision train" in card
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "digits.npz"]


def test_the_same_seed_gives_the_same_model(tmp_path: Path) -> None:
    settings = replace(SMALL, boards=3, held_boards=1)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    one, same = (
        train(tmp_path / name / "digits.npz", settings=settings, show_progress=False) for name in ("a", "b")
    )
    assert one.model.header["hash"] == same.model.header["hash"]


def test_what_is_not_there_is_named_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="does not exist"):
        train(tmp_path / "none" / "digits.npz", settings=SMALL, show_progress=False)
    with pytest.raises(UsageError, match="can't be read"):
        train(tmp_path / "digits.npz", handwriting=tmp_path / "none.npz", settings=SMALL, show_progress=False)


def test_photos_without_outlines_are_named_before_any_work(tmp_path: Path) -> None:
    write_labels(tmp_path / "photos", "5" + "0" * 80)
    (tmp_path / "outlines.csv").unlink()
    with pytest.raises(UsageError, match="outline"):
        train(tmp_path / "digits.npz", photos=[tmp_path / "photos"], settings=SMALL, show_progress=False)


@pytest.mark.parametrize(
    ("shape", "labels"), [((5, 10, 10), np.ones(5)), ((5, 28, 28), np.ones(9)), ((2, 28, 28), [3, 20])]
)
def test_handwriting_of_another_shape_is_refused(
    tmp_path: Path, shape: tuple[int, ...], labels: np.ndarray
) -> None:
    np.savez(tmp_path / "hand.npz", images=np.zeros(shape, np.uint8), labels=labels)
    with pytest.raises(UsageError, match="not as they should be"):
        gather_sources([], tmp_path / "hand.npz", SMALL)


def test_handwriting_is_learnt_from_when_given(tmp_path: Path) -> None:
    images = np.zeros((40, 28, 28), np.uint8)
    images[:, 5:23, 12:16] = 255
    np.savez(tmp_path / "hand.npz", images=images, labels=np.ones(40, np.int64))
    kept, held = gather_sources([], tmp_path / "hand.npz", SMALL)
    assert (len(kept.labels), len(held.labels)) == (36, 4)


def test_progress_is_silent_where_there_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    tracker = Tracker()
    with tracker.running():
        assert list(tracker.steps(3, "Counting")) == [0, 1, 2]
    assert capfd.readouterr() == ("", "")


def test_samples_know_their_length() -> None:
    samples = Samples(np.zeros((4, 2), np.float32), np.arange(4), np.zeros((4, 28, 28), np.uint8))
    assert len(samples) == 4
    assert samples.select(np.array([2, 3])).classes.tolist() == [2, 3]


def test_a_network_learns_what_its_features_tell_and_needs_no_scaling_afterwards() -> None:
    rng = np.random.default_rng(0)
    seen = rng.normal(5, 3, (900, 4)).astype(np.float32)
    classes = np.digitize(seen[:, 0], [3, 7])
    scaled = seen.copy()
    mean, spread = scale(scaled)
    assert np.abs(scaled.mean(axis=0)).max() < 1e-3
    recipe = Recipe((32,), 150)
    layers = fit_network(scaled, classes, 3, recipe, 1, lambda count, name: range(count), "Learning")
    read = forward(unscaled(layers, mean, spread), seen).argmax(axis=1)
    assert (read == classes).mean() > 0.9


def test_the_temperature_undoes_what_was_boasted() -> None:
    rng = np.random.default_rng(0)
    honest = rng.normal(0, 2, (20_000, 3)).astype(np.float32)
    chances = np.exp(log_softmax(honest))
    classes = (rng.random((20_000, 1)) > chances.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    boasted = 3 * honest
    assert best_temperature(lambda temperature: boasted / np.float32(temperature), classes) == pytest.approx(
        3, rel=0.1
    )


def test_warping_varies_a_digit_and_leaves_it_in_its_cell() -> None:
    rng = np.random.default_rng(0)
    strokes = np.zeros((20, 28, 28), np.uint8)
    strokes[:, 5:23, 12:16] = 255
    cells = pasted(strokes, rng)
    assert cells.shape == (20, 40, 40)
    ink = np.where(cells > 0.3, cells, 0)
    assert (ink[:, 6:34, 6:34].sum(axis=(1, 2)) > 0.9 * ink.sum(axis=(1, 2))).all()
    assert ink.sum(axis=(1, 2)).min() > 5
    again = warped(cells, rng)
    assert np.abs(again - cells).reshape(20, -1).max(axis=1).min() > 0.2


def test_the_dictionary_holds_pieces_of_the_strokes_it_has_seen() -> None:
    bar = np.zeros((30, 28, 28), np.float32)
    for index in range(30):
        bar[index, :, index % 20 + 3 : index % 20 + 6] = 1
    dictionary = learn_dictionary(bar, 6, 0)
    assert dictionary.centres.shape == (6, 49)
    along, across = dictionary.codes(bar[:1]), dictionary.codes(bar[:1].transpose(0, 2, 1).copy())
    assert along.sum() > across.sum()


def test_the_card_spares_the_readme_of_something_else(tmp_path: Path) -> None:
    assert card_place(tmp_path / "digits.npz").name == "README.md"
    (tmp_path / "README.md").write_text("# My project\n")
    assert card_place(tmp_path / "digits.npz").name == "digits.md"
    (tmp_path / "README.md").write_text("# The digit classifier\n")
    assert card_place(tmp_path / "digits.npz").name == "README.md"
