"""Source: bytes become plain text, bounded, with one kind of line end and nothing for terminals alone."""

import re

from sudoku_vision.errors import BoardError

MAX_BYTES = 32 << 20  # bytes read at once: some 400,000 puzzles, in memory a third of a gigabyte

MAX_LINES = 500_000
"""Lines read at once: more than so many bytes of puzzles have; without any they take some seconds."""

MAX_DEPTH = 32  # brackets within brackets that are followed: a list of boards takes three

_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What parts the lines of a text, as :meth:`str.splitlines` has it."""

_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_LEGACY = "cp1252"

# Colours and other commands to a terminal, as in what a program printed.
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
# Spaces that are not one, and marks without any width.
_SPACES = {ord(mark): " " for mark in "\u00a0\u2007\u2009\u202f\u3000"} | dict.fromkeys(
    map(ord, "\u200b\u200c\u200d\u2060\ufeff")
)
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BRACKETS = re.compile(r"[\[{(\])}]")
_CUT_REMEDY = "Cut it into smaller files, or solve a list of lines with: sudoku-vision puzzles FILE"
_FEED_REMEDY = "Give a text with a board in it, or a picture of one."


def text_of(data: str | bytes) -> str:
    """Return the text of a file, its lines parted by line feeds.

    UTF-8, UTF-16 with a byte order mark, or else Windows Western. Raises
    :class:`~sudoku_vision.errors.BoardError` for what is empty, too long, or no text.
    """
    if len(data) > MAX_BYTES:
        raise BoardError(f"This is more than {MAX_BYTES >> 20} MB of text.", _CUT_REMEDY)
    text = data if isinstance(data, str) else _decoded(data)
    lines = sum(map(text.count, _LINE_ENDS)) - text.count("\r\n")
    if lines > MAX_LINES:
        raise BoardError(f"This is {lines:,} lines of text, the limit is {MAX_LINES:,}.", _CUT_REMEDY)
    if not text.strip():
        raise BoardError("There is nothing in it.", _FEED_REMEDY)
    binary = _BINARY.search(text)
    if binary:
        place = text.count("\n", 0, binary.start()) + 1
        raise BoardError(f"This is no text: line {place} holds {binary.group()!r}.", _FEED_REMEDY)
    return "\n".join(_ESCAPES.sub("", text).translate(_SPACES).splitlines())


def _decoded(data: bytes) -> str:
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode(_LEGACY, "replace")


def check_depth(text: str) -> None:
    """Raise :class:`~sudoku_vision.errors.BoardError` for brackets nested so deep that no board needs it."""
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket.group() in "[{(" else max(depth - 1, 0)
        if depth > MAX_DEPTH:
            raise BoardError(f"Brackets are nested more than {MAX_DEPTH} deep.", _FEED_REMEDY)
