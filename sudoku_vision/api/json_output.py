"""JSON output: the answers for programs, of the command line and of the service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sudoku_vision.errors import ImproperError
from sudoku_vision.sudoku.board import board_text, marks_text
from sudoku_vision.sudoku.solver import solve

if TYPE_CHECKING:  # the logic takes long to load, and answers about pictures don't need it
    from sudoku_vision.api.hint_request import HintRequest
    from sudoku_vision.sudoku.logic import Explanation, Rating, Step


def page_answer(page: dict[str, Any], *, in_text: bool, output: str | None = None) -> dict[str, Any]:
    """Return the JSON of a *page*: its own dictionary, and the name of the *output* file.

    *in_text*: the page is a board in text. It has no place in a picture, so its corners are null.
    """
    grids = [{**grid, "corners": None} for grid in page["grids"]] if in_text else page["grids"]
    before = {key: value for key, value in page.items() if key != "seconds"}
    return {**before, "grids": grids, "output": output, "seconds": page["seconds"]}


def board_answer(
    source: str, reading: str | None, asked: HintRequest, data: dict[str, Any], output: str | None = None
) -> dict[str, Any]:
    """Return the JSON of one board: its source, its rules, and the *data* of the answer.

    *reading* is the status of a grid that was read from a picture, None for a board in text.
    """
    messages = [*asked.warnings(), *filter(None, [data.get("message")])]
    answer = {"source": source, "reading": reading} | data
    return answer | {"message": " ".join(messages), "output": output} | asked.rules.to_dict()


def hint_data(asked: HintRequest, steps: Sequence[Step], *, marks: bool = False) -> dict[str, Any]:
    """Return the *steps* up to the next digit, the hint first; with *marks*, also the pencil marks."""
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
    """Return the way to the solution of a board, by a method of :func:`~sudoku_vision.sudoku.logic.explain`.

    Raises :class:`~sudoku_vision.errors.ImproperError` if the board has no solution.
    """
    from sudoku_vision.sudoku.logic import explain

    explanation = explain(asked.board, method=method, language=asked.language, rules=asked.rules)
    if explanation.status not in ("one", "many"):
        raise ImproperError(explanation.message, status=explanation.status)
    return explanation


def explanation_data(asked: HintRequest, explanation: Explanation) -> dict[str, Any]:
    """Return the data of an explanation, together with the boards that it explains."""
    return explanation.to_dict() | _boards(asked) | {"start": asked.start}


def rating_data(asked: HintRequest, rating: Rating) -> dict[str, Any]:
    """Return the data of a rating, together with the boards that it rates."""
    return {"status": "one", **_boards(asked), "start": asked.start} | rating.to_dict()


def _boards(asked: HintRequest) -> dict[str, str]:
    return {"puzzle": board_text(asked.clues), "board": board_text(asked.board)}
