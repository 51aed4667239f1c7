"""The model file: what is stored is read back, and what is not a model of this version is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from test_cascade import small_model

from sudoku_vision.errors import ModelError
from sudoku_vision.vision.digits import features
from sudoku_vision.vision.digits.classes import CLASSES
from sudoku_vision.vision.digits.model import default_path, load_model, model_from_bytes, model_to_bytes


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
