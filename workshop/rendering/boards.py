"""Random puzzles for drawings, made quickly."""

import numpy as np

from sudoku_vision.sudoku.board import Board, board_array
from sudoku_vision.sudoku.generator.constraints import orbits
from sudoku_vision.sudoku.generator.thinning import count_clues, take_away

_USUAL_CLUES = 30  # number of clues of a medium puzzle in newspapers


def random_puzzle(rng: np.random.Generator, clues: int = _USUAL_CLUES) -> tuple[Board, Board]:
    """Make a point symmetric puzzle of about *clues* clues and its only solution, both (9, 9) int8.

    This is quick and good enough for drawings: it seldom gets down to 24 clues; the difficulty is random.
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
    """Make a full board, (9, 9) int8: the cyclic pattern with digits, lines, bands and stacks shuffled.

    This is quick, but it makes only boards of this one pattern; ``random_full_board`` in
    ``sudoku_vision.sudoku.generator`` can make any board.
    """
    rows, columns = _shuffled_lines(rng), _shuffled_lines(rng)
    pattern = (3 * (rows % 3) + rows // 3)[:, None] + columns[None, :]
    board: Board = (rng.permutation(9)[pattern % 9] + 1).astype(np.int8)
    return board.T.copy() if rng.random() < 0.5 else board  # half of the boards are transposed


def _shuffled_lines(rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the lines 0..8 in a random order (9,) that keeps the three lines of a band together."""
    return np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
