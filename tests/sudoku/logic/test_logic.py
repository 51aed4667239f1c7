"""Hints, explanations, ratings and methods are right, easiest first, and explained in plain words."""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from examples import EASY, HARD, PROPER, SOLVED, check_step
from logic_claims import Sight, false_claims

from sudoku_vision.errors import ImproperError
from sudoku_vision.sudoku.board import board_array, parse_board
from sudoku_vision.sudoku.generator import generate
from sudoku_vision.sudoku.logic import Explanation, explain, hint, hints, next_steps, rate
from sudoku_vision.sudoku.logic.candidates import Candidates, sight
from sudoku_vision.sudoku.logic.engine import needed_steps, take, walk
from sudoku_vision.sudoku.logic.methods import CHOICE, FORCED, GOING_ON, MARK_UP, METHODS
from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Step
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, allowed_techniques, subsets, technique_named
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.sudoku.solver.backtracking import search
from sudoku_vision.texts import say

NO_SOLUTION = "531" + EASY[3:]
FORCING = {*(f"{kind} forcing chain" for kind in ("cell", "unit", "set", "rectangle")), "forcing net"}
NET = ".3.....82..2.9......4..67......43....1....5..7..6.5.2..9.2....6..65....9......31."
"""Needs a forcing net."""
slow = pytest.mark.slow


def test_a_full_house_comes_before_anything_else_and_nothing_on_a_full_board() -> None:
    step = hint(SOLVED[:80] + ".")
    assert step is not None and step.placements == ((80, 9),)
    assert (
        step.text == "In box 9, r9c9 is the last empty cell, and 9 is the only digit missing: it goes there."
    )
    assert hint(SOLVED) is None and hints(SOLVED) == ()
    assert explain(SOLVED).status == "one"


def test_a_hint_uses_a_persons_marks_but_not_those_that_lost_the_right_digit() -> None:
    board = "800000000003600000070090200050007000000045700000100030001000068008500010090000400"  # no singles
    answers, cell = solve(board).solution, 1
    assert answers is not None
    right = int(answers.flat[cell])

    def with_marks(digits: set[int]) -> Step | None:
        return hint(board, tuple(frozenset(digits if one == cell else ()) for one in range(81)))

    step = with_marks({right})
    assert step is not None and step.placements == ((cell, right),)
    assert with_marks({*range(1, 10)} - {right}) == hint(board)


@pytest.mark.parametrize("seed", range(4))
def test_steps_from_random_marks_never_strike_out_the_right_digit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    puzzle = generate(difficulty="hard", seed=seed)
    marks = [frozenset((rng.choice(9, 4, replace=False) + 1).tolist()) for _ in range(81)]
    noted = (rng.random(81) < 0.5) & (puzzle.board.ravel() == 0)
    for step in hints(
        puzzle.board, tuple(one if note else frozenset() for one, note in zip(marks, noted, strict=True))
    ):
        assert all(puzzle.solution.flat[cell] == digit for cell, digit in step.placements)
        assert all(puzzle.solution.flat[cell] != digit for cell, digit in step.eliminations)


@pytest.mark.parametrize("ask", [hint, hints, rate])
@pytest.mark.parametrize(("board", "words"), [("11" + "0" * 79, "r1c1, r1c2"), (NO_SOLUTION, "no solution")])
def test_a_board_without_a_solution_gets_no_hint(ask: object, board: str, words: str) -> None:
    assert callable(ask)
    with pytest.raises(ImproperError, match=words):
        ask(board)


@pytest.fixture(scope="module", params=[0, pytest.param(25, marks=slow)], ids=["few", "many"])
def puzzles(request: pytest.FixtureRequest) -> list[str]:
    made = (str(generate(symmetry="none", minimal=True, seed=seed)) for seed in range(request.param))
    return [EASY, PROPER[0], PROPER[1], PROPER[5], HARD, *made]


@cache
def explained(puzzle: str) -> Explanation:
    return explain(puzzle)


def test_every_step_is_right_and_every_sentence_holds(puzzles: list[str]) -> None:
    found: set[str] = set()
    for puzzle in (*puzzles, NET):
        board, seen = Candidates(parse_board(puzzle)), Sight(parse_board(puzzle))
        solution = explained(puzzle).solution
        assert solution is not None
        for step in explained(puzzle).steps:
            check_step(step, board, solution.ravel().tolist())
            assert not false_claims(seen, step), step
            assert step.text == str(step) and json.dumps(step.to_dict())
            found.add(step.technique.name)
            take(board, step)
            seen.do(step)
        assert board.values == solution.ravel().tolist()
    assert found >= {*FORCING, "XY-chain", "trial"}
    assert not explained(HARD).by_logic and explained(EASY).by_logic


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=slow) for seed in range(1, 6))])
def test_steps_hold_for_every_solution_of_a_board_that_has_several(seed: int, shared_data: Path) -> None:
    """So they follow from the candidates alone, whatever the solution: checked against all solutions."""
    rng = np.random.default_rng(seed)
    lines = (shared_data / "puzzles" / "magictour_top1465.txt").read_text().splitlines()
    tried, steps = 0, 0
    while tried < 2:
        values = list(parse_board(lines[rng.integers(len(lines))][:81]))
        for cell in rng.permutation(np.flatnonzero(values))[: rng.integers(1, 3)]:
            values[cell] = 0
        found = search(values, 300)
        if not 1 < len(found.solutions) < 300:
            continue
        tried += 1
        for step in walk(Candidates(values), allowed_techniques(unique=False)):
            steps += 1
            for solution in found.solutions:
                assert all(solution[cell] == digit for cell, digit in step.placements), step
                assert all(solution[cell] != digit for cell, digit in step.eliminations), step
    assert steps > 25


