"""Digits: the classifier reads clean cells, knows its turn, and refuses files that are not its own."""

from __future__ import annotations

import io
import json
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from sudoku_vision.digits import features
from sudoku_vision.digits.cascade import DigitModel
from sudoku_vision.digits.classes import CLASSES, written_on_page
from sudoku_vision.digits.glyphs import cut_glyphs
from sudoku_vision.digits.handwriting import (
    PATCH,
    HandwritingClassifier,
    StrokeDictionary,
    describe_shapes,
)
from sudoku_vision.digits.model import default_path, load_model, model_from_bytes, model_to_bytes
from sudoku_vision.digits.turns import turned_cells
from sudoku_vision.errors import ModelError
from sudoku_vision.results import DigitScores, Floats

PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def clean_cells(puzzle: str = PUZZLE, size: int = 40) -> Floats:
    """The cells of a puzzle as rectify hands them over, drawn in a plain font."""
    cells = np.zeros((81, size, size), np.float32)
    for cell, digit in enumerate(puzzle):
        if digit != "0":
            image = np.zeros((size, size), np.uint8)
            cv2.putText(image, digit, (11, 30), cv2.FONT_HERSHEY_DUPLEX, 0.9, 255, 2, cv2.LINE_AA)
            cells[cell] = image / 255
    return cells


def random_layers(rng: np.random.Generator, *sizes: int) -> tuple[tuple[Floats, Floats], ...]:
    return tuple(
        (rng.normal(0, 0.1, (a, b)).astype(np.float32), rng.normal(0, 0.1, b).astype(np.float32))
        for a, b in pairwise(sizes)
    )


def small_model(seed: int = 0) -> DigitModel:
    rng = np.random.default_rng(seed)
    return DigitModel(
        (random_layers(rng, features.FEATURES, 6, len(CLASSES)),), 1.5, {"seed": seed}, small_handwriting(rng)
    )


def small_handwriting(rng: np.random.Generator) -> HandwritingClassifier:
    size = PATCH**2
    dictionary = StrokeDictionary(
        np.zeros(size, np.float32),
        np.eye(size, dtype=np.float32),
        rng.normal(0, 1, (4, size)).astype(np.float32),
    )
    length = describe_shapes(np.zeros((1, 28, 28), np.float32), dictionary).shape[1]
    return HandwritingClassifier(dictionary, random_layers(rng, length, 5, 9), 1.2)


def test_a_clean_puzzle_is_read() -> None:
    scores = load_model().classify(clean_cells())
    assert "".join(map(str, scores.log_probs.argmax(axis=1))) == PUZZLE
    assert np.exp(scores.log_probs).sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert scores.written[np.array(list(PUZZLE)) != "0"].max() < 0.5


def test_an_empty_board_is_blank() -> None:
    noise = np.random.default_rng(0).normal(0, 0.02, (81, 40, 40)).astype(np.float32)
    assert (load_model().classify(noise).log_probs.argmax(axis=1) == 0).all()


def turns_of(cells: Floats) -> list[DigitScores]:
    by_turn = load_model().classify_turns(cells).by_turn
    return [by_turn[turn] for turn in range(4)]


@pytest.mark.parametrize("turn", range(4))
def test_the_upright_turn_wins_in_total_log_probability(turn: int) -> None:
    upright = clean_cells().reshape(9, 9, 40, 40)
    lying = np.rot90(np.rot90(upright, -turn, axes=(0, 1)), -turn, axes=(2, 3)).reshape(81, 40, 40)
    totals = [scores.log_probs.max(axis=1).sum() for scores in turns_of(lying)]
    assert int(np.argmax(totals)) == turn
    assert sorted(totals)[-1] - sorted(totals)[-2] > 5


def test_each_turn_says_what_classifying_the_turned_cells_says() -> None:
    cells = clean_cells()
    for turn, scores in enumerate(turns_of(cells)):
        alone = load_model().classify(turned_cells(cells, turn))
        apart = np.abs(np.exp(scores.log_probs) - np.exp(alone.log_probs)).max(axis=1)
        assert apart.mean() < 0.03
        assert (scores.log_probs.argmax(axis=1) == alone.log_probs.argmax(axis=1)).mean() > 0.93


def test_a_speck_is_blank_and_a_line_at_the_edge_is_no_one() -> None:
    cells = clean_cells()
    cells[2, 19:22, 19:22] = 1
    cells[3, :, 36:38] = 1
    read = load_model().classify(cells).log_probs.argmax(axis=1)
    assert read[2] == 0
    assert read[3] == 0


def test_features_have_the_promised_length_and_turn_with_the_cell() -> None:
    cells = clean_cells()
    glyphs = cut_glyphs(cells)
    assert features.describe(glyphs).shape == (81, features.FEATURES)
    turned = cut_glyphs(np.ascontiguousarray(np.rot90(cells, 1, axes=(1, 2))))
    assert glyphs.turned(1).images == pytest.approx(turned.images, abs=0.35)
    assert glyphs.turned(1).box == pytest.approx(turned.box, abs=1e-5)
    assert glyphs.turned(4).images == pytest.approx(glyphs.images)


