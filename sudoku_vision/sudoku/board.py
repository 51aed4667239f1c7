"""Read boards from texts and arrays; write boards, pencil marks and cells as text.

A board has 81 cells in reading order. The value of a cell is its digit 1..9, or 0 for a blank cell.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import BoardError, UsageError, named

Board = NDArray[np.int8]
"""An array (9, 9) int8 of digits, 0 for blank."""
Marks = tuple[frozenset[int], ...]
"""For each of 81 cells, the set of its pencil marks: small digits 1..9 that may be right for the cell."""


class _NoMarks(tuple[frozenset[int], ...]):
    """81 empty sets. A pickle stores only the name ``NO_MARKS``, so loading it returns the same object."""

    def __repr__(self) -> str:
        return "NO_MARKS"

    __reduce__ = __repr__


NO_MARKS: Marks = _NoMarks([frozenset()] * 81)


class HasPuzzle(Protocol):
    """An object with a ``puzzle``, and perhaps with ``rules``, such as a :class:`Grid` read from a photo."""

    @property
    def puzzle(self) -> Board:
        """The clues (9, 9) int8."""


BoardLike: TypeAlias = str | bytes | Sequence[Any] | NDArray[Any] | HasPuzzle
"""A board in one of these forms: a text of 81 cells, nine texts, nine lists of nine, 81 values, an array, a
pandas DataFrame, or an object with a puzzle.

