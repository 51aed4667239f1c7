"""The model file of pencil marks: what is stored is read back, and what is no such model is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sudoku_vision.errors import ModelError
from sudoku_vision.vision.digits.archive import packed, shipped, unpacked
from sudoku_vision.vision.digits.handwriting import StrokeDictionary
from sudoku_vision.vision.digits.mark_features import KIND_FEATURES
from sudoku_vision.vision.digits.mark_reader import MarkReader
from sudoku_vision.vision.digits.mark_segmentation import NUMBERS
from sudoku_vision.vision.digits.model import (
    MARKS_KIND,
    default_path,
    load_mark_reader,
    mark_reader_from_bytes,
    mark_reader_to_bytes,
)


def small_reader() -> MarkReader:
    rng = np.random.default_rng(0)

    def layer(inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
        return rng.normal(size=(inputs, outputs)).astype(np.float32), np.zeros(outputs, np.float32)

    dictionary = StrokeDictionary(
        np.zeros(49, np.float32), np.eye(49, dtype=np.float32), rng.normal(size=(2, 49)).astype(np.float32)
    )
    shapes = layer(dictionary.features + NUMBERS, 10)
    return MarkReader((layer(KIND_FEATURES, 3),), dictionary, (shapes,), 1.5, 0.7, 0.2, {"seed": 4})


def test_the_reader_of_the_package_is_small_and_says_how_it_was_made() -> None:
    assert shipped("marks.npz").stat().st_size <= 1_000_000
    assert {"command", "date", "seed", "data", "hash"} <= set(load_mark_reader().header)


def test_a_reader_survives_its_file() -> None:
    reader = small_reader()
    back = mark_reader_from_bytes(mark_reader_to_bytes(reader))
    features = np.random.default_rng(1).normal(size=(5, KIND_FEATURES)).astype(np.float32)
    assert back.kinds(features) == pytest.approx(reader.kinds(features), abs=2e-2)
    assert (back.kind_temperature, back.shape_temperature, back.share) == (1.5, 0.7, 0.2)
    assert back.header["seed"] == 4
    assert np.allclose(back.dictionary.centres, reader.dictionary.centres, atol=1e-2)


def test_what_is_no_reader_of_marks_gives_one_clear_error(tmp_path: Path) -> None:
    arrays, header = unpacked(mark_reader_to_bytes(small_reader()), MARKS_KIND, "small")
    older = packed(arrays, {**header, "features": []})
    missing = tmp_path / "missing.npz"
    with pytest.raises(ModelError, match="can't be read"):
        load_mark_reader(missing)
    for data in (b"", b"no model", older, default_path().read_bytes()):
        with pytest.raises(ModelError):
            mark_reader_from_bytes(data)
