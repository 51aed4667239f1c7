"""Boards as text: boxes, regions and colours, in the form that each terminal takes."""

import io
import os
import sys

import pytest
from conftest import PUZZLE, SOLUTION, board
from hypothesis import given
from hypothesis import strategies as st

from sudoku_vision.sudoku.display import (
    MIN_WIDTH,
    PLAIN,
    Line,
    TextStyle,
    board_lines,
    print_lines,
    puzzle_and_solution,
    shortened,
    style_for,
    wrapped,
)


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


def printed(lines: list[Line], text_style: TextStyle = PLAIN) -> str:
    terminal = Stream("utf-8", terminal=True)
    print_lines(lines, text_style, terminal)
    return terminal.getvalue()


def drawn(text_style: TextStyle, placed: str | None = None) -> str:
    """The puzzle beside its solution, or below it, as text."""
    entered = None if placed is None else board(placed)
    lines = puzzle_and_solution(board(PUZZLE), board(SOLUTION), text_style, placed=entered)
    return printed(lines, text_style)


def test_a_board_is_drawn_with_its_boxes_marked() -> None:
    lines = board_lines(PUZZLE)
    assert len(lines) == 13
    assert lines[0] == lines[4] == lines[8] == lines[12] == "+-------+-------+-------+"
    assert lines[1] == "| 4 . . | . . . | 8 . 5 |"
    assert board_lines(board(PUZZLE)) == lines
    unicode = board_lines(PUZZLE, unicode=True)
    assert [unicode[at] for at in (0, 4, 12)] == [
        "┌───────┬───────┬───────┐",
        "├───────┼───────┼───────┤",
        "└───────┴───────┴───────┘",
    ]
    assert unicode[1] == "│ 4 . . │ . . . │ 8 . 5 │"
    assert drawn(PLAIN).splitlines()[1] == "| 4 . . | . . . | 8 . 5 |   | 4 1 7 | 3 6 9 | 8 2 5 |"


def test_clues_placed_digits_and_answers_have_colours_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    first = drawn(TextStyle(colour=True), placed="01" + "0" * 79).splitlines()[1]
    assert first.count("\x1b[1m4\x1b[0m") == 2
    assert "\x1b[36m1\x1b[0m" in first and "\x1b[1m4\x1b[0m \x1b[32m1\x1b[0m \x1b[32m7\x1b[0m" in first
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1m4" in drawn(TextStyle(colour=True)) and "\x1b[32m" not in drawn(TextStyle(colour=True))


@pytest.mark.parametrize(
    ("stream", "text_style"),
    [
        (Stream("utf-8", terminal=True), TextStyle(unicode=True, colour=True)),
        (Stream("utf-8"), TextStyle(unicode=True, colour=False)),
        (Stream("ascii", terminal=True), TextStyle(unicode=False, colour=True)),
        (Stream("latin-1"), PLAIN),
        (Stream("cp437"), TextStyle(unicode=True, colour=False)),
        (Stream("no such encoding"), PLAIN),
        (Stream(None), PLAIN),
    ],
)
def test_the_look_is_what_the_stream_takes(
    stream: Stream, text_style: TextStyle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert style_for(stream) == text_style
    monkeypatch.setenv("TERM", "dumb")
    assert not style_for(stream).colour


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


def test_a_narrow_terminal_gets_the_boards_one_below_the_other() -> None:
    narrow = drawn(TextStyle(unicode=False, width=40)).splitlines()
    assert narrow == board_lines(PUZZLE) + board_lines(SOLUTION)
    for width, lines in ((52, 26), (53, 13)):
        assert len(drawn(TextStyle(width=width)).splitlines()) == lines
    indented = puzzle_and_solution(board(PUZZLE), board(SOLUTION), TextStyle(width=54), indent=2)
    assert len(indented) == 26
    assert all(line[0] == ("  ", "") for line in indented)


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Stream("utf-8", terminal=True)
    monkeypatch.setenv("COLUMNS", "40")
    assert style_for(terminal).width == 40
    assert style_for(Stream("utf-8")).width is None
    monkeypatch.setenv("COLUMNS", "0")
    assert style_for(terminal).width is None
    monkeypatch.setattr(terminal, "fileno", lambda: 1)
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((33, 20)))
    assert style_for(terminal).width == 33


def test_sentences_break_between_words_and_hang() -> None:
    line = [("12. ", "dim"), ("Hidden single", "bold"), (": In box 4, the digit 4 fits only in r6c2.", "")]
    narrow = TextStyle(unicode=False, width=24)
    assert printed(wrapped(line, narrow, hang=4)).splitlines() == [
        "12. Hidden single: In",
        "    box 4, the digit 4",
        "    fits only in r6c2.",
    ]
    assert wrapped(line, narrow, hang=4)[0][:2] == line[:2]
    assert wrapped(line, PLAIN) == [line]
    long = [("a" * 30 + " b", "")]
    assert printed(wrapped(long, narrow)).splitlines() == ["a" * 30, "b"]
    assert wrapped([], narrow) == [[]]


@given(st.lists(st.text("ab ", max_size=30), max_size=5), st.integers(1, 60), st.integers(0, 60))
def test_wrapping_loses_no_word_and_keeps_to_the_width(texts: list[str], width: int, hang: int) -> None:
    line = [(text, "bold") for text in texts]
    words = "".join(texts).split()
    pieces = printed(wrapped(line, TextStyle(width=width), hang)).splitlines()
    assert " ".join(pieces).split() == words
    longest = max(map(len, words), default=0)
    assert all(
        len(piece) <= max(width, MIN_WIDTH, hang + longest) or " " not in piece.strip() for piece in pieces
    )


def test_a_long_name_loses_its_middle() -> None:
    assert shortened("a" * 30 + "b" * 30, 1, TextStyle(width=40)) == "a" * 19 + "…" + "b" * 19
    assert shortened("a" * 30, 1, PLAIN) == "a" * 30