A cell is a digit, as a number or as text. A blank cell is 0, None, NaN, an empty text or a character of
:data:`BLANKS`. If the object is a :class:`Grid` or a result of :func:`generate`, its rules are used, too.
"""
MarksLike: TypeAlias = Sequence[Iterable[int] | str] | None
"""Pencil marks of 81 cells: sets of digits, or texts such as ``"28"``; None for no marks."""

BLANKS = "0._*xX-?·"
"""Characters for a blank cell. In a line of exactly 81 characters, a space is a blank cell, too."""

_VALUES: dict[object, int] = {
    **{str(digit): digit for digit in range(1, 10)},
    **{digit: digit for digit in range(10)},
    **dict.fromkeys((*BLANKS, "", " ", None), 0),
}
_DIGITS = frozenset(range(1, 10))
_REMEDY = "Give 81 cells in reading order, each a digit 1 to 9 or a blank (0 or one of . _ * x X -)."
_READ_FIRST = "Read it first: a picture by solve_photo(name).grids[0], a text by Path(name).read_text()."
_FRAMES = re.compile(r"^.*[+\u2500\u2501\u2550].*$|[|\u2502\u2503\u2551]", re.MULTILINE)
"""Matches the borders that a text draws: a line of text with a horizontal stroke, or one vertical stroke."""


def parse_board(board: BoardLike) -> tuple[int, ...]:
    """Read *board* as 81 values in reading order, 0 for blank.

    In text, white space and drawn borders between the cells are skipped. Raises :class:`BoardError` unless
    there are 81 cells, each with a digit or blank.
    """
    puzzle = getattr(board, "puzzle", board)
    cells = cells_in(puzzle)
    try:
        # Only NaN differs from itself. It is a blank cell.
        values = tuple([_VALUES[cell if cell == cell else None] for cell in cells])
    except (KeyError, TypeError):
        place, cell = next((place, cell) for place, cell in enumerate(cells, 1) if not _is_known(cell))
        if isinstance(puzzle, str) and len(cells) < 81 and Path(puzzle).suffix:
            raise BoardError(f"{puzzle!r} is no board, but the name of a file.", _READ_FIRST) from None
        raise BoardError(f"{cell!r} at place {place} is neither a digit nor a blank.", _REMEDY) from None
    if len(values) != 81:
        raise BoardError(f"A board has 81 cells, this one has {len(values)}.", _REMEDY)
    return values


def cells_in(given: Any) -> Sequence[Any]:
    """Return the cells of a text, lists, an array or a table, in reading order.

    A text may have any number of cells. Raises BoardError if any other object does not have 81 cells.
    """
    text = given.decode("latin-1") if isinstance(given, bytes) else given
    if not isinstance(text, str):
        try:
            array = np.asarray(list(given) if isinstance(given, Iterator) else given)
        except ValueError as error:
            raise BoardError("The rows of the board differ in length.", _REMEDY) from error
        if array.shape == (9,) and array.dtype.kind == "U":
            return cells_in("".join(array))
        if array.ndim == 0:
            raise BoardError(f"A board is expected, this is {named(given)}.", f"{_REMEDY} {_READ_FIRST}")
        if array.dtype.kind == "b":
            raise BoardError("A board holds digits, this one holds truth values.", _REMEDY)
        if array.shape not in ((9, 9), (81,)):
            raise BoardError(f"A board has shape (9, 9), this one has {array.shape}.", _REMEDY)
        cells: list[Any] = array.ravel().tolist()
        return cells
    if len(text) == 81 and text.isprintable():  # spaces are blank cells here; in other texts they are skipped
        return text
    return "".join(_FRAMES.sub("", text).split())


def parse_marks(marks: MarksLike) -> Marks:
    """Return *marks* as 81 sets of digits 1 to 9; raises :class:`BoardError` if *marks* are anything else."""
    if marks is None or marks is NO_MARKS:
        return NO_MARKS
    try:
        read = tuple(frozenset(map(int, digits)) for digits in marks)
    except (TypeError, ValueError):
        read = ()
    if len(read) != 81 or not all(digits <= _DIGITS for digits in read):
        what = f"Pencil marks are 81 sets of digits 1 to 9, {named(marks)} is something else."
        raise BoardError(
            what, 'Give {2, 8} or "28" for each cell, and an empty one for a cell without marks.'
        )
    return read


def check_several(boards: object) -> None:
    """Raise :class:`UsageError` if *boards* is a single text, or an object that is not iterable."""
    if isinstance(boards, str | bytes) or not isinstance(boards, Iterable):
        raise UsageError(f"Several boards are expected, this is {named(boards)}.", "Put it into a list.")


def board_array(values: Iterable[int]) -> Board:
    """Return 81 values in reading order as a board (9, 9) int8."""
    return np.frombuffer(bytearray(list(values)), np.int8).reshape(9, 9)


def board_text(board: Board) -> str:
    """Write a (9, 9) board as 81 digits in reading order, 0 for blank."""
    return (np.asarray(board).reshape(81).astype(np.uint8) + ord("0")).tobytes().decode("ascii")


def marks_text(marks: Marks) -> list[str]:
    """Write the pencil marks of each cell as a text such as ``"28"``, empty for a cell without marks."""
    return ["".join(map(str, sorted(digits))) if digits else "" for digits in marks]


def place_dict(cell: int) -> dict[str, Any]:
    """Return the number (0..80), row and column (1..9) of a *cell* for JSON."""
    return {"cell": cell, "row": cell // 9 + 1, "column": cell % 9 + 1}


def cell_name(cell: int) -> str:
    """Return the name of a *cell* (0..80), for example ``r3c7``."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def area_names(cells: Iterable[int]) -> str:
    """Return the connected areas of *cells* (0..80) as text: the corner cells that :func:`areas` returns.

    >>> area_names([0, 40, 41, 49, 50])
    'r1c1, r5c5-r6c6'
    """
    names = ((cell_name(first), cell_name(last)) for first, last in areas(cells))
    return ", ".join(first if first == last else f"{first}-{last}" for first, last in names)


def areas(cells: Iterable[int]) -> list[tuple[int, int]]:
    """Return the bounding box of each connected area of *cells* (0..80): its top left and bottom right cell.

    Cells are connected if they share a side or a corner.

    >>> areas([0, 40, 41, 49, 50])
    [(0, 0), (40, 50)]
    """
    rest, found = set(cells), []
    while rest:
        area, edge = set[int](), {min(rest)}
        while edge:
            area |= edge
            rest -= edge
            edge = {
                cell
                for cell in rest
                if any(max(abs(cell // 9 - other // 9), abs(cell % 9 - other % 9)) <= 1 for other in edge)
            }
        rows, columns = {cell // 9 for cell in area}, {cell % 9 for cell in area}
        found.append((9 * min(rows) + min(columns), 9 * max(rows) + max(columns)))
    return found


def _is_known(cell: Any) -> bool:
    try:
        return (cell if cell == cell else None) in _VALUES
    except TypeError:  # the cell is a list or a set, which can't be a key of a dictionary
        return False
