"""Damaged models: what the arrays and the header of a file hold is checked when it is loaded."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from test_cascade import small_model
from test_mark_model import small_reader

from sudoku_vision.errors import ModelError
from sudoku_vision.vision.digits import archive
from sudoku_vision.vision.digits.archive import packed, unpacked
from sudoku_vision.vision.digits.model import KIND as DIGITS
from sudoku_vision.vision.digits.model import MARKS_KIND as MARKS
from sudoku_vision.vision.digits.model import (
    load_model,
    mark_reader_from_bytes,
    mark_reader_to_bytes,
    model_from_bytes,
    model_to_bytes,
)

Arrays = dict[str, NDArray[Any]]
Damage = Callable[[Arrays, dict[str, Any]], object]


def of_array(name: str, change: Callable[[NDArray[Any]], object]) -> Damage:
    return lambda arrays, _: arrays.update({name: np.asarray(change(arrays[name]))})


def of_header(name: str, value: object) -> Damage:
    return lambda _, header: header.update({name: value})


DIGIT_DAMAGES: dict[str, tuple[Damage, str]] = {
    "no first stage": (lambda arrays, _: arrays.pop("weights_0_0"), "'weights_0_0' is missing"),
    "flat weights": (of_array("weights_0_0", np.ravel), "weights_0_0 has the shape"),
    "layers that don't fit": (of_array("bias_0_0", lambda values: values[1:]), "bias_0_0 has the shape"),
    "no last layer": (lambda arrays, _: arrays.pop("weights_0_1"), "weights_0 ends in 6 outputs, not in 20"),
    "too large": (of_array("bias_0_1", lambda values: values.astype(float) + 1e300), "are not finite"),
    "words": (of_array("bias_0_1", lambda values: values.astype("U8")), "holds <U8, not floats"),
    "no strokes": (of_array("expert_centres", lambda values: values[:0]), "expert_centres has the shape"),
    "temperature of 0": (of_header("temperature", 0), "temperature is 0, not a number above 0"),
    "temperature in words": (of_header("expert_temperature", "warm"), "expert_temperature is warm"),
    "classes": (of_header("classes", 20), "made for another version"),
}
MARK_DAMAGES: dict[str, tuple[Damage, str]] = {
    "fewer inputs": (of_array("kind_weights_0", lambda values: values[1:]), "kind_weights_0 has the shape"),
    "not finite": (of_array("shape_bias_0", lambda values: values - np.inf), "shape_bias_0 holds numbers"),
    "share below 0": (of_header("share", -1), "share is -1"),
}


def told(damage: Damage, data: bytes, kind: str, load: Callable[[bytes, str], object]) -> str:
    """What is said of a model file, its arrays or its header damaged, when it is loaded."""
    arrays, header = unpacked(data, kind, "small")
    damage(arrays, header)
    with pytest.raises(ModelError) as error:
        load(packed(arrays, header), "own.npz")
    assert error.value.message.startswith("The model own.npz ")
    return error.value.message


@pytest.mark.parametrize("kind", DIGIT_DAMAGES)
def test_a_damaged_model_is_told_by_its_name_and_what_is_wrong(kind: str) -> None:
    damage, words = DIGIT_DAMAGES[kind]
    assert words in told(damage, model_to_bytes(small_model()), DIGITS, model_from_bytes)


@pytest.mark.parametrize("kind", MARK_DAMAGES)
def test_a_damaged_reader_of_marks_is_told_so_too(kind: str) -> None:
    damage, words = MARK_DAMAGES[kind]
    assert words in told(damage, mark_reader_to_bytes(small_reader()), MARKS, mark_reader_from_bytes)


def test_a_model_file_costs_only_so_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.npz"
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, weights_0_0=np.zeros((1000, 1000)))
    path.write_bytes(buffer.getvalue())
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1_000_000)
    with pytest.raises(ModelError, match="no model file"):
        load_model(path)
    monkeypatch.setattr(archive, "MAX_PACKED", 1000)
    with pytest.raises(ModelError, match="larger than"):
        load_model(path)
