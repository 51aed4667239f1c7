"""The work of ``sudoku-vision rate``: how hard puzzles are."""

from __future__ import annotations

from collections.abc import Sequence

from sudoku_vision.api.json_output import rating_data
from sudoku_vision.cli.board_run import Answer, answer_boards
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputBoard
from sudoku_vision.cli.search import find_inputs
from sudoku_vision.errors import ExitCode
from sudoku_vision.sudoku.display import Line, Span, TextStyle, labelled, shortened
from sudoku_vision.sudoku.logic import Rating, rate

_STYLES = {
    "easy": "bold green",
    "medium": "green",
    "hard": "bold yellow",
    "expert": "bold red",
    "extreme": "bold magenta",
}


def run_rate(arguments: Sequence[str], options: Options) -> ExitCode:
    """Print how hard each board is, a line each where there is no terminal, and return the exit status."""
    inputs = find_inputs(arguments)
    reporter = answer_boards("rate", inputs, options, _answer, headings=False)
    return reporter.close(searched=inputs.searched)


def _answer(board: InputBoard, text_style: TextStyle) -> Answer:
    rating = rate(board.asked.board)
    data = rating_data(board.asked, rating)
    if text_style.width is None:
        return Answer([_rating_line(board.name, rating)], data)
    return Answer(_rating_table(board.name, rating, text_style), data)


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
