"""Answer board by board, as ``hint``, ``explain`` and ``rate`` do."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sudoku_vision.api.hint_request import AskedBoard, asked_of_picture, asked_of_text
from sudoku_vision.api.json_output import board_answer
from sudoku_vision.cli.inputs import Inputs, say_left_out
from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputBoard, InputPage, boards_of
from sudoku_vision.cli.progress import progress
from sudoku_vision.cli.reader import PageReader
from sudoku_vision.cli.summary import RunSummary
from sudoku_vision.cli.text import doubt_lines, print_aside
from sudoku_vision.errors import BoardError, ImproperError, SudokuVisionError, explained_memory
from sudoku_vision.results import board_text
from sudoku_vision.sudoku.display import (
    Line,
    TextStyle,
    print_lines,
    puzzle_cells,
    style_for,
    styled_board,
    wrapped,
)


@dataclass(frozen=True, eq=False)
class Question:
    """One board of the inputs: what is ``asked`` about it, and ``doubts``, lines on its reading."""

    of: InputBoard
    asked: AskedBoard
    doubts: tuple[Line, ...] = ()

    @property
    def name(self) -> str:
        """Return what the board goes by in messages."""
        return self.of.name

    @property
    def in_picture(self) -> bool:
        """Tell whether the board was read from a picture."""
        return self.of.of.photo is not None


@dataclass(frozen=True)
class Answer:
    """What came of one board: lines for people, JSON for programs, and whether it is a full answer."""

    lines: list[Line]
    data: dict[str, Any]
    full: bool = True


AnswerFor = Callable[[Question, TextStyle], Answer]
"""What a command makes of a board; may raise :class:`~sudoku_vision.errors.ImproperError`."""


def answer_boards(
    command: str,
    inputs: Inputs,
    options: Options,
    answer_for: AnswerFor,
    *,
    draw: Callable[[InputPage], str | None] = lambda _: None,
    headings: bool = True,
    aside: bool = False,
) -> RunSummary:
    """Answer board by board, and return what came of it.

    What can't be answered is said on standard error and stops none of the rest. *draw* is called after the
    boards of a page are answered, and gives the picture that it wrote. With *headings* the board that was
    read from a picture is shown, and of several boards the name; *aside* prints on standard error. Raises
    :class:`~sudoku_vision.errors.UsageError` for options that can't be.
    """
    reader = PageReader(command, inputs, options)
    say_left_out(inputs)
    teller = _Teller(options, headings=headings, aside=aside)
    with progress(len(inputs.items), "working") as bar:
        for item in inputs.items:
            for page in reader.pages(item):
                told = [_answered(one, answer_for, teller.style) for one in boards_of(page)]
                written = draw(page)
                heading = len(inputs.items) > 1 or page.name != item.name or len(told) > 1
                with bar.cleared():
                    for one, outcome in told:
                        teller.tell(one, outcome, written, heading=heading)
            bar.advance()
    return teller.summary


_Outcome = tuple["Question", Answer] | SudokuVisionError
"""What came of a board: its answer, or why there is none."""


def _answered(one: InputBoard, answer_for: AnswerFor, text_style: TextStyle) -> tuple[InputBoard, _Outcome]:
    try:
        with explained_memory(one.name):
            question = question_of(one)
            return one, (question, answer_for(question, text_style))
    except SudokuVisionError as error:
        return one, error


class _Teller:
    """Tells the answer for each board, and counts them."""

    def __init__(self, options: Options, *, headings: bool, aside: bool) -> None:
        self.summary = RunSummary("board")
        self.style = style_for(sys.stdout, plain=options.plain)
        self._options, self._headings, self._aside = options, headings, aside

    def tell(self, one: InputBoard, outcome: _Outcome, written: str | None, *, heading: bool) -> None:
        """Tell what came of one board, and which picture of it was *written*."""
        if isinstance(outcome, SudokuVisionError):
            self._refuse(one, outcome)
            return
        question, answer = outcome
        sure = one.grid is None or one.grid.status != "uncertain"
        self.summary.add("answered" if sure and answer.full else "uncertain", done=answer.full and sure)
        if self._options.as_json:
            self._print_json(question, answer, written)
        else:
            self._print(question, answer, written, heading=heading)

    def _print(self, question: Question, answer: Answer, written: str | None, *, heading: bool) -> None:
        lines: list[Line] = [[(f"{question.name}:", "bold")]] if heading and self._headings else []
        if self._headings and question.in_picture:
            board = puzzle_cells(question.asked.clues, question.asked.board)
            lines += [[("Read from the picture:", "")], *styled_board(board, self.style.unicode)]
        for caution in question.asked.cautions:
            lines += wrapped([(caution, "bold yellow")], self.style)
        lines += [*question.doubts, *answer.lines]
        lines += [[(f"Written: {written}", "")]] if written else []
        if self._aside:
            print_aside(lines, plain=self._options.plain)
        else:
            print_lines(lines, self.style)

    def _print_json(self, question: Question, answer: Answer, written: str | None) -> None:
        of = question.of
        told = board_answer(of.name, _reading(of), question.asked, answer.data, written)
        print(json.dumps(told), flush=True)  # noqa: T201

    def _refuse(self, one: InputBoard, error: SudokuVisionError) -> None:
        """Say why there is no answer, and count that."""
        complain(error if one.name in str(error) else f"{one.name}: {error}")
        if isinstance(error, ImproperError):
            self.summary.add(error.status.replace("_", " "), done=False)
        else:
            self.summary.add_error(error)
        if self._options.as_json:
            puzzle = None if one.board is None else board_text(one.board.clues)
            data = {
                "source": one.name,
                "reading": _reading(one),
                "status": _status_of(error),
                "message": str(error),
                "puzzle": puzzle,
                "output": None,
            }
            print(json.dumps(data), flush=True)  # noqa: T201
        elif one.grid is not None and one.of.photo is not None:
            doubts = doubt_lines(one.grid.doubts, one.number, one.of.retry)
            if doubts:
                print_lines(doubts, self.style)


def _reading(one: InputBoard) -> str | None:
    """Return the status of a grid that was read from a picture."""
    return one.grid.status if one.grid is not None and one.of.photo is not None else None


def _status_of(error: SudokuVisionError) -> str:
    if isinstance(error, ImproperError):
        return error.status
    return "malformed" if isinstance(error, BoardError) else "error"


def question_of(one: InputBoard) -> Question:
    """Return what is asked about a board; raises the error that says why there is none.

    Of a picture, that may be an :class:`~sudoku_vision.errors.ImproperError` for what was read.
    """
    if one.error is not None:
        raise one.error
    assert one.board is not None and one.grid is not None
    if one.of.photo is None:
        return Question(one, asked_of_text(one.board, one.of.page))
    doubts = tuple(doubt_lines(one.grid.doubts, one.number, one.of.retry))
    return Question(one, asked_of_picture(one.grid), doubts)
