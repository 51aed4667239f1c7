"""The work of ``sudoku-vision explain``: every step to the solution, each with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sudoku_vision.api.json_output import explained, explanation_data
from sudoku_vision.cli.board_run import Answer, answer_boards
from sudoku_vision.cli.inputs import find_inputs
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputBoard
from sudoku_vision.cli.step_pictures import StepPictures
from sudoku_vision.errors import ExitCode
from sudoku_vision.results import Board
from sudoku_vision.sudoku.display import Line, TextStyle, solution_cells, styled_board, wrapped
from sudoku_vision.sudoku.logic import Detail, Explanation, Step
from sudoku_vision.sudoku.logic.rating import rating_of
from sudoku_vision.sudoku.logic.words import seen_in


def run_explain(arguments: Sequence[str], options: Options) -> ExitCode:
    """Print and draw the way to the solution of each board, and return the exit status."""
    inputs = find_inputs(arguments)
    pictures = StepPictures(inputs, options)

    def answer(board: InputBoard, text_style: TextStyle) -> Answer:
        explanation = explained(board.asked, options.method)
        pictures.add(board, explanation, _notes(explanation))
        return _answer(board, explanation, text_style)

    aside = pictures.target.is_standard_output
    reporter = answer_boards("explain", inputs, options, answer, draw=pictures.write, aside=aside)
    pictures.finish()
    reporter.add_failure(pictures.failed)
    return reporter.close(searched=inputs.searched)


def _answer(board: InputBoard, explanation: Explanation, text_style: TextStyle) -> Answer:
    lines = [
        *numbered_steps(explanation.steps, text_style, headings=explanation.headings),
        *_end_lines(explanation, board.asked.clues, text_style),
    ]
    return Answer(lines, explanation_data(board.asked, explanation), full=explanation.status == "one")


def _notes(explanation: Explanation) -> tuple[str, ...]:
    """Return what is said above the steps that are drawn."""
    if explanation.solution is None:
        return (explanation.message,)
    how_hard = rating_of(Counter(step.technique for step in explanation.steps))
    rated = (
        f" Difficulty: {how_hard.name}, score {how_hard.score}." if explanation.method == "easiest" else ""
    )
    return (_solved_in(explanation) + rated,)


def _end_lines(explanation: Explanation, clues: Board, text_style: TextStyle) -> list[Line]:
    """The solution as a board, and what it took; or why there is none."""
    if explanation.solution is None:
        return wrapped([(explanation.message, "bold yellow")], text_style)
    board = styled_board(solution_cells(explanation.solution, clues), text_style.unicode)
    return [*wrapped([(_solved_in(explanation), "bold green")], text_style), *board]


def _solved_in(explanation: Explanation) -> str:
    """Say what the way to the solution took."""
    trials = sum(step.trial is not None for step in explanation.steps)
    how = f"with {trials} trial{'s' * (trials > 1)} where logic ends" if trials else "by logic alone"
    steps = f"{len(explanation.steps)} step{'s' * (len(explanation.steps) != 1)}"
    return f"Solved in {steps}, {how}."


def step_line(step: Step, detail: Detail = "step") -> Line:
    """Return a *step* as one line."""
    name = (step.technique.title, "bold")
    if detail == "name":
        return [name]
    if detail == "place":
        return [name, (f" {seen_in(step)}", "")]
    return [name, (f": {step.text}", "")]


def numbered_steps(
    steps: Sequence[Step],
    text_style: TextStyle,
    detail: Detail = "step",
    *,
    headings: Mapping[int, str] = MappingProxyType({}),
) -> list[Line]:
    """Return the numbered *steps*; where they are wider than the terminal, they hang beneath their names.

    *headings* stand before some of them, by their place from 0.
    """
    width = len(str(len(steps)))
    lines: list[Line] = []
    for place, step in enumerate(steps):
        if place in headings:
            lines += wrapped([(f"{headings[place]}:", "bold")], text_style)
        line = [(f"{place + 1:{width}}. ", "dim"), *step_line(step, detail)]
        lines += wrapped(line, text_style, hang=width + 2)
    return lines
