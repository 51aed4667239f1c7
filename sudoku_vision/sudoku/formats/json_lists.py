"""JSON, and the lists that Python prints: boards as values.

A board may be 81 characters, 81 values, nine rows of nine values or of nine characters, or the grid of an
f-puzzles or SudokuPad file; an object holds it under a name such as ``puzzle``, or holds several. One object
a line, as ``sudoku-vision solve --json`` prints them, is read too. Values are 1 to 9; blanks are 0, null,
false, an empty text or any mark for a blank.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from sudoku_vision.errors import BoardError
from sudoku_vision.results import board_text, marks_text
from sudoku_vision.sudoku.formats.cell_marks import BLANK_WORDS, MARKS, REMEDY, cells_81
from sudoku_vision.sudoku.formats.format import Format
from sudoku_vision.sudoku.formats.fpuzzles import board_of_fpuzzle
from sudoku_vision.sudoku.formats.named_board import BLANK_BOARD, NamedBoard, marks_beside, marks_without
from sudoku_vision.sudoku.formats.nesting import check_depth
from sudoku_vision.sudoku.formats.sudokupad import board_of_sudokupad

_PUZZLE_KEYS = (
    "puzzle",
    "board",
    "grid",
    "sudoku",
    "givens",
    "clues",
    "quiz",
    "question",
    "mission",
    "values",
)
_PLACED_KEYS = ("written", "placed")
_NAME_KEYS = ("name", "title")
_LIST_KEYS = ("puzzles", "boards", "sudokus", "grids", "games")
_NOT_READ = ("unreadable", "no_grid", "error")
"""Statuses of pictures from which no puzzle could be read."""
_PYTHON = re.compile(r"[\[\](){}\s\d,.'\"+_*xX?·-]+|None|True|False|array|dtype|int\d+|=")
_ASSIGNED = re.compile(r"[A-Za-z_][\w.]{0,40} ?(?::[^=\n]{0,80})?= ?(?=[\[({a-z])")
_ARRAY = re.compile(r"(?:\w{1,10}\.)?array(?=\()")


def read_json_lists(text: str) -> list[NamedBoard] | None:
    """Read the boards of JSON or a Python list, or give None if *text* is neither.

    Raises :class:`~sudoku_vision.errors.BoardError` for values that make no board.
    """
    begun = text.strip()
    for introduction in (_ASSIGNED, _ARRAY):
        found = introduction.match(begun)
        begun = begun[found.end() :] if found else begun
    if begun[:1] not in '[{("':
        return None
    check_depth(begun)
    value, known = _parsed(begun)
    if known:
        return list(_boards(value, "the value"))
    return _read_lines(text)


def _read_lines(text: str) -> list[NamedBoard] | None:
    """Read the boards of one value a line."""
    boards: list[NamedBoard] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        value, known = _parsed(line)
        if not known or not isinstance(value, dict | list | str):
            return None
        found = _boards(value, f"line {number}")
        boards += [replace(board, line=number) for board in found]
    return boards


def _parsed(text: str) -> tuple[Any, bool]:
    """Parse JSON or a Python list to its value, and say whether it is one."""
    for written in (text, _as_json(text)):
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(written), True
    return None, False


def _as_json(text: str) -> str:
    """Rewrite a Python list as JSON; empty if there is more in it than lists, numbers and short texts."""
    if _PYTHON.sub("", text):
        return ""
    short = " ".join(text.split())  # long runs of spaces would take the patterns below for ever
    plain = re.sub(r"\barray\b|,? ?dtype ?= ?int\d+", "", short).translate(_TO_JSON)
    plain = plain.replace("None", "null").replace("True", "true").replace("False", "false")
    return re.sub(r",( ?[\]}])", r"\1", plain).strip().rstrip(",;")


_TO_JSON = str.maketrans("()'", '[]"')


def _boards(value: Any, where: str) -> Iterator[NamedBoard]:
    """Yield all boards in a value."""
    if isinstance(value, dict):
        yield from _boards_of_object(value, where)
    elif _is_board(value):
        yield NamedBoard(_values(value, where))
    elif isinstance(value, list) and value and all(isinstance(part, dict | list | str) for part in value):
        for number, part in enumerate(value, start=1):
            yield from _boards(part, f"{where}, part {number}")
    else:
        raise BoardError(f"{where} holds {_shape(value)}, which is no board.", REMEDY)


def _boards_of_object(value: dict[str, Any], where: str) -> Iterator[NamedBoard]:
    """Yield the boards of one JSON object."""
    keys = {key.lower(): key for key in value}
    name = next((value[keys[key]] for key in _NAME_KEYS if isinstance(value.get(keys.get(key, "")), str)), "")
    puzzle = next((value[keys[key]] for key in _PUZZLE_KEYS if key in keys), None)
    if value.get("status") in _NOT_READ:
        return
    if _is_grid_of_objects(value.get("grid")):
        yield board_of_fpuzzle(value)
    elif _is_grid_of_objects(value.get("cells")):
        yield board_of_sudokupad(value)
    elif isinstance(puzzle, dict):
        yield from _boards_of_object(puzzle, where)
    elif puzzle is not None:
        placed = next((value[keys[key]] for key in _PLACED_KEYS if key in keys), None)
        written = BLANK_BOARD if placed is None else _values(placed, where)
        uncertain = value.get("status") == "uncertain"
        board = NamedBoard(_values(puzzle, where), written, name, uncertain=uncertain)
        marks, struck = (value.get(keys.get(key, "")) for key in ("marks", "struck"))
        if _is_marks(marks):
            board = replace(board, marks=marks_beside(board.digits, marks))
        yield replace(board, marks=marks_without(board, struck)) if _is_marks(struck) else board
    else:
        several = next((value[keys[key]] for key in _LIST_KEYS if key in keys), None)
        if not isinstance(several, list):
            raise BoardError(
                f"{where} is an object without a board in it.", 'Name the board "puzzle": {"puzzle": "53.."}.'
            )
        for number, part in enumerate(several, start=1):
            yield from _boards(part, f"{where}, part {number}")


def _is_marks(value: Any) -> TypeGuard[list[str]]:
    """Say whether *value* is the pencil marks, or the struck candidates, of 81 cells."""
    return isinstance(value, list) and len(value) == 81 and all(isinstance(text, str) for text in value)


def _is_grid_of_objects(value: Any) -> bool:
    """Say whether *value* is rows of cells that are objects."""
    return (
        isinstance(value, list)
        and bool(value)
        and isinstance(value[0], list)
        and any(isinstance(cell, dict) for cell in value[0])
    )


def _is_board(value: Any) -> bool:
    """Say whether *value* is meant as one board, and not as several."""
    if isinstance(value, str):
        return True
    if not isinstance(value, list):
        return False
    if not any(isinstance(part, list | dict) for part in value):
        one_each = all(not isinstance(part, str) or len(part) < 9 for part in value)
        return one_each or all(isinstance(part, str) and len(part) == 9 for part in value)
    return all(isinstance(row, list) for row in value) and not any(
        isinstance(cell, list | dict) or (isinstance(cell, str) and len(cell) > 8)
        for row in value
        for cell in row
    )


def _values(value: Any, where: str) -> Sequence[int]:
    """Return the 81 values of one board."""
    if isinstance(value, str):
        return [int(mark) for mark in cells_81(value, where)]
    if not isinstance(value, list):
        raise BoardError(f"{where} holds {_shape(value)}, which is no board.", REMEDY)
    rows = value
    if value and all(isinstance(row, str) and len(row) == 9 for row in value):
        rows = [list(row) for row in value]
    if any(isinstance(row, list) for row in rows):
        if not all(isinstance(row, list) and len(row) == 9 for row in rows) or len(rows) != 9:
            raise BoardError(f"{where} holds {_shape(value)}, a board has nine rows of nine.", REMEDY)
        rows = [cell for row in rows for cell in row]
    if len(rows) != 81:
        raise BoardError(f"{where} holds {len(rows)} values, a board has 81.", REMEDY)
    return [_cell(cell, place, where) for place, cell in enumerate(rows)]


def _cell(cell: Any, place: int, where: str) -> int:
    """Return the digit of one cell, 0 for blank."""
    if cell is None or cell is False:
        return 0
    if isinstance(cell, str):
        text = cell.strip()
        if text.lower() in BLANK_WORDS:
            return 0
        if len(text) == 1 and text in MARKS:
            return int(text) if text in "123456789" else 0
    elif isinstance(cell, int | float) and cell is not True and cell in range(10):
        return int(cell)
    row, column = divmod(place, 9)
    raise BoardError(
        f"{where}: r{row + 1}c{column + 1} holds {str(cell)[:20]!r}, not 1 to 9 or blank.", REMEDY
    )


def _shape(value: Any) -> str:
    """Say what a value is, in words."""
    if isinstance(value, list):
        lengths = sorted({len(row) for row in value if isinstance(row, list)})
        return f"{len(value)} rows of {', '.join(map(str, lengths))}" if lengths else f"{len(value)} values"
    return f"{str(value)[:20]!r}"


def _written_json(boards: Sequence[NamedBoard]) -> str:
    """Write nine rows of nine numbers, 0 for blank; several boards as a list of them."""
    texts = []
    for board in boards:
        rows = ",\n ".join(json.dumps(row) for row in board.clues.tolist())
        texts.append(f"[{rows}]")
    return f"{texts[0]}\n" if len(texts) == 1 else "[{}]\n".format(",\n".join(texts))


def _written_lines(boards: Sequence[NamedBoard]) -> str:
    lines = []
    for board in boards:
        value: dict[str, Any] = {"name": board.name} if board.name else {}
        value["puzzle"] = board_text(board.clues)
        if board.placed.any():
            value["placed"] = board_text(board.placed)
        if any(board.marks):
            value["marks"] = marks_text(board.marks)
        lines.append(json.dumps(value) + "\n")
    return "".join(lines)


FORMATS = (
    Format(
        "json",
        "nested lists, nine rows of nine numbers",
        read_json_lists,
        _written_json,
        (".json",),
    ),
    Format(
        "jsonl",
        "an object a line, with puzzle, placed digits, marks and name; what `solve --json` prints is read "
        "too",
        read_json_lists,
        _written_lines,
        (".jsonl", ".ndjson"),
        keeps_placed=True,
        keeps_marks=True,
        keeps_name=True,
    ),
)
