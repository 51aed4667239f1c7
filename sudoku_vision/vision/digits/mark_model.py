"""Load and store the model that reads pencil marks, ``models/marks.npz``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from sudoku_vision.errors import ModelError
from sudoku_vision.vision.digits import mark_features, mark_segmentation
from sudoku_vision.vision.digits.archive import (
    MAX_TEMPERATURE,
    REMEDY,
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
from sudoku_vision.vision.digits.mark_reader import MarkReader

KIND = "sudoku-vision marks"  # what the header of a model file calls it

_NUMBERS = {"kind_temperature": MAX_TEMPERATURE, "shape_temperature": MAX_TEMPERATURE, "share": 1.0}
"""What the header holds besides, and what each is at most."""
_FEATURES = [mark_features.KIND_FEATURES, mark_segmentation.NUMBERS, mark_features.VERSION]


@lru_cache(maxsize=4)
def load_mark_reader(path: Path | None = None) -> MarkReader:
    """Load a reader of pencil marks, that of the package by default; a file once loaded is kept.

    Raises ModelError if the file is missing, truncated, altered or not such a model of this version.
    """
    found = path or shipped("marks.npz")
    return mark_reader_from_bytes(read_bytes(found), str(found))


def mark_reader_from_bytes(data: bytes, name: str = "given") -> MarkReader:
    """Unpack the bytes of a model file and check them; *name* is what errors call it."""
    arrays, header = unpacked(data, KIND, name)
    if header.get("features") != _FEATURES:
        raise ModelError(f"The model {name} was made for another version of sudoku-vision.", REMEDY)
    with checked(name):
        strokes = dictionary(arrays)
        described = strokes.features + mark_segmentation.NUMBERS
        return MarkReader(
            network(arrays, "kind_weights", "kind_bias", mark_features.KIND_FEATURES, 3),
            strokes,
            network(arrays, "shape_weights", "shape_bias", described, 10),
            header=header,
            **{key: number(header, key, most) for key, most in _NUMBERS.items()},
        )


def mark_reader_to_bytes(reader: MarkReader) -> bytes:
    """Pack a reader of pencil marks into the bytes of a model file."""
    arrays = dictionary_arrays(reader.dictionary)
    arrays |= network_arrays(reader.kind, "kind_weights", "kind_bias")
    arrays |= network_arrays(reader.shapes, "shape_weights", "shape_bias")
    header: Header = {
        **reader.header,
        "kind": KIND,
        "features": _FEATURES,
        **{key: getattr(reader, key) for key in _NUMBERS},
    }
    return packed(arrays, header)
