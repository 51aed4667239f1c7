"""The work of ``sudoku-vision hint``: the easiest next step, and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from sudoku_vision.board import cell_name
from sudoku_vision.cli.answers import Answer, Question, answer_boards
from sudoku_vision.cli.inputs import Inputs, find_inputs
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import PictureOutput, TargetKind
from sudoku_vision.cli.pages import InputPage, picture_of
from sudoku_vision.cli.text import capitalised
from sudoku_vision.display import Line, TextStyle, wrapped
from sudoku_vision.errors import ExitCode
from sudoku_vision.logic import Step, hints
from sudoku_vision.logic.words import listed, seen_in
from sudoku_vision.questions.told import hint_data
from sudoku_vision.results import NO_MARKS, Image, Marks
from sudoku_vision.save import encode

Detail = Literal["name", "place", "step"]
"""How much of a hint is told: the technique's name, also where to look, the whole step."""


def run_hint(arguments: Sequence[str], options: Options, detail: Detail, *, marks: bool = False) -> ExitCode:
    """Print a hint for each board of *arguments*, and draw it where that is wanted; return its status.

    With *marks* it goes on from the person's pencil marks, where these still hold the right digit.
    """
    inputs = find_inputs(arguments)
    pictures = _HintPictures(options, inputs)

    def answer(question: Question, text_style: TextStyle) -> Answer:
        candidates = question.asked.marks if marks else NO_MARKS
        steps = hints(question.asked.board, candidates)
        pictures.add(question, steps, candidates)
        return _answer(question, steps, detail, text_style, marks=marks)

    summary = answer_boards(
        "hint", inputs, options, answer, draw=pictures.write, aside=pictures.on_standard_output
    )
    summary.add_failure(pictures.failed)
    return summary.close(searched=inputs.searched)


class _HintPictures:
    """The pictures with hints drawn in: photos, or plain drawings of boards in text.

    Hints for several grids of one photo are drawn into one picture.
    """

    def __init__(self, options: Options, inputs: Inputs) -> None:
        """Check the output before any work is done; errors as for :class:`PictureOutput`."""
        self._output = PictureOutput(options.output, inputs, "hint")
        self._output.check_beside_json(as_json=options.as_json)
        self._drawn: Image | None = None

    @property
    def on_standard_output(self) -> bool:
        """Tell whether standard output holds the picture."""
        return self._output.target.kind is TargetKind.STANDARD_OUTPUT

    @property
    def failed(self) -> int:
        """Return how many pictures could not be written."""
        return self._output.failed

    def add(self, question: Question, steps: Sequence[Step], marks: Marks) -> None:
        """Draw the first of *steps*, found with *marks*, into the picture of the page it was asked about."""
        if not self._output.is_wanted or not steps:
            return
        from sudoku_vision.overlay.hint import overlay_hint

        photo, grids = picture_of(question.of.of)
        drawn = photo.pixels if self._drawn is None else self._drawn
        self._drawn = overlay_hint(
            drawn, grids[question.of.place], question.asked.board, steps[0], candidate_marks=marks
        )

    def write(self, page: InputPage) -> str | None:
        """Write the picture of a page whose boards were added, and return its path."""
        drawn, self._drawn = self._drawn, None
        return None if drawn is None else self._output.write(page, partial(encode, drawn))


def _answer(
    question: Question, steps: Sequence[Step], detail: Detail, text_style: TextStyle, *, marks: bool
) -> Answer:
    data = hint_data(question.asked, steps, marks=marks)
    caution = data["message"]
    if not steps:
        return Answer([[("The board is full: nothing is left to find.", "")]], data)
    lines: list[Line] = [[(sentence, "")] for sentence in _marks_sentences(question)] if marks else []
    lines.append(_hint_line(steps[0], detail))
    if detail == "step" and len(steps) > 1:
        lines.append([(_leads_to(steps[1:]), "")])
    if caution:
        lines.append([(caution, "bold yellow")])
    lines = [piece for line in lines for piece in wrapped(line, text_style, hang=2)]
    return Answer(lines, data, full=data["status"] == "one")


def _marks_sentences(question: Question) -> list[str]:
    """What becomes of the person's pencil marks."""
    if not any(question.asked.marks) and not question.asked.lost_marks:
        return ["There are no pencil marks."]
    sentences = []
    if any(question.asked.marks):
        sentences.append("Your pencil marks are taken as the candidates of their cells.")
    if question.asked.lost_marks:
        places = listed(map(cell_name, question.asked.lost_marks))
        sentences.append(f"Those at {places} have lost the right digit, and are left out here.")
    return sentences


def _hint_line(step: Step, detail: Detail) -> Line:
    name = (capitalised(step.technique.name), "bold")
    if detail == "name":
        return [name]
    if detail == "place":
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
