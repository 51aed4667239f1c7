"""Text: boards in lines and in grids, among notes and titles, as people and programs print them.

Every line is one of these, and is told by what it holds:

* a *board* of its own: 81 cells, with or without something before or behind (a puzzle's number, its rating,
  its solution), 81 cells apart from each other, or a line of HoDoKu's library;
* a *row* of nine cells, or of eighteen where two boards stand side by side; bars, brackets, commas, quotes
  and spaces between them do not count;
* a *rule*, drawn between rows; a *gap*, which is an empty line;
* a *note* (``#``) or anything else: a title if it stands right above a board, otherwise skipped.

Where a line could be more than one of them:

* a line of nine dashes (or underscores, or stars) is a rule, unless the rows around it write blanks that way
  and it takes this line to make nine;
* of two boards side by side or in one line, the second is left out if it is the first one's solution;
* in a table with a header, the column named puzzle (or quiz, board, ...) counts;
* a line of exactly 81 digits and spaces is a board whose blanks are spaces; rows with spaces for blanks are
  read by their columns, if only one way to lay nine columns through the digits fits;
* rows of candidates (``1567 3 1567 | ...``) make a board of the cells that have but one.

Rows that do not make boards of nine, and lines that are almost a board, are errors and never skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sudoku_vision.errors import BoardError
from sudoku_vision.results import board_text
from sudoku_vision.sudoku.display import board_lines
from sudoku_vision.sudoku.formats.cell_marks import BOARD_81, board_of_marks
from sudoku_vision.sudoku.formats.format import Format, digit_rows
from sudoku_vision.sudoku.formats.grids import RowGroup, is_loose, is_rule, read_row
from sudoku_vision.sudoku.formats.lines import board_of_line
from sudoku_vision.sudoku.formats.named_board import NamedBoard
from sudoku_vision.sudoku.formats.tables import Table, written_table

LONGEST_LINE = 100_000
"""Characters of a line: a board with its solution and a book of remarks takes 10,000."""

MOST_WORDS = 4_000_000
"""Characters of lines without a board, in one text: three thick books, whose lines take some seconds."""

_NOTE = re.compile(r"\s*(?:#|//|%)\s?(.*)")
_DESCRIPTION = re.compile(r"\s*#D(?:\s+|(?=[^a-z\s]))(.*)")
"""SadMan's and SudoCue's header for a title; ``#Daily`` is a note."""


def read_plain_text(text: str, first_line: int = 1) -> list[NamedBoard]:
    """Read the boards of a text, in order; none if there is nothing like a board in it.

    Lines are counted from *first_line*. Raises :class:`~sudoku_vision.errors.BoardError` for what is meant as
    a board, but is none.
    """
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), start=first_line):
        reader.take(number, line)
    reader.close(None)
    return reader.boards


