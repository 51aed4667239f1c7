"""The JSON of f-puzzles and SudokuPad. Files contain the JSON as it is; in links, the JSON is packed.

F-puzzles' JSON has ``size`` and ``grid``, nine rows of cells such as ``{"value": 5, "given": true}``. Pencil
marks are in the middle of a cell or in its corners: ``{"centerPencilMarks": [2, 8]}``. A cell can have the
number of its ``region``, from 0. With ``diagonal+`` and ``diagonal-`` the diagonals are units. The cages of a
killer are like ``"killercage": [{"cells": ["R1C1", "R1C2"], "value": "12"}]``. SudokuPad's JSON has its rows
under ``cells``, and cages like ``"cages": [{"cells": [[0, 0], [0, 1]], "value": 12}]``. Links to SudokuPad
have several forms (https://github.com/SudokuPad/sudokutools). Puzzles with further rules, such as
thermometers, are refused, because without these rules they would be other puzzles.

Links are packed by LZ-string, which comes from Pieroxy's lz-string 1.x
(https://pieroxy.net/blog/pages/lz-string/index.html). As in LZ78, a phrase that occurred before is written as
its number in a growing dictionary. The bits of numbers are written from the lowest to the highest, and every
six bits become a character of Base64. Three numbers don't stand for phrases: 0 comes before a new character
of 8 bits, 1 comes before a new character of 16 bits, and 2 is the end.
"""

import json
from typing import Any
from urllib.parse import unquote

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.formats.cells import check_depth, digit_of
from sudoku_vision.sudoku.formats.named_board import NamedBoard
from sudoku_vision.sudoku.rules import BOXES, Rules

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
MAX_UNPACKED = 1 << 20  # maximum number of characters in an unpacked puzzle; a sudoku has about two thousand

_NARROW, _WIDE, _END = range(3)
_WIDTH = {_NARROW: 8, _WIDE: 16}
_SIXES = {character: f"{value:06b}" for value, character in enumerate(ALPHABET)}
_REMEDY = "Copy the whole link once more."


def compress(text: str) -> str:
    """Pack *text* as ``LZString.compressToBase64`` does."""
    numbers: dict[str, int] = {}
    new: set[str] = set()
    bits: list[str] = []
    size = 2  # numbers have as many bits as *size* has; *size* grows with each phrase that a reader learns

    def send(phrase: str) -> None:
        nonlocal size
        width = size.bit_length()
        if phrase in new:
            new.remove(phrase)
            kind = _NARROW if ord(phrase) < 256 else _WIDE
            bits.extend((_lowest_first(kind, width), _lowest_first(ord(phrase), _WIDTH[kind])))
            size += 1
        else:
            bits.append(_lowest_first(numbers[phrase], width))
        size += 1

    phrase = ""
    data = text.encode("utf-16-le", "surrogatepass")
    for low, high in zip(data[::2], data[1::2], strict=True):
        unit = chr(low | high << 8)
        if unit not in numbers:
            numbers[unit] = len(numbers) + 3
            new.add(unit)
        if phrase + unit in numbers:
            phrase += unit
            continue
        send(phrase)
        numbers[phrase + unit] = len(numbers) + 3
        phrase = unit
    if phrase:
        send(phrase)
    stream = "".join([*bits, _lowest_first(_END, size.bit_length())])
    stream += "0" * (6 - len(stream) % 6)  # like lz-string, add six zeros even if the last six bits are full
    packed = "".join(ALPHABET[int(stream[at : at + 6], 2)] for at in range(0, len(stream), 6))
    return packed + "=" * (-len(packed) % 4)


