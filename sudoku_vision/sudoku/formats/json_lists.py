"""Boards in JSON, and in the lists that Python prints.

A board has one of these forms: 81 characters, 81 values, nine rows of nine values or characters, or the grid
of an f-puzzles or SudokuPad file. An object may have a board under a key such as ``puzzle``, or several under
a key such as ``puzzles``. A text can also have one object on each line, as ``solve --json`` prints them.
"""

import ast
import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.board import board_text, cell_name, marks_text, parse_board
from sudoku_vision.sudoku.formats.cells import REMEDY, cells_81, check_depth, digit_of, is_cell
from sudoku_vision.sudoku.formats.fpuzzles import board_of_fpuzzle, board_of_sudokupad
from sudoku_vision.sudoku.formats.named_board import BLANK_BOARD, Format, NamedBoard, Part, each
from sudoku_vision.sudoku.rules import Rules, rules_from

_BOARD_KEYS = ("puzzle", "board", "grid", "sudoku", "givens", "clues")
_PUZZLE_KEYS = (*_BOARD_KEYS, "quiz", "question", "mission", "values")
_PLACED_KEYS = ("written", "placed")
_NAME_KEYS = ("name", "title")
_LIST_KEYS = ("puzzles", "boards", "sudokus", "grids", "games")
_NOT_READ = ("unreadable", "no_grid", "error")  # statuses of pictures in which no puzzle could be read
_MAX_PYTHON = 1 << 20  # maximum number of characters in a list that Python printed: about 4,000 boards
_ASSIGNED = re.compile(r"[A-Za-z_][\w.]{0,40} ?(?::[^=\n]{0,80})?= ?(?=[\[({a-z])")
_ARRAY = re.compile(r"\b(?:\w{1,10}\.)?array(?=\()|,\s{0,9}dtype ?= ?\w{1,20}")
_PLAIN_PYTHON = re.compile(r"(?:[\[\](){}\s\d,.'\"+_*xX?·-]|None|True|False)+")


def read_json_lists(text: str) -> list[NamedBoard] | None:
    """Read the boards of JSON, or of a list that Python printed; return None if *text* is neither.

    Raises :class:`~sudoku_vision.errors.BoardError` for a value that should be a board but isn't.
    """
    begun = text.strip()
    for introduction in (_ASSIGNED, _ARRAY):
        found = introduction.match(begun)
        begun = begun[found.end() :] if found else begun
    if begun[:1] not in '[{("':
        return None
    check_depth(begun)
    value, known = _parsed(begun)
    return list(_boards(value, "the value")) if known else _read_lines(text)


def _read_lines(text: str) -> list[NamedBoard] | None:
    """Read the boards of a text with one JSON value on each line; return None for any other text."""
    boards: list[NamedBoard] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        value, known = _parsed(line)
        if not known or not isinstance(value, dict | list | str):
            return None
        boards += [replace(board, line=number) for board in _boards(value, f"line {number}")]
    return boards


