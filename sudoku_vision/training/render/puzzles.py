"""New sudokus with exactly one solution: a shuffled pattern, thinned out clue by clue."""

from __future__ import annotations

import numpy as np

from sudoku_vision.results import Board
from sudoku_vision.solver import count_solutions

_MOST_TRIES = 60  # clues tried for removal; each costs a count of solutions


def random_solution(rng: np.random.Generator) -> Board:
    """A full board, (9, 9) int8: the cyclic pattern with digits, rows, columns, bands and stacks shuffled."""
    rows, columns = _shuffled_lines(rng), _shuffled_lines(rng)
    pattern = (3 * (rows % 3) + rows // 3)[:, None] + columns[None, :]
    board: Board = (rng.permutation(9)[pattern % 9] + 1).astype(np.int8)
    return board.T.copy() if rng.random() < 0.5 else board


def random_puzzle(rng: np.random.Generator, clues: int = 30) -> tuple[Board, Board]:
    """A puzzle and its only solution, both (9, 9) int8: about *clues* clues, point symmetric as in print.

    Fewer clues than 24 are seldom reached, since only a bounded number of removals is tried.
    """
    solution = random_solution(rng)
    puzzle = solution.copy()
    flat = puzzle.reshape(81)
    for cell in rng.permutation(41)[:_MOST_TRIES]:
        pair = [int(cell), 80 - int(cell)]
        kept = flat[pair].copy()
        flat[pair] = 0
        if count_solutions(puzzle) != 1:
            flat[pair] = kept
        if np.count_nonzero(flat) <= clues:
            break
    return puzzle, solution


def _shuffled_lines(rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """The lines 0..8 in an order that keeps bands of three together, (9,)."""
    return np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
