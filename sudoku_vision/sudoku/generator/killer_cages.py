"""Random cages of a killer around a full board."""

import numpy as np

from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.regions import BORDERS
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.sudoku.solver import searcher

_FEWEST, _MOST = 3, 5
"""Limits for the number of cells of the largest cage. For each board, a number between them is drawn."""
_BESIDE = tuple(set(BORDERS[np.any(cell == BORDERS, axis=1)].flat) - {cell} for cell in range(81))
"""For each cell, its neighbours."""


def with_random_cages(rules: Rules, solution: Board, rng: np.random.Generator) -> Rules:
    """Return *rules* with random cages around a *solution* (9, 9); all cells are in cages.

    Neighbouring cages are joined in random order, as long as their digits differ.
    """
    most = int(rng.integers(_FEWEST, _MOST, endpoint=True))
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
    """Split cages of *rules* until they have no other *solution* (9, 9) without any clue.

    Cells that differ between two solutions become cages of their own, if they lie at an end of their cage.
    Returns None if there is no such cell.
    """
    while len(found := searcher(rules)([0] * 81, 2).solutions) > 1:
        cages = [set(cage.cells) for cage in rules.cages]
        ends = [
            (cells, cell)
            for cells in cages
            for cell in cells
            if found[0][cell] != found[1][cell] and len(_BESIDE[cell] & cells) == 1
        ]
        if not ends:
            return None
        cells, cell = ends[int(rng.integers(len(ends)))]
        cells.remove(cell)
        rules = _caged(rules, solution, [*cages, {cell}])
    return rules
