"""Texts: all sentences of the logic and of the page, one file for each language, and how they are filled in.

Each file has texts by key. ``{name}`` is replaced by a value, ``{name:kind}`` by a value in words:

* ``{cells:cell}``: one cell 0..80 or several: ``r1c2, r1c3 and r5c9``;
* ``{units:unit}`` and ``{units:in}``: one unit or several by their numbers (:data:`FIRST_UNIT`): ``rows 2 and
  5``, ``in rows 2 and 5``;
* ``{gone:strike}``: candidates, which are pairs of cell and digit: ``5 in r1c2 and r1c3``;
* ``{digits:list}``: numbers, words or sentences: ``1, 2 and 3``.

``{cells:cell.or}`` joins by the text ``list.or``. A kind with a capital letter begins a sentence. The pattern
``sound.pattern`` is replaced by ``sound.replacement``, as in Spanish *7 u 8*. A key with ".one" and ".other"
has two forms for its ``count``. A further language is one more file with the keys of the English one.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from string import Formatter
from typing import Any

FOLDER = Path(__file__).parent  # of the files ``en.json``, ``de.json``
LANGUAGES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))  # by their codes
ENGLISH = "en"  # the language if no other is asked for, or an unknown one

FIRST_UNIT = {"region": 29, "diagonal": 27, "box": 18, "column": 9, "row": 0}
"""The first number of each kind of unit: rows are 0..8, columns 9..17, boxes 18..26, the diagonals from the
top left and from the top right 27 and 28, the regions of a jigsaw 29..37."""


@dataclass(frozen=True)
class Sentence:
    """A sentence in no language yet: the ``key`` of a text and the ``values`` of its placeholders."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@cache
def language_names() -> dict[str, str]:
    """Return the names of the languages by their codes, each in its own words."""
    return {code: _texts(code)["language.name"] for code in LANGUAGES}


def say(sentence: Sentence, language: str = ENGLISH) -> str:
    """Return a sentence in a language, given by its code; in English if that is unknown.

    >>> say(Sentence("in.row", {"number": 3}))
    'in row 3'
    """
    values, words = sentence.values, ""
    form = ".one" if values.get("count") == 1 else ".other"
    for before, name, kind, join in _pieces(sentence.key, form, _known(language)):
        words += before
        if name:
            several = values[name] if isinstance(values[name], list | tuple) else (values[name],)
            part = listed(_PARTS[kind.lower()](several), join, language)
            words += part if kind.islower() else part[:1].upper() + part[1:]
    texts = _texts(_known(language))
    return re.sub(rf"\b{texts['sound.pattern']}", texts["sound.replacement"], words)


def listed(words: Iterable[object], join: str = "and", language: str = ENGLISH) -> str:
    """Join words or sentences: ``a, b and c``."""
    *others, last = (say(word, language) if isinstance(word, Sentence) else str(word) for word in words)
    if not others:
        return last
    _, middle, final = (before for before, *_ in _pieces(f"list.{join}", "", _known(language)))
    return f"{middle.join(others)}{final}{last}"


def _known(language: str) -> str:
    return language if language in LANGUAGES else ENGLISH


@cache
def _pieces(key: str, form: str, language: str) -> tuple[tuple[str, str, str, str], ...]:
    """Return for each value of a text the words before it, its name, its kind, and how it is joined."""
    texts = _texts(language)
    pieces = []
    for before, name, spec, _ in Formatter().parse(texts.get(key) or texts[key + form]):
        kind, _, join = (spec or "list").partition(".")
        pieces.append((before, name or "", kind, join or ("also" if kind == "strike" else "and")))
    return tuple(pieces)


def _cells(cells: Sequence[int]) -> list[Sentence]:
    return [Sentence("cell.short", {"row": cell // 9 + 1, "column": cell % 9 + 1}) for cell in cells]


def _units(units: Sequence[int], *, form: str) -> list[Sentence]:
    """Name units of the same kind together, others one by one."""
    found = [next((kind, first) for kind, first in FIRST_UNIT.items() if unit >= first) for unit in units]
    kinds, numbers = (
        [kind for kind, _ in found],
        [unit - first + 1 for unit, (_, first) in zip(units, found, strict=True)],
    )
    if len(units) > 1 and len({*kinds}) == 1:
        return [Sentence(f"{form}.{kinds[0]}.several", {"numbers": numbers})]
    forms = [form, *["unit"] * (len(units) - 1)]
    parts = zip(forms, kinds, numbers, strict=True)
    return [Sentence(f"{one}.{kind}", {"number": number}) for one, kind, number in parts]


def _strikes(candidates: Sequence[tuple[int, int]]) -> list[Sentence]:
    """Name each digit with its cells; digits with the same cells are named together."""
    by_cells: dict[tuple[int, ...], list[int]] = {}
    for digit in sorted({digit for _, digit in candidates}):
        cells = tuple(sorted(cell for cell, other in candidates if other == digit))
        by_cells.setdefault(cells, []).append(digit)
    return [Sentence("strike", {"digits": digits, "cells": cells}) for cells, digits in by_cells.items()]


_PARTS: dict[str, Callable[[Sequence[Any]], Sequence[object]]] = {
    "list": list,
    "cell": _cells,
    "strike": _strikes,
    **{form: partial(_units, form=form) for form in ("unit", "in")},
}
"""For each kind the function that turns values into the words or sentences to join."""


@cache
def _texts(language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return texts
