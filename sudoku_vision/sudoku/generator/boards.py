"""Make random full boards, and cages for them; remove clues that aren't needed for exactly one solution."""

from collections.abc import Sequence

import numpy as np

from sudoku_vision.sudoku.board import Board, board_array
from sudoku_vision.sudoku.generator.constraints import Orbit
from sudoku_vision.sudoku.regions import BORDERS, NEIGHBOURS
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import searcher
from sudoku_vision.sudoku.solver.backtracking import Search, search

_LARGEST = 3, 5  # the maximum size of cages is 3 to 5 cells, chosen at random for each board


def random_full_board(rng: np.random.Generator, rules: Rules = CLASSIC) -> Board:
    """Make a random full board (9, 9) int8 under *rules*. At least one full board must be possible.

    Random digits are put into random cells until there is only one solution. A digit that would leave no
    solution is not used.
    """
    values, find = [0] * 81, searcher(rules)
    units = list(rules.units.values())
    # Units that can be filled without a search: three boxes in the classic game, nothing if there are cages,
    # otherwise one row.
    first = [units[18], units[22], units[26]] if rules == CLASSIC else [] if rules.cages else units[:1]
    for unit in first:
        for cell, digit in zip(unit, rng.permutation(9).tolist(), strict=True):
            values[cell] = digit + 1
    for cell in rng.permutation(81).tolist():
        if values[cell]:
            continue
        solutions = find(values, 2).solutions
        if len(solutions) == 1:
            return board_array(solutions[0])
        for digit in rng.permutation(9).tolist():
            values[cell] = digit + 1
            if find(values, 1).solutions:
                break
        else:
            values[cell] = 0  # the search gave up on every digit: leave the cell blank for now
    return board_array(find(values, 1).solutions[0])


def with_random_cages(rules: Rules, solution: Board, rng: np.random.Generator) -> Rules:
    """Return *rules* with random cages that cover all cells. Their sums are those of *solution* (9, 9)."""
    most = int(rng.integers(*_LARGEST, endpoint=True))
    digits = solution.ravel().tolist()
    cages = {cell: {cell} for cell in range(81)}
    cage_of = list(range(81))
    for border in rng.permutation(len(BORDERS)).tolist():
        one, other = (cage_of[cell] for cell in BORDERS[border].tolist())
        together = cages[one] | cages[other]
        if one != other and len({digits[cell] for cell in together}) == len(together) <= most:
            cages[one] = together
            for cell in cages.pop(other):
                cage_of[cell] = one
    return _caged(rules, solution, list(cages.values()))


def _caged(rules: Rules, solution: Board, cages: list[set[int]]) -> Rules:
    pairs = [(int(solution.flat[[*cells]].sum()), sorted(cells)) for cells in cages]
    return Rules(rules.regions, rules.diagonal, pairs)


def made_proper(rules: Rules, solution: Board, rng: np.random.Generator) -> Rules | None:
    """Split cages until *solution* (9, 9) is the only solution of a board without clues.

    Return the new rules, or None if that fails. A cell with different digits in two solutions becomes a new
    cage, if the rest of its old cage stays connected.
    """
    while len(found := searcher(rules)([0] * 81, 2).solutions) > 1:
        cages = [set(cage.cells) for cage in rules.cages]
        ends = [
            (cells, cell)
            for cells in cages
            for cell in cells
            if found[0][cell] != found[1][cell] and len(NEIGHBOURS[cell] & cells) == 1
        ]
        if not ends:
            return None
        cells, cell = ends[int(rng.integers(len(ends)))]
        cells.remove(cell)
        rules = _caged(rules, solution, [*cages, {cell}])
    return rules


def take_away(values: list[int], orbit: Orbit, find: Search = search) -> bool:
    """Make *orbit* blank in *values* if exactly one solution is left. Return whether this was done."""
    kept = [values[cell] for cell in orbit]
    for cell in orbit:
        values[cell] = 0
    if is_proper(values, find):
        return True
    for cell, digit in zip(orbit, kept, strict=True):
        values[cell] = digit
    return False


def count_spare_clues(values: Sequence[int], find: Search = search) -> int:
    """Count the clues that can be removed, each by itself, without adding a second solution."""
    rest = list(values)
    spare = 0
    for cell in range(81):
        if rest[cell] and take_away(rest, (cell,), find):
            rest[cell] = values[cell]
            spare += 1
    return spare


def is_proper(values: Sequence[int], find: Search = search) -> bool:
    """Return whether 81 *values* (0 for blank) have exactly one solution; False if the search gives up."""
    found = find(values, 2)
    return found.finished and len(found.solutions) == 1


def count_clues(values: Sequence[int]) -> int:
    """Count the 81 *values* that are not 0."""
    return 81 - values.count(0)
