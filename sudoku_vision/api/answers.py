"""Answers of the command line and of the service: the board of a request, and the JSON of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from sudoku_vision.errors import ImproperError
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks, board_text, marks_text
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.texts import ENGLISH, Sentence, listed
from sudoku_vision.values import Value
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.status import MESSAGES, UNCERTAIN_BOARD, message_of
from sudoku_vision.vision.verdicts import check

if TYPE_CHECKING:  # the logic takes long to load, and is not always needed
    from sudoku_vision.sudoku.logic import Explanation, Rating
    from sudoku_vision.sudoku.logic.steps import Step

_BOARD_STATUS = {"many_solutions": "many", "no_solution": "none", "unreadable": "unreadable"}
"""For a grid without an answer: maps the status of the grid to the status of its board in the JSON."""

Start = Literal["clues", "entries"]
"""The digits with which an explanation or a rating begins: clues alone, or clues and right entries."""


@dataclass(frozen=True, eq=False)
class HintRequest(Value):
    """A board on which a hint, an explanation or a rating is wanted.

    ``clues`` (9, 9) int8: the printed digits. ``board`` (9, 9) int8: the digits from which the logic starts.
    They are the clues and, if ``start`` is "entries", also the right entries. ``cautions``: sentences that
    every answer must contain. ``marks``: the pencil marks of cells whose marks include the right digit.
    ``lost_marks``: the cells (0..80) whose marks lack the right digit.
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
        """Return the cautions as sentences in the language of the request."""
        return tuple(listed([one], language=self.language) for one in self.cautions)

    def begun_at(self, start: Start | None) -> HintRequest:
        """Return this request, without the entries if *start* is "clues".

        If *start* is None, they are left out only if the board is full, because no step would be left then.
        """
        if start == "clues" or (start is None and bool(self.board.all())):
            return replace(self, board=self.clues, start="clues")
        return self


def request_of_grid(grid: Grid, *, in_text: bool = False, language: str = ENGLISH) -> HintRequest:
    """Return the request about a *grid* of a picture or, if *in_text* is true, about a board in text.

    Wrong and unclear entries are left out, and a caution mentions this. Raises
    :class:`~sudoku_vision.errors.ImproperError` for a grid without exactly one solution.
    """
    if in_text and grid.solution is None:  # perhaps clues and entries together have exactly one solution
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


def page_answer(page: dict[str, Any], *, in_text: bool, output: str | None = None) -> dict[str, Any]:
    """Return the JSON of an answer about a *page*: its values, and the name of the *output* file or null.

    A board in text has no place in a picture. So with *in_text*, the corners of the grids are null.
    """
    grids = [{**grid, "corners": None} for grid in page["grids"]] if in_text else page["grids"]
    before = {key: value for key, value in page.items() if key != "seconds"}
    return {**before, "grids": grids, "output": output, "seconds": page["seconds"]}


def board_answer(
    source: str, reading: str | None, asked: HintRequest, data: dict[str, Any], output: str | None = None
) -> dict[str, Any]:
    """Return the JSON of an answer about one board: its source, its rules, and all of *data*.

    *reading*: the status of the grid if the board was read from a picture, otherwise None. *output*: the name
    of the file that was written, or None.
    """
    messages = [*asked.warnings(), *filter(None, [data.get("message")])]
    answer = {"source": source, "reading": reading} | data
    return answer | {"message": " ".join(messages), "output": output} | asked.rules.to_dict()


def refused_answer(
    source: str, reading: str | None, status: str, message: str, board: Board | None, rules: Rules
) -> dict[str, Any]:
    """Return the JSON about a board that has no answer. *board*: its clues; None if they are unknown."""
    puzzle = None if board is None else board_text(board)
    names = {"source": source, "reading": reading, "status": status, "message": message}
    return names | {"puzzle": puzzle, "output": None} | rules.to_dict()


def hint_data(asked: HintRequest, steps: Sequence[Step], *, marks: bool = False) -> dict[str, Any]:
    """Return the data of a hint for JSON. *steps*: the hint, and further steps until a digit is filled in."""
    from sudoku_vision.sudoku.logic import improper_message

    solved = solve(asked.board, rules=asked.rules)
    data: dict[str, Any] = {
        "status": solved.status,
        "message": improper_message(solved, asked.language, asked.rules),
        "puzzle": board_text(asked.clues),
        "board": board_text(asked.board),
        "hint": steps[0].to_dict(asked.language) if steps else None,
        "leads_to": [step.to_dict(asked.language) for step in steps[1:]],
    }
    if marks:
        data |= {"marks": marks_text(asked.marks), "lost_marks": list(asked.lost_marks)}
    return data


def explained(asked: HintRequest, method: str = "easiest") -> Explanation:
    """Return the explanation of a board by a *method* of :func:`~sudoku_vision.sudoku.logic.explain`.

    Raises :class:`~sudoku_vision.errors.ImproperError` if the board has no solution.
    """
    from sudoku_vision.sudoku.logic import explain

    explanation = explain(asked.board, method=method, language=asked.language, rules=asked.rules)
    if explanation.status not in ("one", "many"):
        raise ImproperError(explanation.message, status=explanation.status)
    return explanation


def result_data(asked: HintRequest, result: Explanation | Rating) -> dict[str, Any]:
    """Return the data of an explanation or rating for JSON, with the clues and the board of *asked*."""
    data = result.to_dict()
    boards = {"puzzle": board_text(asked.clues), "board": board_text(asked.board), "start": asked.start}
    return data | boards if "status" in data else {"status": "one"} | boards | data
