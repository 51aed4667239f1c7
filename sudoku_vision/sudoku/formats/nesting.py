"""Nesting: brackets within brackets are counted before anything follows them."""

from __future__ import annotations

import re

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.formats.cell_marks import REMEDY

MAX_DEPTH = 32
"""Brackets within brackets that are followed: a list of boards takes three."""

_BRACKETS = re.compile(r"[\[{(\])}]")


def check_depth(text: str) -> None:
    """Raise :class:`~sudoku_vision.errors.BoardError` for brackets nested so deep that no board needs it."""
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket.group() in "[{(" else max(depth - 1, 0)
        if depth > MAX_DEPTH:
            raise BoardError(f"Brackets are nested more than {MAX_DEPTH} deep.", REMEDY)
