"""The base class of the runs of ``hint``, ``explain`` and ``rate``, which work board by board."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from sudoku_vision.api.answers import HintRequest, board_answer, refused_answer, request_of_grid
from sudoku_vision.cli.pages import InputBoard, InputPage, boards_of, doubt_lines
from sudoku_vision.cli.run import Run
from sudoku_vision.errors import BoardError, ImproperError, SudokuVisionError, explained_memory
from sudoku_vision.sudoku.display import Line, puzzle_cells, styled_board, wrapped
from sudoku_vision.sudoku.rules import CLASSIC


@dataclass(frozen=True)
class Answer:
    """An answer for a board: ``lines`` for people, ``data`` for JSON; only a ``full`` one is a success."""

    lines: list[Line]
    data: dict[str, Any]
    full: bool = True


class BoardRun(Run):
    """A run that answers board after board, and reports boards without an answer."""

    headings: ClassVar[bool] = True
    """Whether boards of pictures are printed before their answers, and a name before each of several
    boards."""

    @abstractmethod
    def answer(self, board: InputBoard, asked: HintRequest) -> Answer:
        """Return the answer for a board; raises :class:`SudokuVisionError` if there is none."""

    def write(self, page: InputPage) -> str | None:  # noqa: ARG002 (here no picture is written)
        """Write the pictures of a page whose boards are answered; return their path, None without any."""
        return None

    def take(self, page: InputPage) -> None:
        """Answer the boards of a page, write its pictures, and print the results."""
        boards = boards_of(page)
        outcomes = [self._outcome(board) for board in boards]
        written = None
        with self.reporter.guarded(page.name):
            written = self.write(page)
        is_alone = len(self.inputs) == len(boards) == 1 and page.name == self.inputs[0].name
        for board, outcome in zip(boards, outcomes, strict=True):
            if isinstance(outcome, SudokuVisionError):
                self._report_error(board, outcome)
            else:
                self._report_answer(board, *outcome, written, named=not is_alone)

    def _outcome(self, board: InputBoard) -> tuple[HintRequest, Answer] | SudokuVisionError:
        """Return the question about a board and its answer, or the error if there is no answer."""
        try:
            with explained_memory(board.name):
                in_text, language = not board.of.is_picture, self.options.text_language
                asked = request_of_grid(board.readable, in_text=in_text, language=language)
                return asked, self.answer(board, asked)
        except SudokuVisionError as error:
            return error

    def _report_answer(
        self, board: InputBoard, asked: HintRequest, answer: Answer, written: str | None, *, named: bool
    ) -> None:
        """Print and count the answer for a board, after its name if *named*; *written*: its pictures."""
        sure = answer.full and (board.grid is None or board.grid.status != "uncertain")
        self.reporter.add("answered" if sure else "uncertain", done=sure)
        if self.options.as_json:
            data = board_answer(board.name, _reading(board), asked, answer.data, written)
            self.reporter.print_json(data)
            return
        lines: list[Line] = [[(f"{board.name}:", "bold")]] if self.headings and named else []
        if self.headings and board.of.is_picture:
            cells = puzzle_cells(asked.clues, asked.board)
            heading = self.style.say("board.read")
            lines += [[(heading, "")], *styled_board(cells, self.style.unicode, asked.rules)]
        for caution in asked.warnings():
            lines += wrapped([(caution, "bold yellow")], self.style)
        lines += [*self._doubts(board), *answer.lines]
        self.reporter.print(lines)
        self.reporter.add_written(written)

    def _doubts(self, board: InputBoard) -> list[Line]:
        doubts = board.pictured.doubts if board.pictured else ()
        return doubt_lines(doubts, board.number, board.of, self.style)

    def _report_error(self, board: InputBoard, error: SudokuVisionError) -> None:
        self.reporter.add_error(error, board.name)
        if not self.options.as_json:
            self.reporter.print(self._doubts(board))
            return
        status = error.status if isinstance(error, ImproperError) else "error"
        status = "malformed" if isinstance(error, BoardError) else status
        clues, rules = None, CLASSIC
        with contextlib.suppress(SudokuVisionError):
            clues, rules = board.board.clues, board.board.rules
        data = refused_answer(board.name, _reading(board), status, str(error), clues, rules)
        self.reporter.print_json(data)


def _reading(board: InputBoard) -> str | None:
    """Return the status of a board that was read from a picture; None for a board in text."""
    return None if board.pictured is None else board.pictured.status
