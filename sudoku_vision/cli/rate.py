"""The work of ``sudoku-vision rate``: how hard puzzles are."""

from collections.abc import Sequence
from functools import partial

from sudoku_vision.api.hint_request import Start
from sudoku_vision.api.json_output import rating_data
from sudoku_vision.cli.board_run import Answer, answer_boards
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputBoard
from sudoku_vision.cli.search import find_inputs
from sudoku_vision.errors import ExitCode
from sudoku_vision.sudoku.display import Span, TextStyle, labelled, shortened
from sudoku_vision.sudoku.logic import rate

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
    reporter = answer_boards("rate", inputs, options, partial(_answer, options.start), headings=False)
    return reporter.close(searched=inputs.searched)


def _answer(start: Start | None, board: InputBoard, text_style: TextStyle) -> Answer:
    """Rate a board; for a terminal as a small table, elsewhere in a line."""
    asked = board.asked.begun_at(start)
    rating = rate(asked.board, rules=asked.rules)
    data = rating_data(asked, rating)
    counts = [f"{count} x {technique.name}" for technique, count in rating.counts.items()]
    name: Span = (rating.name, _STYLES[rating.name])
    if text_style.width is None:
        hardest = "" if rating.hardest is None else f", hardest technique: {rating.hardest.name}"
        tail = f" ({', '.join(counts)})" if counts else ""
        return Answer([[(f"{board.name}: ", ""), name, (f", score {rating.score}{hardest}{tail}", "")]], data)
    rows: list[tuple[str, Span]] = [("level", name), ("score", (str(rating.score), ""))]
    if rating.hardest is not None:
        rows.append(("hardest", (rating.hardest.name, "")))
    rows += [("" if place else "steps", (count, "")) for place, count in enumerate(counts)]
    heading = shortened(board.name, 1, text_style) + ":"
    return Answer([[(heading, "bold")], *labelled(rows, text_style), []], data)
