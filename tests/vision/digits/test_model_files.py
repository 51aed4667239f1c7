"""Model files: a stored model is loaded again, and any other file is refused with one clear error."""

import io
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_vision.errors import ModelError
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits import features, model_files, occlusion, sum_reader
from sudoku_vision.vision.digits.cascade import CLASSES, DigitModel, HandwritingClassifier
from sudoku_vision.vision.digits.mark_reader import KIND_FEATURES, MarkReader
from sudoku_vision.vision.digits.mark_segmentation import NUMBERS
from sudoku_vision.vision.digits.model_files import (
    DIGIT_MODELS,
    MARK_READERS,
    OCCLUSION_MODELS,
    SUM_READERS,
    ModelFile,
    load_model,
    packed,
    unpacked,
)
from sudoku_vision.vision.digits.network import Layers
from sudoku_vision.vision.digits.occlusion import OcclusionModel
from sudoku_vision.vision.digits.strokes import PATCH, StrokeDictionary
from sudoku_vision.vision.digits.sum_reader import SUMS, SumReader


def random_layers(rng: np.random.Generator, *sizes: int) -> Layers:
    return tuple(
        (rng.normal(0, 0.1, (a, b)).astype(np.float32), rng.normal(0, 0.1, b).astype(np.float32))
        for a, b in pairwise(sizes)
    )


def small_dictionary(rng: np.random.Generator) -> StrokeDictionary:
    size = PATCH**2
    centres = rng.normal(size=(4, size)).astype(np.float32)
    return StrokeDictionary(np.zeros(size, np.float32), np.eye(size, dtype=np.float32), centres)


def small_model() -> DigitModel:
    rng = np.random.default_rng(0)
    strokes = small_dictionary(rng)
    second = HandwritingClassifier(strokes, random_layers(rng, strokes.features, 5, 9), 1.2)
    first = (random_layers(rng, features.FEATURES, 6, len(CLASSES)),)
    return DigitModel(first, 1.5, {"seed": 4, "written_share": 0.4}, second)


def small_reader() -> MarkReader:
    rng = np.random.default_rng(0)
    strokes = small_dictionary(rng)
    shapes = random_layers(rng, strokes.features + NUMBERS, 10)
    return MarkReader(random_layers(rng, KIND_FEATURES, 3), strokes, shapes, 1.5, 0.7, 0.2, {"seed": 4})


def small_occlusion() -> OcclusionModel:
    layers = random_layers(np.random.default_rng(0), occlusion.FEATURES, 3)
    return OcclusionModel(layers, (0.2, 0.7, 0.1), {"seed": 4})


def small_sum_reader() -> SumReader:
    return SumReader(
        random_layers(np.random.default_rng(0), sum_reader.FEATURES, SUMS), 1.5, 0.2, {"seed": 4}
    )


def answers(model: Any) -> list[Floats]:
    """The outputs of all networks of a model for inputs by chance."""
    rng = np.random.default_rng(1)

    def of(size: int) -> Floats:
        return rng.normal(size=(5, size)).astype(np.float32)

    if isinstance(model, DigitModel):
        assert model.handwriting is not None
        images = rng.random((5, 28, 28), np.float32)
        return [model.first_stage(of(features.FEATURES)), model.handwriting.log_probabilities(images)]
    if isinstance(model, MarkReader):
        return [model.kinds(of(KIND_FEATURES)).astype(np.float32), model.dictionary.centres]
    if isinstance(model, SumReader):
        return [model.classify(of(sum_reader.FEATURES))]
    return [model.probabilities(of(occlusion.FEATURES))]


SMALL: dict[ModelFile[Any], Any] = {
    DIGIT_MODELS: small_model(),
    MARK_READERS: small_reader(),
    OCCLUSION_MODELS: small_occlusion(),
    SUM_READERS: small_sum_reader(),
}
FILES = pytest.mark.parametrize("file", SMALL, ids=lambda file: file.name)


@FILES
def test_the_models_of_the_package_are_small_and_their_headers_say_how_they_were_made(
    file: ModelFile[Any],
) -> None:
    limit = {"digits": 2_000_000, "marks": 1_000_000, "occlusion": 20_000, "sums": 700_000}[file.name]
    assert file.path.stat().st_size <= limit
    assert {"command", "date", "seed", "data", "hash"} <= set(file.load().header)


@FILES
def test_a_model_survives_its_file(file: ModelFile[Any]) -> None:
    model = SMALL[file]
    back = file.from_bytes(file.to_bytes(model))
    for found, expected in zip(answers(back), answers(model), strict=True):
        assert found == pytest.approx(expected, abs=2e-2)
    numbers = ("temperature", "kind_temperature", "shape_temperature", "share", "shares")
    assert all(getattr(back, name, None) == getattr(model, name, None) for name in numbers)
    assert back.header["seed"] == 4


