"""Random cages of a killer around a full board."""

import numpy as np

from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.regions import BORDERS, NEIGHBOURS
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.sudoku.solver import searcher

_LARGEST = 3, 5  # least and most cells of the largest cage of a board


def with_random_cages(rules: Rules, solution: Board, rng: np.random.Generator) -> Rules:
    """Return *rules* with random cages around all cells of a *solution* (9, 9)."""
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
    """Split cages until the *solution* (9, 9) is the only one of a board without clues; None if that fails.

    A cell that differs between two solutions becomes a cage of its own, if the rest of its cage stays
    connected.
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