def test_a_lone_doubtful_cell_on_a_printed_page_counts_as_print() -> None:
    written = np.full(81, 0.02, np.float32)
    written[7] = 0.7
    share, extent = written_on_page(1 - written, written, 0.4)
    assert share.max() < 0.5
    assert extent < 0.05


def test_written_cells_among_printed_ones_stay_written() -> None:
    written = np.where(np.arange(81) % 2, 0.98, 0.02).astype(np.float32)
    share, extent = written_on_page(1 - written, written, 0.4)
    assert 0.3 < extent < 0.7
    assert share[1::2].min() > 0.9
    assert share[::2].max() < 0.1


def test_the_model_of_the_package_is_small_and_says_how_it_was_made() -> None:
    assert default_path().stat().st_size <= 2_000_000
    header = load_model().header
    assert header["classes"] == list(CLASSES)
    assert {"command", "date", "seed", "data", "hash"} <= set(header)


def test_a_model_survives_its_file() -> None:
    model = small_model()
    back = model_from_bytes(model_to_bytes(model))
    described = np.random.default_rng(1).normal(size=(5, features.FEATURES)).astype(np.float32)
    assert back.first_stage(described) == pytest.approx(model.first_stage(described), abs=2e-3)
    assert back.temperature == 1.5
    assert back.header["seed"] == 0
    images = np.random.default_rng(2).random((5, 28, 28), np.float32)
    assert model.handwriting is not None
    assert back.handwriting is not None
    assert back.handwriting.temperature == 1.2
    opinion = model.handwriting.log_probabilities(images)
    assert back.handwriting.log_probabilities(images) == pytest.approx(opinion, abs=5e-3)


def test_the_second_stage_tells_which_digit_is_written_and_nothing_else() -> None:
    model = small_model()
    rng = np.random.default_rng(3)
    first = rng.dirichlet(np.ones(20), 6).astype(np.float32)
    first[:3, 10:19] = 0
    first /= first.sum(axis=1, keepdims=True)
    second = model.second_stage(first, rng.random((6, 28, 28), np.float32))
    assert np.array_equal(second[:3], first[:3])
    assert (np.abs(second - first)[3:].max(axis=1) > 0.005).all()
    for kind in (slice(0, 1), slice(1, 10), slice(10, 19), slice(19, 20)):
        assert second[:, kind].sum(axis=1) == pytest.approx(first[:, kind].sum(axis=1), abs=1e-5)


def test_codes_tell_strokes_apart_and_an_empty_glyph_has_none() -> None:
    upright, lying = np.zeros((28, 28), np.float32), np.zeros((28, 28), np.float32)
    upright[4:24, 12:16] = 1
    lying[12:16, 4:24] = 1
    codes = load_handwriting().dictionary.codes(np.stack([upright, lying, np.zeros_like(upright)]))
    assert codes[2].max() == 0
    assert np.abs(codes[0] - codes[1]).max() > 0.2


def test_the_handwriting_classifier_of_the_package_reads_plain_digits() -> None:
    glyphs = cut_glyphs(clean_cells())
    found = np.array([int(digit) for digit in PUZZLE])
    read = load_handwriting().log_probabilities(glyphs.images).argmax(axis=1) + 1
    assert (read == found)[found > 0].mean() > 0.9


def load_handwriting() -> HandwritingClassifier:
    classifier = load_model().handwriting
    assert classifier is not None
    return classifier


def broken_files() -> dict[str, bytes]:
    data = model_to_bytes(small_model())
    with np.load(io.BytesIO(data)) as file:
        arrays = dict(file)
    altered = {**arrays, "bias_0_0": arrays["bias_0_0"] + np.float16(1)}
    header = json.loads(str(arrays["header"]))
    return {
        "truncated": data[: len(data) // 2],
        "empty": b"",
        "text": b"this is no model",
        "altered": packed(altered),
        "without header": packed({key: value for key, value in arrays.items() if key != "header"}),
        "foreign": packed({**arrays, "header": np.array(json.dumps({**header, "kind": "other"}))}),
        "another version": packed({**arrays, "header": np.array(json.dumps({**header, "features": -1}))}),
        "pickled": packed({"header": np.array([{}], dtype=object)}),
    }


def packed(arrays: dict[str, object]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


@pytest.mark.parametrize("kind", broken_files())
def test_a_broken_model_file_gives_one_clear_error(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "digits.npz"
    path.write_bytes(broken_files()[kind])
    with pytest.raises(ModelError, match="sudoku-vision train"):
        load_model(path)


def test_a_missing_model_file_gives_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"can't be read.*Reinstall"):
        load_model(tmp_path / "none.npz")


def test_flipped_bits_anywhere_never_pass() -> None:
    data = bytearray(model_to_bytes(small_model()))
    rng = np.random.default_rng(3)
    whole = bytes(data)
    for place in rng.integers(0, len(data), 40):
        data[place] ^= 1 << int(rng.integers(8))
        try:
            model = model_from_bytes(bytes(data))
        except ModelError:
            pass
        else:  # a bit of the archive that carries no data
            assert model.header["hash"] == model_from_bytes(whole).header["hash"]
        data[place] = whole[place]
