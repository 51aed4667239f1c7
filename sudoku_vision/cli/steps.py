"""Steps of logic in lines: numbered, each with its technique's name and as much of the rest as is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from sudoku_vision.cli.text import capitalised
from sudoku_vision.display import Line, TextStyle, wrapped
from sudoku_vision.logic import Detail, Step
from sudoku_vision.logic.words import seen_in


def step_line(step: Step, detail: Detail = "step") -> Line:
    """Return a *step* as one line."""
    name = (capitalised(step.technique.name), "bold")
    if detail == "name":
        return [name]
    if detail == "place":
        return [name, (f" {seen_in(step)}", "")]
    return [name, (f": {step.text}", "")]


def numbered_steps(steps: Sequence[Step], text_style: TextStyle, detail: Detail = "step") -> list[Line]:
    """Return the numbered *steps*; where they are wider than the terminal, they hang beneath their names."""
    width = len(str(len(steps)))
    lines: list[Line] = []
    for number, step in enumerate(steps, start=1):
        line = [(f"{number:{width}}. ", "dim"), *step_line(step, detail)]
        lines += wrapped(line, text_style, hang=width + 2)
    return lines
