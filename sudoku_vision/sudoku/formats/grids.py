"""Grids: boards row by row, with rules, bars and gaps between them.

Rows whose blanks are spaces are read by the columns that their digits stand in.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.formats.cell_marks import MARKS, REMEDY, digit_of, is_cell, mark_of, solves
from sudoku_vision.sudoku.formats.named_board import NamedBoard, marks_beside

_BARS = "|│║┃┆┇┊┋╎╏!:"
_RULE = re.compile(r"[-=+~#|:.,'`*_ ─-╿—–¯‾]+")
_ASSIGNED = re.compile(r"^\s*[\w.]+\s*(?::[^=]*)?=\s*(?=[\[({])")
_LISTED = str.maketrans(dict.fromkeys("[](){}'\"", " "))
_LONGEST_ROW = 1000
"""Characters above which a line is no row: eighteen cells with all their candidates take 200."""
_LONGEST_LOOSE = 60  # characters above which a line of digits and spaces is no row either
_COLUMNS_REMEDY = "Write blanks as dots, so that every row has nine cells."
_PITCHES = range(1, 5)  # characters from one column to the next, where blanks are spaces
_GAPS = range(7)  # further characters from one box to the next
_DASHES = "dashes"  # the form of a row that may be a rule


class Row(NamedTuple):
    """One row: where it stands, its cells (9, or 18 for two boards), and how they were parted."""

    line: int
    cells: tuple[int, ...]
    form: str
    dashed: bool = False
    """Whether a cell of it is blank by one of the marks that rules are drawn with."""
    candidates: tuple[str, ...] = ()
    """What a row of candidates holds in each of its cells."""


@dataclass
class RowGroup:
    """Rows that follow each other, with rules and gaps between them."""

    rows: list[Row] = field(default_factory=list)
    """Rows, and the lines of dashes that may be some."""
    raw: list[tuple[int, str]] = field(default_factory=list)
    """All lines but rules and gaps, for rows that have to be read by their columns."""
    breaks: set[int] = field(default_factory=set)
    """Numbers of rows that a gap or a rule stands before."""
    loose: bool = False
    """Whether there are lines that are rows only if spaces are blanks."""
    name: str = ""

    def __bool__(self) -> bool:
        return bool(self.rows or self.raw)

    @property
    def unfinished(self) -> bool:
        """Whether rows are still to come."""
        return self.loose or len(self.rows) % 9 > 0

    def row(self, row: Row, line: str) -> None:
        """Take a row, and the line that it stands in."""
        self.rows.append(row)
        self.raw.append((row.line, line))

    def loose_row(self, number: int, line: str) -> None:
        """Take a line that is a row if spaces are blanks."""
        self.raw.append((number, line))
        self.loose = True

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
        """Return the boards that these rows make; *by* is the line that ended them."""
        if self.loose and not self._whole_below_loose():
            return [_board_of_columns(self.raw, self.name)]
        rows, breaks = self._settled()
        if not rows:
            return []
        nines = range(9, len(rows), 9)
        parted = bool(breaks - {0})  # asked once: there may be half a million rows
        if len(rows) % 9 or (parted and any(at not in breaks for at in nines)):
            raise _uneven(rows, by)
        boards = [board for at in range(0, len(rows), 9) for board in _boards_of_rows(rows[at : at + 9])]
        return [replace(boards[0], name=self.name), *boards[1:]]

    def _whole_below_loose(self) -> bool:
        """Say whether what looked like rows with spaces was a line of numbers above complete rows."""
        lines = [row.line for row in self.rows]
        above = [number for number, _ in self.raw if number not in lines]
        return bool(lines) and len(lines) % 9 == 0 and max(above) < lines[0]

    def _settled(self) -> tuple[list[Row], set[int]]:
        """Return the rows without dashes that are rules, and where gaps and rules stand before them."""
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


def read_row(line: str, number: int = 0) -> Row | None:
    """Read the row of nine cells, or of eighteen, that a line holds; None if there is none."""
    if len(line) > _LONGEST_ROW:
        return None
    text = _ASSIGNED.sub("", line)
    for bar in _BARS[1:]:
        text = text.replace(bar, "|")
    fields = _fields(text)
    if fields:
        return Row(number, tuple(digit_of(cell) for cell in fields), "fields", _is_dashed(fields))
    if is_rule(line):
        dotted = set(line) - set(_BARS) - set(" ") == {"."}  # a row of blanks, then
        return _joined_row(text, number) if dotted else None
    return _joined_row(text, number)


def _fields(text: str) -> list[str]:
    """Return nine cells parted by a separator, so that blanks may be left empty; or nothing."""
    bare = _without_brackets(text) if "[" in text or "(" in text else text
    for separator in ",;\t":
        cells = [cell.strip().strip("'\"") for cell in bare.split(separator)]
        if len(cells) == 10 and not cells[9]:
            cells.pop()
        if len(cells) == 9 and all(is_cell(cell) for cell in cells):
            return cells
    cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
    if text.count("|") in (8, 10) and len(cells) == 9 and all(is_cell(cell) for cell in cells):
        return cells if any(cell for cell in cells) else []
    return []


def _without_brackets(text: str) -> str:
    """Return a row without the brackets around it, and the comma behind them.

    By hand, as a pattern that looks for the end from every space takes time by the cube of their number.
    """
    begin = next((at for at, mark in enumerate(text) if not (mark.isspace() or mark in "[(")), len(text))
    bare = text[begin:].rstrip()
    if bare.endswith(",") and (bare[-2:-1] in ("]", ")") or bare[-2:-1].isspace()):
        bare = bare[:-1]
    end = next(
        (at for at in range(len(bare), 0, -1) if not (bare[at - 1].isspace() or bare[at - 1] in "])")), 0
    )
    return bare[:end]


def _joined_row(text: str, number: int) -> Row | None:
    """Read a row of cells apart from each other or in one, with bars, brackets and commas in between."""
    words = text.translate(_LISTED).replace("|", " ").replace(",", " ").split()
    cells = [mark_of(word) if is_cell(word) else word for word in words]
    marks = "".join(cells)
    lengths = {len(cell) for cell in cells}
    if len(marks) in (9, 18) and lengths <= {1} | {3} | {9} and len(lengths) == 1 and set(marks) <= MARKS:
        form = f"words of {len(cells[0])}"
        return Row(number, tuple(map(digit_of, marks)), form, _is_dashed(cells))
    if len(cells) == 9 and all(_is_candidates(cell) for cell in cells):
        digits = tuple(digit_of(cell) if len(cell) == 1 else 0 for cell in cells)
        return Row(number, digits, "candidates", candidates=tuple(cells))
    return None


def _is_candidates(cell: str) -> bool:
    """Say whether these are the digits that a cell may hold, in order, or one that it does."""
    return is_cell(cell) or (cell.isascii() and cell.isdigit() and cell == "".join(sorted({*cell} - {"0"})))


def is_rule(line: str) -> bool:
    """Say whether a line is drawn of rules alone: it may still be a row of blanks."""
    return bool(_RULE.fullmatch(line))


def _dashed_row(line: str, number: int) -> Row | None:
    """Return the row of blanks that a rule may be: nine of one kind of dash."""
    marks = set(line) - set(_BARS) - set(" ")
    if marks not in ({"-"}, {"_"}, {"*"}):
        return None
    row = _joined_row("".join(" " if mark in _BARS else mark for mark in line), number)
    return None if row is None else row._replace(form=_DASHES, dashed=True)


def is_loose(line: str) -> bool:
    """Say whether a line holds digits, spaces and bars alone: a row, perhaps, whose blanks are spaces."""
    marks = set(line) - set(_BARS) - set(" ")
    count = sum(mark in "123456789" for mark in line)
    return marks <= set("123456789") and 0 < count < 9 and len(line.strip()) < _LONGEST_LOOSE


def _is_dashed(cells: Sequence[str]) -> bool:
    return any(mark in "-_*" for cell in cells for mark in cell)


def _boards_of_rows(rows: Sequence[Row]) -> list[NamedBoard]:
    """Return the board of nine rows, or the two that stand side by side in them."""
    widths = {len(row.cells) for row in rows}
    if len(widths) > 1:
        odd = next(row for row in rows if len(row.cells) != len(rows[0].cells))
        raise BoardError(f"line {odd.line}: {len(odd.cells)} cells, where the row above has others.", REMEDY)
    cells = np.array([row.cells for row in rows], np.int8)
    boards = [NamedBoard(cells[:, at : at + 9], line=rows[0].line) for at in range(0, cells.shape[1], 9)]
    if all(row.candidates for row in rows):
        texts = (cell if len(cell) > 1 else "" for row in rows for cell in row.candidates)
        return [replace(boards[0], marks=marks_beside(boards[0].digits, texts))]
    if len(boards) == 2 and solves(*("".join(map(str, board.clues.flat)) for board in boards[::-1])):
        return boards[:1]
    return boards


def _uneven(rows: Sequence[Row], by: tuple[int, str] | None) -> BoardError:
    """Return the error for rows that do not make boards of nine."""
    what = f"lines {rows[0].line} to {rows[-1].line} hold {len(rows)} rows of a board"
    if len(rows) == 1:
        what = f"line {rows[0].line} holds a single row of a board"
    if by and by[0]:
        what += f", then comes line {by[0]}: {by[1].strip()[:40]!r}"
    if len(rows) % 9 == 0:
        what += ", and the gaps between them part them otherwise than by nines"
    return BoardError(f"{what}.", REMEDY)


def _board_of_columns(lines: Sequence[tuple[int, str]], name: str = "") -> NamedBoard:
    """Return the board of nine numbered lines of digits, bars and spaces.

    Nine columns, evenly apart but for the boxes, must fit in one way only.
    """
    first, last = lines[0][0], lines[-1][0]
    if len(lines) != 9:
        raise BoardError(
            f"lines {first} to {last} hold {len(lines)} rows with spaces in them, a board has nine.",
            _COLUMNS_REMEDY,
        )
    texts = [text for _, text in lines]
    layouts = _layouts(texts)
    boards = {tuple(digit_of(text[at : at + 1]) for text in texts for at in columns) for columns in layouts}
    if len(boards) != 1:
        what = "fit into no nine columns" if not boards else "fit into columns in more than one way"
        raise BoardError(f"The digits of lines {first} to {last} {what}.", _COLUMNS_REMEDY)
    return NamedBoard(boards.pop(), name=name, line=first)


def _layouts(texts: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to lay nine columns through the digits, with no bar within a box."""
    digits = {at for text in texts for at, mark in enumerate(text) if mark.isdigit()}
    bars = {at for text in texts for at, mark in enumerate(text) if not mark.isdigit() and mark != " "}
    for start, pitch, gap in product(range(min(digits) + 1), _PITCHES, _GAPS):
        columns = tuple(start + pitch * cell + gap * (cell // 3) for cell in range(9))
        inside = {at for box in (0, 3, 6) for at in range(columns[box], columns[box + 2] + 1)}
        if digits <= set(columns) and not bars & inside:
            yield columns
