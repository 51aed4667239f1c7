"""Load and store the files of trained models.

There are four kinds of models: they read digits, pencil marks and sums of cages, and find covered cells. A
file holds arrays in half precision and a header in JSON. Nothing in it is pickled. The header says what kind
of model the file holds, how the model was made, and which version of the features it needs. The header also
has a hash of the arrays. In a digit model, the names of the second stage's arrays begin with ``expert_``.
"""

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import ModelError, UsageError, checked_path, named
from sudoku_vision.vision.digits import features, mark_reader, mark_segmentation, occlusion, sum_reader
from sudoku_vision.vision.digits.cascade import CLASSES, DigitModel, HandwritingClassifier
from sudoku_vision.vision.digits.mark_reader import MarkReader
from sudoku_vision.vision.digits.network import Arrays, Layers, network_arrays, stored_floats, stored_network
from sudoku_vision.vision.digits.occlusion import OcclusionModel
from sudoku_vision.vision.digits.strokes import PATCH, StrokeDictionary
from sudoku_vision.vision.digits.sum_reader import SumReader
from sudoku_vision.vision.digits.turns import CellClassifier

REMEDY = "Check the path, reinstall sudoku-vision, or make a new model with `python -m workshop train`."

MAX_PACKED = 64 << 20  # size limit of a model file, in bytes: 36 times the size of the package's largest one
MAX_UNPACKED = 256 << 20  # limit for the total size of the unpacked arrays of a model file, in bytes
MAX_TEMPERATURE = 100.0  # upper limit of a temperature; higher ones make all probabilities nearly equal

_DICTIONARY = {"mean": (PATCH**2,), "whitening": (PATCH**2, PATCH**2), "centres": (None, PATCH**2)}
_SUM_NUMBERS = {"temperature": MAX_TEMPERATURE, "sharpening": 1.0}
_MARK_NUMBERS = {"kind_temperature": MAX_TEMPERATURE, "shape_temperature": MAX_TEMPERATURE, "share": 1.0}
"""Names of the numbers in the header of a mark reader's file, with the upper limit of each number."""
_OCCLUSION_SHARES = ("clean_share", "read_share", "misread_share")
"""Names of the shares in the header of an occlusion model's file. The upper limit of each share is 1."""

Header = Mapping[str, Any]
Model = TypeVar("Model")


@dataclass(frozen=True, eq=False)
class ModelFile(Generic[Model]):
    """One kind of model file: its ``name``, and how a model is packed into arrays and a header.

    ``made_for`` holds entries that the header of a file must have. A file without these entries is refused,
    because it was made for another version of the program. ``unpack`` makes a model from arrays and a header.
    It raises KeyError or ValueError if the arrays or the header don't fit. ``pack`` returns the arrays and
    the header of a model.
    """

    name: str
    made_for: Mapping[str, Any]
    unpack: Callable[[Arrays, Header], Model]
    pack: Callable[[Model], tuple[Arrays, Header]]

    @cached_property
    def path(self) -> Path:
        """The path of the package's own file.

        If the package is installed, the file is in the folder ``models`` inside the package. In a copy of
        the repository, it is in the folder ``models`` beside the package.
        """
        here = Path(__file__).resolve().parents[2]
        installed = here / "models" / f"{self.name}.npz"
        return installed if installed.exists() else here.parent / "models" / installed.name

    def load(self, path: Path | None = None) -> Model:
        """Return the model in the file *path*, by default in the package's own file.

        The model is kept in memory for later calls. Raises ModelError if the file is missing, truncated or
        altered, is no model of this kind, or was made for another version.
        """
        model: Model = _loaded(self, path or self.path)
        return model

    def from_bytes(self, data: bytes, name: str = "given") -> Model:
        """Check and unpack the bytes of a model file, and return the model.

        Raises ModelError if the bytes are no model of this kind and version. The error message uses *name* as
        the name of the file.
        """
        arrays, header = unpacked(data, name)
        if header.get("kind") != f"sudoku-vision {self.name}":
            raise ModelError(f"The file {name} is not a model of sudoku-vision for this purpose.", REMEDY)
        if header.get("hash") != hash_arrays(arrays):
            raise ModelError(f"The model {name} was altered or damaged: its hash does not fit.", REMEDY)
        if any(header.get(key) != value for key, value in self.made_for.items()):
            raise ModelError(f"The model {name} was made for another version of sudoku-vision.", REMEDY)
        try:
            return self.unpack(arrays, header)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise ModelError(f"The model {name} can't be used: {why}.", REMEDY) from error

    def to_bytes(self, model: Model) -> bytes:
        """Return a model as the bytes of a file.

        The entries in ``made_for``, the kind of the model and a hash of the arrays are added to the header.
        """
        arrays, header = self.pack(model)
        return packed(arrays, {**header, **self.made_for, "kind": f"sudoku-vision {self.name}"})


