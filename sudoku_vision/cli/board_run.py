"""Answer board by board, as ``hint``, ``explain`` and ``rate`` do."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sudoku_vision.api.json_output import board_answer
from sudoku_vision.cli.inputs import Inputs
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import PictureOutput
from sudoku_vision.cli.pages import InputBoard, InputPage, boards_of
from sudoku_vision.cli.reader import Reader
from sudoku_vision.cli.reporter import Reporter
from sudoku_vision.cli.text import doubt_lines
from sudoku_vision.errors import BoardError, ImproperError, SudokuVisionError, explained_memory
from sudoku_vision.parallel import open_executor
from sudoku_vision.results import board_text
from sudoku_vision.sudoku.display import Line, TextStyle, puzzle_cells, styled_board, wrapped


@dataclass(frozen=True)
class Answer:
    """What came of one board: lines for people, JSON for programs, and whether it is a full answer."""

    lines: list[Line]
    data: dict[str, Any]
    full: bool = True


def answer_boards(
    command: str,
    inputs: Inputs,
    options: Options,
    answer_for: Callable[[InputBoard, TextStyle], Answer],
    *,
    draw: Callable[[InputPage], str | None] = lambda _: None,
    output: PictureOutput | None = None,
    headings: bool = True,
    aside: bool = False,
) -> Reporter:
    """Answer board by board by *answer_for*, and return the reporter that has counted them.

    What can't be answered is said and stops none of the rest. *draw* is called after the boards of a page,
    and gives the picture that it wrote; pages come with their photos where these go to an *output*. With
    *headings* a board that was read is shown, and of several the names; *aside* prints on standard error.
    """
    keep_photos = output is not None and output.target.is_wanted
    reader = Reader(command, inputs, options, output=output, keep_photos=keep_photos)
    reporter = Reporter("board", as_json=options.as_json, aside=aside)
    with reporter.progress(len(inputs.items), "working"), open_executor(1) as executor:
        for page in reader.pages(executor, reporter.bar.advance):
            boards = [replace(board, language=options.language) for board in boards_of(page)]
            outcomes: list[Answer | SudokuVisionError] = []
            for board in boards:
                try:
                    with explained_memory(board.name):
                        outcomes.append(answer_for(board, reporter.style))
                except SudokuVisionError as error:
                    outcomes.append(error)
            written = None
            with reporter.guarded(page.name):
                written = draw(page)
            is_alone = len(inputs.items) == len(boards) == 1 and page.name == inputs.items[0].name
            for board, outcome in zip(boards, outcomes, strict=True):
                if isinstance(outcome, SudokuVisionError):
                    _report_error(reporter, board, outcome)
                else:
                    _report_answer(reporter, board, outcome, written, headings, named=not is_alone)
    return reporter


def _report_answer(
    reporter: Reporter, board: InputBoard, answer: Answer, written: str | None, headings: bool, *, named: bool
) -> None:
    """Print the answer for one board, and count it; with *headings*, as for :func:`answer_boards`."""
    asked = board.asked
    sure = board.grid is None or board.grid.status != "uncertain"
    reporter.add("answered" if sure and answer.full else "uncertain", done=answer.full and sure)
    if reporter.as_json:
        reporter.print_json(board_answer(board.name, _reading(board), asked, answer.data, written))
        return
    lines: list[Line] = [[(f"{board.name}:", "bold")]] if headings and named else []
    if headings and board.of.is_picture:
        cells = puzzle_cells(asked.clues, asked.board)
        lines += [[("Read from the picture:", "")], *styled_board(cells, reporter.style.unicode, asked.rules)]
    for caution in asked.said():
        lines += wrapped([(caution, "bold yellow")], reporter.style)
    lines += [*_doubts(board), *answer.lines]
    reporter.print(lines + ([[(f"Written: {written}", "")]] if written else []))


def _report_error(reporter: Reporter, board: InputBoard, error: SudokuVisionError) -> None:
    """Say why there is no answer for a board, and count that."""
    reporter.add_error(error, board.name)
    if not reporter.as_json:
        reporter.print(_doubts(board))
        return
    status = error.status if isinstance(error, ImproperError) else "error"
    reporter.print_json(
        {
            "source": board.name,
            "reading": _reading(board),
            "status": "malformed" if isinstance(error, BoardError) else status,
            "message": str(error),
            "puzzle": None if board.board is None else board_text(board.board.clues),
            "output": None,
            **({} if board.board is None else board.board.rules.to_dict()),
        }
    )


def _doubts(board: InputBoard) -> list[Line]:
    """Return the lines on the doubts of a grid that was read from a picture."""
    if board.grid is None or not board.of.is_picture:
        return []
    return doubt_lines(board.grid.doubts, board.number, board.of.retry)


def _reading(board: InputBoard) -> str | None:
    """Return the status of a grid that was read from a picture."""
    return board.grid.status if board.grid is not None and board.of.is_picture else None
