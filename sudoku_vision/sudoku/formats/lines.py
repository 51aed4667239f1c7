"""Lines: a board in one line of text, with or without something before or behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.formats.cell_marks import (
    BLANK_MARKS,
    BOARD_81,
    MARKS,
    REMEDY,
    board_of_marks,
    digit_of,
    has_digit,
    is_cell,
    mark_of,
    solves,
)
from sudoku_vision.sudoku.formats.named_board import NamedBoard
from sudoku_vision.sudoku.formats.tables import Table

_SPLIT = re.compile(r"[\s,;|\"']+")
_PARTED = re.compile(r"[\s,;|\[\](){}\"']+")
_CELL = r"[1-9" + re.escape(BLANK_MARKS) + r"]"
_HODOKU = re.compile(r":[^:]*:[^:]*:(?P<cells>[^:]+):(?:[^:]*:){0,4}[^:]*")
_PLUSES = re.compile(rf"(?:{_CELL}|\+[1-9]){{81}}")

_ALMOST = 0.9
"""Share of cells among the characters of a word above which it is meant as a board."""
_BOARDLIKE = range(60, 110)
"""Lengths of a word of cells that is meant as a board of 81, in spite of a wrong character."""
_TWO_ROWS = 18
"""Cells in a word above which it is more than two rows: a board, then."""
_ROWLIKE = (7, 8, 10, 11)
"""Cells apart from each other that are meant as a row of nine."""


def board_of_line(line: str, number: int, table: Table) -> NamedBoard | None:
    """Read the board in a line of that number, or give None; its name is what the line itself says.

    Raises :class:`~sudoku_vision.errors.BoardError` for what is almost a board, or almost a row of one.
    """
    hodoku = _HODOKU.fullmatch(line.strip())
    if hodoku:
        return _with_placed(hodoku["cells"], number)
    words = [word for word in _SPLIT.split(line) if word]
    boards = [word for word in words if BOARD_81.fullmatch(word)]
    if boards:
        puzzle, name = table.pick(line) or (_puzzle_of(boards), "")
        return board_of_marks(puzzle, number, name or _remark(line))
    placed = next((word for word in words if _PLUSES.fullmatch(word)), None)
    if placed:
        return _with_placed(placed, number)
    if len(line) == 81 and not line.strip("0123456789 ") and has_digit(line):
        return board_of_marks(line.replace(" ", "0"), number)
    cells = _PARTED.sub(" ", line).split()
    if len(cells) == 81 and all(is_cell(cell) for cell in cells):
        return board_of_marks("".join(map(mark_of, cells)), number)
    for word in words:
        _refuse_almost(word, number)
    _refuse_row(cells, number)
    return None


def _with_placed(cells: str, line: int) -> NamedBoard:
    """Read a board in which ``+`` stands before each digit that is no clue."""
    found = re.findall(rf"\+?{_CELL}", cells)
    if "".join(found) != cells or len(found) != 81:
        raise BoardError(
            f"line {line}: a board has 81 cells, this one has {len(cells.replace('+', ''))}.", REMEDY
        )
    digits = np.array([digit_of(cell[-1]) for cell in found], np.int8).reshape(9, 9)
    placed = np.array([cell[0] == "+" for cell in found]).reshape(9, 9)
    return NamedBoard(np.where(placed, 0, digits), np.where(placed, digits, 0), line=line)


def _puzzle_of(boards: Sequence[str]) -> str:
    """Choose the puzzle among the boards of a line: the first, unless it is the second one's solution."""
    first, *others = boards
    return others[0] if others and solves(first, others[0]) else first


def _remark(line: str) -> str:
    """Return what stands behind ``#`` in the line of a board."""
    return line.partition("#")[2].strip()


def _refuse_almost(word: str, line: int) -> None:
    """Raise for a word that is meant as a board, but has a wrong length or a wrong character in it."""
    known = sum(mark in MARKS for mark in word)
    whole = known == len(word) > _TWO_ROWS
    if not whole and (len(word) not in _BOARDLIKE or known < _ALMOST * len(word)):
        return
    if not has_digit(word):
        return  # a rule of another kind
    wrong = next((place for place, mark in enumerate(word) if mark not in MARKS), None)
    if len(word) == 81 and wrong is not None:
        what = f"{word[wrong]!r} at place {wrong + 1} is neither a digit nor a blank."
        raise BoardError(f"line {line}: {what}", REMEDY)
    raise BoardError(f"line {line}: a board has 81 cells, this one has {len(word)}.", REMEDY)


def _refuse_row(cells: Sequence[str], line: int) -> None:
    """Raise for cells apart from each other that are meant as a row, but are not nine."""
    single = all(len(cell) == 1 and cell in MARKS for cell in cells)
    if single and len(cells) in _ROWLIKE and has_digit("".join(cells)):
        raise BoardError(f"line {line}: a row has nine cells, this one has {len(cells)}.", REMEDY)
