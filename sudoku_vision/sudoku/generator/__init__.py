"""New puzzles with exactly one solution, as hard, as sparse and as symmetric as asked for.

Words: a puzzle is *proper* if it has exactly one solution, and *minimal* if it is proper and no clue at all
can be taken away without a second solution. An *orbit* is a group of cells that a symmetry carries into each
other, and that are all clues or all blank.

The road: :mod:`constraints` (what is asked for) -> :mod:`thinning` of full boards, orbit by orbit of a
symmetry -> :mod:`puzzles` of a seed, climbed to where that doesn't meet what is asked for.

All chance comes from a :class:`numpy.random.Generator`. Puzzle *n* of a seed has a stream of its own, so it
is the same however many are made before or after it.
"""

from sudoku_vision.sudoku.generator.constraints import SYMMETRIES, Constraints, Symmetry
from sudoku_vision.sudoku.generator.puzzles import Puzzle, generate, numbered_puzzle, series
from sudoku_vision.sudoku.generator.thinning import (
    is_minimal,
    random_full_board,
    random_puzzle,
    random_solution,
)

__all__ = [
    "SYMMETRIES",
    "Constraints",
    "Puzzle",
    "Symmetry",
    "generate",
    "is_minimal",
    "numbered_puzzle",
    "random_full_board",
    "random_puzzle",
    "random_solution",
    "series",
]