def _parsed(text: str) -> tuple[Any, bool]:
    """Return the value of a *text* in JSON or Python, and True; (None, False) for any other text."""
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(text), True
    plain = _ARRAY.sub("", text[: _MAX_PYTHON + 1]).strip().rstrip(",;")
    if len(text) <= _MAX_PYTHON and _PLAIN_PYTHON.fullmatch(plain):
        with contextlib.suppress(ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            return json.loads(json.dumps(ast.literal_eval(plain))), True  # JSON turns tuples into lists
    return None, False


def _boards(value: Any, where: str) -> Iterator[NamedBoard]:
    """Yield all boards in a value. *where*: the place of the value for error messages, such as ``line 3``."""
    if isinstance(value, dict):
        yield from _boards_of_object(value, where)
    elif _is_board(value):
        yield NamedBoard(_values(value, where))
    elif isinstance(value, list) and value and all(isinstance(part, dict | list | str) for part in value):
        for number, part in enumerate(value, start=1):
            yield from _boards(part, f"{where}, part {number}")
    else:
        raise _no_board(value, where)


def _boards_of_object(value: dict[str, Any], where: str) -> Iterator[NamedBoard]:
    """Yield the boards of a JSON object; none if the object says that a picture has no readable puzzle."""
    named = {key.lower(): part for key, part in reversed(value.items())}
    puzzle, several = _first(named, _PUZZLE_KEYS), _first(named, _LIST_KEYS)
    if value.get("status") in _NOT_READ:
        return
    if _is_grid_of_objects(value.get("grid")):
        yield board_of_fpuzzle(value)
    elif _is_grid_of_objects(value.get("cells")):
        yield board_of_sudokupad(value)
    elif isinstance(puzzle, dict):
        yield from _boards_of_object(puzzle, where)
    elif puzzle is not None:
        placed, name = _first(named, _PLACED_KEYS), _first(named, _NAME_KEYS)
        board = NamedBoard(
            _values(puzzle, where),
            BLANK_BOARD if placed is None else _values(placed, where),
            name if isinstance(name, str) else "",
            uncertain=value.get("status") == "uncertain",
            rules=rules_of_json(named.get("rules")),
        )
        marks, struck = _texts(named.get("marks")), _texts(named.get("struck"))
        if marks:
            board = board.with_marks(marks)
        yield board.without(struck) if struck else board
    elif isinstance(several, list):
        for number, part in enumerate(several, start=1):
            yield from _boards(part, f"{where}, part {number}")
    else:
        raise BoardError(
            f"{where} is an object without a board in it.", 'Name the board "puzzle": {"puzzle": "53.."}.'
        )


def rules_of_json(value: Any) -> Rules:
    """Return the rules for a JSON value: an object as in :meth:`Rules.to_dict`, or a name."""
    parts = value if isinstance(value, dict) else {"name": value or ""}
    cages: Any = parts.get("cages") or []
    cages = cages if isinstance(cages, list) else [cages]
    return rules_from(str(parts.get("name", "")), str(parts.get("regions", "")), cages)


def _first(named: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((named[key] for key in keys if key in named), None)


def _texts(value: Any) -> list[str]:
    """Return *value* if it is a list of 81 texts; otherwise an empty list."""
    fits = isinstance(value, list) and len(value) == 81 and all(isinstance(text, str) for text in value)
    return value if fits else []


def _is_grid_of_objects(value: Any) -> bool:
    """Return whether *value* is a list of rows with JSON objects, as in an f-puzzles file."""
    rows = value if isinstance(value, list) else []
    return bool(rows) and isinstance(rows[0], list) and any(isinstance(cell, dict) for cell in rows[0])


def _is_board(value: Any) -> bool:
    """Return whether *value* has the form of one board, not of several."""
    if not isinstance(value, list):
        return isinstance(value, str)
    if any(isinstance(part, list | dict) for part in value):
        return all(isinstance(row, list) and all(map(_may_be_cell, row)) for row in value)
    return all(map(_may_be_cell, value)) or all(isinstance(part, str) and len(part) == 9 for part in value)


def _may_be_cell(value: Any) -> bool:
    return not isinstance(value, list | dict) and not (isinstance(value, str) and len(value) > 8)


def _values(value: Any, where: str) -> Sequence[int]:
    """Return the 81 digits of one board, 0 for blank; raises BoardError for a value of another shape."""
    if isinstance(value, str):
        return parse_board(cells_81(value, where))
    rows = value if isinstance(value, list) else []
    if len(rows) == 9 and all(isinstance(row, str | list) and len(row) == 9 for row in rows):
        rows = [cell for row in rows for cell in row]
    if len(rows) != 81 or any(isinstance(cell, list) for cell in rows):
        raise _no_board(value, where)
    return [_cell(cell, place, where) for place, cell in enumerate(rows)]


def _cell(cell: Any, place: int, where: str) -> int:
    """Return the digit of cell *place* (0..80), 0 for blank. Error messages begin with *where*."""
    if cell is None or cell is False:
        return 0
    if isinstance(cell, str) and is_cell(cell.strip()):
        return digit_of(cell.strip())
    if isinstance(cell, int | float) and cell is not True and cell in range(10):
        return int(cell)
    raise BoardError(f"{where}: {cell_name(place)} holds {str(cell)[:20]!r}, not 1 to 9 or blank.", REMEDY)


def _no_board(value: Any, where: str) -> BoardError:
    what = f"{str(value)[:20]!r}"
    if isinstance(value, list):
        lengths = sorted({len(row) for row in value if isinstance(row, list)})
        what = f"{len(value)} rows of {', '.join(map(str, lengths))}" if lengths else f"{len(value)} values"
    return BoardError(f"{where} holds {what}, which is no board.", REMEDY)


def _written_json(boards: Sequence[NamedBoard]) -> str:
    """Write one board as nine rows of nine numbers, 0 for blank; several boards become a list of boards."""
    texts = ["[{}]".format(",\n ".join(map(json.dumps, board.clues.tolist()))) for board in boards]
    return f"{texts[0]}\n" if len(texts) == 1 else "[{}]\n".format(",\n".join(texts))


def _written_line(board: NamedBoard) -> str:
    value: dict[str, Any] = {"name": board.name} if board.name else {}
    value["puzzle"] = board_text(board.clues)
    if board.placed.any():
        value["placed"] = board_text(board.placed)
    if any(board.marks):
        value["marks"] = marks_text(board.marks)
    return json.dumps(value | board.rules.to_dict()) + "\n"


_KEPT: tuple[Part, ...] = ("placed", "marks", "name", "rules")
FORMATS = (
    Format("json", read_json_lists, _written_json, (".json",)),
    Format("jsonl", read_json_lists, each(_written_line), (".jsonl", ".ndjson"), keeps=_KEPT),
)
