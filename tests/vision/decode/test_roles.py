"""Roles: of hypotheses that the ink can't tell apart, the rules of sudoku choose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Board, DigitScores, RoleHypothesis
from sudoku_vision.vision.decode import decode
from sudoku_vision.vision.decode.overrides import apply_overrides
from sudoku_vision.vision.decode.roles import settled_roles


def scores(board: Board, *hypotheses: tuple[float, NDArray[np.bool_]]) -> DigitScores:
    """Sure digits of a *board*, and hypotheses of it: a log-weight, and which cells were entered."""
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


def test_given_digits_that_make_a_puzzle_outweigh_a_doubt_of_the_ink(puzzle: Board, solution: Board) -> None:
    entered = entered_by_chance(puzzle, 15)
    board = np.where(entered.reshape(9, 9), solution, puzzle).astype(np.int8)
    settled = settled_roles(scores(board, (0.0, NONE), (-4.0, entered)))
    assert np.array_equal(settled.written > 0.9, entered)
    assert settled.roles == ()


def test_digits_divided_by_chance_are_not_taken_for_given_and_entered(puzzle: Board) -> None:
    clues = np.flatnonzero(puzzle)
    some = np.isin(np.arange(81), clues[::3])
    assert settled_roles(scores(puzzle, (0.0, NONE), (4.0, some))).written.max() < 0.1


def test_swapped_roles_are_set_right(puzzle: Board, solution: Board) -> None:
    given = puzzle.reshape(81) > 0
    settled = settled_roles(scores(solution, (3.0, given), (0.0, ~given)))
    assert np.array_equal(settled.written > 0.9, ~given)


def test_entries_that_contradict_the_clues_are_entries(puzzle: Board, solution: Board) -> None:
    entered = entered_by_chance(puzzle, 6)
    board = np.where(entered.reshape(9, 9), solution % 9 + 1, puzzle).astype(np.int8)
    assert np.array_equal(settled_roles(scores(board, (0.0, NONE), (-6.0, entered))).written > 0.9, entered)


def test_a_full_board_may_have_been_solved_by_rules_of_its_own(solution: Board) -> None:
    rest = ~np.isin(np.arange(81), [38, 51])
    settled = settled_roles(scores(solution, (0.0, NONE), (3.0, rest)))
    assert np.array_equal(settled.written > 0.9, rest)


def test_a_persons_word_on_one_cell_leaves_the_roles_of_the_others(puzzle: Board, solution: Board) -> None:
    entered = entered_by_chance(puzzle, 15)
    board = np.where(entered.reshape(9, 9), solution, puzzle).astype(np.int8)
    rivals = scores(board, (0.0, NONE), (-4.0, entered))
    blank = int(np.flatnonzero(board.reshape(81) == 0)[0])
    digit = int(solution.reshape(81)[blank])
    overruled = apply_overrides(rivals, {blank: digit}, decode(rivals).puzzle)
    expected = puzzle.copy()
    expected.reshape(81)[blank] = digit
    assert np.array_equal(overruled.puzzle, expected)
