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

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.formats.columns import board_of_columns
from sudoku_vision.formats.marks import (
    BLANK_MARKS,
    BLANK_WORDS,
    BOARD_81,
    MARKS,
    REMEDY,
    board_of_marks,
)
from sudoku_vision.formats.named import BLANK_BOARD, NamedBoard

PUZZLE_COLUMNS = (
    "puzzle",
    "puzzles",
    "quiz",
    "quizzes",
    "board",
    "boards",
    "sudoku",
    "clues",
    "givens",
    "grid",
)
"""Names of a table's column that holds the puzzle, those that win first."""

NAME_COLUMNS = ("name", "title")
"""Names of a table's column that holds the puzzle's name."""

_BARS = "|│║┃┆┇┊┋╎╏!:"
_RULE = re.compile(r"[-=+~#|:.,'`*_ ─-╿—–¯‾]+")
_NOTE = re.compile(r"\s*(?:#|//|%)\s?(.*)")
_SPLIT = re.compile(r"[\s,;|\"']+")
_PLACED = r"[1-9" + re.escape(BLANK_MARKS) + r"]"
_HODOKU = re.compile(r":[^:]*:[^:]*:(?P<cells>[^:]+):(?:[^:]*:){0,4}[^:]*")
_PLUSES = re.compile(rf"(?:{_PLACED}|\+[1-9]){{81}}")
_DESCRIPTION = re.compile(r"\s*#D(?:\s+|(?=[^a-z\s]))(.*)")
_ASSIGNED = re.compile(r"^\s*[\w.]+\s*(?::[^=]*)?=\s*(?=[\[({])")
_LISTED = str.maketrans(dict.fromkeys("[](){}'\"", " "))
_LONGEST_ROW = 1000
"""Characters above which a line is no row: eighteen cells with all their candidates take 200."""
_ALMOST = 0.9
"""Share of cells among the characters of a word above which it is meant as a board."""
_BOARDLIKE = range(60, 110)
"""Lengths of a word of cells that is meant as a board of 81."""


class Row(NamedTuple):
    """One row: where it stands, its cells (9, or 18 for two boards), and how they were parted."""

    line: int
    cells: tuple[int, ...]
    form: str
    dashed: bool = False
    """Whether a cell of it is blank by one of the marks that rules are drawn with."""


