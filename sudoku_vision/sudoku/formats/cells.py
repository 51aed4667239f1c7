"""Texts that are read: their limits and characters, and the words that stand for cells."""

import re

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.board import BLANKS

MAX_BYTES = 32 << 20  # maximum number of bytes in a text: 400,000 puzzles, which take 0.3 GB of memory
MAX_LINES = 500_000  # maximum number of lines in a text; to read so many takes some seconds
MAX_DEPTH = 32  # maximum number of levels of nested brackets; a list of boards has three levels

DIGITS = frozenset("123456789")
BLANK_WORDS = frozenset({"none", "null", "nan", "nil", "", "''", '""'})
"""Words, in small letters, for a blank cell in the lists that programs print."""
CELL_CHARACTERS = DIGITS | set(BLANKS)
BOARD_81 = re.compile(r"[1-9" + re.escape(BLANKS) + r"]{81}")
REMEDY = "A board has nine rows of nine cells: digits 1 to 9, and for blanks 0 or one of . _ * x X -."

_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # the characters at which str.splitlines ends a line
_BYTE_ORDER_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_LEGACY = "cp1252"
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")  # an escape sequence of a terminal, such as for a colour
_SPACES = {ord(character): " " for character in "\u00a0\u2007\u2009\u202f\u3000"} | dict.fromkeys(
    map(ord, "\u200b\u200c\u200d\u2060\ufeff")
)
"""For :meth:`str.translate`: special spaces become plain ones, and characters without width are removed."""
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BRACKETS = re.compile(r"[\[{(\])}]")
_SPLIT_REMEDY = "Split it into smaller files, or solve a list of lines with: sudoku-vision puzzles FILE"
_BOARD_REMEDY = "Give a text with a board in it, or a picture of one."


def text_of(data: str | bytes) -> str:
    """Return the text of a file, with line feeds between its lines and without terminal escape sequences.

    Bytes are decoded as UTF-16 if they begin with its byte order mark, otherwise as UTF-8, or as Windows-1252
    if that fails. Raises :class:`~sudoku_vision.errors.BoardError` for data that are empty, too long, or no
    text.
    """
    if len(data) > MAX_BYTES:
        raise BoardError(f"This is more than {MAX_BYTES >> 20} MB of text.", _SPLIT_REMEDY)
    text = data if isinstance(data, str) else _decoded(data)
    lines = sum(map(text.count, _LINE_ENDS)) - text.count("\r\n")
    if lines > MAX_LINES:
        raise BoardError(f"This is {lines:,} lines of text, the limit is {MAX_LINES:,}.", _SPLIT_REMEDY)
    if not text.strip():
        raise BoardError("There is nothing in it.", _BOARD_REMEDY)
    binary = _BINARY.search(text)
    if binary:
        line = text.count("\n", 0, binary.start()) + 1
        raise BoardError(f"This is no text: line {line} holds {binary.group()!r}.", _BOARD_REMEDY)
    return "\n".join(_ESCAPES.sub("", text).translate(_SPACES).splitlines())


def _decoded(data: bytes) -> str:
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode(_LEGACY, "replace")


def check_depth(text: str) -> None:
    """Raise BoardError if brackets in *text* are nested more than :data:`MAX_DEPTH` levels deep."""
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket.group() in "[{(" else max(depth - 1, 0)
        if depth > MAX_DEPTH:
            raise BoardError(f"Brackets are nested more than {MAX_DEPTH} deep.", _BOARD_REMEDY)


def cells_81(text: str, where: str = "") -> str:
    """Return the 81 cells in *text*, without white space. The message of a BoardError begins with *where*."""
    cells = "".join(text.split())
    begin = f"{where}: " if where else ""
    for place, character in enumerate(cells, 1):
        if character not in CELL_CHARACTERS:
            raise BoardError(f"{begin}{character!r} at place {place} is neither a digit nor a blank.", REMEDY)
    if len(cells) != 81:
        raise BoardError(f"{begin}a board has 81 cells, this one has {len(cells)}.", REMEDY)
    return cells


def is_cell(word: str) -> bool:
    """Return whether *word* stands for one cell: it is a digit, a blank, or a word such as None."""
    return word in CELL_CHARACTERS or word.lower() in BLANK_WORDS


def cell_of(word: str) -> str:
    """Return a cell as one character, 0 for a word such as None."""
    return word if word in CELL_CHARACTERS else "0"


def digit_of(word: str) -> int:
    """Return *word* as a number if it is a digit 1 to 9; otherwise 0."""
    return int(word) if word in DIGITS else 0
