"""Tables: a header with the names of the columns, then a line for each puzzle."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from sudoku_vision.sudoku.board import board_text
from sudoku_vision.sudoku.formats.characters import BOARD_81
from sudoku_vision.sudoku.formats.named_board import NamedBoard
from sudoku_vision.sudoku.solver import solve

_COLUMNS = "puzzle puzzles quiz quizzes board boards sudoku clues givens grid"
PUZZLE_COLUMNS = tuple(_COLUMNS.split())
"""Possible names of the column with the puzzles. If a table has several, the first in this order is read."""
NAME_COLUMNS = ("name", "title")  # possible names of the column with the names of the puzzles


@dataclass(frozen=True)
class Table:
    """The names of a table's columns, in small letters, and the separator between two fields of a line.

    ``columns`` is empty if there is no table.
    """

    columns: tuple[str, ...] = ()
    separator: str = ","

    @classmethod
    def of_header(cls, line: str) -> "Table | None":
        """Return the table whose header is *line*; None if no column of it is for puzzles."""
        separator = max(",;\t", key=line.count)
        names = tuple(name.strip().strip("\"'").lower() for name in line.split(separator))
        return None if set(PUZZLE_COLUMNS).isdisjoint(names) else cls(names, separator)

    def pick(self, line: str) -> tuple[str, str] | None:
        """Return the puzzle and its name from a line of the table; None if the line holds no puzzle.

        The name is empty if there is none.
        """
        puzzle = self.puzzle_field(line)
        if puzzle is None or not BOARD_81.fullmatch(puzzle):
            return None
        return puzzle, original_cell(self._field(line, NAME_COLUMNS) or "")

    def puzzle_field(self, line: str) -> str | None:
        """Return the field in the column for puzzles, even if it is no puzzle; None if there is no field."""
        return self._field(line, PUZZLE_COLUMNS)

    @property
    def puzzles_first(self) -> bool:
        """Whether the column for puzzles is the first column."""
        return next(column for column in PUZZLE_COLUMNS if column in self.columns) == self.columns[0]

    def _field(self, line: str, wanted: Sequence[str]) -> str | None:
        """Return the field in the first of the *wanted* columns that the table has.

        Returns None if the table has none of them, or if the line has no such field.
        """
        place = next((self.columns.index(column) for column in wanted if column in self.columns), None)
        if place is None:
            return None
        try:
            fields = next(csv.reader([line], delimiter=self.separator), [])
        except csv.Error:
            return None
        return fields[place].strip() if place < len(fields) else None


def inert_cell(text: str) -> str:
    """Return *text* in a form in which no spreadsheet takes it for a formula, for a cell of CSV.

    If the text begins like a formula, ``'`` is put before it (OWASP, CSV injection). Our reader removes the
    ``'`` again.
    """
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA_BEGINS) else text


def original_cell(cell: str) -> str:
    """Return the original text of a *cell* that was written by :func:`inert_cell`."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA_BEGINS) else cell


_FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r")


def written_table(boards: Sequence[NamedBoard]) -> str:
    """Return a CSV table of puzzles and their solutions, and of their names if there are any.

    The field for the solution is empty unless the puzzle has exactly one solution.
    """
    columns = 3 if any(board.name for board in boards) else 2
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["puzzle", "solution", "name"][:columns])
    for board in boards:
        solved = solve(board.clues, rules=board.rules)
        solution = str(solved) if solved.status == "one" else ""
        table.writerow([board_text(board.clues), solution, inert_cell(board.name)][:columns])
    return file.getvalue()