def test_a_hint_leads_to_a_digit_by_steps_that_it_needs(puzzles: list[str]) -> None:
    units, several = sight(CLASSIC).units.values(), 0
    for puzzle in puzzles:
        board = Candidates(parse_board(puzzle))
        for number, way in enumerate(explained(puzzle).steps):
            if number % 25 == 0:
                now = board_array(board.values)
                *before, last = hints(now)
                assert hint(now) == [*before, last][0]
                several += bool(before)
                after = Candidates(board.values)
                for step in before:
                    assert step.eliminations
                    take(after, step)
                if last.technique.name not in ("trial", "BUG+1", *FORCING):
                    ((cell, digit),) = last.placements
                    alone = any(after.planes[digit] & unit == 1 << cell for unit in units)
                    assert alone or after.masks[cell] == 1 << digit
            take(board, way)
    assert several


def test_next_steps_are_hints_one_after_the_other() -> None:
    board = Candidates(parse_board(EASY))
    for step in next_steps(EASY, 4):
        assert step == hint(board_array(board.values))
        take(board, step)
    assert len(next_steps(SOLVED[:79] + "..", 4)) == 2


def test_a_rating_counts_the_steps_of_the_explanation(puzzles: list[str]) -> None:
    names = []
    for puzzle in puzzles:
        rating = rate(puzzle)
        names.append((rating.score, rating.name))
        counts = Counter(step.technique for step in explained(puzzle).steps)
        assert dict(rating.counts) == counts
        assert rating.hardest == max(counts, key=TECHNIQUES.index)
        assert list(rating.counts) == sorted(rating.counts, key=TECHNIQUES.index)
        for limit in DIFFICULTIES[:3]:  # a rating ends as soon as its limit is passed
            limited = rate(puzzle, limit=limit)
            if DIFFICULTIES.index(rating.name) <= DIFFICULTIES.index(limit):
                assert limited == rating
            else:
                assert not limited.finished and limited.score <= rating.score
                assert DIFFICULTIES.index(limited.name) == DIFFICULTIES.index(limit) + 1
    assert {name for _, name in names} == set(DIFFICULTIES)
    assert (min(names)[1], max(names)[1]) == ("easy", "extreme")


def test_several_solutions_leave_out_what_needs_one() -> None:
    several = EASY[:9] + "0" * 72
    explanation = explain(several)
    assert explanation.status == "many" and explanation.solution is None
    assert "several solutions" in explanation.message
    assert not any(step.technique.needs_unique for step in explanation.steps)
    with pytest.raises(ImproperError, match="several solutions") as refused:
        rate(several)
    assert refused.value.status == "many"


def test_a_trial_ends_a_puzzle_that_logic_does_not() -> None:
    explanation = explained(HARD)
    assert not explanation.by_logic and explanation.steps[-1].placements
    assert explained(EASY).by_logic


def test_a_digit_that_only_the_solver_excludes_from_a_cage_is_tried_and_crossed_out() -> None:
    board = Candidates([0] * 81, rules=Rules(cages=[(3, (0, 1))]))
    step = technique_named("trial").find(board)
    assert step is not None and step.eliminations == ((0, 3),)
    assert step.text.startswith("Suppose that r1c1 is 3. Whatever is tried after that (1 board) ends in")


def test_a_cage_overlap_needs_what_was_struck_out_in_its_cage() -> None:
    rules = Rules(cages=[(12, (26, 35, 44))])
    needed, other = technique_named("cage sum"), technique_named("cage overlap")
    in_cage = Step(needed, (26,), (4,), eliminations=((26, 4),), rules=rules)
    elsewhere = Step(needed, (0,), (4,), eliminations=((0, 4),), rules=rules)
    overlap = Step(other, (35, 44), (4,), eliminations=((8, 4),), rules=rules)
    assert needed_steps([in_cage, elsewhere, overlap]) == (in_cage, overlap)


SETS = {technique.name for technique in subsets.TECHNIQUES}
SINGLES = {"full house", "hidden single", "naked single"}


@pytest.mark.parametrize("method", ["rows", "crook"])
@pytest.mark.parametrize("puzzle", [EASY, HARD, PROPER[0], PROPER[5]])
def test_every_method_ends_in_the_solution_by_right_steps(method: str, puzzle: str) -> None:
    explanation, board = explain(puzzle, method=method), Candidates(parse_board(puzzle))
    assert explanation.solution is not None
    for step in explanation.steps:
        check_step(step, board, explanation.solution.ravel().tolist())
        take(board, step)
    assert board.values == explanation.solution.ravel().tolist()


@pytest.mark.parametrize("method", list(METHODS))
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
    trials = [step for step in explanation.steps if step.trial]
    stays = [step for step in trials if step.placements]
    back = [step for step in trials if step.eliminations]
    assert stays and back
    assert all(len(step.placements) == 1 and "so it stays." in step.text for step in stays)
    assert all("contradiction" in step.text or "That can't be" in step.text for step in back)
