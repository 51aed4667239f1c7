"""Read the digits: cells of clean ink in, calibrated probabilities out.

The classifier is an ensemble of small multi-layer perceptrons, trained with scikit-learn and stored as plain
arrays; the forward pass is a few matrix products. Where the ink looks written, an expert of handwriting
(:mod:`~sudoku_vision.digits.handwriting`) has its say, too. The classes are the blank cell, the printed
digits 1..9, the written digits 1..9, and *junk*: a glyph that is no upright digit, such as one that lies on
its side. Junk is spread evenly over the ten answers, so a board read the wrong way round loses in total
log-probability.
"""

from __future__ import annotations

import hashlib
import io
import json
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.digits import features
from sudoku_vision.digits.features import Glyphs
from sudoku_vision.digits.handwriting import Expert, StrokeDictionary, forward, log_softmax
from sudoku_vision.errors import ModelError
from sudoku_vision.results import DigitScores, Floats

CLASSES = ("blank", *(f"printed {d}" for d in range(1, 10)), *(f"written {d}" for d in range(1, 10)), "junk")
"""The classes of the model, in the order of its outputs."""

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
_FLOOR = 1e-6  # no answer is ever held to be less likely than this: a label may be wrong, too
_EXTENTS = (0.002, 0.05, 0.2, 0.4, 0.6, 0.8, 0.998)  # shares of the ink of a page that may be handwriting
_EXTENT_PRIOR = (0.6, 0.08, 0.08, 0.08, 0.08, 0.04, 0.04)  # how common each is
_CONSULTED = 0.02  # the expert is asked where the ink is written with at least this probability
_FIRST_LOOK = 0.5  # exponent of what the first look says of a digit that is written, beside the expert
_DICTIONARY = ("mean", "whitening", "centres")
_PAGE_TRUST = 0.7  # exponent of a cell's evidence for print or handwriting


@dataclass(frozen=True, eq=False)
class DigitModel:
    """A trained classifier.

    ``layers`` holds for each member of the ensemble its (weights, bias) pairs, float32, the scaling of the
    features folded into the first; ``temperature`` divides the logarithms of the mean probabilities, so that
    they are calibrated; ``header`` is what the file says of how it was made; ``expert`` looks closer at
    what is written.
    """

    layers: tuple[tuple[tuple[Floats, Floats], ...], ...]
    temperature: float = 1.0
    header: Mapping[str, Any] = field(default_factory=dict)
    expert: Expert | None = None

    def probabilities(self, described: Floats) -> Floats:
        """Probabilities (N, 20) of the classes for feature vectors (N, FEATURES)."""
        total = np.zeros((len(described), len(CLASSES)), np.float32)
        for member in self.layers:
            total += log_softmax(forward(member, described))
        scores: Floats = np.exp(log_softmax(total / (len(self.layers) * self.temperature)))
        return scores

    def consulted(self, probabilities: Floats, images: Floats) -> Floats:
        """The first look's probabilities (N, 20) once the expert has looked at the glyphs (N, 28, 28).

        The expert tells which digit it is, the more so the more the ink looks written; whether there is one,
        and by whose hand, is left as it was.
        """
        asked = is_consulted(probabilities)
        if self.expert is None or not asked.any():
            return probabilities
        result = probabilities.copy()
        result[asked] = with_opinion(probabilities[asked], self.expert.log_probabilities(images[asked]))
        return result


def is_consulted(probabilities: Floats) -> NDArray[np.bool_]:
    """Of which cells, by the first look's probabilities (N, 20), the expert is asked."""
    return np.asarray(probabilities[:, 10:19].sum(axis=1) >= _CONSULTED)


def with_opinion(probabilities: Floats, opinion: Floats) -> Floats:
    """The first look's probabilities (N, 20) weighed with the expert's log-probabilities (N, 9)."""
    written = probabilities[:, 10:19].sum(axis=1, keepdims=True)
    digit = written + probabilities[:, 1:10].sum(axis=1, keepdims=True)
    share = written / digit
    logs = np.log(np.maximum((probabilities[:, 1:10] + probabilities[:, 10:19]) / digit, _FLOOR))
    answer = np.exp(log_softmax((1 - share * (1 - _FIRST_LOOK)) * logs + share * opinion))
    result = probabilities.copy()
    result[:, 1:10] = answer * (digit - written)
    result[:, 10:19] = answer * written
    return result


def classify(cells: Floats, model: DigitModel | None = None) -> DigitScores:
    """Read the 81 rectified cells (81, S, S) float32 of one grid, taken as upright."""
    model = model or load_model()
    glyphs = features.extract(cells)
    return second_look(model.probabilities(features.describe(glyphs)), glyphs, model)


def first_looks(glyphs: Glyphs, model: DigitModel) -> list[Floats]:
    """The probabilities (81, 20) of the classes for the glyphs of one grid in all four turns.

    Entry *k* is about the grid turned counter-clockwise by *k* x 90 degrees, in the reading order of
    ``lattice.turned(k)``. Cells without any ink are looked at once.
    """
    inked = np.flatnonzero(glyphs.found)
    upright = model.probabilities(features.describe(glyphs))
    order = np.arange(81).reshape(9, 9)
    looks = [upright]
    for turn in range(1, 4):
        probabilities = upright.copy()
        if len(inked):
            described = features.describe(glyphs.select(inked).turned(turn))
            probabilities[inked] = model.probabilities(described)
        looks.append(probabilities[np.rot90(order, turn).ravel()])
    return looks


