"""What a format is: one record that says how boards are read from it, written in it, and what it keeps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sudoku_vision.sudoku.formats.named_board import NamedBoard

Reader: TypeAlias = Callable[[str], list[NamedBoard] | None]
"""Gives the boards of a text, in order; None or nothing for a text that is not of its kind."""

Writer: TypeAlias = Callable[[Sequence[NamedBoard]], str]
"""Gives the text of some boards, with its last line end."""

Part: TypeAlias = Literal["placed", "marks", "name", "rules"]  # what a board may have besides its clues


@dataclass(frozen=True)
class Format:
    """One way to write boards down.

    * ``name``: what ``--to`` calls it. ``about``: what it is, for people.
    * ``read``: recognises it by its content; several formats may share one reader. ``write``: the way back.
    * ``endings``: of files that are written so where no format is named.
    * ``several``: whether a text can hold more than one board. ``keeps``: what it tells besides the clues.
    """

    name: str
    about: str
    read: Reader
    write: Writer
    endings: tuple[str, ...] = ()
    several: bool = True
    keeps: tuple[Part, ...] = ()


def digit_rows(board: NamedBoard, blank: str = ".", between: str = "") -> list[str]:
    """Return the nine rows of a board's clues as text, *blank* for blank cells and *between* any two."""
    return text_rows(board.clues.tolist(), blank, between)


def text_rows(rows: Sequence[Sequence[int]], blank: str = ".", between: str = "") -> list[str]:
    """Return rows of digits (0 for blank) as text, *blank* for blank cells and *between* any two."""
    return [between.join(str(digit) if digit else blank for digit in row) for row in rows]
