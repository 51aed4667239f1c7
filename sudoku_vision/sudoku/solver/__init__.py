"""The solver: backtracking over boards whose candidates are all looked at together.

Words: a *unit* is a row, column or box; a *peer* of a cell shares a unit with it; a *candidate* is a digit
that a cell may still take; a *clue* is a given digit.

The road: :mod:`propagation` (what follows for certain) -> :mod:`backtracking` (guesses, where nothing
follows) -> :mod:`solution` (what people ask). Rules that aren't the classic ones go by :mod:`any_rules`.
"""

from sudoku_vision.sudoku.solver.any_rules import searcher
from sudoku_vision.sudoku.solver.backtracking import MAX_GUESSES, PROBE_AT, Found, Statistics, search
from sudoku_vision.sudoku.solver.solution import (
    MESSAGES,
    Solution,
    SolutionStatus,
    count_solutions,
    is_unique,
    solve,
)

__all__ = [
    "MAX_GUESSES",
    "MESSAGES",
    "PROBE_AT",
    "Found",
    "Solution",
    "SolutionStatus",
    "Statistics",
    "count_solutions",
    "is_unique",
    "search",
    "searcher",
    "solve",
]