def second_look(probabilities: Floats, glyphs: Glyphs, model: DigitModel) -> DigitScores:
    """What a first look at upright glyphs comes to once the expert has seen what looks written."""
    return scores_of(model.consulted(probabilities, glyphs.images), model)


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
    """Where the package's model lies: beside the code when installed, in ``models/`` in a source checkout."""
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
    return DigitModel(_layers(arrays), float(header.get("temperature", 1.0)), header, _expert(arrays, header))


def model_to_bytes(model: DigitModel) -> bytes:
    """Pack a model into the bytes of a model file; the header is completed and the hash added."""
    arrays = {
        f"{kind}_{member}_{layer}": values.astype(np.float16)
        for member, layers in enumerate(model.layers)
        for layer, pair in enumerate(layers)
        for kind, values in zip(("weights", "bias"), pair, strict=True)
    }
    arrays |= _expert_arrays(model.expert)
    header = {
        **model.header,
        "kind": KIND,
        "features": features.VERSION,
        "classes": list(CLASSES),
        "temperature": model.temperature,
        "expert_temperature": 1.0 if model.expert is None else model.expert.temperature,
        "hash": hash_arrays(arrays),
    }
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, header=np.array(json.dumps(header)), **arrays)
    return buffer.getvalue()


def hash_arrays(arrays: Mapping[str, NDArray[Any]]) -> str:
    """SHA-256 over names, shapes, types and values of arrays, in the order of their names."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        values = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {values.shape} {values.dtype.str}\n".encode())
        digest.update(values.tobytes())
    return digest.hexdigest()


def _layers(arrays: Mapping[str, NDArray[Any]]) -> tuple[tuple[tuple[Floats, Floats], ...], ...]:
    """Sort the arrays of a file into members and layers."""
    members: list[tuple[tuple[Floats, Floats], ...]] = []
    while member := _network(arrays, f"weights_{len(members)}", f"bias_{len(members)}"):
        members.append(member)
    return tuple(members)


def _network(
    arrays: Mapping[str, NDArray[Any]], weights: str, bias: str
) -> tuple[tuple[Floats, Floats], ...]:
    """The layers of one network in the arrays of a file, whose names are these and a number."""
    layers: list[tuple[Floats, Floats]] = []
    while f"{weights}_{len(layers)}" in arrays:
        pair = (arrays[f"{name}_{len(layers)}"].astype(np.float32) for name in (weights, bias))
        layers.append((next(pair), next(pair)))
    return tuple(layers)


def _expert(arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> Expert | None:
    """The expert in the arrays of a file, if there is one."""
    if "expert_centres" not in arrays:
        return None
    dictionary = StrokeDictionary(*(arrays[f"expert_{name}"].astype(np.float32) for name in _DICTIONARY))
    layers = _network(arrays, "expert_weights", "expert_bias")
    return Expert(dictionary, layers, float(header.get("expert_temperature", 1.0)))


def _expert_arrays(expert: Expert | None) -> dict[str, NDArray[np.float16]]:
    """The arrays of a file that hold the expert."""
    if expert is None:
        return {}
    arrays = {f"expert_{name}": getattr(expert.dictionary, name) for name in _DICTIONARY}
    for index, (weights, bias) in enumerate(expert.layers):
        arrays |= {f"expert_weights_{index}": weights, f"expert_bias_{index}": bias}
    return {name: values.astype(np.float16) for name, values in arrays.items()}


def scores_of(probabilities: Floats, model: DigitModel) -> DigitScores:
    """Fold the classes (81, 20) into ten answers and the probability of written, both in view of the page.

    A cell alone may be written with the share of written digits that training showed; on a page that is
    plainly all print, a smudge is no faint writing.
    """
    blank, printed, written = probabilities[:, :1], probabilities[:, 1:10], probabilities[:, 10:19]
    prior = float(model.header.get("written_share", 0.4))
    share, extent = written_on_page(printed.sum(axis=1), written.sum(axis=1), prior)
    digits = printed * np.float32((1 - extent) / (1 - prior)) + written * np.float32(extent / prior)
    answers = np.concatenate([blank, digits], axis=1)
    answers += probabilities[:, 19:] / 10
    answers /= answers.sum(axis=1, keepdims=True)
    answers = (answers + _FLOOR) / (1 + 10 * _FLOOR)
    return DigitScores(np.log(answers).astype(np.float32), share)


def written_on_page(printed: Floats, written: Floats, prior: float) -> tuple[Floats, float]:
    """The probability (81,) that the ink of each cell is written, knowing the other cells of the page.

    *printed* and *written* (81,) are what the classifier says of each cell alone, having met the share
    *prior* of written digits in training. Most pages bear print alone, some are filled in to some extent: the
    extent is weighed by all cells together, which silences a lone doubtful one; its mean is handed back, too.
    Cells in one typeface err together, so their evidence is counted for less than if each were on its own.
    """
    ratio = ((written + 1e-4) / (printed + 1e-4)) * ((1 - prior) / prior)
    ratio = np.exp(_PAGE_TRUST * np.log(ratio))
    extents = np.array(_EXTENTS)[:, None]
    mixed = extents * ratio + (1 - extents)
    inked = printed + written
    weight = np.log(np.array(_EXTENT_PRIOR)) + (inked * np.log(mixed)).sum(axis=1)
    weight = np.exp(weight - weight.max())
    weight /= weight.sum()
    share: Floats = (weight @ (extents * ratio / mixed)).astype(np.float32)
    return share, float(weight @ extents[:, 0])
