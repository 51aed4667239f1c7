"""Boards as text: rules and boxes, clues told from answers, and what each terminal takes."""

from __future__ import annotations

import io
import sys

import pytest
from conftest import PUZZLE, SOLUTION, board

from sudoku_vision.display import PLAIN, Look, board_lines, display, look_of, print_lines, render
from sudoku_vision.errors import BoardError


class Stream(io.StringIO):
    """A stream of some encoding that may be a terminal."""

    def __init__(self, encoding: str | None, terminal: bool = False) -> None:
        super().__init__()
        self._encoding, self._terminal = encoding, terminal

    @property
    def encoding(self) -> str | None:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._terminal


def test_a_board_is_drawn_with_its_boxes_marked() -> None:
    lines = display(PUZZLE, look=PLAIN).splitlines()
    assert len(lines) == 13
    assert lines[0] == lines[4] == lines[8] == lines[12] == "+-------+-------+-------+"
    assert lines[1] == "| 4 . . | . . . | 8 . 5 |"
    assert board_lines(board(PUZZLE)) == lines
    fancy = display(PUZZLE).splitlines()
    assert fancy[0] == "┌───────┬───────┬───────┐"
    assert fancy[4] == "├───────┼───────┼───────┤"
    assert fancy[1] == "│ 4 . . │ . . . │ 8 . 5 │"
    assert fancy[12] == "└───────┴───────┴───────┘"


def test_without_colour_the_solution_stands_beside_the_puzzle() -> None:
    first = display(PUZZLE, SOLUTION, look=PLAIN).splitlines()[1]
    assert first == "| 4 . . | . . . | 8 . 5 |   | 4 1 7 | 3 6 9 | 8 2 5 |"


def test_colour_tells_answers_from_clues_in_one_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    drawn = display(PUZZLE, SOLUTION, look=Look(fancy=True, colour=True))
    assert "\x1b[1m4\x1b[0m \x1b[32m1\x1b[0m \x1b[32m7\x1b[0m" in drawn.splitlines()[1]
    beside = display(PUZZLE, SOLUTION, look=Look(colour=True), beside=True)
    assert beside.splitlines()[1].count("\x1b[1m4\x1b[0m") == 2


def test_placed_digits_are_neither_clues_nor_answers() -> None:
    placed = "01" + "0" * 79
    assert "\x1b[36m1\x1b[0m" in display(PUZZLE, placed=placed, look=Look(colour=True))
    assert display(PUZZLE, placed=placed, look=PLAIN).splitlines()[1].startswith("| 4 1 . |")


def test_no_color_leaves_bold_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    drawn = display(PUZZLE, SOLUTION, look=Look(colour=True))
    assert "\x1b[1m4" in drawn
    assert "\x1b[32m" not in drawn


@pytest.mark.parametrize(
    ("stream", "look"),
    [
        (Stream("utf-8", terminal=True), Look(fancy=True, colour=True)),
        (Stream("utf-8"), Look(fancy=True, colour=False)),
        (Stream("ascii", terminal=True), Look(fancy=False, colour=True)),
        (Stream("latin-1"), PLAIN),
        (Stream("cp437"), Look(fancy=True, colour=False)),
        (Stream("no such encoding"), PLAIN),
        (Stream(None), PLAIN),
    ],
    ids=str,
)
def test_the_look_is_what_the_stream_takes(
    stream: Stream, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert look_of(stream) == look
    assert look_of(stream, plain=True) == PLAIN


def test_a_dumb_terminal_gets_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert look_of(Stream("utf-8", terminal=True)) == Look(fancy=True, colour=False)


def test_lines_are_printed_as_a_terminal_or_a_pipe_takes_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = [("solved", "bold green"), (" [r1c1]", "")]
    print_lines([line])
    assert capsys.readouterr().out == "solved [r1c1]\n"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal = Stream("utf-8", terminal=True)
    monkeypatch.setattr(sys, "stdout", terminal)
    print_lines([line])
    assert "\x1b[" in terminal.getvalue()
    assert " [r1c1]" in terminal.getvalue()
    assert render([line], PLAIN) == "solved [r1c1]"


def test_what_is_no_board_is_an_error() -> None:
    with pytest.raises(BoardError, match="81 cells"):
        display("123")
