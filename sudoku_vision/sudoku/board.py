"""Boards in and out: text or array -> 81 values, and a board as a grid to print.

A board is 81 cells in reading order, each 0 for blank or 1..9.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import BoardError
from sudoku_vision.results import Board

BoardLike: TypeAlias = str | Sequence[Sequence[int]] | Sequence[int] | NDArray[Any]
"""What people hand over as a board: a line of 81 characters, a (9, 9) array or nested list, or 81 values."""

BLANKS = "0._*xX-"
"""Characters that stand for a blank cell in text; in a line of 81 characters, a space does, too."""

_VALUES = {str(digit): digit for digit in range(1, 10)} | dict.fromkeys(BLANKS, 0)
_REMEDY = "Give 81 cells in reading order, each a digit 1 to 9 or a blank (0 or one of . _ * x X -)."


def parse_board(board: BoardLike) -> tuple[int, ...]:
    """Read *board* as 81 values in reading order, 0 for blank.

    Text may be broken into lines: white space is skipped. Raises :class:`BoardError` for anything that isn't
    81 cells with 0 to 9 in each.
    """
    values = _values_of_text(board) if isinstance(board, str) else _values_of_array(board)
    if len(values) != 81:
        raise BoardError(f"A board has 81 cells, this one has {len(values)}.", _REMEDY)
    return values


def board_array(values: Iterable[int]) -> Board:
    """Lay 81 values out as a (9, 9) int8 board."""
    return np.frombuffer(bytearray(list(values)), np.int8).reshape(9, 9)


def cell_name(cell: int) -> str:
    """Return the name of a cell (0..80) as people count rows and columns: ``r3c7``."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def area_names(cells: Iterable[int]) -> str:
    """Return the names of the areas that *cells* (0..80) make: first and last cell of each.

    >>> area_names([0, 40, 41, 49, 50])
    'r1c1, r5c5-r6c6'
    """
    rest, names = set(cells), []
    while rest:
        area, edge = set[int](), {min(rest)}
        while edge:
            area |= edge
            rest -= edge
            edge = {cell for cell in rest if any(_are_adjacent(cell, other) for other in edge)}
        rows, columns = {cell // 9 for cell in area}, {cell % 9 for cell in area}
        first, last = 9 * min(rows) + min(columns), 9 * max(rows) + max(columns)
        names.append(cell_name(first) if first == last else f"{cell_name(first)}-{cell_name(last)}")
    return ", ".join(names)


def _are_adjacent(one: int, other: int) -> bool:
    return max(abs(one // 9 - other // 9), abs(one % 9 - other % 9)) <= 1


def _values_of_text(text: str) -> tuple[int, ...]:
    # In a line of just 81 characters, spaces are cells; elsewhere they are there for the eye.
    cells = text.replace(" ", "0") if len(text) == 81 and text.isprintable() else "".join(text.split())
    try:
        return tuple([_VALUES[mark] for mark in cells])
    except KeyError:
        place, mark = next((place, mark) for place, mark in enumerate(cells, 1) if mark not in _VALUES)
        raise BoardError(f"{mark!r} at place {place} is neither a digit nor a blank.", _REMEDY) from None


def _values_of_array(board: object) -> tuple[int, ...]:
    try:
        array = np.asarray(board)
    except ValueError as error:
        raise BoardError("The rows of the board differ in length.", _REMEDY) from error
    if array.shape not in ((9, 9), (81,)):
        raise BoardError(f"A board has shape (9, 9), this one has {array.shape}.", _REMEDY)
    if array.dtype.kind not in "iu" and not _whole_numbers(array):
        raise BoardError(f"A board holds whole numbers, this one holds {array.dtype}.", _REMEDY)
    values = tuple(int(value) for value in array.reshape(81).tolist())
    wrong = next((value for value in values if not 0 <= value <= 9), None)
    if wrong is not None:
        raise BoardError(f"A cell holds 0 to 9, this one holds {wrong}.", _REMEDY)
    return values


def _whole_numbers(array: NDArray[Any]) -> bool:
    return array.dtype.kind == "f" and bool(np.all(np.isfinite(array)) and np.all(array == np.round(array)))
