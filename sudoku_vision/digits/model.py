"""Load and store the digit model: one file of plain arrays, checked by its hash.

The file is an ``.npz`` archive (never pickled) with a header in JSON: what it is, its version, how it was
made, and the hash of its arrays. The arrays of the second stage are called ``expert_...`` in it.
"""

from __future__ import annotations

import hashlib
import io
import json
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.digits import features
from sudoku_vision.digits.cascade import DigitModel
from sudoku_vision.digits.classes import CLASSES
from sudoku_vision.digits.handwriting import HandwritingClassifier, StrokeDictionary
from sudoku_vision.digits.network import Layer, Layers
from sudoku_vision.errors import ModelError

KIND = "sudoku-vision digits"
"""What the header of a model file calls it."""

_REMEDY = "Reinstall sudoku-vision, or make a new model with `sudoku-vision train`."
_UNREADABLE = (
    ValueError,
    KeyError,
    OSError,
    EOFError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
    SyntaxError,  # what NumPy's reader of array headers raises for a flipped bit
    tokenize.TokenError,
)
_DICTIONARY = ("mean", "whitening", "centres")


@lru_cache(maxsize=4)
def load_model(path: Path | None = None) -> DigitModel:
    """Load a model file, that of the package by default; a file once loaded is kept.

    Raises ModelError if the file is missing, truncated, altered or not a model of this version.
    """
    found = path or default_path()
    try:
        data = found.read_bytes()
    except OSError as error:
        raise ModelError(f"The digit model {found} can't be read: {error.strerror}.", _REMEDY) from error
    return model_from_bytes(data, str(found))


def default_path() -> Path:
    """Return where the package's model lies: beside the code when installed, else in ``models/``."""
    here = Path(__file__).resolve().parents[1]
    installed = here / "models" / "digits.npz"
    return installed if installed.exists() else here.parent / "models" / "digits.npz"


def model_from_bytes(data: bytes, name: str = "given") -> DigitModel:
    """Unpack the bytes of a model file and check them; *name* is what errors call it."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        header = json.loads(str(arrays.pop("header")))
    except _UNREADABLE as error:
        raise ModelError(f"The digit model {name} is truncated or no model file.", _REMEDY) from error
    if not isinstance(header, dict) or header.get("kind") != KIND:
        raise ModelError(f"The file {name} is not a digit model of sudoku-vision.", _REMEDY)
    if header.get("features") != features.VERSION or tuple(header.get("classes", ())) != CLASSES:
        raise ModelError(f"The digit model {name} was made for another version of sudoku-vision.", _REMEDY)
    if header.get("hash") != hash_arrays(arrays):
        raise ModelError(f"The digit model {name} was altered or damaged: its hash does not fit.", _REMEDY)
    return DigitModel(
        _layers(arrays), float(header.get("temperature", 1.0)), header, _handwriting(arrays, header)
    )


def model_to_bytes(model: DigitModel) -> bytes:
    """Pack a model into the bytes of a model file; the header is completed and the hash added."""
    arrays = {
        f"{kind}_{member}_{layer}": values.astype(np.float16)
        for member, layers in enumerate(model.layers)
        for layer, pair in enumerate(layers)
        for kind, values in zip(("weights", "bias"), pair, strict=True)
    }
    arrays |= _handwriting_arrays(model.handwriting)
    header = {
        **model.header,
        "kind": KIND,
        "features": features.VERSION,
        "classes": list(CLASSES),
        "temperature": model.temperature,
        "expert_temperature": 1.0 if model.handwriting is None else model.handwriting.temperature,
        "hash": hash_arrays(arrays),
    }
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, header=np.array(json.dumps(header)), **arrays)
    return buffer.getvalue()


def hash_arrays(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the SHA-256 over names, shapes, types and values of arrays, in the order of their names."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        values = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {values.shape} {values.dtype.str}\n".encode())
        digest.update(values.tobytes())
    return digest.hexdigest()


def _layers(arrays: Mapping[str, NDArray[Any]]) -> tuple[Layers, ...]:
    """Return the networks of the first stage in the arrays of a file."""
    members: list[Layers] = []
    while member := _network(arrays, f"weights_{len(members)}", f"bias_{len(members)}"):
        members.append(member)
    return tuple(members)


def _network(arrays: Mapping[str, NDArray[Any]], weights: str, bias: str) -> Layers:
    """Return the layers of one network in the arrays of a file, whose names are these and a number."""
    layers: list[Layer] = []
    while f"{weights}_{len(layers)}" in arrays:
        pair = (arrays[f"{name}_{len(layers)}"].astype(np.float32) for name in (weights, bias))
        layers.append((next(pair), next(pair)))
    return tuple(layers)


def _handwriting(
    arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]
) -> HandwritingClassifier | None:
    """Return the second stage in the arrays of a file, if there is one."""
    if "expert_centres" not in arrays:
        return None
    dictionary = StrokeDictionary(*(arrays[f"expert_{name}"].astype(np.float32) for name in _DICTIONARY))
    layers = _network(arrays, "expert_weights", "expert_bias")
    return HandwritingClassifier(dictionary, layers, float(header.get("expert_temperature", 1.0)))


def _handwriting_arrays(classifier: HandwritingClassifier | None) -> dict[str, NDArray[np.float16]]:
    """Return the arrays of a file that hold the second stage."""
    if classifier is None:
        return {}
    arrays = {f"expert_{name}": getattr(classifier.dictionary, name) for name in _DICTIONARY}
    for index, (weights, bias) in enumerate(classifier.layers):
        arrays |= {f"expert_weights_{index}": weights, f"expert_bias_{index}": bias}
    return {name: values.astype(np.float16) for name, values in arrays.items()}
