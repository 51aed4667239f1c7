"""Answer board by board, as ``hint``, ``explain`` and ``rate`` do."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sudoku_vision.board import cell_name
from sudoku_vision.check import check
from sudoku_vision.cli.inputs import Inputs, say_left_out
from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputBoard, InputPage, PageReader, boards_of
from sudoku_vision.cli.progress import progress
from sudoku_vision.cli.summary import RunSummary
from sudoku_vision.cli.text import doubt_lines, print_aside
from sudoku_vision.display import Line, TextStyle, print_lines, puzzle_cells, style_for, styled_board, wrapped
from sudoku_vision.errors import BoardError, ImproperError, SudokuVisionError
from sudoku_vision.logic.words import listed
from sudoku_vision.results import NO_MARKS, Board, GridResult, Marks, board_text

_BOARD_STATUS = {"many_solutions": "many", "no_solution": "none"}
"""What boards call the statuses of grids."""


@dataclass(frozen=True, eq=False)
class Question:
    """One board that is asked about.

    ``clues`` (9, 9) int8; ``board`` the clues and what is rightly filled in already. ``cautions``: what must
    be said with every answer, ``doubts`` more lines on that. ``marks``: the pencil marks that hold the right
    digit, ``lost_marks`` the cells (0..80) whose marks don't.
    """

    of: InputBoard
    clues: Board
    board: Board
    cautions: tuple[str, ...] = ()
    doubts: tuple[Line, ...] = ()
    marks: Marks = NO_MARKS
    lost_marks: tuple[int, ...] = ()

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
            board = puzzle_cells(question.clues, question.board)
            lines += [[("Read from the picture:", "")], *styled_board(board, self.style.unicode)]
        for caution in question.cautions:
            lines += wrapped([(caution, "bold yellow")], self.style)
        lines += [*question.doubts, *answer.lines]
        lines += [[(f"Written: {written}", "")]] if written else []
        if self._aside:
            print_aside(lines, plain=self._options.plain)
        else:
            print_lines(lines, self.style)

    def _print_json(self, question: Question, answer: Answer, written: str | None) -> None:
        data = _source(question.of)
        messages = [*question.cautions, *filter(None, [answer.data.get("message")])]
        data |= answer.data | {"message": " ".join(messages), "output": written}
        print(json.dumps(data), flush=True)  # noqa: T201

    def _refuse(self, one: InputBoard, error: SudokuVisionError) -> None:
        """Say why there is no answer, and count that."""
        complain(error if one.name in str(error) else f"{one.name}: {error}")
        if isinstance(error, ImproperError):
            self.summary.add(error.status.replace("_", " "), done=False)
        else:
            self.summary.add_error(error)
        if self._options.as_json:
            puzzle = None if one.board is None else board_text(one.board.clues)
            data = _source(one) | {
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


def _source(one: InputBoard) -> dict[str, Any]:
    """What JSON says first: which board this is, and how it was read from its picture."""
    read = one.grid.status if one.grid is not None and one.of.photo is not None else None
    return {"source": one.name, "reading": read}


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
    grid = one.grid
    if one.of.photo is not None:
        return _of_picture(one, grid)
    if grid.solution is None:  # what the clues leave open, the placed digits may settle
        return Question(one, grid.puzzle, one.board.digits)
    cautions = (one.of.page.message,) if one.board.uncertain else ()
    return _question(one, grid, (*filter(None, cautions),))


def _of_picture(one: InputBoard, grid: GridResult) -> Question:
    """What is asked about a grid that was read."""
    from sudoku_vision.pipeline import MESSAGES

    if grid.status in ("many_solutions", "no_solution"):
        raise ImproperError(MESSAGES[grid.status], status=_BOARD_STATUS[grid.status])
    caution = () if grid.status == "solved" else (MESSAGES["uncertain"],)
    return _question(one, grid, caution, tuple(doubt_lines(grid.doubts, one.number, one.of.retry)))


def _question(
    one: InputBoard, grid: GridResult, cautions: tuple[str, ...], doubts: tuple[Line, ...] = ()
) -> Question:
    """What is asked about a grid with an answer, what is wrong or not clear in it left out."""
    checked = check(grid)
    likely = "" if grid.status == "solved" else "probably "
    left_out = ((checked.wrong, f"{likely}wrong"), (checked.unclear, "not clear"))
    sentences = tuple(
        f"What is filled in at {listed(map(cell_name, cells))} is {what}, and left out here."
        for cells, what in left_out
        if cells
    )
    said = (*cautions, *sentences)
    return Question(one, grid.puzzle, checked.board, said, doubts, checked.kept_marks, checked.lost_marks)
