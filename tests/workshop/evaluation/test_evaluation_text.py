"""An evaluation as text: columns that line up."""

from __future__ import annotations

from sudoku_vision.workshop.evaluation.text import aligned


def test_columns_line_up_the_first_to_the_left() -> None:
    assert aligned([("a", "b"), ("long", "10")]) == "a      b\nlong  10"
