"""Full boards by chance: what puzzles are made from."""

from __future__ import annotations

import numpy as np

from sudoku_vision.results import Board
from sudoku_vision.sudoku.board import board_array
from sudoku_vision.sudoku.solver import search

_TRANSPOSED = 0.5
"""Share of shuffled boards whose rows and columns are swapped: both kinds alike."""

_DIAGONAL_BOXES = (0, 30, 60)
"""First cells of the boxes on the diagonal: they share no line, so each can be filled as it likes."""


def random_solution(rng: np.random.Generator) -> Board:
    """Make a full board, (9, 9) int8: the cyclic pattern with digits, lines, bands and stacks shuffled.

    Quick, but all of one kind; puzzles for people come from :func:`random_full_board`.
    """
    rows, columns = _shuffled_lines(rng), _shuffled_lines(rng)
    pattern = (3 * (rows % 3) + rows // 3)[:, None] + columns[None, :]
    board: Board = (rng.permutation(9)[pattern % 9] + 1).astype(np.int8)
    return board.T.copy() if rng.random() < _TRANSPOSED else board


def random_full_board(rng: np.random.Generator) -> Board:
    """Make a full board, (9, 9) int8, of any kind.

    The three boxes on the diagonal are filled by chance; then digits by chance go into cells by chance, each
    such that some solution is left, until there is only one.
    """
    values = [0] * 81
    for corner in _DIAGONAL_BOXES:
        for place, digit in enumerate(rng.permutation(9).tolist()):
            values[corner + 9 * (place // 3) + place % 3] = digit + 1
    for cell in rng.permutation(81).tolist():
        if values[cell]:
            continue
        solutions = search(values, 2).solutions
        if len(solutions) == 1:
            return board_array(solutions[0])
        for digit in rng.permutation(9).tolist():
            values[cell] = digit + 1
            if search(values, 1).solutions:
                break
    return board_array(values)


def _shuffled_lines(rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Shuffle the lines 0..8 into an order that keeps bands of three together, (9,)."""
    return np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
