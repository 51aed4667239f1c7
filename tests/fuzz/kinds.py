"""The kinds of inputs, and how a case of each is drawn from a seed."""

import gzip
import io
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_vision.vision.digits.model_files import hash_arrays

from . import seeds
from .mutations import MAX_BYTES, STRUCTURES, mutated, mutated_header

ODD_MARKS = (
    "\0\x1b\x7f\x85\u00a0\u00b2\u0665\u2028\u200b\ufeff\ufffd\U0001d7d7=+-@|:;,.#*_"
    "[]{}()<>&%\\/'\" \t\r\n09xX"
)
"""Characters that may confuse a reader of boards."""
ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 10, 1e400, float("nan"), 10**30, "", "9", "\ud800", "x" * 500, [], {}, [[]],
    [{}] * 9, {"value": {}},
)  # fmt: skip
"""Values that JSON should not have in these places."""


@dataclass(frozen=True)
class Case:
    """One input: ``kind`` says how it is used, ``name`` which valid input was mutated."""

    kind: str
    seed: int
    name: str
    data: bytes


@dataclass(frozen=True)
class Kind:
    """A kind of inputs: its ``share`` of all cases, and a function that draws name and bytes."""

    share: float
    draw: Callable[[random.Random], tuple[str, bytes]]


def drawn(kind: str, seed: int) -> Case:
    """Return the case of a kind and a seed; it is always the same."""
    return Case(kind, seed, *KINDS[kind].draw(random.Random(f"{kind} {seed}")))


def _damaged(chance: random.Random, files: dict[str, bytes]) -> tuple[str, bytes]:
    """Return a file, damaged blindly or by its format; one in fifty is left as it is."""
    name = chance.choice(list(files))
    data = files[name]
    if chance.random() < 0.02:
        return name, data
    aware = STRUCTURES.get(Path(name).suffix[1:], mutated_header)
    if chance.random() < 0.5:
        data = aware(chance, data)
    if chance.random() < 0.6 or data == files[name]:
        data = mutated(chance, data, list(files.values()))
    return name, data[:MAX_BYTES]


def _text(chance: random.Random) -> tuple[str, bytes]:
    text = chance.choice(seeds.texts())
    for _ in range(chance.choice((0, 1, 1, 2, 5, 30))):
        text = chance.choice(_TEXT_MUTATIONS)(chance, text)[:MAX_BYTES]
    encoding = chance.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252", "utf-16-le"))
    data = text.encode(encoding, "surrogatepass" if "utf" in encoding else "replace")
    data = gzip.compress(data, 1) if chance.random() < 0.03 else data
    return "board.txt", mutated(chance, data) if chance.random() < 0.3 else data


def _odd_mark(chance: random.Random, text: str) -> str:
    at, marks = chance.randrange(len(text) + 1), chance.choice(ODD_MARKS) * chance.choice((1, 1, 3, 81))
    return text[:at] + marks + text[at + chance.randrange(2) :]


def _line_again(chance: random.Random, text: str) -> str:
    """Return a text without one of its lines, or with the line repeated."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    return "\n".join([*lines[:at], *lines[at : at + 1] * chance.choice((0, 0, 2, 9, 200)), *lines[at + 1 :]])


def _piece_again(chance: random.Random, text: str) -> str:
    at, length = chance.randrange(len(text) + 1), chance.choice((1, 5, 81, 300))
    return text[:at] + text[at : at + length] * chance.choice((2, 10, 1000)) + text[at:]


def _two_texts(chance: random.Random, text: str) -> str:
    return text + chance.choice(("", "\n", "\n\n", " ")) + chance.choice(seeds.texts())


def _json_value(chance: random.Random, text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return json.dumps(_altered(chance, value))


_TEXT_MUTATIONS = (_odd_mark, _odd_mark, _line_again, _line_again, _piece_again, _two_texts, _json_value)


def _altered(chance: random.Random, value: Any) -> Any:
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        return {**value, key: _altered(chance, value[key])}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        return [*value[:at], _altered(chance, value[at]), *value[at + chance.choice((1, 1, 2)) :]]
    return chance.choice(ODD_VALUES)


def _link(chance: random.Random) -> tuple[str, bytes]:
    if chance.random() < 0.6:
        value = seeds.fpuzzle(chance)
        for _ in range(chance.choice((0, 1, 2, 5))):
            value = _altered(chance, value)
        text = seeds.packed_link(chance, value)
    else:
        text = chance.choice(seeds.links())
    return "link.txt", _with_odd_marks(chance, text)


def _with_odd_marks(chance: random.Random, text: str) -> bytes:
    for _ in range(chance.choice((0, 0, 1, 2, 4))):
        text = chance.choice((_odd_mark, _piece_again))(chance, text)
    return text.encode("utf-8", "surrogatepass")[:MAX_BYTES]


def _model(chance: random.Random) -> tuple[str, bytes]:
    name = chance.choice(list(seeds.models()))
    arrays, header = seeds.models()[name]
    arrays, header = dict(arrays), dict(header)
    for _ in range(chance.choice((0, 1, 1, 2))):
        with np.errstate(all="ignore"):
            _spoil(chance, arrays, header)
    if chance.random() < 0.95:
        header["hash"] = hash_arrays(arrays)
    file = io.BytesIO()
    np.savez(file, allow_pickle=True, header=np.array(json.dumps(header)), **arrays)
    data = file.getvalue()
    return f"{name}.npz", mutated(chance, data) if chance.random() < 0.3 else data


def _spoil(chance: random.Random, arrays: dict[str, Any], header: dict[str, Any]) -> None:
    """Spoil one array or one number of a model."""
    key = chance.choice(list(arrays))
    values = arrays[key]
    match chance.randrange(7):
        case 0:
            del arrays[key]
        case 1:
            arrays[key] = values[chance.randrange(3) :]
        case 2:
            arrays[key] = values.reshape(-1)[: chance.choice((0, 1, 7))]
        case 3:
            arrays[key] = values.real.astype(chance.choice(("i8", "U4", "c8", "f8", "f4", "?", ">f4")))
        case 4:
            if values.dtype.kind == "f":
                arrays[key] = values * chance.choice((float("nan"), float("inf"), 1e4, 0.0, -1.0))
        case 5:
            arrays[key] = np.zeros(chance.choice(((), (0,), (1, 1), (3, 3, 3), (0, 6))), np.float32)
        case _:
            header[chance.choice([*header, "temperature", "written_share"])] = chance.choice(ODD_VALUES)


def _words(chance: random.Random) -> tuple[str, bytes]:
    sound = (
        "r1c1=5,r9c9=blank,r2c2=w7", "2:r3c5=8,1:r1c1=written", "10,10,90,10,90,90,10,90", "rtsp://a:b@c/d",
        "1:r1c1=5", "0,0,1e3,0,1e3,nan,0,1e9", "/dev/video0", "file:///tmp/a%20b.mp4", "0",
    )  # fmt: skip
    return "words.txt", _with_odd_marks(chance, chance.choice(sound))


KINDS = {
    "picture": Kind(0.30, lambda chance: _damaged(chance, seeds.pictures())),
    "document": Kind(0.01, lambda chance: _damaged(chance, seeds.documents())),
    "film": Kind(0.03, lambda chance: _damaged(chance, seeds.films())),
    "text": Kind(0.25, _text),
    "link": Kind(0.16, _link),
    "model": Kind(0.05, _model),
    "words": Kind(0.06, _words),
}
"""The kinds by name, except requests, which a :class:`.trials.ServiceTrials` draws."""
