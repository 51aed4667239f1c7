"""Store trained arrays: an ``.npz`` file, never pickled, with a header in JSON and a hash of its arrays.

The header says what the file is (``kind``), how it was made, and the hash.
"""

from __future__ import annotations

import hashlib
import io
import json
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.digits.handwriting import StrokeDictionary
from sudoku_vision.digits.network import Layer, Layers
from sudoku_vision.errors import ModelError
from sudoku_vision.results import Floats

REMEDY = "Reinstall sudoku-vision, or make a new model with `sudoku-vision train`."

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

Header = Mapping[str, Any]
Arrays = Mapping[str, NDArray[Any]]


def shipped(name: str) -> Path:
    """Return where a model of the package lies: beside the code when installed, else in ``models/``."""
    here = Path(__file__).resolve().parents[1]
    installed = here / "models" / name
    return installed if installed.exists() else here.parent / "models" / name


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a model file; raises ModelError where it can't be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"The model {path} can't be read: {error.strerror}.", REMEDY) from error


def unpacked(data: bytes, kind: str, name: str) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays and the header of a model file; *name* is what errors call it.

    Raises ModelError where the bytes are truncated, altered, or no model of this *kind*.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        header = json.loads(str(arrays.pop("header")))
    except _UNREADABLE as error:
        raise ModelError(f"The model {name} is truncated or no model file.", REMEDY) from error
    if not isinstance(header, dict) or header.get("kind") != kind:
        raise ModelError(f"The file {name} is not a model of sudoku-vision for this purpose.", REMEDY)
    if header.get("hash") != hash_arrays(arrays):
        raise ModelError(f"The model {name} was altered or damaged: its hash does not fit.", REMEDY)
    return arrays, header


def packed(arrays: Arrays, header: Header) -> bytes:
    """Return the bytes of a model file, the hash added to its header."""
    text = json.dumps({**header, "hash": hash_arrays(arrays)})
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, header=np.array(text), **arrays)
    return buffer.getvalue()


def hash_arrays(arrays: Arrays) -> str:
    """Return the SHA-256 over names, shapes, types and values of arrays, in the order of their names."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        values = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {values.shape} {values.dtype.str}\n".encode())
        digest.update(values.tobytes())
    return digest.hexdigest()


def network(arrays: Arrays, weights: str, bias: str) -> Layers:
    """Return the layers of one network in the arrays of a file, whose names are these and a number."""
    layers: list[Layer] = []
    while f"{weights}_{len(layers)}" in arrays:
        pair = (arrays[f"{name}_{len(layers)}"].astype(np.float32) for name in (weights, bias))
        layers.append((next(pair), next(pair)))
    return tuple(layers)


def network_arrays(layers: Layers, weights: str, bias: str) -> dict[str, Floats]:
    """Return the arrays of one network under such names."""
    return {
        f"{name}_{index}": values
        for index, pair in enumerate(layers)
        for name, values in zip((weights, bias), pair, strict=True)
    }


def dictionary(arrays: Arrays, prefix: str = "") -> StrokeDictionary:
    """Return the dictionary of strokes in the arrays of a file, whose names begin with *prefix*."""
    return StrokeDictionary(*(arrays[prefix + part].astype(np.float32) for part in _DICTIONARY))


def dictionary_arrays(strokes: StrokeDictionary, prefix: str = "") -> dict[str, Floats]:
    """Return the arrays of a dictionary of strokes under such names."""
    return {prefix + part: getattr(strokes, part) for part in _DICTIONARY}


def halved(arrays: Arrays) -> dict[str, NDArray[np.float16]]:
    """Return arrays in half precision, as they are stored."""
    return {name: values.astype(np.float16) for name, values in arrays.items()}