def decompress(packed: str) -> str:
    """Return the text that :func:`compress` packed.

    Raises :class:`~sudoku_vision.errors.BoardError` for a damaged or too long text.
    """
    packed = packed.rstrip("=")
    end = next((at for at, character in enumerate(packed) if character not in _SIXES), len(packed))
    stream, at = "".join([_SIXES[character] for character in packed[:end]]), 0

    def read(width: int) -> int:
        nonlocal at
        at += width
        if at > len(stream):
            if end < len(packed):
                raise BoardError(f"{packed[end]!r} does not belong into a packed puzzle.", _REMEDY)
            raise BoardError("The packed puzzle in this link is cut off.", _REMEDY)
        return int(stream[at - width : at][::-1], 2)

    phrases = [""] * 3  # the numbers 0, 1 and 2 don't stand for phrases
    pieces: list[str] = []
    size, before = 0, ""
    while (number := read(len(phrases).bit_length())) != _END:
        if number in _WIDTH:
            phrases.append(chr(read(_WIDTH[number])))
            number = len(phrases) - 1
        if number > len(phrases) or (number == len(phrases) and not before):
            raise BoardError("The packed puzzle in this link is damaged.", _REMEDY)
        phrase = phrases[number] if number < len(phrases) else before + before[0]
        size += len(phrase)
        if size > MAX_UNPACKED:
            raise BoardError(f"The packed puzzle holds more than {MAX_UNPACKED} characters.", _REMEDY)
        pieces.append(phrase)
        if before:
            phrases.append(before + phrase[0])
        before = phrase
    # Two surrogates become one character; a surrogate without its partner stays as it is.
    return "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _lowest_first(number: int, width: int) -> str:
    return f"{number:0{width}b}"[::-1]


MAX_PACKED = 1 << 16  # maximum number of characters of a packed puzzle; a packed sudoku has about a thousand
_PLAIN_REMEDY = (
    "Nine rows, columns and regions of nine cells can be read, both diagonals, and cages with sums: no "
    "further rules."
)

_RULE_NAMES = """
    antiking antiknight arrow betweenline clone difference disjointgroups doublearrow
    entropicline even extraregion littlekillersum lockout maximum minimum modularline negative
    nabner nonconsecutive odd palindrome quadruple ratio regionsumline renban rowindexer columnindexer
    boxindexer sandwichsum skyscraper slowthermometer thermometer whispers xsum xv zipperline
"""
_RULES = frozenset(_RULE_NAMES.split())  # keys of f-puzzles' JSON that add rules
_SHORT_FORM = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
"""The characters of SudokuPad's short form. A character stands for a cell and for the blank cells directly
after it. The index of the character is ``digit + 10 * blanks``. ``digit`` is the digit of the cell, or 0.
``blanks`` is the number of blank cells after the cell."""
_MAX_ID = 60
"""An id with at most this many characters is the name of a puzzle that SudokuPad stores. A longer id is a
packed puzzle."""


def pack_fpuzzle(board: NamedBoard) -> str:
    """Return the packed JSON of a board for a link to f-puzzles."""
    puzzle: dict[str, Any] = {"size": 9, "grid": [[_fcell(board, r, c) for c in range(9)] for r in range(9)]}
    if board.name:
        puzzle["title"] = board.name
    puzzle |= dict.fromkeys(_DIAGONALS, True) if board.rules.diagonal else {}
    cages = [
        {"cells": [cell_name(cell).upper() for cell in cage.cells], "value": str(cage.sum)}
        for cage in board.rules.cages
    ]
    puzzle |= {"killercage": cages} if cages else {}
    return compress(json.dumps(puzzle, separators=(",", ":"), ensure_ascii=False))


def _fcell(board: NamedBoard, row: int, column: int) -> dict[str, Any]:
    place = 9 * row + column
    cell = {"region": int(board.rules.regions[place]) - 1} if board.rules.is_jigsaw else {}
    if board.clues[row, column]:
        return cell | {"value": int(board.clues[row, column]), "given": True}
    if board.placed[row, column]:
        return cell | {"value": int(board.placed[row, column])}
    marks = board.marks[place]
    return cell | {_MARKS_KEYS[0]: sorted(marks)} if marks else cell


_DIAGONALS = ("diagonal+", "diagonal-")
_MARKS_KEYS = ("centerPencilMarks", "cornerPencilMarks")
"""Keys with the pencil marks of a cell. If a cell has both keys, the marks in its middle are read."""


