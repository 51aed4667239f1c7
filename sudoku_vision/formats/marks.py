"""Marks: how one cell is written, and boards of 81 such characters."""

from __future__ import annotations

import re

from sudoku_vision.board import BLANKS
from sudoku_vision.errors import BoardError
from sudoku_vision.formats.named import NamedBoard

BLANK_MARKS = BLANKS + "?·"
"""Characters that stand for a blank cell, besides a space."""

BLANK_WORDS = frozenset({"none", "null", "nan", "nil", "", "''", '""'})
"""Words that stand for a blank cell, in small letters: as programs print lists."""

MARKS = frozenset("123456789" + BLANK_MARKS)

BOARD_81 = re.compile(r"[1-9" + re.escape(BLANK_MARKS) + r"]{81}")
"""Exactly 81 cells."""

REMEDY = "A board has nine rows of nine cells: digits 1 to 9, and for blanks 0 or one of . _ * x X -."

_DIGITS = str.maketrans(dict.fromkeys(BLANK_MARKS, "0"))


def board_of_marks(marks: str, line: int = 0, name: str = "") -> NamedBoard:
    """A board of 81 characters that :data:`BOARD_81` matches."""
    return NamedBoard(marks.translate(_DIGITS), name=name, line=line)


def cells_81(text: str, where: str = "") -> str:
    """Check that *text* holds 81 cells, and write blanks as 0.

    White space is skipped. Raises :class:`~sudoku_vision.errors.BoardError`, which says where it was found if
    *where* does, as ``line 3``.
    """
    marks = "".join(text.split())
    begin = f"{where}: " if where else ""
    for place, mark in enumerate(marks):
        if mark not in MARKS:
            raise BoardError(f"{begin}{mark!r} at place {place + 1} is neither a digit nor a blank.", REMEDY)
    if len(marks) != 81:
        raise BoardError(f"{begin}a board has 81 cells, this one has {len(marks)}.", REMEDY)
    return marks.translate(_DIGITS)
