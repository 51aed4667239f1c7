"""Verdicts: which of the digits that a person wrote into a puzzle are right, and which are wrong.

The puzzle is solved from its printed clues alone. Then the entries are compared with the solution. If the
clues don't have exactly one solution, there are no verdicts. An entry that may be misread is never called
wrong. Pencil marks are neither right nor wrong, but the right digit may be missing among them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks, marks_text, place_dict
from sudoku_vision.values import Bools, Value
from sudoku_vision.vision.grid import Grid

CheckStatus = Literal[
    "right", "wrong", "nothing_written", "uncertain", "many_solutions", "no_solution", "unreadable"
]


@dataclass(frozen=True, eq=False)
class Check(Value):
    """The verdicts on the entries of one grid.

    ``right`` holds the cells (0..80) whose entry is equal to the solution. ``wrong`` holds the cells whose
    entry differs from the solution. ``unclear`` holds the cells whose entry looks different from the
    solution, but may be misread. ``left`` is the number of cells without a digit. ``lost_marks`` holds the
    cells whose pencil marks lack the right digit; such cells don't change the status. If the status of the
    grid is ``uncertain``, all verdicts are uncertain, too.
    """

    status: CheckStatus
    grid: Grid
    right: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    unclear: tuple[int, ...] = ()
    left: int = 0
    lost_marks: tuple[int, ...] = ()

    def __repr__(self) -> str:
        """Return a short text with the status, and how many entries are right, wrong, unclear or missing."""
        counts = f"{len(self.right)} right, {len(self.wrong)} wrong, {len(self.unclear)} unclear"
        return f"Check({self.status}, {counts}, {self.left} left)"

    @property
    def has_verdicts(self) -> bool:
        """Whether entries can be called right or wrong: this needs clues with exactly one solution."""
        ill_posed = self.status in ("many_solutions", "no_solution", "unreadable")
        return not ill_posed and self.grid.solution is not None

    @property
    def complete(self) -> bool:
        """Whether all cells are filled, and all entries are right."""
        return self.status == "right" and self.left == 0

    @property
    def board(self) -> Board:
        """The board (9, 9) int8 from which a hint starts: clues and right entries, and 0 in other cells."""
        right = np.isin(np.arange(81), self.right).reshape(9, 9)
        return np.where(right, self.grid.written, self.grid.puzzle).astype(np.int8)

    @property
    def kept_marks(self) -> Marks:
        """The pencil marks that hints may use, as 81 sets of digits.

        If the right digit of a cell is not among its marks, hints don't use them, so the set is empty.
        """
        if self.grid.solution is None or not self.has_verdicts:
            return NO_MARKS
        cells = zip(self.grid.solution.ravel().tolist(), self.grid.marks, strict=True)
        return tuple(marks if answer in marks else frozenset() for answer, marks in cells)

    def to_dict(self, *, marks: bool = False) -> dict[str, Any]:
        """Return the check as a dictionary for JSON, in which rows and columns count from 1.

        If *marks* is true, the dictionary also holds the pencil marks.
        """
        grid, written = self.grid.to_dict(), self.grid.written.ravel().tolist()
        result = {
            "status": self.status,
            **{key: grid[key] for key in ("corners", "puzzle", "written", "solution", "confidence")},
            "right": list(self.right),
            "wrong": self._cells_with_answers(self.wrong, "written", written),
            "unclear": self._cells_with_answers(self.unclear, "written", written),
            "left": self.left,
            "complete": self.complete,
        }
        if marks:
            result |= {
                "marks": grid["marks"],
                "lost_marks": self._cells_with_answers(self.lost_marks, "marks", marks_text(self.grid.marks)),
            }
        return result | {key: grid[key] for key in ("doubts", "hidden", "clashes", "rules") if key in grid}

    def _cells_with_answers(
        self, cells: Iterable[int], content: str, found: Sequence[int | str]
    ) -> list[dict[str, Any]]:
        """Return one dictionary for JSON for each of *cells*: its place, its content and the right digit.

        *found*: the contents of all 81 cells, either the entries or the marks. *content*: the key of the
        content in each dictionary.
        """
        answers = [] if self.grid.solution is None else self.grid.solution.ravel().tolist()
        return [place_dict(cell) | {content: found[cell], "answer": answers[cell]} for cell in cells]


def check(grid: Grid) -> Check:
    """Compare the entries of a *grid* with the solution of its printed clues; return the verdicts."""
    left = int(((grid.puzzle == 0) & (grid.written == 0)).sum())
    if grid.solution is None or grid.status in ("many_solutions", "no_solution", "unreadable"):
        return Check("unreadable" if grid.status == "solved" else grid.status, grid, left=left)
    written = grid.written.reshape(81)
    filled = written > 0
    agrees = written == grid.solution.reshape(81)
    unclear = np.isin(np.arange(81), grid.reading.unclear)
    for doubt in grid.reading.doubts:  # an entry can't be right if its ink looks like another digit
        agrees[doubt.cell] &= doubt.kind != "entry" or doubt.entry == written[doubt.cell]
    wrong = filled & ~agrees & ~unclear
    unsure = filled & ~agrees & unclear
    if grid.status == "uncertain":
        verdict: CheckStatus = "uncertain"
    elif wrong.any():
        verdict = "wrong"
    elif left and not filled.any():
        verdict = "nothing_written"
    else:
        verdict = "uncertain" if unsure.any() else "right"
    return Check(
        verdict,
        grid,
        right=_cells(filled & agrees),
        wrong=_cells(wrong),
        unclear=_cells(unsure),
        left=left,
        lost_marks=_lost_marks(grid),
    )


def _lost_marks(grid: Grid) -> tuple[int, ...]:
    """Return the cells (0..80) whose marks surely lack the right digit; the *grid* must have a solution."""
    assert grid.solution is not None
    cells = zip(grid.solution.ravel().tolist(), grid.marks, grid.reading.possible_marks, strict=True)
    return tuple(
        cell
        for cell, (answer, marks, possible) in enumerate(cells)
        if marks and answer not in marks and answer not in possible
    )


def _cells(mask: Bools) -> tuple[int, ...]:
    return tuple(int(cell) for cell in np.flatnonzero(mask))
