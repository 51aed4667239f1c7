"""F-puzzles: its JSON, in files, and in links packed by :mod:`~sudoku_vision.sudoku.formats.lz_string`.

The JSON has ``size`` and ``grid``, nine rows of cells such as ``{"value": 5, "given": true}``; pencil marks
stand in the middle of a cell or in its corners, ``{"centerPencilMarks": [2, 8]}``. The form is that which
SudokuPad's own tools read (https://github.com/SudokuPad/sudokutools, MIT). Puzzles with further rules, such
as cages or thermometers, are refused: without them they would be other puzzles.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.formats.lz_string import compress, decompress
from sudoku_vision.sudoku.formats.named_board import BLANK_BOARD, NamedBoard, marks_beside
from sudoku_vision.sudoku.formats.nesting import check_depth

MAX_PACKED = 1 << 16
"""Characters of a packed puzzle: a plain sudoku takes about a thousand."""

_REMEDY = "Copy the whole link once more."
PLAIN_REMEDY = "Only plain sudokus can be read: nine rows, columns and boxes, without further rules."

_RULES = frozenset(
    [
        "antiking",
        "antiknight",
        "arrow",
        "betweenline",
        "clone",
        "diagonal+",
        "diagonal-",
        "difference",
        "disjointgroups",
        "doublearrow",
        "entropicline",
        "even",
        "extraregion",
        "killercage",
        "littlekillersum",
        "lockout",
        "maximum",
        "minimum",
        "modularline",
        "negative",
        "nabner",
        "nonconsecutive",
        "odd",
        "palindrome",
        "quadruple",
        "ratio",
        "regionsumline",
        "renban",
        "rowindexer",
        "columnindexer",
        "boxindexer",
        "sandwichsum",
        "skyscraper",
        "slowthermometer",
        "thermometer",
        "whispers",
        "xsum",
        "xv",
        "zipperline",
    ]
)
"""Keys of f-puzzles' JSON that add rules."""


def pack_fpuzzle(board: NamedBoard) -> str:
    """Pack a board as f-puzzles does: Base64 of LZ-string of its JSON."""
    puzzle: dict[str, Any] = {"size": 9, "grid": [[_fcell(board, r, c) for c in range(9)] for r in range(9)]}
    if board.name:
        puzzle["title"] = board.name
    return compress(json.dumps(puzzle, separators=(",", ":"), ensure_ascii=False))


def _fcell(board: NamedBoard, row: int, column: int) -> dict[str, Any]:
    if board.clues[row, column]:
        return {"value": int(board.clues[row, column]), "given": True}
    if board.placed[row, column]:
        return {"value": int(board.placed[row, column])}
    marks = board.marks[9 * row + column]
    return {_MARKS_KEYS[0]: sorted(marks)} if marks else {}


_MARKS_KEYS = ("centerPencilMarks", "cornerPencilMarks")
"""The marks of a cell: those in the middle are its candidates, and count where it has both."""


def unpack_fpuzzle(packed: str) -> NamedBoard:
    """Unpack what :func:`pack_fpuzzle` and f-puzzles make."""
    return board_of_fpuzzle(unpack_object(packed))


def board_of_fpuzzle(puzzle: dict[str, Any]) -> NamedBoard:
    """Read f-puzzles' JSON; raises :class:`~sudoku_vision.errors.BoardError` if it is not plain."""
    further = sorted(key for key in puzzle if key in _RULES and puzzle[key])
    if further:
        raise BoardError(f"The puzzle has further rules: {', '.join(further)}.", PLAIN_REMEDY)
    cells = nine_by_nine(puzzle.get("grid"))
    for place, cell in enumerate(cells):
        region = cell.get("region")
        if region is not None and region != place // 27 * 3 + place % 9 // 3:
            raise BoardError("The puzzle has boxes of other shapes.", PLAIN_REMEDY)
    return board_of_cells(cells, puzzle.get("title"), lambda cell: bool(cell.get("given")))


def board_of_cells(
    cells: list[dict[str, Any]], title: Any, is_clue: Callable[[dict[str, Any]], bool]
) -> NamedBoard:
    """Make the board of 81 JSON cells; *is_clue* tells those that are clues from those that were placed."""
    digits = np.array([_value(cell, place) for place, cell in enumerate(cells)], np.int8).reshape(9, 9)
    clue = np.array([is_clue(cell) for cell in cells]).reshape(9, 9)
    name = title if isinstance(title, str) else ""
    marks = marks_beside(digits, map(_marks, cells))
    return NamedBoard(
        np.where(clue, digits, BLANK_BOARD), np.where(clue, BLANK_BOARD, digits), name, marks=marks
    )


def nine_by_nine(rows: Any) -> list[dict[str, Any]]:
    """Return the cells of nine rows of nine, one after another."""
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise BoardError("The puzzle has no rows of cells.", _REMEDY)
    if len(rows) != 9 or any(len(row) != 9 for row in rows):
        raise BoardError(
            f"The puzzle has {len(rows)} rows of cells, a sudoku has nine of nine.", PLAIN_REMEDY
        )
    return [cell if isinstance(cell, dict) else {} for row in rows for cell in row]


def _value(cell: dict[str, Any], place: int) -> int:
    value = cell.get("value")
    if value in (None, "", 0, "0"):
        return 0
    text = str(value)
    if len(text) == 1 and text in "123456789":
        return int(text)
    row, column = divmod(place, 9)
    raise BoardError(f"r{row + 1}c{column + 1} holds {text[:20]!r}, not 1 to 9.", PLAIN_REMEDY)


def _marks(cell: dict[str, Any]) -> str:
    """Return the pencil marks of a JSON cell as text."""
    found = next((cell[key] for key in _MARKS_KEYS if cell.get(key)), ())
    return "".join(map(str, found)) if isinstance(found, list) else ""


_AS_BASE64 = str.maketrans(" -$", "+/=")


def unpack_object(packed: str) -> dict[str, Any]:
    """Return the JSON object that is packed; bounded in size and depth."""
    # A plus may have become a space on its way; "-" and "$" are what lz-string itself writes where it wants
    # to be safe in links.
    plain = unquote(packed).translate(_AS_BASE64)
    if len(plain) > MAX_PACKED:
        raise BoardError(f"This link is longer than {MAX_PACKED} characters.", _REMEDY)
    text = decompress(plain)
    check_depth(text)
    try:
        puzzle = json.loads(text)
    except (ValueError, RecursionError):
        raise BoardError(
            "The packed puzzle in this link is no JSON that this program knows.", _REMEDY
        ) from None
    if not isinstance(puzzle, dict):
        raise BoardError("The packed puzzle in this link is no object.", _REMEDY)
    return puzzle
