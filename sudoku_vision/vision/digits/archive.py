"""Store trained arrays: an ``.npz`` file, never pickled, with a header in JSON and a hash of its arrays.

The header says what the file is (``kind``), how it was made, and the hash.
"""

import contextlib
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import ModelError
from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.handwriting import PATCH, StrokeDictionary
from sudoku_vision.vision.digits.network import Layer, Layers

REMEDY = "Reinstall sudoku-vision, or make a new model with `sudoku-vision train`."

MAX_PACKED = 64 << 20  # bytes of a model file that are read: forty times those of the package
MAX_UNPACKED = 256 << 20  # bytes of its arrays together
MAX_TEMPERATURE = 100.0
"""What divides the logarithms of probabilities at most: with so much nothing is told apart any more."""

_DICTIONARY = {"mean": (PATCH**2,), "whitening": (PATCH**2, PATCH**2), "centres": (None, PATCH**2)}

Header = Mapping[str, Any]
Arrays = Mapping[str, NDArray[Any]]


def shipped(name: str) -> Path:
    """Return where a model of the package lies: beside the code when installed, else in ``models/``."""
    here = Path(__file__).resolve().parents[2]
    installed = here / "models" / name
    return installed if installed.exists() else here.parent / "models" / name


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a model file; raises ModelError where it can't be read."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_PACKED + 1)
    except OSError as error:
        raise ModelError(f"The model {path} can't be read: {error.strerror}.", REMEDY) from error
    if len(data) > MAX_PACKED:
        raise ModelError(f"The model {path} is larger than {MAX_PACKED >> 20} MB.", REMEDY)
    return data


def unpacked(data: bytes, kind: str, name: str) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays and the header of a model file; *name* is what errors call it.

    Raises ModelError where the bytes are truncated, altered, or no model of this *kind*.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED:
                raise ValueError("the arrays would take too much memory")
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        header = json.loads(str(arrays.pop("header")))
    except Exception as error:
        # Damage makes zipfile, zlib and NumPy's reader of array headers raise errors of a dozen kinds.
        raise ModelError(f"The model {name} is truncated or no model file.", REMEDY) from error
    if not isinstance(header, dict) or header.get("kind") != kind:
        raise ModelError(f"The file {name} is not a model of sudoku-vision for this purpose.", REMEDY)
    if header.get("hash") != hash_arrays(arrays):
        raise ModelError(f"The model {name} was altered or damaged: its hash does not fit.", REMEDY)
    return arrays, header


@contextlib.contextmanager
def checked(name: str) -> Iterator[None]:
    """Say what doesn't fit of a model file within as one ModelError that calls it *name*."""
    try:
        yield
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise ModelError(f"The model {name} can't be used: {why}.", REMEDY) from error


def packed(arrays: Arrays, header: Header) -> bytes:
    """Return the bytes of a model file, the hash added to its header."""
    text = json.dumps({**header, "hash": hash_arrays(arrays)})
    buffer = io.BytesIO()
    # Numbers and text are never pickled; before NumPy 2.1 a word about that would be taken for an array.
    np.savez_compressed(buffer, header=np.array(text), **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def hash_arrays(arrays: Arrays) -> str:
    """Return the SHA-256 over names, shapes, types and values of arrays, in the order of their names."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        values = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {values.shape} {values.dtype.str}\n".encode())
        digest.update(values.tobytes())
    return digest.hexdigest()


def network(arrays: Arrays, weights: str, bias: str, inputs: int, outputs: int) -> Layers:
    """Return the layers of one network in the arrays of a file, whose names are these and a number.

    Raises ValueError or KeyError where they are no network from so many *inputs* to so many *outputs*.
    """
    layers: list[Layer] = []
    while not layers or f"{weights}_{len(layers)}" in arrays:
        values = _floats(arrays, f"{weights}_{len(layers)}", (inputs, None))
        inputs = values.shape[1]
        layers.append((values, _floats(arrays, f"{bias}_{len(layers)}", (inputs,))))
    if inputs != outputs:
        raise ValueError(f"{weights} ends in {inputs} outputs, not in {outputs}")
    return tuple(layers)


def network_arrays(layers: Layers, weights: str, bias: str) -> dict[str, NDArray[np.float16]]:
    """Return the arrays of one network under such names, in half precision."""
    return {
        f"{name}_{index}": values.astype(np.float16)
        for index, layer in enumerate(layers)
        for name, values in zip((weights, bias), layer, strict=True)
    }


def dictionary(arrays: Arrays, prefix: str = "") -> StrokeDictionary:
    """Return the dictionary of strokes in the arrays of a file, whose names begin with *prefix*.

    Raises ValueError or KeyError where they are none.
    """
    return StrokeDictionary(*(_floats(arrays, prefix + part, shape) for part, shape in _DICTIONARY.items()))


def dictionary_arrays(strokes: StrokeDictionary, prefix: str = "") -> dict[str, NDArray[np.float16]]:
    """Return the arrays of a dictionary of strokes under such names, in half precision."""
    return {prefix + part: getattr(strokes, part).astype(np.float16) for part in _DICTIONARY}


def number(header: Header, name: str, most: float, otherwise: float | None = None) -> float:
    """Return a number of a header, above 0 and up to *most*; without *otherwise* it must be there.

    Raises ValueError or KeyError where it isn't so.
    """
    value = header[name] if otherwise is None else header.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
        raise ValueError(f"{name} is {str(value)[:20]}, not a number above 0 and up to {most:g}")
    return float(value)


def _floats(arrays: Arrays, name: str, shape: tuple[int | None, ...]) -> Floats:
    """Return an array of finite numbers as float32, *shape* with None for any length above 0."""
    values = arrays[name]
    if values.dtype.kind != "f":
        raise ValueError(f"{name} holds {values.dtype}, not floats")
    wanted = tuple(length or "any" for length in shape)
    found = tuple(
        length if fixed or not length else "any" for length, fixed in zip(values.shape, shape, strict=False)
    )
    if values.ndim != len(shape) or found != wanted:
        raise ValueError(f"{name} has the shape {values.shape}, not {wanted}")
    with np.errstate(over="ignore"):
        floats = values.astype(np.float32)
    if not np.isfinite(floats).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    return floats
