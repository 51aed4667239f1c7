"""What the rules say of a board is told quickly, and rightly."""

from __future__ import annotations

import numpy as np

from sudoku_vision.results import Board
from sudoku_vision.sudoku.board import parse_board
from sudoku_vision.sudoku.solver import find_clashes
from sudoku_vision.vision.decode.boards import agrees, first_clash, with_changes


def test_a_clash_is_found_wherever_a_digit_stands_twice_in_a_unit(puzzle: Board) -> None:
    values = parse_board(puzzle)
    assert first_clash(values) == ()
    rng = np.random.default_rng(7)
    clashing = 0
    for cell, digit in zip(rng.integers(81, size=300), rng.integers(1, 10, size=300), strict=True):
        board = with_changes(values, [(int(cell), int(digit))])
        named = find_clashes(board)
        assert bool(first_clash(board)) == bool(named)
        assert set(first_clash(board)) <= set(named)
        clashing += bool(named)
    assert 50 < clashing < 300


def test_a_board_agrees_with_a_solution_that_has_each_of_its_clues(puzzle: Board, solution: Board) -> None:
    values, answer = parse_board(puzzle), parse_board(solution)
    assert agrees(values, answer) and agrees(answer, answer) and agrees((0,) * 81, answer)
    for cell in range(81):
        assert not agrees(with_changes(values, [(cell, answer[cell] % 9 + 1)]), answer)