def saved(arrays: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def broken_files(file: ModelFile[Any]) -> dict[str, bytes]:
    data = file.to_bytes(SMALL[file])
    with np.load(io.BytesIO(data)) as opened:
        arrays = dict(opened)
    header = json.loads(str(arrays.pop("header")))
    name = next(iter(arrays))
    return {
        "truncated": data[: len(data) // 2],
        "empty": b"",
        "text": b"this is no model",
        "altered": saved(
            {**arrays, name: arrays[name] + np.float16(1), "header": np.array(json.dumps(header))}
        ),
        "without header": saved(arrays),
        "foreign": packed(arrays, {**header, "kind": "other"}),
        "of another version": packed(arrays, {**header, "features": -1}),
        "pickled": saved({"header": np.array([{}], dtype=object)}),
        "of another model": (OCCLUSION_MODELS if file is DIGIT_MODELS else DIGIT_MODELS).path.read_bytes(),
    }


@FILES
def test_a_broken_model_file_gives_one_clear_error(file: ModelFile[Any], tmp_path: Path) -> None:
    for kind, data in broken_files(file).items():
        path = tmp_path / f"{kind}.npz"
        path.write_bytes(data)
        with pytest.raises(ModelError, match="python -m workshop train"):
            file.load(path)
    with pytest.raises(ModelError, match=r"can't be read.*reinstall"):
        file.load(tmp_path / "none.npz")


Arrays = dict[str, NDArray[Any]]
Damage = Callable[[Arrays, dict[str, Any]], object]


def of_array(name: str, change: Callable[[NDArray[Any]], object]) -> Damage:
    return lambda arrays, _: arrays.update({name: np.asarray(change(arrays[name]))})


def of_header(name: str, value: object) -> Damage:
    return lambda _, header: header.update({name: value})


DAMAGES: list[tuple[ModelFile[Any], Damage, str]] = [
    (DIGIT_MODELS, lambda arrays, _: arrays.pop("weights_0_0"), "'weights_0_0' is missing"),
    (DIGIT_MODELS, of_array("weights_0_0", np.ravel), "weights_0_0 has the shape"),
    (DIGIT_MODELS, of_array("bias_0_0", lambda values: values[1:]), "bias_0_0 has the shape"),
    (DIGIT_MODELS, lambda arrays, _: arrays.pop("weights_0_1"), "weights_0 ends in 6 outputs, not in 20"),
    (DIGIT_MODELS, of_array("bias_0_1", lambda values: values.astype(float) + 1e300), "are not finite"),
    (DIGIT_MODELS, of_array("bias_0_1", lambda values: values.astype("U8")), "holds <U8, not floats"),
    (DIGIT_MODELS, of_array("expert_centres", lambda values: values[:0]), "expert_centres has the shape"),
    (DIGIT_MODELS, of_header("temperature", 0), "temperature is 0, not a number above 0"),
    (DIGIT_MODELS, of_header("expert_temperature", "warm"), "expert_temperature is warm"),
    (DIGIT_MODELS, lambda _, header: header.pop("written_share"), "'written_share' is missing"),
    (DIGIT_MODELS, of_header("classes", 20), "made for another version"),
    (MARK_READERS, of_array("kind_weights_0", lambda values: values[1:]), "kind_weights_0 has the shape"),
    (MARK_READERS, of_array("shape_bias_0", lambda values: values - np.inf), "shape_bias_0 holds numbers"),
    (MARK_READERS, of_header("share", -1), "share is -1"),
    (OCCLUSION_MODELS, lambda _, header: header.pop("clean_share"), "'clean_share' is missing"),
]


@pytest.mark.parametrize(("file", "damage", "words"), DAMAGES, ids=[words for *_, words in DAMAGES])
def test_the_error_for_a_damaged_model_names_the_file_and_the_damage(
    file: ModelFile[Any], damage: Damage, words: str
) -> None:
    arrays, header = unpacked(file.to_bytes(SMALL[file]), "small")
    damage(arrays, header)
    with pytest.raises(ModelError) as error:
        file.from_bytes(packed(arrays, header), "own.npz")
    assert error.value.message.startswith("The model own.npz ")
    assert words in error.value.message


def test_the_memory_for_a_model_file_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.npz"
    path.write_bytes(saved({"weights_0_0": np.zeros((1000, 1000))}))
    monkeypatch.setattr(model_files, "MAX_UNPACKED", 1_000_000)
    with pytest.raises(ModelError, match="no model file"):
        load_model(path)
    monkeypatch.setattr(model_files, "MAX_PACKED", 1000)
    with pytest.raises(ModelError, match="larger than"):
        load_model(path)
