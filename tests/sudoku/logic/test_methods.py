"""Every method leads to the solution in right steps, in the order that it is known for."""

import pytest
from examples import EASY, HARD, check_step

from sudoku_vision.errors import UsageError
from sudoku_vision.sudoku.board import parse_board
from sudoku_vision.sudoku.generator import generate
from sudoku_vision.sudoku.logic import METHODS, explain, technique_named
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import take
from sudoku_vision.sudoku.logic.methods import CHOICE, FORCED, GOING_ON, MARK_UP
from sudoku_vision.sudoku.logic.techniques import subsets
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.texts import say

SETS = {technique.name for technique in subsets.TECHNIQUES}
SINGLES = {"full house", "hidden single", "naked single"}


@pytest.mark.parametrize("method", [method.name for method in METHODS])
@pytest.mark.parametrize(
    "puzzle", [EASY, HARD, *(str(generate(minimal=True, symmetry="none", seed=seed)) for seed in range(4))]
)
def test_every_method_ends_in_the_solution_by_right_steps(method: str, puzzle: str) -> None:
    explanation, board = explain(puzzle, method=method), Candidates(parse_board(puzzle))
    assert explanation.solution is not None
    for step in explanation.steps:
        check_step(step, board, explanation.solution.ravel().tolist())
        take(board, step)
    assert board.values == explanation.solution.ravel().tolist()


@pytest.mark.parametrize("method", [method.name for method in METHODS])
def test_of_several_solutions_every_method_finds_what_holds_for_all(method: str) -> None:
    several = EASY.replace("5", "0").replace("3", "0")
    explanation = explain(several, method=method)
    assert explanation.status == "many" and all(step.trial is None for step in explanation.steps)
    one = solve(several).solution
    assert one is not None
    assert all(one.flat[cell] == digit for step in explanation.steps for cell, digit in step.placements)


def test_row_by_row_the_cells_of_a_pass_come_in_reading_order() -> None:
    explanation = explain(EASY, method="rows")
    assert {step.technique.name for step in explanation.steps} <= SINGLES
    passes: dict[str, list[int]] = {}
    heading = ""
    for place, step in enumerate(explanation.steps):
        heading = explanation.headings.get(place, heading)
        number, row = heading.split(", ")
        assert row == f"row {step.cells[0] // 9 + 1}"
        passes.setdefault(number, []).append(step.cells[0])
    assert next(iter(passes)) == "Pass 1"
    assert all(cells == sorted(cells) for cells in passes.values())


def test_row_by_row_a_digit_is_tried_only_where_a_pass_fills_nothing() -> None:
    explanation = explain(HARD, method="rows")
    assert {step.technique.name for step in explanation.steps} <= {*SINGLES, "trial"}
    trials = [place for place, step in enumerate(explanation.steps) if step.trial]
    assert trials
    assert all("fills nothing" in explanation.headings[place] for place in trials)


def test_pencil_and_paper_takes_forced_numbers_then_preemptive_sets_then_choices() -> None:
    """The order of the paper: choices only where neither forced numbers nor preemptive sets are left."""
    explanation = explain(HARD, method="crook")
    names = [step.technique.name for step in explanation.steps]
    assert {*names} <= {*SINGLES, *SETS, "trial"} and {*names} & SETS and "trial" in names
    assert explanation.headings[0] == say(FORCED)
    assert set(explanation.headings.values()) <= {*map(say, (FORCED, MARK_UP, GOING_ON, CHOICE))}
    board = Candidates(parse_board(HARD))
    finders = [technique_named(name).find for name in (*SINGLES, *SETS)]
    for step in explanation.steps:
        if step.trial is not None:
            assert not any(find(board) for find in finders)
            assert board.masks[step.cells[0]].bit_count() == min(
                mask.bit_count() for mask in board.masks if mask
            )
        take(board, step)


def test_a_choice_that_leads_to_the_solution_stays_and_another_is_taken_back() -> None:
    trials = [step for step in explain(HARD, method="crook").steps if step.trial]
    stays = [step for step in trials if step.placements]
    back = [step for step in trials if step.eliminations]
    assert stays and back
    assert all(len(step.placements) == 1 and "so it stays." in step.text for step in stays)
    assert all("contradiction" in step.text or "That can't be" in step.text for step in back)


def test_a_method_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UsageError, match="'guess'") as refused:
        explain(EASY, method="guess")
    assert "easiest, rows or crook" in str(refused.value)
