"""Load and store the models: ``digits.npz``, ``marks.npz`` and ``occlusion.npz``.

The arrays of the second stage of the digit model are called ``expert_...`` in it.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import ModelError
from sudoku_vision.vision.digits import features, mark_features, mark_segmentation, occlusion
from sudoku_vision.vision.digits.archive import (
    MAX_TEMPERATURE,
    REMEDY,
    Arrays,
    Header,
    checked,
    dictionary,
    dictionary_arrays,
    network,
    network_arrays,
    number,
    packed,
    read_bytes,
    shipped,
    unpacked,
)
from sudoku_vision.vision.digits.cascade import USUAL_WRITTEN_SHARE, DigitModel
from sudoku_vision.vision.digits.classes import CLASSES
from sudoku_vision.vision.digits.handwriting import HandwritingClassifier
from sudoku_vision.vision.digits.mark_reader import MarkReader
from sudoku_vision.vision.digits.network import Layers
from sudoku_vision.vision.digits.occlusion import OcclusionModel

KIND, MARKS_KIND, OCCLUSION_KIND = "sudoku-vision digits", "sudoku-vision marks", "sudoku-vision occlusion"
"""What the headers of the files call them."""

_MARK_NUMBERS = {"kind_temperature": MAX_TEMPERATURE, "shape_temperature": MAX_TEMPERATURE, "share": 1.0}
"""What the header of the model of marks holds besides, and what each is at most."""
_SHARES = ("clean_share", "read_share", "misread_share")  # of cells, in the header of the model of covers
_MARK_FEATURES = [mark_features.KIND_FEATURES, mark_segmentation.NUMBERS, mark_features.VERSION]


def _unpacked(data: bytes, kind: str, name: str, **made_for: object) -> tuple[Arrays, Header]:
    """Unpack a model file; raises ModelError unless its header says that it was *made_for* this version."""
    arrays, header = unpacked(data, kind, name)
    if any(header.get(key) != value for key, value in made_for.items()):
        raise ModelError(f"The model {name} was made for another version of sudoku-vision.", REMEDY)
    return arrays, header


@lru_cache(maxsize=4)
def load_model(path: Path | None = None) -> DigitModel:
    """Load a model file, that of the package by default; a file once loaded is kept.

    Raises ModelError if the file is missing, truncated, altered or not a model of this version.
    """
    found = path or default_path()
    return model_from_bytes(read_bytes(found), str(found))


def default_path() -> Path:
    """Return where the package's model lies: beside the code when installed, else in ``models/``."""
    return shipped("digits.npz")


def model_from_bytes(data: bytes, name: str = "given") -> DigitModel:
    """Unpack the bytes of a model file and check them; *name* is what errors call it."""
    arrays, header = _unpacked(data, KIND, name, features=features.VERSION, classes=list(CLASSES))
    with checked(name):
        temperature = number(header, "temperature", MAX_TEMPERATURE, 1.0)
        number(header, "written_share", 1.0, USUAL_WRITTEN_SHARE)
        members: list[Layers] = []
        while not members or f"weights_{len(members)}_0" in arrays:
            names = f"weights_{len(members)}", f"bias_{len(members)}"
            members.append(network(arrays, *names, features.FEATURES, len(CLASSES)))
        second = None
        if "expert_centres" in arrays:
            strokes = dictionary(arrays, "expert_")
            layers = network(arrays, "expert_weights", "expert_bias", strokes.features, 9)
            own = number(header, "expert_temperature", MAX_TEMPERATURE, 1.0)
            second = HandwritingClassifier(strokes, layers, own)
        return DigitModel(tuple(members), temperature, header, second)


def model_to_bytes(model: DigitModel) -> bytes:
    """Pack a model into the bytes of a model file; the header is completed and the hash added."""
    arrays: dict[str, NDArray[np.float16]] = {}
    for member, layers in enumerate(model.layers):
        arrays |= network_arrays(layers, f"weights_{member}", f"bias_{member}")
    if model.handwriting is not None:
        arrays |= dictionary_arrays(model.handwriting.dictionary, "expert_")
        arrays |= network_arrays(model.handwriting.layers, "expert_weights", "expert_bias")
    header = {
        **model.header,
        "kind": KIND,
        "features": features.VERSION,
        "classes": list(CLASSES),
        "temperature": model.temperature,
        "expert_temperature": 1.0 if model.handwriting is None else model.handwriting.temperature,
    }
    return packed(arrays, header)


@lru_cache(maxsize=4)
def load_mark_reader(path: Path | None = None) -> MarkReader:
    """Load a reader of pencil marks, that of the package by default; a file once loaded is kept.

    Raises ModelError if the file is missing, truncated, altered or not such a model of this version.
    """
    found = path or shipped("marks.npz")
    return mark_reader_from_bytes(read_bytes(found), str(found))


def mark_reader_from_bytes(data: bytes, name: str = "given") -> MarkReader:
    """Unpack the bytes of a model file and check them; *name* is what errors call it."""
    arrays, header = _unpacked(data, MARKS_KIND, name, features=_MARK_FEATURES)
    with checked(name):
        strokes = dictionary(arrays)
        described = strokes.features + mark_segmentation.NUMBERS
        return MarkReader(
            network(arrays, "kind_weights", "kind_bias", mark_features.KIND_FEATURES, 3),
            strokes,
            network(arrays, "shape_weights", "shape_bias", described, 10),
            header=header,
            **{key: number(header, key, most) for key, most in _MARK_NUMBERS.items()},
        )


def mark_reader_to_bytes(reader: MarkReader) -> bytes:
    """Pack a reader of pencil marks into the bytes of a model file."""
    arrays = dictionary_arrays(reader.dictionary)
    arrays |= network_arrays(reader.kind, "kind_weights", "kind_bias")
    arrays |= network_arrays(reader.shapes, "shape_weights", "shape_bias")
    header: Header = {
        **reader.header,
        "kind": MARKS_KIND,
        "features": _MARK_FEATURES,
        **{key: getattr(reader, key) for key in _MARK_NUMBERS},
    }
    return packed(arrays, header)


@lru_cache(maxsize=4)
def load_occlusion_model(path: Path | None = None) -> OcclusionModel:
    """Load the occlusion model, that of the package by default; a file once loaded is kept.

    Raises ModelError if the file is missing, truncated, altered or not such a model of this version.
    """
    found = path or shipped("occlusion.npz")
    return occlusion_model_from_bytes(read_bytes(found), str(found))


def occlusion_model_from_bytes(data: bytes, name: str = "given") -> OcclusionModel:
    """Unpack the bytes of a model file and check them; *name* is what errors call it."""
    arrays, header = _unpacked(data, OCCLUSION_KIND, name, features=occlusion.VERSION)
    with checked(name):
        layers = network(arrays, "weights", "bias", occlusion.FEATURES, len(occlusion.CLASSES))
        shares = tuple(number(header, share, 1.0) for share in _SHARES)
        return OcclusionModel(layers, shares, header)


def occlusion_model_to_bytes(model: OcclusionModel) -> bytes:
    """Pack the occlusion model into the bytes of a model file."""
    header: Header = {
        **model.header,
        "kind": OCCLUSION_KIND,
        "features": occlusion.VERSION,
        **dict(zip(_SHARES, model.shares, strict=True)),
    }
    return packed(network_arrays(model.layers, "weights", "bias"), header)