def read_text(text: str, first_line: int = 1) -> list[NamedBoard]:
    """The boards of a text, in order; none if there is nothing like a board in it.

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
        self._block = _Block()
        self._columns: list[str] = []
        self._title = ""
        self._description = ""

    def take(self, number: int, line: str) -> None:
        """Sort in the next line."""
        if BOARD_81.fullmatch(line):  # by far the most of the lines of a long list
            self._add(board_of_marks(line, number, self._heading()))
            return
        if not line.strip():
            self._block.gap()
            self._title = ""
            return
        note = _NOTE.match(line)
        if note:
            self._note(line, note[1])
            return
        row = read_row(line, number)
        board = None if row else self._board(line, number)
        if board:
            self._add(board)
        elif row:
            self._block.rows.append(row)
            self._block.raw.append((number, line))
            self._block.name = self._block.name or self._heading()
        elif _is_rule(line):
            self._block.rule(number, line)
        elif _is_loose(line) and (self._block.rows or self._block.raw or not line.strip().isdigit()):
            self._block.raw.append((number, line))
            self._block.loose = True
            self._block.name = self._block.name or self._heading()
        else:
            self.close((number, line))
            self._words(line)

    def close(self, by: tuple[int, str] | None) -> None:
        """End the rows gathered so far, which the line *by* comes behind, and make boards of them."""
        boards = self._block.boards(by)
        if boards:
            self._description = ""
        self.boards += boards
        self._block = _Block()

    def _add(self, board: NamedBoard) -> None:
        self.close((board.line, "a board of its own"))
        self.boards.append(board)

    def _heading(self) -> str:
        """The name for a board that begins here."""
        name = self._description or self._title
        self._title = self._description = ""
        return name

    def _note(self, line: str, words: str) -> None:
        if self._block.unfinished:
            return
        self.close(None)
        described = _DESCRIPTION.match(line)
        if described:
            self._description = described[1]
        else:
            self._title = words

    def _words(self, line: str) -> None:
        """Remember a line of words: a title, or the header of a table."""
        self._title = "" if line[0].isspace() else line.strip().rstrip(":")
        names = [name.strip().strip("\"'").lower() for name in re.split(r"[,;\t]", line)]
        if set(names) & set(PUZZLE_COLUMNS):
            self._columns = names
            self._title = ""

    def _board(self, line: str, number: int) -> NamedBoard | None:
        """The board that one line holds, or None."""
        hodoku = _HODOKU.fullmatch(line.strip())
        if hodoku:
            return _with_placed(hodoku["cells"], number, self._heading())
        words = [word for word in _SPLIT.split(line) if word]
        boards = [word for word in words if BOARD_81.fullmatch(word)]
        if boards:
            puzzle, name = self._in_column(line) or (_puzzle_of(boards), "")
            return board_of_marks(puzzle, number, name or _remark(line) or self._heading())
        placed = next((word for word in words if _PLUSES.fullmatch(word)), None)
        if placed:
            return _with_placed(placed, number, self._heading())
        if len(line) == 81 and not line.strip("0123456789 ") and any(mark in "123456789" for mark in line):
            return board_of_marks(line.replace(" ", "0"), number, self._heading())
        cells = _PARTED.sub(" ", line).split()
        if len(cells) == 81 and all(_is_cell(cell) for cell in cells):
            return board_of_marks("".join(map(_mark, cells)), number, self._heading())
        for word in words:
            _refuse_almost(word, number)
        return None

    def _in_column(self, line: str) -> tuple[str, str] | None:
        """Puzzle and name from the columns of a table, if there is a header that names them."""
        if not self._columns:
            return None
        try:
            fields = next(csv.reader([line], delimiter=max(",;\t", key=line.count)))
        except csv.Error:
            return None
        row = dict(zip(self._columns, (value.strip() for value in fields), strict=False))
        puzzle = next((row[column] for column in PUZZLE_COLUMNS if column in row), "")
        name = next((row[column] for column in NAME_COLUMNS if column in row), "")
        return (puzzle, name) if BOARD_81.fullmatch(puzzle) else None


@dataclass
class _Block:
    """Rows that follow each other, with rules and gaps between them."""

    rows: list[Row] = field(default_factory=list)
    raw: list[tuple[int, str]] = field(default_factory=list)
    """All lines but rules and gaps, for rows that have to be read by their columns."""
    breaks: set[int] = field(default_factory=set)
    """Numbers of rows that a gap or a rule stands before."""
    loose: bool = False
    name: str = ""

    @property
    def unfinished(self) -> bool:
        """Whether rows are still to come."""
        return self.loose or len(self.rows) % 9 > 0

    def gap(self) -> None:
        """Take an empty line."""
        self.breaks.add(len(self.rows))

    def rule(self, number: int, line: str) -> None:
        """Take a rule, or what may be one."""
        row = _dashed_row(line, number)
        if row and not self.loose:
            # It may be a row after all: settled when all are there.
            self.rows.append(row)
        else:
            self.gap()
        if not line.strip(_BARS + " "):
            self.raw.append((number, line))

    def boards(self, by: tuple[int, str] | None) -> list[NamedBoard]:
        """The boards that these rows make; *by* is the line that ended them."""
        if self.loose and not self._whole_below_loose():
            return [board_of_columns(self.raw, self.name)]
        rows, breaks = self._settled()
        if not rows:
            return []
        if len(rows) % 9:
            rows, breaks = _same_form(rows, breaks)
        if len(rows) % 9 or any(at not in breaks for at in range(9, len(rows), 9) if breaks - {0}):
            raise _uneven(rows, by)
        boards = [board for at in range(0, len(rows), 9) for board in _boards_of_rows(rows[at : at + 9])]
        return [_renamed(boards[0], self.name), *boards[1:]]

    def _whole_below_loose(self) -> bool:
        """Whether what looked like rows with spaces was a line of numbers above complete rows."""
        lines = [row.line for row in self.rows]
        above = [number for number, _ in self.raw if number not in lines]
        return bool(lines) and len(lines) % 9 == 0 and max(above) < lines[0]

    def _settled(self) -> tuple[list[Row], set[int]]:
        """The rows without the lines of dashes that are rules, and where gaps and rules stand before them."""
        dashes = sum(row.form == _DASHES for row in self.rows)
        sure = len(self.rows) - dashes
        blank_so = any(row.dashed for row in self.rows if row.form != _DASHES)
        keep = dashes and len(self.rows) % 9 == 0 and (blank_so or not sure)
        if keep or not dashes:
            return self.rows, self.breaks
        rows: list[Row] = []
        breaks: set[int] = set()
        for at, row in enumerate(self.rows):
            if at in self.breaks or row.form == _DASHES:
                breaks.add(len(rows))
            if row.form != _DASHES:
                rows.append(row)
        return rows, breaks


_DASHES = "dashes"
_PARTED = re.compile(r"[\s,;|\[\](){}\"']+")


def read_row(line: str, number: int = 0) -> Row | None:
    """The row of nine cells, or of eighteen, that a line holds, or None."""
    if len(line) > _LONGEST_ROW:
        return None
    text = _ASSIGNED.sub("", line)
    for bar in _BARS[1:]:
        text = text.replace(bar, "|")
    fields = _fields(text)
    if fields:
        return Row(number, tuple(_digit(cell) for cell in fields), "fields", _is_dashed(fields))
    if _is_rule(line):
        return None if _dashed_row(line, number) or not _is_dotted(line) else _joined_row(text, number)
    return _joined_row(text, number)


def _fields(text: str) -> list[str]:
    """Nine cells with a separator between each two, so that blanks may be left empty; or nothing."""
    bare = re.sub(r"^[\s\[(]+|[\s\])]+,?\s*$", "", text) if "[" in text or "(" in text else text
    for separator in ",;\t":
        cells = [cell.strip().strip("'\"") for cell in bare.split(separator)]
        if len(cells) == 10 and not cells[9]:
            cells.pop()
        if len(cells) == 9 and all(_is_cell(cell) for cell in cells):
            return cells
    cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
    if text.count("|") in (8, 10) and len(cells) == 9 and all(_is_cell(cell) for cell in cells):
        return cells if any(cell for cell in cells) else []
    return []


def _joined_row(text: str, number: int) -> Row | None:
    """A row of cells apart from each other or in one, with bars, brackets and commas in between."""
    words = text.translate(_LISTED).replace("|", " ").replace(",", " ").split()
    cells = [_mark(word) if _is_cell(word) else word for word in words]
    marks = "".join(cells)
    lengths = {len(cell) for cell in cells}
    if len(marks) in (9, 18) and lengths <= {1} | {3} | {9} and len(lengths) == 1 and set(marks) <= MARKS:
        form = f"words of {len(cells[0])}"
        return Row(number, tuple(map(_digit, marks)), form, _is_dashed(cells))
    if len(cells) == 9 and all(_is_candidates(cell) for cell in cells):
        return Row(number, tuple(_digit(cell) if len(cell) == 1 else 0 for cell in cells), "candidates")
    return None


def _is_candidates(cell: str) -> bool:
    """Whether these are the digits that a cell may hold, in order, or one that it does."""
    return _is_cell(cell) or (cell.isascii() and cell.isdigit() and cell == "".join(sorted({*cell} - {"0"})))


def _is_rule(line: str) -> bool:
    """Whether a line is drawn of rules alone: it may still be a row of blanks."""
    return bool(_RULE.fullmatch(line))


def _is_dotted(line: str) -> bool:
    """Whether dots are the only marks of a line beside bars and spaces: a row of blanks, then."""
    return set(line) - set(_BARS) - set(" ") == {"."}


def _dashed_row(line: str, number: int) -> Row | None:
    """The row of blanks that a rule may be: nine of one kind of dash."""
    marks = set(line) - set(_BARS) - set(" ")
    if marks not in ({"-"}, {"_"}, {"*"}):
        return None
    row = _joined_row("".join(" " if mark in _BARS else mark for mark in line), number)
    return None if row is None else row._replace(form=_DASHES, dashed=True)


def _is_loose(line: str) -> bool:
    """Whether a line holds digits, spaces and bars alone: a row, perhaps, whose blanks are spaces."""
    marks = set(line) - set(_BARS) - set(" ")
    count = sum(mark in "123456789" for mark in line)
    return marks <= set("123456789") and 0 < count < 9 and len(line.strip()) < 60


def _is_cell(word: str) -> bool:
    return (len(word) == 1 and word in MARKS) or word.lower() in BLANK_WORDS


def _is_dashed(cells: Sequence[str]) -> bool:
    return any(mark in "-_*" for cell in cells for mark in cell)


def _mark(word: str) -> str:
    """One cell as one character."""
    return word if word in MARKS else "0"


def _digit(word: str) -> int:
    return int(word) if word in "123456789" and word else 0


def _with_placed(cells: str, line: int, name: str) -> NamedBoard:
    """A board in which ``+`` stands before each digit that is no clue."""
    found = re.findall(rf"\+?{_PLACED}", cells)
    if "".join(found) != cells or len(found) != 81:
        raise BoardError(
            f"line {line}: a board has 81 cells, this one has {len(cells.replace('+', ''))}.", REMEDY
        )
    digits = np.array([_digit(cell[-1]) for cell in found], np.int8).reshape(9, 9)
    placed = np.array([cell[0] == "+" for cell in found]).reshape(9, 9)
    return NamedBoard(
        np.where(placed, BLANK_BOARD, digits), np.where(placed, digits, BLANK_BOARD), name, line
    )


def _puzzle_of(boards: Sequence[str]) -> str:
    """Which of the boards in one line is the puzzle: the first, unless it is the second one's solution."""
    first, *others = boards
    return others[0] if others and _solves(first, others[0]) else first


