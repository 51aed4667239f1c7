"""Make random puzzles for drawings, quickly and with any difficulty."""

import numpy as np

from sudoku_vision.sudoku.board import Board, board_array
from sudoku_vision.sudoku.generator.boards import count_clues, take_away
from sudoku_vision.sudoku.generator.constraints import orbits
from sudoku_vision.sudoku.regions import NEIGHBOURS
from sudoku_vision.sudoku.rules import Cage, Rules
from sudoku_vision.sudoku.solver import searcher

_SIZES, _SIZE_SHARES = (1, 2, 3, 4, 5, 6), (0.03, 0.38, 0.34, 0.18, 0.05, 0.02)
"""Sizes of cages in cells, and their probabilities. A cage that can't grow that far stays smaller."""
_MAX_GUESSES = 20_000  # if the solver needs more guesses for a killer, another killer is drawn


def random_puzzle(rng: np.random.Generator, clues: int = 30) -> tuple[Board, Board]:
    """Return a point symmetric puzzle and its only solution, both (9, 9) int8.

    The puzzle has about *clues* clues, but mostly more if *clues* is 24 or less.
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
    """Return a random full board (9, 9) int8: a fixed board with shuffled rows, columns and digits."""
    rows, columns = _shuffled_lines(rng), _shuffled_lines(rng)
    pattern = (3 * (rows % 3) + rows // 3)[:, None] + columns[None, :]
    board: Board = (rng.permutation(9)[pattern % 9] + 1).astype(np.int8)
    return board.T.copy() if rng.random() < 0.5 else board  # half of the boards are transposed


def _shuffled_lines(rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the numbers (9,) of rows or columns in random order. Lines of one box stay neighbours."""
    return np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])


def random_killer(rng: np.random.Generator, clues: int = 0) -> tuple[Board, Board, tuple[Cage, ...]]:
    """Return a killer with one solution: a board (9, 9) with *clues* clues, the solution, and the cages."""
    while True:
        solution = random_solution(rng)
        cages = random_cages(solution, rng)
        puzzle = np.zeros((9, 9), np.int8)
        places = rng.permutation(81)[:clues]
        puzzle.flat[places] = solution.flat[places]
        found = searcher(Rules(cages=cages))(puzzle.ravel().tolist(), 2, _MAX_GUESSES)
        if found.finished and len(found.solutions) == 1:
            return puzzle, solution, cages


def random_cages(solution: Board, rng: np.random.Generator) -> tuple[Cage, ...]:
    """Return random cages for *solution* (9, 9), sorted by their first cells. No cage repeats a digit."""
    digits = solution.ravel().tolist()
    free, cages = set(range(81)), []
    for start in rng.permutation(81).tolist():
        if start not in free:
            continue
        cells, size = [start], int(rng.choice(_SIZES, p=_SIZE_SHARES))
        free.remove(start)
        while len(cells) < size:
            used = {digits[cell] for cell in cells}
            ways = {cell for one in cells for cell in NEIGHBOURS[one] & free if digits[cell] not in used}
            if not ways:
                break
            cells.append(int(rng.choice(sorted(ways))))
            free.remove(cells[-1])
        cages.append(Cage(sum(digits[cell] for cell in cells), tuple(sorted(cells))))
    return tuple(sorted(cages, key=lambda cage: cage.cells[0]))
