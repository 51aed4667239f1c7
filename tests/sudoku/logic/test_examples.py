"""Every technique has an example, on which its step is right and every sentence of a hint holds."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from examples import EXAMPLES, candidates_of, check_step, example_of, step_of
from logic_claims import Sight, false_claims

from sudoku_vision.sudoku.board import cell_name, parse_board
from sudoku_vision.sudoku.logic import hints
from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Step, Technique
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, technique_named
from sudoku_vision.sudoku.solver import searcher

ALMOST_GRAVES = (
    "132009087865701002947082000514293678623875040789416325251007804378054210496128753",
    "538127946624839751719645080960014827001760094047098160490081670006470019172956438",
)
"""Each is a grave except for one cell, after some candidates were struck out."""


def false_in(sight: Sight, steps: Sequence[Step]) -> list[str]:
    """The false claims of some steps, each read and taken before the next."""
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
def test_a_step_on_an_example_is_right_and_its_sentence_would_not_hold_for_another(
    technique: Technique,
) -> None:
    seen, step = sight_of(technique), step_of(technique)
    right = searcher(step.rules)(seen.values, 1).solutions[0]
    assert step.technique is technique
    check_step(step, candidates_of(technique), right)
    assert re.fullmatch(r"[A-Zr][^{}\n]+[^ .]\.", step.text)
    assert all(cell_name(cell) in step.text for cell, _ in step.placements or step.eliminations)
    assert all(str(digit) in step.text for digit in step.digits)
    assert not false_claims(seen, step)
    if step.placements:
        for cell, digit in ((step.cells[0], digit) for digit in {*range(1, 10)} - {*step.digits}):
            wrong = replace(step, placements=((cell, digit),), digits=(digit,))
            assert false_claims(seen, wrong)
    else:
        for cell in [*step.cells[:9], *seen.left.keys() - step.cells][:12]:
            assert false_claims(seen, replace(step, eliminations=((cell, right[cell]),)))


def test_techniques_have_names_and_places_of_their_own_and_never_get_easier() -> None:
    assert [technique.name for technique in TECHNIQUES] == list(EXAMPLES)
    assert all(easier.order < harder.order for easier, harder in pairwise(TECHNIQUES))
    assert all(technique_named(technique.name) is technique for technique in TECHNIQUES)
    ranks = [DIFFICULTIES.index(technique.difficulty) for technique in TECHNIQUES]
    assert ranks == sorted(ranks) and set(ranks) == set(range(len(DIFFICULTIES)))
    assert {technique.name for technique in TECHNIQUES if technique.needs_unique} == {
        "BUG+1",
        "unique rectangle",
        *(f"unique rectangle type {number}" for number in (2, 3, 4, 5, 6)),
        *(f"avoidable rectangle type {number}" for number in (1, 2)),
        "hidden rectangle",
        "rectangle forcing chain",
        "trial",
    }


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


@pytest.mark.parametrize("puzzle", ALMOST_GRAVES)
def test_a_grave_comes_after_the_steps_that_make_it_one(puzzle: str) -> None:
    *before, grave = hints(puzzle)
    assert grave.technique.name == "BUG+1" and set(grave.cells) == Sight(parse_board(puzzle)).left.keys()
    assert not false_in(Sight(parse_board(puzzle)), (*before, grave))
    assert f"{grave}: all have two digits, one has three" in false_in(Sight(parse_board(puzzle)), (grave,))


def test_no_rectangle_is_avoidable_where_its_corners_may_be_clues() -> None:
    technique = technique_named("avoidable rectangle type 1")
    board = example_of(technique)
    assert all(step.technique != technique for step in hints(board.digits)[:1])
    several = board.clues.copy()
    several.flat[np.flatnonzero(several)[5:]] = 0
    assert hints(board.digits, clues=several) == hints(board.digits)
