"""The commands on a narrow terminal: nothing is cut to pieces."""

from __future__ import annotations

import pytest
from conftest import PUZZLE, run_on_a_terminal

pytest.importorskip("fcntl", reason="terminals of this kind are not on this system")


def on_a_terminal(columns: int, *arguments: str) -> list[str]:
    """Run a command on a terminal of so many columns, without colours, and return the lines it prints."""
    printed, status = run_on_a_terminal(columns, "dumb", *arguments)
    assert status == 0
    return printed.replace("\r", "").splitlines()


def test_boards_stand_one_below_the_other() -> None:
    lines = on_a_terminal(40, "solve", PUZZLE)
    boards = [line for line in lines if line.startswith("  ")]
    assert len(boards) == 26
    assert {len(line) for line in boards} == {27}


def test_explanations_break_between_words_and_hang() -> None:
    lines = on_a_terminal(40, "explain", PUZZLE)
    assert all(len(line) <= 40 for line in lines)
    assert lines[0].startswith(" 1. Hidden single: In box")
    assert lines[1].startswith("    ")


def test_a_rating_is_a_small_table() -> None:
    lines = on_a_terminal(40, "rate", PUZZLE)
    assert all(len(line) <= 40 for line in lines)
    assert [line.split()[0] for line in lines[1:5]] == ["level", "score", "hardest", "steps"]
    assert len({line[11:].lstrip() == line[11:] for line in lines[1:5]}) == 1
