"""Tables of puzzles: a header with the names of the columns, then a line for each puzzle."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from sudoku_vision.sudoku.board import board_text
from sudoku_vision.sudoku.formats.named_board import BOARD_81, NamedBoard
from sudoku_vision.sudoku.solver import solve

_COLUMNS = "puzzle puzzles quiz quizzes board boards sudoku clues givens grid"
PUZZLE_COLUMNS = tuple(_COLUMNS.split())
"""Names of columns with puzzles; if a table has several of them, the first in this order is read."""
NAME_COLUMNS = ("name", "title")  # possible names of the column with the names of the puzzles


@dataclass(frozen=True)
class Table:
    """The names of a table's columns, in small letters, and the separator between the fields of a line."""

    columns: tuple[str, ...] = ()
    separator: str = ","

    @classmethod
    def of_header(cls, line: str) -> "Table | None":
        """Return the table with this header; None if *line* names no column with puzzles."""
        separator = max(",;\t", key=line.count)
        names = tuple(name.strip().strip("\"'").lower() for name in line.split(separator))
        return None if set(PUZZLE_COLUMNS).isdisjoint(names) else cls(names, separator)

    def pick(self, line: str) -> tuple[str, str] | None:
        """Return the puzzle and its name (or "") from a line of the table; None if there is no puzzle."""
        puzzle = self.puzzle_field(line)
        if puzzle is None or not BOARD_81.fullmatch(puzzle):
            return None
        return puzzle, original_cell(self._field(line, NAME_COLUMNS) or "")

    def puzzle_field(self, line: str) -> str | None:
        """Return the field in the column with puzzles, valid or not; None if the line has no such field."""
        return self._field(line, PUZZLE_COLUMNS)

    @property
    def puzzles_first(self) -> bool:
        """Whether the column with puzzles is the first column."""
        return next(column for column in PUZZLE_COLUMNS if column in self.columns) == self.columns[0]

    def _field(self, line: str, wanted: Sequence[str]) -> str | None:
        """Return the field in the first of the *wanted* columns that the table has; None if there is none."""
        place = next((self.columns.index(column) for column in wanted if column in self.columns), None)
        if place is None:
            return None
        try:
            fields = next(csv.reader([line], delimiter=self.separator), [])
        except csv.Error:
            return None
        return fields[place].strip() if place < len(fields) else None


def inert_cell(text: str) -> str:
    """Return *text*, with ``'`` before it if a spreadsheet would run it as a formula (CSV injection)."""
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA_BEGINS) else text


def original_cell(cell: str) -> str:
    """Return the text that :func:`inert_cell` was called with for this *cell*."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA_BEGINS) else cell


_FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r")


def written_table(boards: Sequence[NamedBoard]) -> str:
    """Return a CSV table of puzzles, with their only solutions and, if there are any, their names."""
    columns = 3 if any(board.name for board in boards) else 2
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["puzzle", "solution", "name"][:columns])
    for board in boards:
        solved = solve(board.clues, rules=board.rules)
        solution = str(solved) if solved.status == "one" else ""
        table.writerow([board_text(board.clues), solution, inert_cell(board.name)][:columns])
    return file.getvalue()
