"""Columns: rows whose blanks are spaces, read by where their digits stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.formats.named_board import NamedBoard

_REMEDY = "Write blanks as dots, so that every row has nine cells."
_PITCHES = range(1, 5)
"""Characters from one cell to the next."""
_GAPS = range(7)
"""Further characters from one box to the next."""


def board_of_columns(lines: Sequence[tuple[int, str]], name: str = "") -> NamedBoard:
    """Return the board of nine numbered lines of digits, bars and spaces.

    Nine columns, evenly apart but for the boxes, must lie so that every digit stands in one of them and no
    bar does. Raises :class:`~sudoku_vision.errors.BoardError` if none do, or if several make other boards.
    """
    first, last = lines[0][0], lines[-1][0]
    if len(lines) != 9:
        raise BoardError(
            f"lines {first} to {last} hold {len(lines)} rows with spaces in them, a board has nine.", _REMEDY
        )
    texts = [text for _, text in lines]
    boards = {_board(texts, columns) for columns in _layouts(texts)}
    if len(boards) != 1:
        what = "fit into no nine columns" if not boards else "fit into columns in more than one way"
        raise BoardError(f"The digits of lines {first} to {last} {what}.", _REMEDY)
    return NamedBoard(np.array([int(digit) for digit in boards.pop()]).reshape(9, 9), name=name, line=first)


def _layouts(texts: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to lay nine columns through the digits."""
    digits = {at for text in texts for at, mark in enumerate(text) if mark.isdigit()}
    bars = {at for text in texts for at, mark in enumerate(text) if not mark.isdigit() and mark != " "}
    for start in range(min(digits) + 1):
        for pitch in _PITCHES:
            for gap in _GAPS:
                columns = tuple(start + pitch * cell + gap * (cell // 3) for cell in range(9))
                if digits <= set(columns) and not bars & _inside(columns):
                    yield columns


def _inside(columns: Sequence[int]) -> set[int]:
    """Say where no bar may stand: from the first to the last cell of each box."""
    return {at for box in range(0, 9, 3) for at in range(columns[box], columns[box + 2] + 1)}


def _board(texts: Sequence[str], columns: Sequence[int]) -> str:
    return "".join(
        text[at] if at < len(text) and text[at].isdigit() else "0" for text in texts for at in columns
    )