class _Reader:
    """Takes line by line, and keeps the boards that they make."""

    def __init__(self) -> None:
        self.boards: list[NamedBoard] = []
        self._group = RowGroup()
        self._table = Table()
        self._title = ""
        self._description = ""
        self._words_seen = 0

    def take(self, number: int, line: str) -> None:
        """Sort in the next line."""
        if len(line) > LONGEST_LINE:
            what = f"line {number} has {len(line):,} characters, the limit is {LONGEST_LINE:,}."
            raise BoardError(what, "Give each board lines of its own.")
        if BOARD_81.fullmatch(line):  # by far the most of the lines of a long list
            self._add(board_of_marks(line, number))
        elif not line.strip():
            self._group.gap()
            self._title = ""
        elif note := _NOTE.match(line):
            self._note(line, note[1])
        elif row := read_row(line, number):
            self._begin_group()
            self._group.row(row, line)
        elif board := board_of_line(line, number, self._table):
            self._add(board)
        elif is_rule(line):
            self._group.rule(number, line)
        elif is_loose(line) and (self._group or not line.strip().isdigit()):
            self._begin_group()
            self._group.loose_row(number, line)
        else:
            self.close((number, line))
            self._words(number, line)

    def close(self, by: tuple[int, str] | None) -> None:
        """End the rows gathered so far, which the line *by* comes behind, and make boards of them."""
        self.boards += self._group.boards(by)
        self._group = RowGroup()

    def _add(self, board: NamedBoard) -> None:
        """Take a board of one line, which goes by its own name or else by the heading above it."""
        self.close((board.line, "a board of its own"))
        heading = self._heading()
        self.boards.append(replace(board, name=heading) if heading and not board.name else board)

    def _begin_group(self) -> None:
        """Give the heading to the rows that begin here."""
        if not self._group:
            self._group.name = self._heading()

    def _heading(self) -> str:
        """Return the name for a board that begins here."""
        name = self._description or self._title
        self._title = self._description = ""
        return name

    def _note(self, line: str, words: str) -> None:
        """Remember a note as a title; within a board it is none."""
        if self._group.unfinished:
            return
        self.close(None)
        described = _DESCRIPTION.match(line)
        if described:
            self._description = described[1]
        else:
            self._title = words

    def _words(self, number: int, line: str) -> None:
        """Remember a line of words: a title, or the header of a table."""
        self._words_seen += len(line)
        if self._words_seen > MOST_WORDS:
            what = (
                f"up to line {number} there are more than {MOST_WORDS:,} characters that belong to no board."
            )
            raise BoardError(what, "Leave out what stands between the boards.")
        table = Table.of_header(line)
        self._table = table or self._table
        self._title = "" if table or line[0].isspace() else line.strip().rstrip(":")


def _written_lines(boards: Sequence[NamedBoard]) -> str:
    return "".join(f"{board_text(board.clues)}\n" for board in boards)


def _written_grids(boards: Sequence[NamedBoard]) -> str:
    return "\n".join("".join(f"{line}\n" for line in board_lines(board.clues)) for board in boards)


def _written_boxes(boards: Sequence[NamedBoard]) -> str:
    lined = (board_lines(board.clues, unicode=True) for board in boards)
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in lined)


def _written_simple_sudoku(boards: Sequence[NamedBoard]) -> str:
    texts = []
    for board in boards:
        rows = [f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in digit_rows(board)]
        texts.append("\n-----------\n".join("\n".join(rows[at : at + 3]) for at in (0, 3, 6)) + "\n")
    return "".join(texts)


def _written_cells(boards: Sequence[NamedBoard]) -> str:
    return "\n".join("".join(f"{row}\n" for row in digit_rows(board, "", ",")) for board in boards)


def _written_hodoku(boards: Sequence[NamedBoard]) -> str:
    lines = []
    for board in boards:
        cells = zip(board.clues.flat, board.placed.flat, strict=True)
        marks = (str(clue) if clue else f"+{placed}" if placed else "." for clue, placed in cells)
        lines.append(f":0000:x:{''.join(marks)}:::\n")
    return "".join(lines)


FORMATS = (
    Format("line", "81 digits a line, 0 for blank", read_plain_text, _written_lines, (".txt",)),
    Format("grid", "a grid to read and print, boxes marked", read_plain_text, _written_grids),
    Format("boxes", "the same, drawn with line characters", read_plain_text, _written_boxes),
    Format("sdm", "a collection, one puzzle a line", read_plain_text, _written_lines, (".sdm",)),
    Format("ss", "Simple Sudoku", read_plain_text, _written_simple_sudoku, (".ss",), several=False),
    Format(
        "csv",
        "a table with the columns puzzle and solution, name if there are any",
        read_plain_text,
        written_table,
        (".csv",),
        keeps_name=True,
    ),
    Format(
        "cells", "nine rows of nine columns with commas, for a spreadsheet", read_plain_text, _written_cells
    ),
    Format(
        "hodoku",
        "lines of HoDoKu's library; `+` before placed digits",
        read_plain_text,
        _written_hodoku,
        keeps_placed=True,
    ),
)
