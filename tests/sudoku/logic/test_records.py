"""Every technique is complete: an example shows it, a sentence says it, and the page about logic lists it."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from examples import example_of, step_of

from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.logic import DIFFICULTIES, TECHNIQUES, Technique, explain, technique_named
from sudoku_vision.sudoku.solver import solve

PAGE = Path(__file__).parents[3] / "docs" / "logic.md"


@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_an_example_shows_its_technique_and_nothing_wrong(technique: Technique) -> None:
    board = example_of(technique)
    solved = solve(board.clues, rules=board.rules)
    assert solved.status == "one" and solved.solution is not None
    right = solved.solution.reshape(81)
    step = step_of(technique)
    assert step.technique is technique
    assert bool(step.placements) != bool(step.eliminations)
    assert all(right[cell] == digit for cell, digit in step.placements)
    assert all(right[cell] != digit for cell, digit in step.eliminations)
    assert re.fullmatch(r"[A-Zr][^{}\n]+[^ .]\.", step.text)
    assert all(cell_name(cell) in step.text for cell, _ in step.placements or step.eliminations)
    assert all(str(digit) in step.text for digit in step.digits)


def test_techniques_are_told_apart_by_name_and_place() -> None:
    assert len({technique.name for technique in TECHNIQUES}) == len(TECHNIQUES)
    assert all(easier.order < harder.order for easier, harder in pairwise(TECHNIQUES))
    assert all(technique_named(technique.name) is technique for technique in TECHNIQUES)
    ranks = [DIFFICULTIES.index(technique.difficulty) for technique in TECHNIQUES]
    assert ranks == sorted(ranks) and set(ranks) == set(range(len(DIFFICULTIES)))


def test_what_rests_on_a_single_solution_is_left_out_where_there_are_several() -> None:
    several = "53" + "0" * 79
    assert not any(step.technique.needs_unique for step in explain(several).steps)
    assert {technique.name for technique in TECHNIQUES if technique.needs_unique} == {
        "BUG+1",
        "unique rectangle",
        *(f"unique rectangle type {number}" for number in (2, 3, 4, 5, 6)),
        *(f"avoidable rectangle type {number}" for number in (1, 2)),
        "hidden rectangle",
        "rectangle forcing chain",
        "trial",
    }


def test_the_page_about_logic_lists_every_technique_with_its_example() -> None:
    head = "| difficulty | technique | score | seen at once on |\n|---|---|---|---|\n"
    rows = (f"| {one.difficulty} | {one.name} | {one.score} | `{one.example}` |\n" for one in TECHNIQUES)
    assert head + "".join(rows) + "\n" in PAGE.read_text()
