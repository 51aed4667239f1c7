"""Telling: the work of ``hint``, ``explain`` and ``rate``, and how their answers are printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sudoku_vision.board import cell_name
from sudoku_vision.cli.asking import Asked, asked_boards
from sudoku_vision.cli.output import Output
from sudoku_vision.cli.settings import Options
from sudoku_vision.cli.show import complain
from sudoku_vision.display import (
    Line,
    Span,
    TextStyle,
    labelled,
    print_lines,
    puzzle_cells,
    shortened,
    solution_cells,
    styled_board,
    wrapped,
)
from sudoku_vision.errors import BoardError, ImproperError, SudokuVisionError
from sudoku_vision.logic import Explanation, Rating, Step, explain, hints, rate
from sudoku_vision.logic.explain import improper_message
from sudoku_vision.logic.words import seen_in
from sudoku_vision.results import Board, GridResult, Image, Photo, Reading, board_text
from sudoku_vision.solver import solve

TOLD, NOT_TOLD = 0, 1
"""Exit statuses, beside those of the errors."""

_STYLES = {
    "easy": "bold green",
    "medium": "green",
    "hard": "bold yellow",
    "expert": "bold red",
    "extreme": "bold magenta",
}

Tell = Literal["name", "place", "step"]
"""How much of a hint is told: the technique's name, also where to look, the whole step."""


@dataclass(frozen=True)
class Answer:
    """What came of one board: lines for people, JSON for programs, and whether it is a full answer."""

    lines: list[Line]
    data: dict[str, Any]
    full: bool = True


def tell_hints(arguments: Sequence[str], options: Options, tell: Tell) -> int:
    """Print a hint for each board that *arguments* mean, and give the exit status."""
    pictures = HintPictures(options.output, arguments)

    def answer_for(asked: Asked, board: Board) -> Answer:
        steps = hints(board)
        pictures.add(asked, board, steps)
        return _hint_answer(asked, board, steps, tell, options.text_style)

    status = _tell("hint", arguments, options, answer_for)
    pictures.finish()
    return max(status, NOT_TOLD) if pictures.failed else status


def tell_explanations(arguments: Sequence[str], options: Options) -> int:
    """Print the way to the solution of each board, and give the exit status."""
    return _tell(
        "explain", arguments, options, lambda asked, board: _explain_answer(asked, board, options.text_style)
    )


def tell_ratings(arguments: Sequence[str], options: Options) -> int:
    """Print a line on how hard each board is, and give the exit status."""
    return _tell(
        "rate",
        arguments,
        options,
        lambda asked, board: _rate_answer(asked, board, options.text_style),
        a_line_each=True,
    )


def _tell(
    command: str,
    arguments: Sequence[str],
    options: Options,
    answer_for: Callable[[Asked, Board], Answer],
    *,
    a_line_each: bool = False,
) -> int:
    """Answer board by board; what can't be answered is said on standard error and stops none of the rest."""
    statuses = []
    several = len(arguments) > 1
    for asked in asked_boards(arguments, options, command):
        error = asked.error
        if asked.board is not None and error is None:
            try:
                answer = answer_for(asked, asked.board)
            except ImproperError as improper:
                error = improper
            else:
                heading = several or asked.name != arguments[0]
                _print(
                    asked, answer, options, heading=heading and not a_line_each, show_board=not a_line_each
                )
                statuses.append(TOLD if answer.full and asked.sure else NOT_TOLD)
                continue
        assert error is not None
        _refuse(asked, error, options)
        statuses.append(error.exit_code)
    return _exit_status(statuses)


def _exit_status(statuses: Sequence[int]) -> int:
    """What all boards have in common; of several kinds, that not all were answered."""
    return statuses[0] if len(set(statuses)) == 1 else NOT_TOLD


def _print(asked: Asked, answer: Answer, options: Options, *, heading: bool, show_board: bool) -> None:
    if options.as_json:
        data = {"source": asked.name, "reading": asked.grid.status if asked.grid else None}
        messages = [*asked.cautions, *filter(None, [answer.data.get("message")])]
        data |= answer.data | {"message": " ".join(messages)}
        print(json.dumps(data), flush=True)  # noqa: T201
        return
    lines: list[Line] = [[(f"{asked.name}:", "bold")]] if heading else []
    if show_board and asked.photo is not None:
        lines += [[("Read from the picture:", "")], *_read_lines(asked, options.text_style)]
    for caution in asked.cautions:
        lines += wrapped([(caution, "bold yellow")], options.text_style)
    print_lines([*lines, *asked.doubts, *answer.lines], options.text_style)


