"""Asked: the board that hints and explanations go on from, of a grid that was read or written out."""

from __future__ import annotations

from dataclasses import dataclass

from sudoku_vision.errors import ImproperError
from sudoku_vision.results import NO_MARKS, Board, GridResult, Marks, PageResult
from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.logic.words import listed
from sudoku_vision.sudoku.verdicts import check

_BOARD_STATUS = {"many_solutions": "many", "no_solution": "none"}
"""What boards call the statuses of grids."""


@dataclass(frozen=True, eq=False)
class AskedBoard:
    """A board that is asked about.

    ``clues`` (9, 9) int8; ``board`` the clues and what is rightly filled in already. ``cautions``: what must
    be said with every answer. ``marks``: the pencil marks that hold the right digit, ``lost_marks`` the cells
    (0..80) whose marks don't.
    """

    clues: Board
    board: Board
    cautions: tuple[str, ...] = ()
    marks: Marks = NO_MARKS
    lost_marks: tuple[int, ...] = ()


def asked_of_picture(grid: GridResult) -> AskedBoard:
    """Return what can be asked about a grid of a picture.

    Raises :class:`~sudoku_vision.errors.ImproperError` where it can't be read, or hasn't one solution.
    """
    from sudoku_vision.pipeline import MESSAGES

    if grid.status == "unreadable":
        raise ImproperError(MESSAGES[grid.status], status=grid.status)
    if grid.status in ("many_solutions", "no_solution"):
        raise ImproperError(MESSAGES[grid.status], status=_BOARD_STATUS[grid.status])
    return _asked(grid, () if grid.status == "solved" else (MESSAGES["uncertain"],))


def asked_of_text(board: NamedBoard, page: PageResult) -> AskedBoard:
    """Return what can be asked about a *board* in text, which made the *page*."""
    (grid,) = page.grids
    if grid.solution is None:  # what the clues leave open, the placed digits may settle
        return AskedBoard(grid.puzzle, board.digits)
    return _asked(grid, (page.message,) if board.uncertain and page.message else ())


def _asked(grid: GridResult, cautions: tuple[str, ...]) -> AskedBoard:
    """Return what is asked about a grid with an answer, what is wrong or not clear in it left out."""
    checked = check(grid)
    likely = "" if grid.status == "solved" else "probably "
    left_out = ((checked.wrong, f"{likely}wrong"), (checked.unclear, "not clear"))
    sentences = tuple(
        f"What is filled in at {listed(map(cell_name, cells))} is {what}, and left out here."
        for cells, what in left_out
        if cells
    )
    said = (*cautions, *sentences)
    return AskedBoard(grid.puzzle, checked.board, said, checked.kept_marks, checked.lost_marks)
