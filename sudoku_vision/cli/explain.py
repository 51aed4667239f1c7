"""The work of ``sudoku-vision explain``: every step to the solution, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sudoku_vision.cli.answers import Answer, Question, answer_boards
from sudoku_vision.cli.inputs import find_inputs
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.steps import numbered_steps
from sudoku_vision.display import Line, TextStyle, solution_cells, styled_board, wrapped
from sudoku_vision.errors import ExitCode
from sudoku_vision.logic import Explanation
from sudoku_vision.questions.told import explained, explanation_data
from sudoku_vision.results import Board


def run_explain(arguments: Sequence[str], options: Options, method: str) -> ExitCode:
    """Print the way to the solution of each board, by a *method*, and return the exit status."""
    inputs = find_inputs(arguments)
    summary = answer_boards("explain", inputs, options, partial(_answer, method))
    return summary.close(searched=inputs.searched)


def _answer(method: str, question: Question, text_style: TextStyle) -> Answer:
    explanation = explained(question.asked, method)
    lines = [
        *numbered_steps(explanation.steps, text_style, headings=explanation.headings),
        *_end_lines(explanation, question.asked.clues, text_style),
    ]
    return Answer(lines, explanation_data(question.asked, explanation), full=explanation.status == "one")


def _end_lines(explanation: Explanation, clues: Board, text_style: TextStyle) -> list[Line]:
    """The solution as a board, and what it took; or why there is none."""
    if explanation.solution is None:
        return wrapped([(explanation.message, "bold yellow")], text_style)
    board = styled_board(solution_cells(explanation.solution, clues), text_style.unicode)
    trials = sum(step.trial is not None for step in explanation.steps)
    how = f"with {trials} trial{'s' * (trials > 1)} where logic ends" if trials else "by logic alone"
    steps = f"{len(explanation.steps)} step{'s' * (len(explanation.steps) != 1)}"
    return [*wrapped([(f"Solved in {steps}, {how}.", "bold green")], text_style), *board]
