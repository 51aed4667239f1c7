"""Texts: all sentences of the logic and of the web page, in several languages, and how they are filled in.

Each language has one file, which gives the text for each key. In a text, ``{name}`` is replaced by a value,
and ``{name:kind}`` by a value in words:

* ``{cells:cell}``: one cell 0..80 or several cells, as ``r1c2, r1c3 and r5c9``;
* ``{areas:area}``: one area or several, each given by two opposite corners, as ``r1c1 and r5c5-r6c6``;
* ``{units:unit}`` and ``{units:in}``: one unit or several, given by their numbers (:data:`FIRST_UNIT`), as
  ``rows 2 and 5`` and ``in rows 2 and 5``;
* ``{gone:strike}``: candidates, given as pairs of cell and digit, as ``5 in r1c2 and r1c3``;
* ``{digits:list}``: numbers, words or sentences, as ``1, 2 and 3``.

``{cells:cell.or}`` joins several parts by the text with the key ``list.or``, instead of ``list.and``. If the
name of a kind begins with a capital letter, as in ``{units:In}``, so do the words for the value. In a
finished text, each match of the pattern ``sound.pattern`` is replaced by ``sound.replacement``: in Spanish,
*7 o 8* becomes *7 u 8*. If a text has two forms, their keys end in ".one" and ".other", and the value
``count`` decides between them. For a further language, add one file with the keys of ``en.json``.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from string import Formatter
from typing import Any

FOLDER = Path(__file__).parent  # the folder with the files ``en.json``, ``de.json`` and so on
LANGUAGES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))  # the codes of all languages
ENGLISH = "en"  # the language if the caller names none, or an unknown one

FIRST_UNIT = {"region": 29, "diagonal": 27, "box": 18, "column": 9, "row": 0}
"""The number of the first unit of each kind. Rows are 0..8, columns 9..17, boxes 18..26, the diagonals from
the top left and the top right 27 and 28, the regions of a jigsaw 29..37."""

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Matches a character that can begin a command to a terminal, end a line, or change the writing direction."""


@dataclass(frozen=True)
class Sentence:
    """A sentence in no particular language: the ``key`` of a text, and ``values`` for its placeholders."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


class Said(str):
    """The English text of a ``sentence``. The sentence is kept, so that it can be said in other languages."""

    sentence: Sentence

    def __new__(cls, sentence: Sentence) -> "Said":
        """Make the text from a sentence."""
        text = super().__new__(cls, say(sentence))
        text.sentence = sentence
        return text

    def __getnewargs__(self) -> tuple[Sentence]:  # type: ignore[override] # the type in ``str`` is tuple[str]
        return (self.sentence,)


@cache
def language_names() -> dict[str, str]:
    """Map the code of each language to the name of this language, written in the language itself."""
    return {code: _texts(code)["language.name"] for code in LANGUAGES}


def say(sentence: Sentence | str, language: str = ENGLISH) -> str:
    """Return a sentence as text. *language*: the code of a language; an unknown code means English.

    A :class:`Said` is said in *language*. Any other str stays as it is.

    >>> say(Sentence("in.row", {"number": 3}))
    'in row 3'
    """
    if isinstance(sentence, Said):
        sentence = sentence.sentence
    elif isinstance(sentence, str):
        return sentence
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
    """Join words or sentences into one text such as ``a, b and c``. *join*: for example "and" or "or"."""
    *others, last = (say(word, language) if isinstance(word, Sentence | str) else str(word) for word in words)
    if not others:
        return last
    _, middle, final = (before for before, *_ in _pieces(f"list.{join}", "", _known(language)))
    return f"{middle.join(others)}{final}{last}"


def _known(language: str) -> str:
    return language if language in LANGUAGES else ENGLISH


@cache
def _pieces(key: str, form: str, language: str) -> tuple[tuple[str, str, str, str], ...]:
    """Return the pieces of a text: one for each placeholder, and one for the words after the last one.

    A piece has four values: the words before the placeholder, the placeholder's name ("" in the last piece),
    its kind, and the *join* for :func:`listed`.
    """
    texts = _texts(language)
    pieces = []
    for before, name, spec, _ in Formatter().parse(texts.get(key) or texts[key + form]):
        kind, _, join = (spec or "list").partition(".")
        pieces.append((before, name or "", kind, join or ("also" if kind == "strike" else "and")))
    return tuple(pieces)


def _cells(cells: Sequence[int]) -> list[Sentence]:
    return [Sentence("cell.short", {"row": cell // 9 + 1, "column": cell % 9 + 1}) for cell in cells]


def _areas(areas: Sequence[tuple[int, int]]) -> list[Sentence]:
    return [
        Sentence("cell.area", {"first": first, "last": last}) if first != last else _cells([first])[0]
        for first, last in areas
    ]


def _units(units: Sequence[int], *, form: str) -> list[Sentence]:
    """Return sentences that name *units*: one sentence if all are of one kind, else one for each unit."""
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
    """Return sentences that name digits and their cells. Digits with the same cells are in one sentence."""
    by_cells: dict[tuple[int, ...], list[int]] = {}
    for digit in sorted({digit for _, digit in candidates}):
        cells = tuple(sorted(cell for cell, other in candidates if other == digit))
        by_cells.setdefault(cells, []).append(digit)
    return [Sentence("strike", {"digits": digits, "cells": cells}) for cells, digits in by_cells.items()]


_PARTS: dict[str, Callable[[Sequence[Any]], Sequence[object]]] = {
    "list": list,
    "cell": _cells,
    "area": _areas,
    "strike": _strikes,
    **{form: partial(_units, form=form) for form in ("unit", "in")},
}
"""For each kind of placeholder, the function that turns its values into words or sentences. The words or
sentences are joined afterwards."""


@cache
def _texts(language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return texts


def visible(text: str) -> str:
    r"""Return *text* from outside, such as a file name, with its control characters as escape sequences.

    >>> visible("a\x1b[31m.jpg")
    'a\\x1b[31m.jpg'
    """
    if text.isprintable():
        return text
    return _CONTROLS.sub(lambda found: found.group().encode("unicode_escape").decode(), text)
