"""Generated puzzles: proper, as sparse and as symmetric as asked for, the same for the same seed."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import pytest
from examples import is_solved
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_vision.errors import GenerateError
from sudoku_vision.sudoku.board import Board, board_text
from sudoku_vision.sudoku.generator import generate, numbered_puzzle, series
from sudoku_vision.sudoku.generator.boards import count_spare_clues, random_full_board
from sudoku_vision.sudoku.generator.constraints import SYMMETRIES, Constraints, Symmetry
from sudoku_vision.sudoku.logic import rate
from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Difficulty
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import searcher, solve

IMAGES: dict[str, Callable[[Any], Any]] = {
    "none": lambda board: board,
    "point": lambda board: np.rot90(board, 2),
    "rotate": np.rot90,
    "horizontal": np.flipud,
    "vertical": np.fliplr,
    "diagonal": np.transpose,
    "antidiagonal": lambda board: np.rot90(board, 2).T,
}


def is_minimal(board: Board, rules: Rules = CLASSIC) -> bool:
    """Return whether *board* has exactly one solution, but several without any one of its clues."""
    proper = solve(board, rules=rules).status == "one"
    return proper and not count_spare_clues(board.ravel().tolist(), searcher(rules))


def _is_proper(board: Board, solution: Board, rules: Rules = CLASSIC) -> bool:
    found = solve(board, rules=rules)
    return str(found) == board_text(solution) and found.status == "one"


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_puzzles_are_proper_and_as_symmetric_as_asked_for(symmetry: Symmetry) -> None:
    for puzzle in islice(series(Constraints(symmetry=symmetry), 5), 3):
        assert _is_proper(puzzle.board, puzzle.solution)
        assert np.array_equal(IMAGES[symmetry](puzzle.board) > 0, puzzle.board > 0)


@settings(max_examples=25)
@given(st.integers(0, 2**64), st.integers(26, 80), st.sampled_from(["none", "horizontal", "diagonal"]))
def test_the_number_of_clues_is_exactly_as_asked_for(seed: int, clues: int, symmetry: Symmetry) -> None:
    puzzle = generate(clues=clues, symmetry=symmetry, seed=seed)
    assert puzzle.clues == clues
    assert _is_proper(puzzle.board, puzzle.solution)


@pytest.mark.parametrize(
    "constraints", [{"clues": 21, "symmetry": "none"}, {"clues": 29, "symmetry": "rotate"}, {"clues": 33}]
)
def test_few_clues_and_odd_numbers_are_reached(constraints: dict[str, Any]) -> None:
    assert generate(**constraints, seed=9).clues == constraints["clues"]


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_puzzles_are_as_hard_as_asked_for(difficulty: Difficulty) -> None:
    puzzle = generate(difficulty=difficulty, seed=13)
    assert puzzle.rating == rate(puzzle.board)
    assert puzzle.rating.name == difficulty
    assert _is_proper(puzzle.board, puzzle.solution)


def test_constraints_hold_together() -> None:
    puzzle = generate(difficulty="easy", clues=24, minimal=True, symmetry="none", seed=6)
    assert (puzzle.rating.name, puzzle.clues) == ("easy", 24)
    assert is_minimal(puzzle.board)


@pytest.mark.parametrize("symmetry", ["none", "point", "diagonal"])
def test_no_clue_of_a_minimal_puzzle_can_be_taken_away(symmetry: Symmetry) -> None:
    board = generate(minimal=True, symmetry=symmetry, seed=6).board
    for row, column in np.argwhere(board > 0):
        fewer = board.copy()
        fewer[row, column] = 0
        assert solve(fewer).status == "many"


def test_the_same_seed_makes_the_same_puzzles_however_many() -> None:
    few, many = (list(islice(series(Constraints(), 9), count)) for count in (2, 4))
    assert [str(puzzle) for puzzle in many[:2]] == [str(puzzle) for puzzle in few]
    assert str(numbered_puzzle(Constraints(), 9, 4)) == str(many[3])
    assert str(generate(seed=9)) == str(few[0])
    assert len({str(puzzle) for puzzle in (*many, generate(seed=10))}) == 5
    assert [(puzzle.seed, puzzle.number) for puzzle in few] == [(9, 1), (9, 2)]
    levels: tuple[Difficulty, ...] = ("easy", "medium", "hard")
    assert len({str(generate(seed=9, difficulty=level).solution) for level in levels}) == 3


@pytest.mark.parametrize("name", ["jigsaw", "diagonal", "killer"])
def test_other_rules_have_proper_puzzles_by_the_seed_too(name: str) -> None:
    asked = Constraints("medium", symmetry="vertical", rules=name)
    one, other = islice(series(asked, 7), 2)
    assert str(one) == str(next(series(asked, 7)))
    assert (one.rules != other.rules) == (name != "diagonal") and one.rules.name == name
    for puzzle in (one, other):
        assert _is_proper(puzzle.board, puzzle.solution, puzzle.rules)
        assert np.array_equal(IMAGES["vertical"](puzzle.board) > 0, puzzle.board > 0)
        assert puzzle.rating.name == rate(puzzle.board, rules=puzzle.rules).name == "medium"
    minimal = generate(rules=one.rules, minimal=True, symmetry="none", seed=2)
    assert minimal.rules == one.rules and is_minimal(minimal.board, minimal.rules)


def test_a_killer_has_no_clue_unless_clues_are_wanted() -> None:
    alone, helped = (generate(rules="killer", clues=clues, symmetry="none", seed=3) for clues in (None, 4))
    assert (alone.clues, helped.clues) == (0, 4)
    for puzzle in (alone, helped):
        assert _is_proper(puzzle.board, puzzle.solution, puzzle.rules)
        assert sorted(cell for cage in puzzle.rules.cages for cell in cage.cells) == list(range(81))


def test_regions_without_a_full_board_are_refused_at_once() -> None:
    ones = {10, 11, *range(18, 81, 9)}  # r1c1 and r2c1 would be r2c2 and r2c3, which r2c1 sees
    others = iter(cell for cell in range(81) if cell not in ones)
    region = dict.fromkeys(ones, 1) | {cell: 2 + place // 9 for place, cell in enumerate(others)}
    regions = "".join(str(region[cell]) for cell in range(81))
    with pytest.raises(GenerateError, match="regions"):
        generate(rules=Rules(regions))


def test_a_seed_makes_the_same_puzzle_on_every_machine() -> None:
    known = "007100602000095000009300805020001008051000460800400010108002900000560000905004300"
    assert str(generate(seed=1, clues=30)) == known


def test_a_puzzle_that_is_not_found_is_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_vision.sudoku.generator.MAX_TRIES", 10)
    tries: list[None] = []
    with pytest.raises(GenerateError, match=r"17 clues.*no symmetry") as missed:
        generate(clues=17, advance=lambda _: tries.append(None))
    assert len(tries) == 10
    assert missed.value.exit_code == 1


def test_full_boards_are_full_and_of_many_kinds() -> None:
    boards = [random_full_board(np.random.default_rng(seed)) for seed in range(20)]
    assert all(is_solved(board.flat) for board in boards) and len(set(map(board_text, boards))) == 20
    # In a board of one pattern the mini-rows have three sets of digits; other boards mix them.
    sets = [len({frozenset(board[row, :3].tolist()) for row in range(9)}) for board in boards]
    assert max(sets) > 3
