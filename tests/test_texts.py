"""The catalogue: every language says the same, all of it, and every sentence of the logic is filled in."""

import json
import re
from dataclasses import replace

import pytest
from examples import HARD, step_of

from sudoku_vision import texts
from sudoku_vision.sudoku.generator import generate
from sudoku_vision.sudoku.logic import explain
from sudoku_vision.sudoku.logic.methods import METHODS
from sudoku_vision.sudoku.logic.steps import Step
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES
from sudoku_vision.texts import Sentence, listed, say

CODES = [path.stem for path in sorted(texts.FOLDER.glob("*.json"))]
ENGLISH: dict[str, str] = json.loads((texts.FOLDER / "en.json").read_text("utf-8"))
LIKELY_IN_ENGLISH_ALONE = re.compile(r"\b(?:the|and|is|of|with|cell|row|column|box)\b")


def shown(text: str) -> list[str]:
    """The names of the values that a text shows, in the order of the alphabet."""
    return sorted(set(re.findall(r"\{(\w+)", text)))


@pytest.mark.parametrize("code", CODES)
def test_every_language_has_the_same_texts_with_the_same_values(code: str) -> None:
    own: dict[str, str] = json.loads((texts.FOLDER / f"{code}.json").read_text("utf-8"))
    own.pop("language.note", "")  # says what is still to be done for a language
    assert set(own) == set(ENGLISH)
    assert {key: shown(text) for key, text in own.items()} == {k: shown(t) for k, t in ENGLISH.items()}
    assert all(text.strip() == text and text for text in own.values())
    assert list(own) == list(ENGLISH), "a translator looks for a text where the other file has it"


@pytest.fixture(scope="module")
def steps() -> list[Step]:
    """A step of every technique, and the steps of two puzzles by every method."""
    some = [step_of(technique) for technique in TECHNIQUES]
    bare = [replace(step, blockers=(), struck=()) for step in some]
    puzzles = (HARD, str(generate(minimal=True, symmetry="none", seed=0)))
    explained = [explain(puzzle, method=method) for method in METHODS for puzzle in puzzles]
    return some + bare + [step for explanation in explained for step in explanation.steps]


def test_an_eight_sounds_as_it_does_in_each_language() -> None:
    text = {code: say(Sentence("fork.cell", {"cell": 7, "digits": [7, 8]}), code) for code in CODES}
    assert "7 u 8" in text["es"] and "7 or 8" in text["en"] and "7 oder 8" in text["de"]


@pytest.mark.parametrize("code", CODES)
def test_every_step_has_a_sentence_in_every_language(code: str, steps: list[Step]) -> None:
    for step in steps:
        text = f"{step.technique.title_in(code)} {step.place(code)}: {step.text_in(code)}"
        assert re.fullmatch(r"[^\W\d][^{}\n]+[^ .]\.", text), text
        assert not re.search(r"  |None|\bin in\b", text), text
        cells = {cell for cell, _ in (step.placements or step.eliminations)}
        assert all(say(Sentence("cell.short", of(cell)), code) in text for cell in cells), text
        assert code == "en" or not LIKELY_IN_ENGLISH_ALONE.search(text), text


def of(cell: int) -> dict[str, int]:
    return {"row": cell // 9 + 1, "column": cell % 9 + 1}


@pytest.mark.parametrize("code", CODES)
def test_every_text_of_the_logic_and_of_the_command_line_can_be_filled_in(code: str) -> None:
    """Also those of rare steps: every kind of value exists."""
    own: dict[str, str] = json.loads((texts.FOLDER / f"{code}.json").read_text("utf-8"))
    ours = {
        key: text
        for key, text in own.items()
        if re.match(r"(step|fork|node|dead|place|caution|message|grid|doubt|count|item|rate)\.", key)
    }
    assert len(ours) > 60
    for key, text in ours.items():
        pairs = {"strike": ((4, 7), (5, 7)), "area": ((4, 4), (5, 7))}
        values = {name: pairs.get(kind, (4, 5)) for name, kind in kinds(text)}
        assert not re.search(r"[{}]", say(Sentence(key, values), code)), key


def kinds(text: str) -> list[tuple[str, str]]:
    return re.findall(r"\{(\w+)(?::(\w+))?", text)


def test_values_are_put_into_the_words_of_a_language() -> None:
    pair = {"units": (1, 4), "cells": (1, 2, 40), "gone": ((1, 5), (2, 5), (2, 7))}
    assert listed([1, 2, 3]) == "1, 2 and 3" and listed([1, 2], "or") == "1 or 2" and listed([1]) == "1"
    assert listed([1, 2], "or", "de") == "1 oder 2"
    assert say(Sentence("place.in", pair)) == "in rows 2 and 5"
    assert say(Sentence("place.in", {"units": (1, 9, 20)})) == "in row 2, column 1 and box 3"
    assert say(Sentence("place.in", pair), "de") == "in den Zeilen 2 und 5"
    assert say(Sentence("place.at", pair)) == "at r1c2, r1c3 and r5c5"
    assert say(Sentence("place.at", pair), "de") == "bei Z1S2, Z1S3 und Z5S5"


@pytest.mark.parametrize("code", ["xx", "", "../en", "de\0", "d" * 4000])
def test_an_unknown_language_becomes_english(code: str) -> None:
    assert say(Sentence("place.in", {"units": 2}), code) == "in row 3"
