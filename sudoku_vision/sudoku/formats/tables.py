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
"""Possible names of the column with the puzzles. If a table has several of these columns, the column whose
name comes first in this order is read."""
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
        """Return the table whose header is *line*; None if *line* has no column for puzzles."""
        separator = max(",;\t", key=line.count)
        names = tuple(name.strip().strip("\"'").lower() for name in line.split(separator))
        return None if set(PUZZLE_COLUMNS).isdisjoint(names) else cls(names, separator)

    def pick(self, line: str) -> tuple[str, str] | None:
        """Return the puzzle and its name from a line of the table; None if the line holds no puzzle.

        The name is empty if the puzzle has no name.
        """
        puzzle = self.puzzle_field(line)
        if puzzle is None or not BOARD_81.fullmatch(puzzle):
            return None
        return puzzle, original_cell(self._field(line, NAME_COLUMNS) or "")

    def puzzle_field(self, line: str) -> str | None:
        """Return the field of a line in the column for puzzles; None if there is no such field.

        The field may hold anything, not only a puzzle.
        """
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
    """Return *text* for a cell of CSV, in a form that no spreadsheet takes for a formula.

    If the text begins like a formula, ``'`` is put before it (OWASP, CSV injection). :func:`original_cell`
    removes the ``'`` again.
    """
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA_BEGINS) else text


def original_cell(cell: str) -> str:
    """Return the original text of a *cell* that was written by :func:`inert_cell`."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA_BEGINS) else cell


_FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r")


def written_table(boards: Sequence[NamedBoard]) -> str:
    """Return a CSV table with the puzzles, their solutions, and their names if at least one has a name.

    If a puzzle does not have exactly one solution, its field for the solution is empty.
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
