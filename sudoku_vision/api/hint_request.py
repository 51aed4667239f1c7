"""Hint request: the board on which a hint, an explanation or a rating is wanted, from a picture or a text."""

from dataclasses import dataclass, replace
from typing import Literal

from sudoku_vision.errors import ImproperError
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.texts import ENGLISH, Sentence, listed
from sudoku_vision.values import Value
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.status import MESSAGES, UNCERTAIN_BOARD, message_of
from sudoku_vision.vision.verdicts import check

_BOARD_STATUS = {"many_solutions": "many", "no_solution": "none", "unreadable": "unreadable"}
"""The status of a board by that of its grid, if it has no answer."""

Start = Literal["clues", "entries"]
"""The digits that an explanation or a rating begins with: the clues alone, or the right entries as well."""


@dataclass(frozen=True, eq=False)
class HintRequest(Value):
    """A board on which a hint, an explanation or a rating is wanted.

    ``clues`` (9, 9) int8; ``board``: the clues and the right entries. ``cautions`` go with every answer
    (:meth:`warnings`). ``marks``: the pencil marks that hold the right digit; ``lost_marks``: the cells
    (0..80) whose marks have lost it. ``start`` says whether ``board`` has entries or the clues alone.
    ``language``: the code of the language of the answers. ``rules``: the rules of the puzzle.
    """

    clues: Board
    board: Board
    cautions: tuple[Sentence | str, ...] = ()
    marks: Marks = NO_MARKS
    lost_marks: tuple[int, ...] = ()
    start: Start = "entries"
    language: str = ENGLISH
    rules: Rules = CLASSIC

    def warnings(self) -> tuple[str, ...]:
        """Return the cautions as sentences."""
        return tuple(listed([one], language=self.language) for one in self.cautions)

    def begun_at(self, start: Start | None) -> "HintRequest":
        """Return the request with another *start*; None means the clues if the board is full."""
        if start == "clues" or (start is None and bool(self.board.all())):
            return replace(self, board=self.clues, start="clues")
        return self


def request_of_grid(grid: Grid, *, in_text: bool = False, language: str = ENGLISH) -> HintRequest:
    """Return the request for a grid of a picture, or of a board *in_text*; wrong entries are left out.

    Raises :class:`~sudoku_vision.errors.ImproperError` if the grid can't be read,
    or does not have exactly one solution.
    """
    if in_text and grid.solution is None:  # together with the entries there may be one solution
        return HintRequest(grid.puzzle, grid.board, language=language, rules=grid.rules)
    if grid.status in _BOARD_STATUS:
        raise ImproperError(message_of(grid.status, [grid]), status=_BOARD_STATUS[grid.status])
    checked, is_sure = check(grid), grid.status == "solved"
    left_out = ((checked.wrong, "wrong" if is_sure else "probably_wrong"), (checked.unclear, "unclear"))
    sentences = [Sentence(f"caution.{what}", {"cells": cells}) for cells, what in left_out if cells]
    unsure = () if is_sure else (UNCERTAIN_BOARD if in_text else MESSAGES["uncertain"],)
    return HintRequest(
        grid.puzzle,
        checked.board,
        (*unsure, *sentences),
        checked.kept_marks,
        checked.lost_marks,
        language=language,
        rules=grid.rules,
    )
