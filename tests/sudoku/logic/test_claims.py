"""Every sentence of a hint holds on the board that its reader sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from logic_claims import Sight, false_claims

from sudoku_vision.sudoku.board import parse_board
from sudoku_vision.sudoku.logic import TECHNIQUES, Step, Technique, hints
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.techniques.singles import with_blockers
from sudoku_vision.sudoku.solver import search

BOTH = "706021345045300612213645789052010460001406520467253891139784256624539178578162934"
"""A grave but for one cell, once a locked candidate has been struck out."""


def false_in(values: Sequence[int], steps: Sequence[Step]) -> list[str]:
    """What does not hold of some steps, each read and done before the next."""
    sight, false = Sight(values), list[str]()
    for step in steps:
        false += [f"{step}: {what}" for what in false_claims(sight, step)]
        sight.do(step)
    return false


def step_on(technique: Technique) -> tuple[tuple[int, ...], Step]:
    """The example of a technique, and its step there."""
    values = parse_board(technique.example)
    board = Candidates(values)
    step = technique.find(board)
    assert step is not None
    return tuple(values), with_blockers(board, step)


@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_a_sentence_holds_and_would_not_of_something_else(technique: Technique) -> None:
    values, step = step_on(technique)
    sight = Sight(values)
    assert not false_claims(sight, step)
    right = search(values, 1).solutions[0]
    if step.placements:
        for cell, digit in ((step.cells[0], digit) for digit in {*range(1, 10)} - {*step.digits}):
            wrong = replace(step, placements=((cell, digit),), digits=(digit,))
            assert false_claims(sight, wrong)
    else:
        for cell in [*step.cells[:9], *sight.left.keys() - step.cells][:12]:
            assert false_claims(sight, replace(step, eliminations=((cell, right[cell]),)))


NOT_FIRST = {
    "naked quad",
    "hidden quad",
    "simple colouring",
    "jellyfish",
    "finned jellyfish",
    "sashimi jellyfish",
}
"""Techniques that no board is known of on which they come first."""


SLOW = {"swordfish", "finned jellyfish", *(one.name for one in TECHNIQUES if one.order >= 2500)}
"""Techniques whose boards take long until the next digit."""


@pytest.mark.parametrize(
    "technique",
    [pytest.param(one, marks=pytest.mark.slow if one.name in SLOW else ()) for one in TECHNIQUES],
    ids=str,
)
def test_an_example_begins_with_its_technique_and_all_hints_on_it_hold(technique: Technique) -> None:
    found = hints(technique.example)
    assert (found[0].technique == technique) == (technique.name not in NOT_FIRST)
    assert not false_in(parse_board(technique.example), found)


def test_a_grave_is_not_told_before_what_makes_it_one() -> None:
    before, grave = hints(BOTH)
    assert not false_in(parse_board(BOTH), (before, grave))
    assert f"{grave}: all have two digits, one has three" in false_in(parse_board(BOTH), (grave,))
