"""Roles: whether the answer is right, and which digits were taken for clues or for entries that are not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from sudoku_vision.results import GridResult
from sudoku_vision.sudoku.solver import count_solutions
from sudoku_vision.workshop.evaluation.labels import Label


@dataclass(frozen=True)
class RoleCounts:
    """How many of so many ``puzzles`` were answered rightly, and how many digits changed their roles.

    ``entries`` and ``clues`` count the digits of the grids of which it is known which are which,
    ``entries_as_clues`` and ``clues_as_entries`` those of them that were taken for the other.
    """

    puzzles: int = 0
    answered: int = 0
    entries: int = 0
    entries_as_clues: int = 0
    clues: int = 0
    clues_as_entries: int = 0

    def __add__(self, other: RoleCounts) -> RoleCounts:
        mine, theirs = asdict(self), asdict(other)
        return RoleCounts(**{name: mine[name] + theirs[name] for name in mine})

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name, for JSON."""
        return asdict(self)


def contradicts(label: Label, grid: GridResult) -> bool:
    """Tell whether a grid's solution contradicts a labelled clue, or any digit where those are not known."""
    return grid.solution is not None and bool(((grid.solution != label.board) & (label.board != 0)).any())


def is_answered(label: Label, grid: GridResult) -> bool:
    """Tell whether a grid's solution is that of the labelled puzzle, be its clues read rightly or not.

    Where the clues are not known, what is written counts as right, as it is in the calendar.
    """
    if grid.solution is None or contradicts(label, grid):
        return False
    return label.clues is None or count_solutions(label.clues) == 1


def role_counts(pairs: Iterable[tuple[Label, GridResult | None]]) -> RoleCounts:
    """Count the roles of the labels and of what was read of them, None for one that was not found."""
    return sum((_counts(label, grid) for label, grid in pairs), RoleCounts())


def _counts(label: Label, grid: GridResult | None) -> RoleCounts:
    if grid is None:
        return RoleCounts(puzzles=1)
    answered = int(is_answered(label, grid))
    if label.clues is None or label.everything is None:
        return RoleCounts(puzzles=1, answered=answered)
    clue, entry = label.clues > 0, (label.clues == 0) & (label.everything > 0)
    return RoleCounts(
        puzzles=1,
        answered=answered,
        entries=int(entry.sum()),
        entries_as_clues=int(np.count_nonzero(entry & (grid.puzzle > 0))),
        clues=int(clue.sum()),
        clues_as_entries=int(np.count_nonzero(clue & (grid.written > 0))),
    )