def board_of_fpuzzle(puzzle: dict[str, Any]) -> NamedBoard:
    """Return the board in f-puzzles' JSON.

    Raises BoardError if the puzzle has further rules, or doesn't have 81 cells.
    """
    further = sorted(key for key in puzzle if key in _RULES and puzzle[key])
    if further:
        raise BoardError(f"The puzzle has further rules: {', '.join(further)}.", _PLAIN_REMEDY)
    cells = _nine_by_nine(puzzle.get("grid"))
    diagonals = [bool(puzzle.get(key)) for key in _DIAGONALS]
    if any(diagonals) != all(diagonals):
        raise BoardError("The puzzle makes a unit of one diagonal alone.", _PLAIN_REMEDY)
    rules = Rules(_regions(cells), all(diagonals), _cages(puzzle.get("killercage")))
    return _board_of_cells(cells, puzzle.get("title"), [bool(cell.get("given")) for cell in cells], rules)


def _regions(cells: list[dict[str, Any]]) -> list[int]:
    """Return the regions (1..9) of 81 JSON cells. A cell that names no region belongs to its box."""
    numbers = [cell.get("region", int(box) - 1) for cell, box in zip(cells, BOXES, strict=True)]
    if not all(number in range(9) for number in numbers):
        raise BoardError("The puzzle has cells without a region.", _PLAIN_REMEDY)
    return [int(number) + 1 for number in numbers]


def _cages(cages: Any) -> list[tuple[int, list[int]]]:
    """Return the sums and cells (0..80) of cages in JSON; raises BoardError for cages without a sum."""

    def number(cell: Any) -> int:
        """Return the number (0..80) of a cell such as "R1C1" or [0, 0]."""
        row, column = (int(part) - 1 for part in cell[1:].split("C")) if isinstance(cell, str) else cell
        return 9 * range(9).index(row) + range(9).index(column)

    several = [one for one in cages or () if isinstance(one, dict) and one.get("cells")]
    try:
        return [(int(one["value"]), [number(cell) for cell in one["cells"]]) for one in several]
    except (KeyError, TypeError, ValueError):
        raise BoardError("The puzzle has cages without a sum.", _PLAIN_REMEDY) from None


def _board_of_cells(cells: list[dict[str, Any]], title: Any, is_clue: list[bool], rules: Rules) -> NamedBoard:
    name = title if isinstance(title, str) else ""
    digits = (_value(cell, place) for place, cell in enumerate(cells))
    return NamedBoard.from_digits(digits, is_clue, name=name, rules=rules).with_marks(map(_marks, cells))


def _nine_by_nine(rows: Any) -> list[dict[str, Any]]:
    """Return the 81 cells of nine rows as one list; a cell that is no JSON object becomes ``{}``."""
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise BoardError("The puzzle has no rows of cells.", _REMEDY)
    if len(rows) != 9 or any(len(row) != 9 for row in rows):
        raise BoardError(
            f"The puzzle has {len(rows)} rows of cells, a sudoku has nine of nine.", _PLAIN_REMEDY
        )
    return [cell if isinstance(cell, dict) else {} for row in rows for cell in row]


def _value(cell: dict[str, Any], place: int) -> int:
    value = cell.get("value")
    if value in (None, "", 0, "0"):
        return 0
    if digit := digit_of(str(value)):
        return digit
    raise BoardError(f"{cell_name(place)} holds {str(value)[:20]!r}, not 1 to 9.", _PLAIN_REMEDY)


def _marks(cell: dict[str, Any]) -> str:
    found = next((cell[key] for key in _MARKS_KEYS if cell.get(key)), ())
    return "".join(map(str, found)) if isinstance(found, list) else ""


# Browsers turn "+" into a space. LZ-string's form for links has "-" instead of "/", and "$" instead of "=".
_AS_BASE64 = str.maketrans(" -$", "+/=")


