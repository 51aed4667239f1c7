"""Roles: if the ink leaves open which digits are clues, the rules of sudoku choose."""

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_vision.sudoku.board import Board
from sudoku_vision.vision.decode import decode
from sudoku_vision.vision.decode.overrides import apply_overrides
from sudoku_vision.vision.decode.roles import resolve_roles
from sudoku_vision.vision.results import DigitScores, RoleHypothesis


def scores(board: Board, *hypotheses: tuple[float, NDArray[np.bool_]]) -> DigitScores:
    """Sure digits of a *board*, with hypotheses: a log-weight, and the cells that were entered."""
    answers = np.full((81, 10), 1e-5)
    answers[np.arange(81), board.reshape(81)] = 1.0
    roles = tuple(RoleHypothesis(weight, entered.astype(np.float32)) for weight, entered in hypotheses)
    return DigitScores(np.log(answers).astype(np.float32), np.full(81, 0.5, np.float32), roles=roles)


def entered_by_chance(puzzle: Board, count: int, seed: int = 2) -> NDArray[np.bool_]:
    """Cells that are blank in a puzzle, (81,)."""
    blank = np.flatnonzero(puzzle.reshape(81) == 0)
    entered = np.zeros(81, bool)
    entered[np.random.default_rng(seed).permutation(blank)[:count]] = True
    return entered


NONE = np.zeros(81, bool)


@pytest.mark.parametrize(
    ("count", "wrong", "weight"), [(15, False, -4.0), (6, True, -6.0)], ids=["right entries", "wrong entries"]
)
def test_clues_that_make_a_puzzle_outweigh_a_doubt_of_the_ink(
    puzzle: Board, solution: Board, count: int, wrong: bool, weight: float
) -> None:
    entered = entered_by_chance(puzzle, count)
    entries = solution % 9 + 1 if wrong else solution
    board = np.where(entered.reshape(9, 9), entries, puzzle).astype(np.int8)
    resolved = resolve_roles(scores(board, (0.0, NONE), (weight, entered)))
    assert np.array_equal(resolved.written > 0.9, entered)
    assert resolved.roles == ()


def test_digits_divided_by_chance_are_not_clues_and_entries(puzzle: Board) -> None:
    some = np.isin(np.arange(81), np.flatnonzero(puzzle)[::3])
    assert resolve_roles(scores(puzzle, (0.0, NONE), (4.0, some))).written.max() < 0.1


def test_exchanged_roles_are_corrected(puzzle: Board, solution: Board) -> None:
    clues = puzzle.reshape(81) > 0
    resolved = resolve_roles(scores(solution, (3.0, clues), (0.0, ~clues)))
    assert np.array_equal(resolved.written > 0.9, ~clues)


def test_a_full_board_may_have_been_solved_by_rules_of_its_own(solution: Board) -> None:
    rest = ~np.isin(np.arange(81), [38, 51])
    resolved = resolve_roles(scores(solution, (0.0, NONE), (3.0, rest)))
    assert np.array_equal(resolved.written > 0.9, rest)


def test_an_override_of_one_cell_leaves_the_roles_of_the_others(puzzle: Board, solution: Board) -> None:
    entered = entered_by_chance(puzzle, 15)
    board = np.where(entered.reshape(9, 9), solution, puzzle).astype(np.int8)
    rivals = scores(board, (0.0, NONE), (-4.0, entered))
    blank = int(np.flatnonzero(board.reshape(81) == 0)[0])
    digit = int(solution.reshape(81)[blank])
    overruled = apply_overrides(rivals, {blank: digit}, decode(rivals).puzzle)
    expected = puzzle.copy()
    expected.reshape(81)[blank] = digit
    assert np.array_equal(overruled.puzzle, expected)