def _read_lines(asked: Asked, text_style: TextStyle) -> list[Line]:
    """The board of a picture: its clues, and what is rightly filled in."""
    assert asked.clues is not None and asked.board is not None
    return styled_board(puzzle_cells(asked.clues, asked.board), text_style.unicode)


def _refuse(asked: Asked, error: SudokuVisionError, options: Options) -> None:
    message = str(error) if asked.name in str(error) else f"{asked.name}: {error}"
    complain(message)
    if options.as_json:
        puzzle = None if asked.clues is None else board_text(asked.clues)
        data = {"source": asked.name, "reading": asked.grid.status if asked.grid else None}
        data |= {"status": _status_of(error), "message": str(error), "puzzle": puzzle}
        print(json.dumps(data), flush=True)  # noqa: T201
    elif asked.doubts:
        print_lines(asked.doubts, options.text_style)


def _status_of(error: SudokuVisionError) -> str:
    if isinstance(error, ImproperError):
        return error.status
    return "malformed" if isinstance(error, BoardError) else "error"


class HintPictures:
    """The pictures with hints drawn in: photos, or plain drawings of boards that came as text.

    Hints for several grids of one photo are drawn into one picture.
    """

    def __init__(self, out: str | None, arguments: Sequence[str]) -> None:
        """Check *out* before any work is done; errors as for :class:`Output`."""
        self._wanted = out is not None
        self._output = Output(out, arguments, "hint")
        self._photo: Photo | None = None
        self._drawn: Image | None = None

    @property
    def failed(self) -> int:
        """How many pictures could not be written."""
        return self._output.failed

    def add(self, asked: Asked, board: Board, steps: Sequence[Step]) -> None:
        """Draw the first of *steps* on *board* into the picture that it was asked about."""
        if not self._wanted or not steps:
            return
        from sudoku_vision.overlay.hint import overlay_hint

        photo, grid = asked.photo, asked.grid
        if photo is None or grid is None:
            photo, grid = _drawn_board(asked, board)
        if photo is not self._photo:
            self.finish()
            self._photo, self._drawn = photo, photo.pixels
        assert self._drawn is not None
        self._drawn = overlay_hint(self._drawn, grid, board, steps[0])

    def finish(self) -> None:
        """Write the last picture."""
        drawn, photo = self._drawn, self._photo
        if photo is not None and drawn is not None:
            self._output.write(photo, lambda: drawn)
        self._photo = self._drawn = None


def _drawn_board(asked: Asked, board: Board) -> tuple[Photo, GridResult]:
    """A plain picture of a board that came as text, and where its grid lies in it."""
    from sudoku_vision.drawing.puzzle import PrintablePuzzle, draw_puzzle, puzzle_lattice

    assert asked.clues is not None
    pixels = draw_puzzle(PrintablePuzzle(asked.clues, board), solved=True)
    reading = Reading(asked.clues, np.zeros((9, 9), np.int8), None, 1, 1.0)
    return Photo(pixels, source="board"), GridResult("solved", puzzle_lattice(), reading)


def _hint_answer(
    asked: Asked, board: Board, steps: Sequence[Step], tell: Tell, text_style: TextStyle
) -> Answer:
    solved = solve(board)
    caution = improper_message(solved)
    assert asked.clues is not None
    data = {
        "status": solved.status,
        "message": caution,
        "puzzle": board_text(asked.clues),
        "board": board_text(board),
        "hint": steps[0].to_dict() if steps else None,
        "leads_to": [step.to_dict() for step in steps[1:]],
    }
    if not steps:
        return Answer([[("The board is full: nothing is left to find.", "")]], data)
    lines = [_hint_line(steps[0], tell)]
    if tell == "step" and len(steps) > 1:
        lines.append([(_leads_to(steps[1:]), "")])
    if caution:
        lines.append([(caution, "bold yellow")])
    lines = [piece for line in lines for piece in wrapped(line, text_style, hang=2)]
    return Answer(lines, data, full=solved.status == "one")


