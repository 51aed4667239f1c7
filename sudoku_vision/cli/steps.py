"""Steps of logic in lines: numbered, each with its technique's name and as much of the rest as is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sudoku_vision.sudoku.display import Line, TextStyle, wrapped
from sudoku_vision.sudoku.logic import Detail, Step
from sudoku_vision.sudoku.logic.words import seen_in

NO_HEADINGS: Mapping[int, str] = MappingProxyType({})


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
    headings: Mapping[int, str] = NO_HEADINGS,
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
