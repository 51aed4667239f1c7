"""Hint request: the board that hints and explanations go on from, of a grid that was read or written out."""

from dataclasses import dataclass, replace
from typing import Literal

from sudoku_vision.errors import ImproperError
from sudoku_vision.results import NO_MARKS, Board, GridResult, Marks, PageResult, Value
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.verdicts import check
from sudoku_vision.texts import ENGLISH, Sentence, listed

_BOARD_STATUS = {"many_solutions": "many", "no_solution": "none", "unreadable": "unreadable"}
"""What boards call the statuses of grids without an answer."""


Start = Literal["clues", "entries"]
"""What an explanation or a rating begins with: the clues alone, or also what is rightly filled in."""


@dataclass(frozen=True, eq=False)
class HintRequest(Value):
    """A board that a hint, an explanation or a rating is wanted of.

    ``clues`` (9, 9) int8; ``board`` the clues and what is rightly filled in already. ``cautions``: what must
    be said with every answer, as :meth:`said` says it. ``marks``: the pencil marks that hold the right digit,
    ``lost_marks`` the cells (0..80) whose marks don't. ``start`` says what ``board`` has: the entries, too,
    or the clues alone. ``language``: the code of that which is spoken. ``rules`` are
    those of the puzzle.
    """

    clues: Board
    board: Board
    cautions: tuple[Sentence | str, ...] = ()
    marks: Marks = NO_MARKS
    lost_marks: tuple[int, ...] = ()
    start: Start = "entries"
    language: str = ENGLISH
    rules: Rules = CLASSIC

    def said(self) -> tuple[str, ...]:
        """Return the cautions in words."""
        return tuple(listed([one], language=self.language) for one in self.cautions)

    def begun_at(self, start: Start | None) -> "HintRequest":
        """Return the request that goes on from *start*; by None from the clues where the board is full."""
        if start == "clues" or (start is None and bool(self.board.all())):
            return replace(self, board=self.clues, start="clues")
        return self


def request_of_grid(grid: GridResult) -> HintRequest:
    """Return the request for a grid of a picture.

    Raises :class:`~sudoku_vision.errors.ImproperError` where it can't be read, or hasn't one solution.
    """
    from sudoku_vision.pipeline import MESSAGES, message_of

    if grid.status in _BOARD_STATUS:
        raise ImproperError(message_of(grid.status, [grid]), status=_BOARD_STATUS[grid.status])
    return _request(grid, () if grid.status == "solved" else (MESSAGES["uncertain"],))


def request_of_board(board: NamedBoard, page: PageResult) -> HintRequest:
    """Return the request for a *board* in text, which made the *page*."""
    (grid,) = page.grids
    if grid.solution is None:  # what the clues leave open, the placed digits may settle
        return HintRequest(grid.puzzle, board.digits, rules=grid.rules)
    return _request(grid, (page.message,) if board.uncertain and page.message else ())


def _request(grid: GridResult, cautions: tuple[str, ...]) -> HintRequest:
    """Return the request for a grid with an answer, what is wrong or not clear in it left out."""
    checked = check(grid)
    wrong = "wrong" if grid.status == "solved" else "probably_wrong"
    left_out = ((checked.wrong, wrong), (checked.unclear, "unclear"))
    sentences = tuple(Sentence(f"caution.{what}", {"cells": cells}) for cells, what in left_out if cells)
    said: tuple[Sentence | str, ...] = (*cautions, *sentences)
    return HintRequest(
        grid.puzzle, checked.board, said, checked.kept_marks, checked.lost_marks, rules=grid.rules
    )
