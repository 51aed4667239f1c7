"""Metrics of pencil marks: how many cells with marks were found, and which of their digits were read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import GridResult
from sudoku_vision.workshop.evaluation.labels import Label


@dataclass(frozen=True)
class MarkCounts:
    """What became of the ``cells`` that hold pencil marks alone.

    ``found``: marks were read there; ``as_digits``: a clue or an entry was claimed there instead; ``false``:
    cells without marks in which some were claimed. Of the found cells whose marks somebody noted, ``noted``:
    ``whole`` are those of which all digits are right; they hold ``digits``, of which ``digits_read`` were
    read, and ``digits_extra`` more that are not there.
    """

    cells: int = 0
    found: int = 0
    as_digits: int = 0
    false: int = 0
    noted: int = 0
    whole: int = 0
    digits: int = 0
    digits_read: int = 0
    digits_extra: int = 0

    def __add__(self, other: MarkCounts) -> MarkCounts:
        mine, theirs = asdict(self), asdict(other)
        return MarkCounts(**{name: mine[name] + theirs[name] for name in mine})

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name, for JSON."""
        return asdict(self)


def mark_counts(pairs: Iterable[tuple[Label, GridResult | None]]) -> MarkCounts:
    """Count the marks of the labels that tell them, and what was read; None for a grid that was not found."""
    return sum((_counts(label, grid) for label, grid in pairs if label.marks is not None), MarkCounts())


def _counts(label: Label, grid: GridResult | None) -> MarkCounts:
    marks = label.marks or {}
    if grid is None:
        return MarkCounts(cells=len(marks))
    found = [cell for cell in marks if grid.marks[cell]]
    noted = [(marks[cell], grid.marks[cell]) for cell in found if marks[cell]]
    return MarkCounts(
        cells=len(marks),
        found=len(found),
        as_digits=sum(bool(grid.puzzle.flat[cell] or grid.written.flat[cell]) for cell in marks),
        false=sum(bool(read) for cell, read in enumerate(grid.marks) if cell not in marks),
        noted=len(noted),
        whole=sum(read == truth for truth, read in noted),
        digits=sum(len(truth) for truth, _ in noted),
        digits_read=sum(len(truth & read) for truth, read in noted),
        digits_extra=sum(len(read - truth) for truth, read in noted),
    )


def misread_marks(label: Label, grid: GridResult) -> NDArray[np.bool_]:
    """Return the cells (9, 9) whose marks were not read right; none where the label does not tell marks."""
    wrong = np.zeros(81, bool)
    if label.marks is not None:
        for cell, read in enumerate(grid.marks):
            truth = label.marks.get(cell)
            unnoted = truth is not None and not truth
            wrong[cell] = bool(read) != (truth is not None) if unnoted else read != (truth or frozenset())
    return wrong.reshape(9, 9)
