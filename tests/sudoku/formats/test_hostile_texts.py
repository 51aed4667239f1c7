"""Hostile texts: reading takes time by their length, and what is too much is refused in clear words."""

from __future__ import annotations

import re
import time

import pytest
from conftest import PUZZLE
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.formats import encoding, find_boards, plain_text, read_boards, text_of, write_board
from sudoku_vision.sudoku.formats.grids import _without_brackets, read_row
from sudoku_vision.sudoku.formats.named_board import NamedBoard
from sudoku_vision.sudoku.formats.plain_text import LONGEST_LINE

SLOW = 2.0
"""Seconds within which each of these texts is read, even on a machine with much else to do."""


@settings(deadline=None)
@given(st.text(alphabet="[](),  \t1.\u2003x", max_size=14))
def test_brackets_are_taken_off_as_the_pattern_says(text: str) -> None:
    pattern = r"^[\s\[(]+|[\s\])]+,?\s*$"  # cubic, but plain
    assert _without_brackets(text) == re.sub(pattern, "", text)


@pytest.mark.parametrize(
    "line",
    [
        "x(" + 990 * " ",
        "x(" + 990 * ")" + "x",
        "(" + 495 * " )" + "x",
        "a = " + 480 * ": =" + "(",
        ":" + 400 * " :" + "x",
        990 * "'\" ",
        990 * "-",
    ],
)
def test_a_line_takes_time_by_its_length(line: str) -> None:
    started = time.perf_counter()
    for _ in range(100):
        read_row(line)
    assert time.perf_counter() - started < SLOW
    find_boards("\n".join(100 * [line]))
    assert time.perf_counter() - started < 2 * SLOW


def test_more_lines_than_the_limit_are_refused_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "MAX_LINES", 100)
    for data in (300 * "\n" + PUZZLE, ("\ufeff" + 300 * "\n" + PUZZLE).encode("utf-16")):
        with pytest.raises(BoardError, match=r"300 lines of text, the limit is 100\. .*puzzles FILE"):
            text_of(data)
    assert len(text_of(100 * "x\r\n" + "y").split("\n")) == 101


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(BoardError, match=r"line 2 has 100,001 characters, the limit is 100,000"):
        read_boards(f"{PUZZLE}\n{'x' * (LONGEST_LINE + 1)}")


def test_endless_words_without_a_board_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_text, "MOST_WORDS", 1000)
    words = 11 * "all work and no play makes Jack a dull boy, and these are just so many words of his.\n"
    assert len(read_boards(f"{words}\n{PUZZLE}")) == 1
    with pytest.raises(BoardError, match=r"up to line 13 there are more than 1,000 characters"):
        read_boards(f"{words}{PUZZLE}\n{words}")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "'=1", "plain", "'plain"])
def test_a_name_is_no_formula_in_a_table_and_comes_back(name: str) -> None:
    written = write_board(NamedBoard(PUZZLE, name=name), "csv")
    assert all(cell[0] not in "=+-@" for cell in written.splitlines()[1].split(",") if cell)
    (board,) = read_boards(written)
    assert board.name == name
