"""Verdicts: which of the digits that a person wrote into a puzzle are right, and which are wrong.

The puzzle is solved from its printed clues alone, then compared. Where the clues are not surely read, or are
no proper puzzle, nothing is claimed; a written digit that can't be told for sure is never called wrong.
Pencil marks are neither right nor wrong, but may have lost the right digit. All who build on what a person
wrote, hints above all, take it from here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import (
    NO_MARKS,
    Board,
    GridResult,
    Marks,
    PageResult,
    Value,
    marks_text,
    place_dict,
)

CheckStatus = Literal[
    "right", "wrong", "nothing_written", "uncertain", "many_solutions", "no_solution", "unreadable"
]
PageCheckStatus = CheckStatus | Literal["no_grid", "error"]

CHECK_ORDER: tuple[CheckStatus, ...] = (
    "wrong",
    "no_solution",
    "many_solutions",
    "uncertain",
    "right",
    "nothing_written",
    "unreadable",
)
"""The status of a page is the first of these that one of its grids has: a mistake is told above all."""

CHECK_MESSAGES: dict[str, str] = {
    "right": "",
    "wrong": "",
    "nothing_written": "",
    "uncertain": "This may be misread, so the verdicts are not sure: look at the cells that are named.",
    "many_solutions": "The printed clues allow more than one solution, so nothing can be told: one clue may "
    "have been missed.",
    "no_solution": "The printed clues contradict one another, so nothing can be told: one may be misread, "
    "or rules of its own hold, as of a jigsaw.",
}
"""What each status means; the others say the same as when solving."""

UNCLEAR_MESSAGE = "Not all that is written is clear: look at the cells that are named. The rest is sure."
"""Of an uncertain page whose clues are sure."""


@dataclass(frozen=True, eq=False)
class Check(Value):
    """The verdict on one grid.

    ``right``, ``wrong`` and ``unclear`` are the cells (0..80) that a person filled: as the solution has them,
    otherwise, and not surely read: otherwise, or so though their ink looks like another digit. ``left``
    counts the cells without a digit. ``lost_marks``: the cells whose pencil marks lack the right digit, which
    the status leaves out of account. Where the clues are ``uncertain``, so are the verdicts.
    """

    status: CheckStatus
    grid: GridResult
    right: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    unclear: tuple[int, ...] = ()
    left: int = 0
    lost_marks: tuple[int, ...] = ()

    def __repr__(self) -> str:
        """Give the status, and how many cells are right, wrong, unclear and left."""
        counts = f"{len(self.right)} right, {len(self.wrong)} wrong, {len(self.unclear)} unclear"
        return f"Check({self.status}, {counts}, {self.left} left)"

    @property
    def has_verdicts(self) -> bool:
        """Whether the clues have the single solution that verdicts need."""
        ill_posed = self.status in ("many_solutions", "no_solution", "unreadable")
        return not ill_posed and self.grid.solution is not None

    @property
    def complete(self) -> bool:
        """Whether the puzzle is filled, and all of it is right."""
        return self.status == "right" and self.left == 0

    @property
    def board(self) -> Board:
        """The clues, and the entries that are right: what a hint goes on from, (9, 9) int8."""
        right = np.isin(np.arange(81), self.right).reshape(9, 9)
        return np.where(right, self.grid.written, self.grid.puzzle).astype(np.int8)

    @property
    def kept_marks(self) -> Marks:
        """The pencil marks that still hold the right digit, surely so: what a hint may go on from."""
        if self.grid.solution is None or not self.has_verdicts:
            return NO_MARKS
        cells = zip(self.grid.solution.ravel().tolist(), self.grid.marks, strict=True)
        return tuple(marks if answer in marks else frozenset() for answer, marks in cells)

    def to_dict(self, *, marks: bool = False) -> dict[str, Any]:
        """Return the check for other programs, with its *marks* by wish; rows and columns count from 1."""
        grid, written = self.grid.to_dict(), self.grid.written.ravel().tolist()
        told = {
            "status": self.status,
            **{key: grid[key] for key in ("corners", "puzzle", "written", "solution", "confidence")},
            "right": list(self.right),
            "wrong": self._told(self.wrong, "written", written),
            "unclear": self._told(self.unclear, "written", written),
            "left": self.left,
            "complete": self.complete,
        }
        if marks:
            told |= {
                "marks": grid["marks"],
                "lost_marks": self._told(self.lost_marks, "marks", marks_text(self.grid.marks)),
            }
        return told | {key: grid[key] for key in ("doubts", "hidden", "clashes", "rules") if key in grid}

    def _told(self, cells: Iterable[int], what: str, found: Sequence[int | str]) -> list[dict[str, Any]]:
        """Name *cells*, what a person put into each, and the answer."""
        answers = [] if self.grid.solution is None else self.grid.solution.ravel().tolist()
        return [place_dict(cell) | {what: found[cell], "answer": answers[cell]} for cell in cells]


def check(grid: GridResult) -> Check:
    """Compare what is written in a *grid* with the solution of its printed clues."""
    left = int(((grid.puzzle == 0) & (grid.written == 0)).sum())
    if grid.solution is None or grid.status in ("many_solutions", "no_solution", "unreadable"):
        return Check("unreadable" if grid.status == "solved" else grid.status, grid, left=left)
    written = grid.written.reshape(81)
    filled = written > 0
    agrees = written == grid.solution.reshape(81)
    unclear = np.isin(np.arange(81), grid.reading.unclear)
    for doubt in grid.reading.doubts:  # one that looks like another digit than the answer gets no tick
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


def _lost_marks(grid: GridResult) -> tuple[int, ...]:
    """Return the cells of a grid with a solution whose marks lack its digit, and surely so."""
    assert grid.solution is not None
    cells = zip(grid.solution.ravel().tolist(), grid.marks, grid.reading.possible_marks, strict=True)
    return tuple(
        cell
        for cell, (answer, marks, possible) in enumerate(cells)
        if marks and answer not in marks and answer not in possible
    )


def _cells(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(cell) for cell in np.flatnonzero(mask))


@dataclass(frozen=True, eq=False)
class PageCheck(Value):
    """The verdicts on one page: ``grids`` are those on the grids of ``page``, in the same order."""

    page: PageResult
    grids: tuple[Check, ...]

    @property
    def status(self) -> PageCheckStatus:
        """What the page comes to: ``wrong`` before all else; or why there is no verdict."""
        found = {one.status for one in self.grids}
        if not found:
            return "error" if self.page.status == "error" else "no_grid"
        return next(status for status in CHECK_ORDER if status in found)

    @property
    def message(self) -> str:
        """What the status means, and what to do about it; empty where it is plain."""
        if self.status == "uncertain" and self.page.status == "solved":
            return UNCLEAR_MESSAGE
        if self.status == "uncertain" and not any(one.has_verdicts for one in self.grids):
            return self.page.message
        return CHECK_MESSAGES.get(self.status, self.page.message)

    def to_dict(self, *, marks: bool = False) -> dict[str, Any]:
        """Return the verdicts for JSON, as ``sudoku-vision check --json`` tells them; *marks* by wish."""
        return {
            "source": self.page.source,
            "page": self.page.page,
            "status": self.status,
            "message": self.message,
            "grids": [one.to_dict(marks=marks) for one in self.grids],
            "seconds": round(self.page.seconds, 4),
        }


def check_page(page: PageResult) -> PageCheck:
    """Check all grids of a *page*."""
    return PageCheck(page, tuple(map(check, page.grids)))