@lru_cache(maxsize=8)
def _loaded(file: ModelFile[Model], path: Path) -> Model:
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_PACKED + 1)
    except OSError as error:
        raise ModelError(f"The model {path} can't be read: {error.strerror}.", REMEDY) from error
    if len(data) > MAX_PACKED:
        raise ModelError(f"The model {path} is larger than {MAX_PACKED >> 20} MB.", REMEDY)
    return file.from_bytes(data, str(path))


def unpacked(data: bytes, name: str) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays and the header in the bytes of a model file.

    Raises ModelError if the bytes are no model file. The error message uses *name* as the name of the file.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED:
                raise ValueError("the arrays would take too much memory")
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        return arrays, dict(json.loads(str(arrays.pop("header"))))
    except Exception as error:
        # For damaged files, zipfile, zlib, NumPy and json raise a dozen different types of errors.
        raise ModelError(f"The model {name} is truncated or no model file.", REMEDY) from error


def packed(arrays: Arrays, header: Header) -> bytes:
    """Return the bytes of a model file with these arrays, this header, and a hash of the arrays."""
    text = json.dumps({**header, "hash": hash_arrays(arrays)})
    buffer = io.BytesIO()
    # The argument allow_pickle isn't given: NumPy before 2.1 would store it as one more array. The
    # argument isn't needed, because numbers and text are never pickled.
    np.savez_compressed(buffer, header=np.array(text), **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def hash_arrays(arrays: Arrays) -> str:
    """Return the SHA-256, in hex, of all *arrays*, sorted by name: their names, shapes, types and values."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        values = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {values.shape} {values.dtype.str}\n".encode())
        digest.update(values.tobytes())
    return digest.hexdigest()


def _number(header: Header, name: str, limit: float) -> float:
    """Return the number *name* in a header. Raise ValueError unless it is above 0 and at most *limit*."""
    value = header[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= limit:
        raise ValueError(f"{name} is {str(value)[:20]}, not a number above 0 and up to {limit:g}")
    return float(value)


def _stored_dictionary(arrays: Arrays, prefix: str = "") -> StrokeDictionary:
    return StrokeDictionary(
        *(stored_floats(arrays, prefix + part, shape) for part, shape in _DICTIONARY.items())
    )


def _dictionary_arrays(strokes: StrokeDictionary, prefix: str = "") -> dict[str, NDArray[np.float16]]:
    return {prefix + part: getattr(strokes, part).astype(np.float16) for part in _DICTIONARY}


def _unpack_digits(arrays: Arrays, header: Header) -> DigitModel:
    members: list[Layers] = []
    while not members or f"weights_{len(members)}_0" in arrays:
        names = f"weights_{len(members)}", f"bias_{len(members)}"
        members.append(stored_network(arrays, *names, features.FEATURES, len(CLASSES)))
    strokes = _stored_dictionary(arrays, "expert_")
    layers = stored_network(arrays, "expert_weights", "expert_bias", strokes.features, 9)
    second = HandwritingClassifier(strokes, layers, _number(header, "expert_temperature", MAX_TEMPERATURE))
    _number(header, "written_share", 1.0)
    return DigitModel(tuple(members), _number(header, "temperature", MAX_TEMPERATURE), header, second)


def _pack_digits(model: DigitModel) -> tuple[Arrays, Header]:
    assert model.handwriting is not None, "only whole models are stored"
    arrays = _dictionary_arrays(model.handwriting.dictionary, "expert_")
    arrays |= network_arrays(model.handwriting.layers, "expert_weights", "expert_bias")
    for member, layers in enumerate(model.layers):
        arrays |= network_arrays(layers, f"weights_{member}", f"bias_{member}")
    numbers = {"temperature": model.temperature, "expert_temperature": model.handwriting.temperature}
    return arrays, {**model.header, **numbers}


def _unpack_marks(arrays: Arrays, header: Header) -> MarkReader:
    strokes = _stored_dictionary(arrays)
    described = strokes.features + mark_segmentation.NUMBERS
    return MarkReader(
        stored_network(arrays, "kind_weights", "kind_bias", mark_reader.KIND_FEATURES, 3),
        strokes,
        stored_network(arrays, "shape_weights", "shape_bias", described, 10),
        header=header,
        **{name: _number(header, name, limit) for name, limit in _MARK_NUMBERS.items()},
    )


def _pack_marks(reader: MarkReader) -> tuple[Arrays, Header]:
    arrays = _dictionary_arrays(reader.dictionary)
    arrays |= network_arrays(reader.kind, "kind_weights", "kind_bias")
    arrays |= network_arrays(reader.shapes, "shape_weights", "shape_bias")
    return arrays, {**reader.header, **{name: getattr(reader, name) for name in _MARK_NUMBERS}}


def _unpack_occlusion(arrays: Arrays, header: Header) -> OcclusionModel:
    layers = stored_network(arrays, "weights", "bias", occlusion.FEATURES, len(occlusion.CLASSES))
    shares = tuple(_number(header, share, 1.0) for share in _OCCLUSION_SHARES)
    return OcclusionModel(layers, shares, header)


def _pack_occlusion(model: OcclusionModel) -> tuple[Arrays, Header]:
    shares = dict(zip(_OCCLUSION_SHARES, model.shares, strict=True))
    return network_arrays(model.layers, "weights", "bias"), {**model.header, **shares}


def _unpack_sums(arrays: Arrays, header: Header) -> SumReader:
    layers = stored_network(arrays, "weights", "bias", sum_reader.FEATURES, sum_reader.SUMS)
    numbers = {name: _number(header, name, limit) for name, limit in _SUM_NUMBERS.items()}
    return SumReader(layers, **numbers, header=header)


def _pack_sums(reader: SumReader) -> tuple[Arrays, Header]:
    numbers = {name: getattr(reader, name) for name in _SUM_NUMBERS}
    return network_arrays(reader.layers, "weights", "bias"), {**reader.header, **numbers}


DIGIT_MODELS = ModelFile(
    "digits", {"features": features.VERSION, "classes": list(CLASSES)}, _unpack_digits, _pack_digits
)
MARK_READERS = ModelFile(
    "marks",
    {"features": [mark_reader.KIND_FEATURES, mark_segmentation.NUMBERS, mark_reader.VERSION]},
    _unpack_marks,
    _pack_marks,
)
OCCLUSION_MODELS = ModelFile("occlusion", {"features": occlusion.VERSION}, _unpack_occlusion, _pack_occlusion)
SUM_READERS = ModelFile(
    "sums", {"features": [sum_reader.FEATURES, sum_reader.VERSION]}, _unpack_sums, _pack_sums
)


def load_model(path: str | os.PathLike[str] | None = None) -> DigitModel:
    """Return the digit model in the file *path*, by default the package's own digit model.

    The model is kept in memory for later calls. Raises ModelError if the file is missing, truncated or
    altered, is no digit model, or was made for another version.
    """
    return DIGIT_MODELS.load(None if path is None else checked_path(path))


ModelLike: TypeAlias = CellClassifier | str | os.PathLike[str] | None
"""What a caller may give as a model: a classifier, a file's path, or None for the package's own model."""


def classifier_of(model: ModelLike) -> CellClassifier:
    """Return the classifier that a caller means by *model*.

    If *model* is a path, the model in this file is loaded. If it is None, the package's own model is loaded.
    Raises the errors of :func:`load_model`, and UsageError if *model* is neither a path nor a classifier.
    """
    if model is None or isinstance(model, str | os.PathLike):
        return load_model(model)
    if isinstance(model, type) or not hasattr(model, "classify_turns"):
        what = f"A model is expected, this is {named(model)}."
        raise UsageError(what, "Give the path of a model file, or an object of a subclass of CellClassifier.")
    return model