def _solves(solution: str, puzzle: str) -> bool:
    """Whether *solution* is filled in and keeps to every clue of *puzzle*."""
    if not set(solution) <= set("123456789") or set(puzzle) <= set("123456789"):
        return False
    return all(mark in BLANK_MARKS or mark == digit for mark, digit in zip(puzzle, solution, strict=True))


def _remark(line: str) -> str:
    """What stands behind ``#`` in the line of a board."""
    return line.partition("#")[2].strip()


def _refuse_almost(word: str, line: int) -> None:
    """Raise for a word that is meant as a board, but has a wrong length or a wrong character in it."""
    if len(word) not in _BOARDLIKE or sum(mark in MARKS for mark in word) < _ALMOST * len(word):
        return
    if len(set(word)) < 3 and not any(mark in "123456789" for mark in word):
        return  # a rule of another kind
    wrong = next((place for place, mark in enumerate(word) if mark not in MARKS), None)
    if len(word) == 81 and wrong is not None:
        what = f"{word[wrong]!r} at place {wrong + 1} is neither a digit nor a blank."
        raise BoardError(f"line {line}: {what}", REMEDY)
    raise BoardError(f"line {line}: a board has 81 cells, this one has {len(word)}.", REMEDY)


def _same_form(rows: list[Row], breaks: set[int]) -> tuple[list[Row], set[int]]:
    """The rows without those before the board that are parted otherwise, such as a picture's size."""
    form = Counter(row.form for row in rows).most_common(1)[0][0]
    skip = next((at for at, row in enumerate(rows) if row.form == form), 0)
    return rows[skip:], {at - skip for at in breaks if at >= skip}


