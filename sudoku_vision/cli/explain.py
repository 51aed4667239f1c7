"""The work of ``sudoku-vision explain``: every step to the solution, each with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sudoku_vision.api.json_output import explained, explanation_data
from sudoku_vision.cli.answers import Answer, Question, answer_boards
from sudoku_vision.cli.inputs import find_inputs
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.step_pictures import StepPictures
from sudoku_vision.cli.steps import numbered_steps
from sudoku_vision.errors import ExitCode
from sudoku_vision.results import Board
from sudoku_vision.sudoku.display import Line, TextStyle, solution_cells, styled_board, wrapped
from sudoku_vision.sudoku.logic import Explanation
from sudoku_vision.sudoku.logic.rating import rating_of


def run_explain(
    arguments: Sequence[str], options: Options, method: str, output: str | None = None
) -> ExitCode:
    """Print the way to the solution of each board, by a *method*, and return the exit status.

    With *output* the steps are drawn, too.
    """
    inputs = find_inputs(arguments)
    pictures = StepPictures(output, inputs, as_json=options.as_json)

    def answer(question: Question, text_style: TextStyle) -> Answer:
        explanation = explained(question.asked, method)
        pictures.add(question, explanation, _notes(explanation))
        return _answer(question, explanation, text_style)

    summary = answer_boards(
        "explain", inputs, options, answer, draw=pictures.write, aside=pictures.on_standard_output
    )
    pictures.finish()
    summary.add_failure(pictures.failed)
    return summary.close(searched=inputs.searched)


def _answer(question: Question, explanation: Explanation, text_style: TextStyle) -> Answer:
    lines = [
        *numbered_steps(explanation.steps, text_style, headings=explanation.headings),
        *_end_lines(explanation, question.asked.clues, text_style),
    ]
    return Answer(lines, explanation_data(question.asked, explanation), full=explanation.status == "one")


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
