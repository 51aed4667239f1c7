"""What is learnt from: typefaces, drawn boards, networks, temperatures and dictionaries."""

import shutil
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from sudoku_vision.vision.digits.network import Layers, forward, log_softmax
from sudoku_vision.vision.rectify import rectify
from workshop.rendering.typefaces import BUNDLED_FOLDERS, Typeface, bundled_typefaces
from workshop.training.boards import draw_board
from workshop.training.digits import learn_dictionary
from workshop.training.fitting import best_temperature, fit_network
from workshop.training.samples import BLANK, is_printed, is_written
from workshop.training.settings import Hyperparameters
from workshop.training.sources import Sources, find_typefaces, gather_sources, has_digits, split_families


@pytest.fixture(scope="module")
def sources() -> Sources:
    return gather_sources([], [], 0)[0]


def test_boards_follow_from_the_seed_and_hold_print_handwriting_and_blanks(sources: Sources) -> None:
    boards = [draw_board(sources, np.random.default_rng(seed)) for seed in (*range(8), 0)]
    first, same = boards[0], boards.pop()
    assert np.array_equal(first.photo.pixels, same.photo.pixels)
    assert np.array_equal(first.classes, same.classes)
    assert any((first.classes != board.classes).any() for board in boards)
    classes = np.concatenate([board.classes for board in boards])
    shares = [is_printed(classes).mean(), is_written(classes).mean(), (classes == BLANK).mean()]
    assert min(shares) > 0.1
    assert shares[0] > shares[1], "most digits of a page are print"
    for board in boards[:4]:
        cells = rectify(board.photo, board.lattice)
        ink = np.clip(cells, 0, 1)[:, 8:-8, 8:-8].mean(axis=(1, 2))
        printed, blank = is_printed(board.classes), board.classes == BLANK
        assert not blank.any() or np.median(ink[printed]) > 1.5 * np.median(ink[blank])


def test_bundle_holds_print_and_handwriting_that_show_digits() -> None:
    faces = bundled_typefaces()
    assert len(faces) >= 8
    assert {face.handwritten for face in faces} == {True, False}
    assert all(has_digits(face) for face in faces)


def test_find_skips_broken_files_what_is_no_font_and_other_alphabets(tmp_path: Path) -> None:
    (tmp_path / "broken.ttf").write_bytes(b"\x00\x01\x00\x00 nothing")
    (tmp_path / "notes.txt").write_text("no font")
    source = next(BUNDLED_FOLDERS[1].glob("*.woff2"))
    for name in ("cyrillic", "latin-ext"):
        shutil.copy(source, tmp_path / f"arimo-{name}-400-normal.woff2")
    assert find_typefaces([tmp_path]) == []


def test_find_keeps_a_face_once_and_in_the_same_order(tmp_path: Path) -> None:
    for place in ("a", "b"):
        for folder in BUNDLED_FOLDERS:
            shutil.copytree(folder, tmp_path / place, dirs_exist_ok=True)
    names = [(face.family, face.style) for face in find_typefaces([tmp_path])]
    assert names == [(face.family, face.style) for face in bundled_typefaces()]


def test_a_family_is_never_on_both_sides_of_a_split() -> None:
    faces = [
        Typeface(f"{name}{width}", style, Path(f"{name}{width}{style}.ttf"))
        for name in ("Alpha", "Beta", "Gamma", "Delta")
        for width in ("", " Condensed")
        for style in ("Regular", "Bold")
    ]
    kept, held = split_families(faces, share=0.5, seed=3)
    assert len(kept) == len(held) == 8
    assert not {face.family.split()[0] for face in kept} & {face.family.split()[0] for face in held}
    assert split_families(faces, share=0.5, seed=3) == (kept, held)


def test_a_network_learns_from_its_features_and_goes_on_from_another_one() -> None:
    rng = np.random.default_rng(0)
    seen = rng.normal(5, 3, (900, 4)).astype(np.float32)
    classes = np.digitize(seen[:, 0], [3, 7])

    def fit(epochs: int, start: Layers | None = None) -> Layers:
        how = Hyperparameters((32,), epochs, 1)
        return fit_network(seen, classes, 3, how, 1, "Learning", start)

    known = fit(150)
    for layers in (known, fit(1, known)):
        assert (forward(layers, seen).argmax(axis=1) == classes).mean() > 0.9


def test_ctrl_c_ends_the_fitting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library would turn it into a warning."""
    interrupted = Mock(side_effect=KeyboardInterrupt)
    monkeypatch.setattr("sklearn.neural_network.MLPClassifier._backprop", interrupted)
    how, seen = Hyperparameters((8,), 3, 1), np.ones((30, 4), np.float32)
    with pytest.raises(KeyboardInterrupt):
        fit_network(seen, np.arange(30) % 3, 3, how, 1, "Learning")


def test_the_temperature_corrects_overconfidence() -> None:
    rng = np.random.default_rng(0)
    honest = rng.normal(0, 2, (20_000, 3)).astype(np.float32)
    chances = np.exp(log_softmax(honest))
    classes = (rng.random((20_000, 1)) > chances.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    best = best_temperature(lambda temperature: 3 * honest / np.float32(temperature), classes)
    assert best == pytest.approx(3, rel=0.1)


def test_the_dictionary_holds_pieces_of_the_strokes_it_has_seen() -> None:
    bar = np.zeros((30, 28, 28), np.float32)
    for index in range(30):
        bar[index, :, index % 20 + 3 : index % 20 + 6] = 1
    dictionary = learn_dictionary(bar, 6, 0)
    assert dictionary.centres.shape == (6, 49)
    along, across = dictionary.codes(bar[:1]), dictionary.codes(bar[:1].transpose(0, 2, 1).copy())
    assert along.sum() > across.sum()