def _boards_of_rows(rows: Sequence[Row]) -> list[NamedBoard]:
    """The board of nine rows, or the two that stand side by side in them."""
    widths = {len(row.cells) for row in rows}
    if len(widths) > 1:
        odd = next(row for row in rows if len(row.cells) != len(rows[0].cells))
        raise BoardError(f"line {odd.line}: {len(odd.cells)} cells, where the row above has others.", REMEDY)
    cells = np.array([row.cells for row in rows], np.int8)
    boards = [NamedBoard(cells[:, at : at + 9], line=rows[0].line) for at in range(0, cells.shape[1], 9)]
    if len(boards) == 2 and _solves(*("".join(map(str, board.givens.flat)) for board in boards[::-1])):
        return boards[:1]
    return boards


def _renamed(board: NamedBoard, name: str) -> NamedBoard:
    return NamedBoard(board.givens, board.placed, name, board.line) if name else board


def _uneven(rows: Sequence[Row], by: tuple[int, str] | None) -> BoardError:
    """The error for rows that do not make boards of nine."""
    what = f"lines {rows[0].line} to {rows[-1].line} hold {len(rows)} rows of a board"
    if len(rows) == 1:
        what = f"line {rows[0].line} holds a single row of a board"
    if by and by[0]:
        what += f", then comes line {by[0]}: {by[1].strip()[:40]!r}"
    if len(rows) % 9 == 0:
        what += ", and the gaps between them part them otherwise than by nines"
    return BoardError(f"{what}.", REMEDY)
