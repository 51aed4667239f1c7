"""Make random puzzles for drawings; this is quick, because their difficulty doesn't matter."""

import numpy as np

from sudoku_vision.sudoku.board import Board, board_array
from sudoku_vision.sudoku.generator.constraints import orbits
from sudoku_vision.sudoku.generator.thinning import count_clues, take_away

_USUAL_CLUES = 30  # number of clues of a medium puzzle in newspapers


def random_puzzle(rng: np.random.Generator, clues: int = _USUAL_CLUES) -> tuple[Board, Board]:
    """Return a point symmetric puzzle with about *clues* clues, and its only solution, both (9, 9) int8.

    The method is quick and good enough for drawings. If 24 clues or fewer are wanted, the puzzle mostly
    has more. The difficulty is random.
    """
    solution = random_solution(rng)
    groups = orbits("point")
    values = solution.reshape(81).tolist()
    for place in rng.permutation(len(groups)).tolist():
        take_away(values, groups[place])
        if count_clues(values) <= clues:
            break
    return board_array(values), solution


def random_solution(rng: np.random.Generator) -> Board:
    """Return a random full board (9, 9) int8.

    It is the cyclic pattern, in which digits, rows, columns, bands and stacks are shuffled. The method is
    quick, but reaches only boards of this one pattern; ``random_full_board`` in
    ``sudoku_vision.sudoku.generator`` can make any board.
    """
    rows, columns = _shuffled_lines(rng), _shuffled_lines(rng)
    pattern = (3 * (rows % 3) + rows // 3)[:, None] + columns[None, :]
    board: Board = (rng.permutation(9)[pattern % 9] + 1).astype(np.int8)
    return board.T.copy() if rng.random() < 0.5 else board  # half of the boards are transposed


def _shuffled_lines(rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the rows (or columns) 0..8 in a random order, as an array (9,).

    The order keeps the three lines of each band (or stack) together, so a valid board stays valid.
    """
    return np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
