"""The solver: backtracking over boards whose candidates are all looked at together.

Words: a *unit* is a row, column or box; a *peer* of a cell shares a unit with it; a *candidate* is a digit
that a cell may still take; a *clue* is a given digit.

The road: :mod:`units` (the rules) -> :mod:`propagation` (what follows for certain) -> :mod:`backtracking`
(guesses, where nothing follows) -> :mod:`solution` (what people ask).
"""

from sudoku_vision.sudoku.solver.backtracking import PROBE_AT, Found, Statistics, search
from sudoku_vision.sudoku.solver.solution import (
    MESSAGES,
    Solution,
    SolutionStatus,
    count_solutions,
    is_unique,
    solve,
)
from sudoku_vision.sudoku.solver.units import PEERS, UNITS, find_clashes

__all__ = [
    "MESSAGES",
    "PEERS",
    "PROBE_AT",
    "UNITS",
    "Found",
    "Solution",
    "SolutionStatus",
    "Statistics",
    "count_solutions",
    "find_clashes",
    "is_unique",
    "search",
    "solve",
]
