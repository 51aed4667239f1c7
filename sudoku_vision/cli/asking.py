"""Asking: what ``hint``, ``explain`` and ``rate`` are asked about, and what must be said with each answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_vision.board import board_array, cell_name
from sudoku_vision.cli.boards import BoardFinder, FoundBoard
from sudoku_vision.cli.settings import Options
from sudoku_vision.cli.show import doubt_lines
from sudoku_vision.display import Line
from sudoku_vision.errors import ImproperError, SudokuVisionError
from sudoku_vision.logic.words import listed
from sudoku_vision.results import Board, GridResult, Photo
from sudoku_vision.solver import solve

_BOARD_STATUS = {"many_solutions": "many", "no_solution": "none"}
"""What boards call the statuses of grids."""


@dataclass(frozen=True, eq=False)
class Asked:
    """One board that is asked about, or the ``error`` that says why there is none.

    ``clues`` (9, 9) int8; ``board`` the clues and what is rightly filled in already. ``cautions``: what must
    be said with every answer, ``doubts`` more lines on that. A board of a photo comes with both, ``photo``
    and ``grid``.
    """

    name: str
    clues: Board | None = None
    board: Board | None = None
    error: SudokuVisionError | None = None
    cautions: tuple[str, ...] = ()
    doubts: tuple[Line, ...] = ()
    photo: Photo | None = None
    grid: GridResult | None = None

    @property
    def sure(self) -> bool:
        """Whether the board is surely as it was printed."""
        return self.grid is None or self.grid.status == "solved"


def asked_boards(arguments: Sequence[str], options: Options, command: str) -> Iterator[Asked]:
    """The boards of all *arguments*, in order; raises :class:`UsageError` for options that can't be."""
    for found in BoardFinder(command, options).find(arguments):
        yield _of_grid(found, found.grid) if found.grid else _of_text(found)


def _of_text(found: FoundBoard) -> Asked:
    """A board that was written out, or why there is none."""
    error, board = found.error, found.board
    if board is None:
        if found.page is not None:  # a picture without a grid is no broken board
            error = ImproperError(found.page.message, status=found.page.status)
        return Asked(found.source, error=error, photo=found.photo)
    filled, wrong = _rightly_placed(board.clues, board.placed, sure=not board.uncertain)
    caution = ("This board was read from a picture, not surely: please check it.",) if board.uncertain else ()
    return Asked(found.source, board.clues, filled, cautions=(*caution, *wrong))


def _of_grid(found: FoundBoard, grid: GridResult) -> Asked:
    """A board of a picture."""
    from sudoku_vision.pipeline import MESSAGES

    name, photo = found.source, found.photo
    doubts = tuple(doubt_lines(grid.doubts, found.number, found.call))
    if grid.status in ("unreadable", "many_solutions", "no_solution"):
        error = ImproperError(MESSAGES[grid.status], status=_BOARD_STATUS.get(grid.status, grid.status))
        return Asked(name, grid.puzzle, error=error, doubts=doubts, photo=photo, grid=grid)
    sure = grid.status == "solved"
    unclear = np.isin(np.arange(81), grid.reading.unclear).reshape(9, 9)
    board, wrong = _rightly_placed(grid.puzzle, np.where(unclear, 0, grid.written).astype(np.int8), sure=sure)
    caution = () if sure else (MESSAGES["uncertain"],)
    return Asked(name, grid.puzzle, board, None, (*caution, *wrong), doubts, photo, grid)


def _rightly_placed(clues: Board, placed: Board, *, sure: bool) -> tuple[Board, tuple[str, ...]]:
    """The clues with those of the *placed* digits that are right, and a sentence on those that are not."""
    solved = solve(clues) if placed.any() else None
    if solved is None or solved.status != "one" or solved.solution is None:
        return board_array((clues + placed).reshape(81).tolist()), ()
    right = np.where(placed == solved.solution, placed, 0)
    wrong = np.flatnonzero((placed > 0) & (right == 0)).tolist()
    board = board_array((clues + right).reshape(81).tolist())
    if not wrong:
        return board, ()
    places = listed(map(cell_name, wrong))
    return board, (
        f"What is filled in at {places} is {'' if sure else 'probably '}wrong, and left out here.",
    )
