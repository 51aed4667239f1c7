"""Labels of pictures, ``.dat``: two lines about the picture, then nine rows of nine digits.

Those of the Wichtounet data set, and of the pictures that this project measures itself with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sudoku_vision.errors import BoardError
from sudoku_vision.results import Board
from sudoku_vision.sudoku.formats.cell_marks import board_of_marks
from sudoku_vision.sudoku.formats.format import Format, digit_rows
from sudoku_vision.sudoku.formats.named_board import NamedBoard

DAT_HEADERS = 2
"""Lines about the picture before the rows of a label."""


def read_dat(text: str) -> Board:
    """Read the board of a ``.dat`` label: two lines about the picture, then 81 digits.

    Returns (9, 9) int8, 0 for blank. Raises :class:`~sudoku_vision.errors.BoardError` for anything else.
    """
    digits = "".join("".join(text.splitlines()[DAT_HEADERS:]).split())
    if len(digits) != 81 or not digits.isascii() or not digits.isdigit():
        raise BoardError(f"a label must be 81 digits, got {digits[:90]!r}.", "Correct the label.")
    return board_of_marks(digits).clues


def find_dat(text: str) -> list[NamedBoard] | None:
    """Find the board of a ``.dat`` label, or give None if *text* does not look like one."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) != DAT_HEADERS + 9 or any(
        re.fullmatch(r"(?:[0-9]\s+){8}[0-9]\s*", line) for line in lines[:2]
    ):
        return None
    if not all(re.fullmatch(r"\s*(?:[0-9]\s+){8}[0-9]\s*", line) for line in lines[DAT_HEADERS:]):
        return None
    return [NamedBoard(read_dat(text), line=DAT_HEADERS + 1)]


def _written(boards: Sequence[NamedBoard]) -> str:
    return "".join("sudoku\nno picture\n" + "\n".join(digit_rows(board, "0", " ")) + "\n" for board in boards)


FORMATS = (
    Format(
        "dat",
        "a label of a picture: two lines about it, nine rows",
        find_dat,
        _written,
        (".dat",),
        several=False,
    ),
)
