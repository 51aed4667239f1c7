"""Read a board from a text or an array as 81 values; write boards, pencil marks and cells as text.

A board is 81 cells in reading order, each 0 for blank or 1..9.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import BoardError

Board = NDArray[np.int8]
"""A board: (9, 9) int8, 0 for blank."""
Marks = tuple[frozenset[int], ...]
"""The pencil marks of 81 cells: for each the set of its small digits 1..9, empty if it has none."""


class _NoMarks(tuple[frozenset[int], ...]):
    """81 empty sets that print and pickle as ``NO_MARKS``: the default of many arguments."""

    def __repr__(self) -> str:
        return "NO_MARKS"

    __reduce__ = __repr__


NO_MARKS: Marks = _NoMarks([frozenset()] * 81)  # a board without any pencil marks

BoardLike: TypeAlias = str | Sequence[Sequence[int]] | Sequence[int] | NDArray[Any]
"""All forms of a board that are understood: 81 characters, a (9, 9) array or nested list, or 81 values."""

BLANKS = "0._*xX-"
"""Characters that mean a blank cell in text; in a line of exactly 81 characters, so does a space."""

_VALUES = {str(digit): digit for digit in range(1, 10)} | dict.fromkeys(BLANKS, 0)
_REMEDY = "Give 81 cells in reading order, each a digit 1 to 9 or a blank (0 or one of . _ * x X -)."


def parse_board(board: BoardLike) -> tuple[int, ...]:
    """Read *board* as 81 values in reading order, 0 for blank.

    White space in text is skipped, so it may have lines. Raises :class:`BoardError` unless there are
    81 cells with 0 to 9 in each.
    """
    values = _values_of_text(board) if isinstance(board, str) else _values_of_array(board)
    if len(values) != 81:
        raise BoardError(f"A board has 81 cells, this one has {len(values)}.", _REMEDY)
    return values


def board_array(values: Iterable[int]) -> Board:
    """Lay 81 values out as a (9, 9) int8 board."""
    return np.frombuffer(bytearray(list(values)), np.int8).reshape(9, 9)


def board_text(board: Board) -> str:
    """Write a (9, 9) board as 81 digits in reading order, 0 for blank."""
    return (np.asarray(board).reshape(81).astype(np.uint8) + ord("0")).tobytes().decode("ascii")


def marks_text(marks: Marks) -> list[str]:
    """Write the pencil marks of 81 cells as texts of ascending digits such as ``"28"``; empty for none."""
    return ["".join(map(str, sorted(digits))) if digits else "" for digits in marks]


def place_dict(cell: int) -> dict[str, Any]:
    """Return the place of a cell (0..80) for JSON; rows and columns count from 1."""
    return {"cell": cell, "row": cell // 9 + 1, "column": cell % 9 + 1}


def cell_name(cell: int) -> str:
    """Return the name of a cell (0..80) such as ``r3c7``; rows and columns count from 1."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def area_names(cells: Iterable[int]) -> str:
    """Return the names of the connected areas of *cells* (0..80): the first and the last cell of each.

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
    # In a line of exactly 81 characters, spaces are blank cells; elsewhere they only separate.
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
