"""Full boards by chance, and clues taken away from them while a puzzle stays proper."""

from collections.abc import Sequence

import numpy as np

from sudoku_vision.results import Board
from sudoku_vision.sudoku.board import BoardLike, board_array, parse_board
from sudoku_vision.sudoku.generator.constraints import Orbit, orbits
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import searcher

USUAL_CLUES_IN_PRINT = 30  # clues of a puzzle for a drawing: as many as papers print in a medium one


def random_solution(rng: np.random.Generator) -> Board:
    """Make a full board, (9, 9) int8: the cyclic pattern with digits, lines, bands and stacks shuffled.

    Quick, but all of one kind; puzzles for people come from :func:`random_full_board`.
    """
    rows, columns = _shuffled_lines(rng), _shuffled_lines(rng)
    pattern = (3 * (rows % 3) + rows // 3)[:, None] + columns[None, :]
    board: Board = (rng.permutation(9)[pattern % 9] + 1).astype(np.int8)
    return board.T.copy() if rng.random() < 0.5 else board  # both kinds alike


def random_full_board(rng: np.random.Generator, rules: Rules = CLASSIC) -> Board:
    """Make a full board, (9, 9) int8, of any kind under *rules* that leave some.

    The three boxes on the diagonal, or the first row, are filled by chance; then digits by chance go into
    cells by chance, each such that some solution is left, until there is only one.
    """
    values, search = [0] * 81, searcher(rules)
    units = list(rules.units.values())
    for unit in (units[18], units[22], units[26]) if rules == CLASSIC else units[:1]:
        for cell, digit in zip(unit, rng.permutation(9).tolist(), strict=True):
            values[cell] = digit + 1
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
        else:
            values[cell] = 0  # it would take long to tell what can stand there
    return board_array(search(values, 1).solutions[0])


def _shuffled_lines(rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Shuffle the lines 0..8 into an order that keeps bands of three together, (9,)."""
    return np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])


def take_away(values: list[int], orbit: Orbit, rules: Rules = CLASSIC) -> bool:
    """Blank the cells of *orbit* in place if the puzzle stays proper without them; says whether it does."""
    kept = [values[cell] for cell in orbit]
    for cell in orbit:
        values[cell] = 0
    if is_proper(values, rules):
        return True
    for cell, digit in zip(orbit, kept, strict=True):
        values[cell] = digit
    return False


def count_spare_clues(values: Sequence[int], rules: Rules = CLASSIC) -> int:
    """Count the clues of a proper puzzle that can each be taken away alone."""
    rest = list(values)
    spare = 0
    for cell in range(81):
        if rest[cell] and take_away(rest, (cell,), rules):
            rest[cell] = values[cell]
            spare += 1
    return spare


def is_proper(values: Sequence[int], rules: Rules = CLASSIC) -> bool:
    """Say whether 81 *values* (0 for blank) have exactly one solution, and that can be told soon."""
    found = searcher(rules)(values, 2)
    return found.finished and len(found.solutions) == 1


def count_clues(values: Sequence[int]) -> int:
    """Count the clues among 81 *values* (0 for blank)."""
    return 81 - values.count(0)


def is_minimal(board: BoardLike, rules: Rules = CLASSIC) -> bool:
    """Say whether *board* has exactly one solution, and several without any one of its clues.

    Raises :class:`~sudoku_vision.errors.BoardError` if it is no board.
    """
    values = list(parse_board(board))
    return (
        not rules.find_clashes(values) and is_proper(values, rules) and not count_spare_clues(values, rules)
    )


def random_puzzle(rng: np.random.Generator, clues: int = USUAL_CLUES_IN_PRINT) -> tuple[Board, Board]:
    """Make a puzzle and its only solution, both (9, 9) int8: about *clues* clues, point symmetric.

    The quick way, for drawings: 24 clues are seldom reached, and how hard it is to solve is left to chance.
    """
    solution = random_solution(rng)
    groups = orbits("point")
    values = solution.reshape(81).tolist()
    for place in rng.permutation(len(groups)).tolist():
        take_away(values, groups[place])
        if count_clues(values) <= clues:
            break
    return board_array(values), solution