def _unpack_object(packed: str) -> dict[str, Any]:
    """Unpack the JSON object in a link; raises BoardError for damaged, too long or too deeply nested data."""
    plain = unquote(packed).translate(_AS_BASE64)
    if len(plain) > MAX_PACKED:
        raise BoardError(f"This link is longer than {MAX_PACKED} characters.", _REMEDY)
    text = decompress(plain)
    check_depth(text)
    try:
        puzzle = json.loads(text)
    except (ValueError, RecursionError):
        what = "The packed puzzle in this link is no JSON that this program knows."
        raise BoardError(what, _REMEDY) from None
    if not isinstance(puzzle, dict):
        raise BoardError("The packed puzzle in this link is no object.", _REMEDY)
    return puzzle


def unpack_fpuzzle(packed: str) -> NamedBoard:
    """Return the board in a text that :func:`pack_fpuzzle` returns."""
    return board_of_fpuzzle(_unpack_object(packed))


def board_of_sudokupad(puzzle: dict[str, Any]) -> NamedBoard:
    """Return the board in SudokuPad's JSON.

    Raises BoardError if the puzzle has further rules, or doesn't have 81 cells.
    """
    if any(puzzle.get(key) for key in ("lines", "arrows", "overlays", "underlays")):
        raise BoardError("The puzzle has lines or signs on it.", _PLAIN_REMEDY)
    details = puzzle.get("metadata")
    title = details.get("title") if isinstance(details, dict) else None
    cells = _nine_by_nine(puzzle.get("cells"))
    rules = Rules(_regions_of_sudokupad(puzzle.get("regions")), cages=_cages(puzzle.get("cages")))
    return _board_of_cells(cells, title, [True] * 81, rules)


def _regions_of_sudokupad(regions: Any) -> str:
    """Return the regions of 81 cells as digits; *regions*: the cells [row, column] of each region, from 0."""
    numbers = {
        str(cell): str(number)  # as text: a list can't be a key, and a damaged file may have any value
        for number, cells in enumerate(regions if isinstance(regions, list) else (), start=1)
        for cell in (cells if isinstance(cells, list) else ())
    }
    if not numbers:
        return BOXES
    return "".join(numbers.get(str([*divmod(cell, 9)]), "?") for cell in range(81))


def _unpack_clues(packed: str, name: str = "") -> NamedBoard:
    """Return the board that *packed* holds in SudokuPad's short form (:data:`_SHORT_FORM`)."""
    cells = ""
    for character in packed[:82]:
        number = _SHORT_FORM.find(character)
        if number < 0:
            raise BoardError(f"{character!r} does not belong into SudokuPad's short form.", _REMEDY)
        cells += str(number % 10) + "0" * (number // 10)
        if len(cells) >= 81:
            break
    if len(cells) != 81 or len(packed) > len(cells):
        raise BoardError(f"SudokuPad's short form holds {len(cells)} cells here, not 81.", _REMEDY)
    return NamedBoard(cells, name=name)


def unpack_sudokupad(puzzle_id: str) -> NamedBoard:
    """Read the board in the puzzle id of a link to SudokuPad.

    Raises BoardError if the id is damaged, or if it is only the name of a puzzle that SudokuPad stores.
    """
    for prefix, unpack in (
        ("fpuzzles", unpack_fpuzzle),
        ("fpuz", unpack_fpuzzle),
        ("scf", lambda packed: _unpack_clues(unquote(packed).removesuffix(".scf"))),
        ("scl", lambda packed: board_of_sudokupad(_unpack_object(packed))),
        ("ctc", lambda packed: board_of_sudokupad(_unpack_object(packed))),
    ):
        if puzzle_id.startswith(prefix):
            return unpack(puzzle_id[len(prefix) :])
    if len(puzzle_id) > _MAX_ID:
        puzzle = _unpack_object(puzzle_id)
        if isinstance(puzzle.get("p"), str):
            return _unpack_clues(puzzle["p"], str(puzzle.get("n") or ""))
        return board_of_fpuzzle(puzzle) if "grid" in puzzle else board_of_sudokupad(puzzle)
    raise BoardError(
        "This link holds a puzzle's number only, and nothing is downloaded.",
        "Open it in a browser, and export the puzzle as an f-puzzles link.",
    )
