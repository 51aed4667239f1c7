"""Every sentence of a hint holds on the board that its reader sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from examples import example_of, step_of
from logic_claims import Sight, false_claims

from sudoku_vision.sudoku.board import parse_board
from sudoku_vision.sudoku.logic import TECHNIQUES, Step, Technique, hints, technique_named
from sudoku_vision.sudoku.solver import searcher

BOTH = "132009087865701002947082000514293678623875040789416325251007804378054210496128753"
"""A grave but for one cell, once a locked candidate has been struck out."""


def false_in(sight: Sight, steps: Sequence[Step]) -> list[str]:
    """What does not hold of some steps, each read and done before the next."""
    false = list[str]()
    for step in steps:
        false += [f"{step}: {what}" for what in false_claims(sight, step)]
        sight.do(step)
    return false


def sight_of(technique: Technique) -> Sight:
    """The example of a technique, as its reader sees it."""
    board = example_of(technique)
    sight = Sight(board.digits.ravel().tolist(), board.clues.ravel().tolist(), board.rules)
    for cell, marks in enumerate(board.marks):
        if marks:
            sight.left[cell] &= marks
    return sight


@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_a_sentence_holds_and_would_not_of_something_else(technique: Technique) -> None:
    sight, step = sight_of(technique), step_of(technique)
    assert not false_claims(sight, step)
    right = searcher(step.rules)(sight.values, 1).solutions[0]
    if step.placements:
        for cell, digit in ((step.cells[0], digit) for digit in {*range(1, 10)} - {*step.digits}):
            wrong = replace(step, placements=((cell, digit),), digits=(digit,))
            assert false_claims(sight, wrong)
    else:
        for cell in [*step.cells[:9], *sight.left.keys() - step.cells][:12]:
            assert false_claims(sight, replace(step, eliminations=((cell, right[cell]),)))


SLOW = {"swordfish", "finned jellyfish", *(one.name for one in TECHNIQUES if one.order >= 2500)}
"""Techniques whose boards take long until the next digit."""


@pytest.mark.parametrize(
    "technique",
    [pytest.param(one, marks=pytest.mark.slow if one.name in SLOW else ()) for one in TECHNIQUES],
    ids=str,
)
def test_an_example_begins_with_its_technique_and_all_hints_on_it_hold(technique: Technique) -> None:
    board = example_of(technique)
    found = hints(board.digits, board.marks, board.clues, rules=board.rules)
    assert found[0].technique == technique
    assert not false_in(sight_of(technique), found)


def test_a_grave_is_not_told_before_what_makes_it_one() -> None:
    before, grave = hints(BOTH)
    assert not false_in(Sight(parse_board(BOTH)), (before, grave))
    assert f"{grave}: all have two digits, one has three" in false_in(Sight(parse_board(BOTH)), (grave,))


def test_no_rectangle_is_avoidable_where_its_corners_may_be_clues() -> None:
    technique = technique_named("avoidable rectangle type 1")
    board = example_of(technique)
    assert all(step.technique != technique for step in hints(board.digits)[:1])
    several = board.clues.copy()
    several.flat[np.flatnonzero(several)[5:]] = 0
    assert hints(board.digits, clues=several) == hints(board.digits)
