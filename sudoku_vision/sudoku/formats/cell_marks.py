"""Marks: how one cell is written, and boards of 81 such characters."""

import re

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.board import BLANKS
from sudoku_vision.sudoku.formats.named_board import NamedBoard

BLANK_MARKS = BLANKS + "?·"  # characters that stand for a blank cell, besides a space
BLANK_WORDS = frozenset({"none", "null", "nan", "nil", "", "''", '""'})
"""Words that stand for a blank cell, in small letters: as programs print lists."""
MARKS = frozenset("123456789" + BLANK_MARKS)
BOARD_81 = re.compile(r"[1-9" + re.escape(BLANK_MARKS) + r"]{81}")  # exactly 81 cells
REMEDY = "A board has nine rows of nine cells: digits 1 to 9, and for blanks 0 or one of . _ * x X -."
_DIGITS = str.maketrans(dict.fromkeys(BLANK_MARKS, "0"))


def board_of_marks(marks: str, line: int = 0, name: str = "") -> NamedBoard:
    """Return a board of 81 characters that :data:`BOARD_81` matches."""
    return NamedBoard(marks.translate(_DIGITS), name=name, line=line)


def cells_81(text: str, where: str = "") -> str:
    """Check that *text* holds 81 cells besides white space, and write blanks as 0.

    Raises :class:`~sudoku_vision.errors.BoardError`, which begins with *where* it was found, as ``line 3``.
    """
    marks = "".join(text.split())
    begin = f"{where}: " if where else ""
    for place, mark in enumerate(marks):
        if mark not in MARKS:
            raise BoardError(f"{begin}{mark!r} at place {place + 1} is neither a digit nor a blank.", REMEDY)
    if len(marks) != 81:
        raise BoardError(f"{begin}a board has 81 cells, this one has {len(marks)}.", REMEDY)
    return marks.translate(_DIGITS)


def is_cell(word: str) -> bool:
    """Say whether *word* is one cell: a digit, a mark for a blank, or a word such as None."""
    return (len(word) == 1 and word in MARKS) or word.lower() in BLANK_WORDS


def mark_of(word: str) -> str:
    """Write one cell as one character: itself, or 0 for a word that means blank."""
    return word if len(word) == 1 and word in MARKS else "0"


def digit_of(word: str) -> int:
    """Return one cell as its digit, 0 for blank."""
    return int(word) if len(word) == 1 and word in "123456789" else 0


def has_digit(text: str) -> bool:
    """Say whether there is a digit from 1 to 9 in it."""
    return not set("123456789").isdisjoint(text)


def solves(solution: str, puzzle: str) -> bool:
    """Say whether 81 cells are filled in and keep to every clue of a *puzzle* that is not."""
    if not set(solution) <= set("123456789") or set(puzzle) <= set("123456789"):
        return False
    return all(mark in BLANK_MARKS or mark == digit for mark, digit in zip(puzzle, solution, strict=True))