def _hint_line(step: Step, tell: Tell) -> Line:
    name = (_capital(step.technique.name), "bold")
    if tell == "name":
        return [name]
    if tell == "place":
        return [name, (f" {seen_in(step)}", "")]
    return [name, (f": {step.text}", "")]


def _leads_to(steps: Sequence[Step]) -> str:
    """What comes after the first step of a hint, in a line."""
    names: dict[str, int] = {}
    for step in steps:
        names[step.technique.name] = names.get(step.technique.name, 0) + 1
    techniques = ", ".join(name if count == 1 else f"{count} x {name}" for name, count in names.items())
    placements = steps[-1].placements
    digit = f", which gives {cell_name(placements[0][0])} = {placements[0][1]}" if placements else ""
    return f"Then: {techniques}{digit}."


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _explain_answer(asked: Asked, board: Board, text_style: TextStyle) -> Answer:
    explanation = explain(board)
    if explanation.status not in ("one", "many"):
        raise ImproperError(explanation.message, status=explanation.status)
    assert asked.clues is not None
    data = explanation.to_dict() | {"puzzle": board_text(asked.clues), "board": board_text(board)}
    lines = [*_step_lines(explanation.steps, text_style), *_end_lines(explanation, asked.clues, text_style)]
    return Answer(lines, data, full=explanation.status == "one")


def _step_lines(steps: Sequence[Step], text_style: TextStyle) -> list[Line]:
    """Return the numbered steps; where they are wider than the terminal, they hang beneath their names."""
    width = len(str(len(steps)))
    lines: list[Line] = []
    for number, step in enumerate(steps, start=1):
        name, text = (_capital(step.technique.name), "bold"), (f": {step.text}", "")
        lines += wrapped([(f"{number:{width}}. ", "dim"), name, text], text_style, hang=width + 2)
    return lines


def _end_lines(explanation: Explanation, clues: Board, text_style: TextStyle) -> list[Line]:
    """The solution as a board, and what it took; or why there is none."""
    if explanation.solution is None:
        return wrapped([(explanation.message, "bold yellow")], text_style)
    board = styled_board(solution_cells(explanation.solution, clues), text_style.unicode)
    trials = sum(step.trial is not None for step in explanation.steps)
    how = "by logic alone" if not trials else f"with {trials} trial{'s' * (trials > 1)} where logic ends"
    steps = f"{len(explanation.steps)} step{'s' * (len(explanation.steps) != 1)}"
    return [*wrapped([(f"Solved in {steps}, {how}.", "bold green")], text_style), *board]


def _rate_answer(asked: Asked, board: Board, text_style: TextStyle) -> Answer:
    assert asked.clues is not None
    rating = rate(board)
    data = {"status": "one", "puzzle": board_text(asked.clues), "board": board_text(board)} | rating.to_dict()
    if text_style.width is None:
        return Answer([_rating_line(asked.name, rating)], data)
    return Answer(_rating_table(asked.name, rating, text_style), data)


def _rating_line(name: str, rating: Rating) -> Line:
    hardest = "" if rating.hardest is None else f", hardest technique: {rating.hardest.name}"
    counts = ", ".join(f"{count} x {technique.name}" for technique, count in rating.counts.items())
    tail = f" ({counts})" if counts else ""
    return [
        (f"{name}: ", ""),
        (rating.name, _STYLES[rating.name]),
        (f", score {rating.score}{hardest}{tail}", ""),
    ]


def _rating_table(name: str, rating: Rating, text_style: TextStyle) -> list[Line]:
    """Return a small table of how hard a board is, for a terminal."""
    rows: list[tuple[str, Span]] = [
        ("level", (rating.name, _STYLES[rating.name])),
        ("score", (str(rating.score), "")),
    ]
    if rating.hardest is not None:
        rows.append(("hardest", (rating.hardest.name, "")))
    for place, (technique, count) in enumerate(rating.counts.items()):
        rows.append(("" if place else "steps", (f"{count} x {technique.name}", "")))
    return [[(shortened(name, 1, text_style) + ":", "bold")], *labelled(rows, text_style), []]
