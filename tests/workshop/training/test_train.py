"""Training: a small run makes a model and its card, and what is missing is said before any work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_dataset import write_labels

from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.vision.digits import features
from sudoku_vision.vision.digits.classes import CLASSES
from sudoku_vision.vision.digits.model import load_model
from sudoku_vision.workshop.training.card import card_place
from sudoku_vision.workshop.training.classes import BLANK, JUNK, WRITTEN, digits_of, turned_classes
from sudoku_vision.workshop.training.samples import Samples
from sudoku_vision.workshop.training.settings import Hyperparameters, Settings
from sudoku_vision.workshop.training.sources import gather_sources
from sudoku_vision.workshop.training.train import train

SMALL = Settings(
    boards=6,
    held_boards=2,
    first_stage=Hyperparameters((16,), 2, 1),
    members=1,
    handwriting=Hyperparameters((8,), 2, 1),
    centres=4,
    pasted=1,
    warped=1,
)


def test_turned_digits_become_junk_but_for_those_that_are_digits_still() -> None:
    classes = np.array([0, 6, 9, WRITTEN + 5, 4, 8, 1])
    assert turned_classes(classes, 2).tolist() == [BLANK, 9, 6, WRITTEN + 8, JUNK, -1, -1]
    assert turned_classes(classes, 1).tolist() == [BLANK, JUNK, JUNK, JUNK, JUNK, -1, JUNK]


def test_digits_of_classes() -> None:
    assert digits_of(np.array([0, 3, WRITTEN, WRITTEN + 8, JUNK])).tolist() == [0, 3, 1, 9, 0]


def test_a_small_training_writes_a_model_and_its_card(tmp_path: Path) -> None:
    out = tmp_path / "digits.npz"
    trained = train(out, settings=SMALL)
    model = load_model(out)
    assert model.header["hash"] == trained.model.header["hash"]
    assert model.layers[0][0][0].shape == (features.FEATURES, 16)
    assert model.layers[0][-1][1].shape == (len(CLASSES),)
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "Confusion" in card
    assert "sudoku-vision train" in card
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "digits.npz"]


def test_photos_are_learnt_from_and_measured_before_and_by_folds(tmp_path: Path) -> None:
    for name, clue in (("one", "5"), ("two", "3")):
        write_labels(tmp_path / name / "photos", clue + "0" * 80)
    photos = [tmp_path / name / "photos" for name in ("one", "two")]
    settings = replace(SMALL, boards=3, held_boards=1)
    trained = train(tmp_path / "digits.npz", photos=photos, folds=2, settings=settings)
    assert trained.metrics["photos_unseen"]["photos"]["boards"] == 2
    assert trained.metrics["photos_folds"]["photos"]["boards"] == 2
    assert "by printed puzzle" in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_the_same_seed_gives_the_same_model(tmp_path: Path) -> None:
    settings = replace(SMALL, boards=3, held_boards=1)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    one, same = (train(tmp_path / name / "digits.npz", settings=settings) for name in ("a", "b"))
    assert one.model.header["hash"] == same.model.header["hash"]


def test_what_is_not_there_is_named_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="does not exist"):
        train(tmp_path / "none" / "digits.npz", settings=SMALL)
    with pytest.raises(UsageError, match="can't be read"):
        train(tmp_path / "digits.npz", handwriting=tmp_path / "none.npz", settings=SMALL)


@pytest.mark.parametrize(
    ("shape", "labels"), [((5, 10, 10), np.ones(5)), ((5, 28, 28), np.ones(9)), ((2, 28, 28), [3, 20])]
)
def test_handwriting_of_another_shape_is_refused(
    tmp_path: Path, shape: tuple[int, ...], labels: np.ndarray
) -> None:
    np.savez(tmp_path / "hand.npz", images=np.zeros(shape, np.uint8), labels=labels)
    with pytest.raises(UsageError, match="not as they should be"):
        gather_sources([], tmp_path / "hand.npz", 0.1, 0)


def test_handwriting_is_learnt_from_when_given(tmp_path: Path) -> None:
    images = np.zeros((40, 28, 28), np.uint8)
    images[:, 5:23, 12:16] = 255
    np.savez(tmp_path / "hand.npz", images=images, labels=np.ones(40, np.int64))
    kept, held = gather_sources([], tmp_path / "hand.npz", 0.1, 0)
    assert (len(kept.labels), len(held.labels)) == (36, 4)


def test_samples_know_their_length() -> None:
    samples = Samples(np.zeros((4, 2), np.float32), np.arange(4), np.zeros((4, 28, 28), np.uint8))
    assert len(samples) == 4
    assert samples.select(np.array([2, 3])).classes.tolist() == [2, 3]


def test_the_card_spares_the_readme_of_something_else(tmp_path: Path) -> None:
    assert card_place(tmp_path / "digits.npz").name == "README.md"
    (tmp_path / "README.md").write_text("# My project\n")
    assert card_place(tmp_path / "digits.npz").name == "digits.md"
    (tmp_path / "README.md").write_text("# The digit classifier\n")
    assert card_place(tmp_path / "digits.npz").name == "README.md"
