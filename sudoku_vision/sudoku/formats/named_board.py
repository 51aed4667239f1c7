"""A board as files and links hold it: clues, placed digits, pencil marks, name and rules; and a format."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.board import NO_MARKS, Board, BoardLike, Marks, board_array, cell_name, parse_board
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.values import Value

BLANK_BOARD: Board = np.zeros((9, 9), np.int8)
BLANK_BOARD.setflags(write=False)

MAX_NAME = 200  # characters of a name that are kept: names are shown on one line
_ALL_DIGITS = frozenset(range(1, 10))
Part: TypeAlias = Literal["placed", "marks", "name", "rules", "regions"]
"""What a board may have besides its clues; a format that keeps regions alone can't tell a diagonal."""


@dataclass(frozen=True, eq=False, repr=False, init=False)
class NamedBoard(Value):
    """One board of a text, file or link.

    ``clues`` are the printed digits, ``placed`` the digits that a person put into blank cells: both (9, 9)
    int8, 0 for blank, read-only, and never both set in one cell. ``name`` is its title or empty; ``line`` is
    the line where it begins, from 1, or 0. ``uncertain``: it comes from a picture and may be read wrongly.
    ``marks`` are the 81 sets of pencil marks, ``rules`` the rules of the puzzle. Boards that differ only in
    ``line`` and ``uncertain`` are equal.

    >>> NamedBoard("53" + "." * 79).clues[0, :3].tolist()
    [5, 3, 0]
    """

    clues: Board
    placed: Board
    name: str = ""
    line: int = field(default=0, compare=False)
    uncertain: bool = field(default=False, compare=False)
    marks: Marks = NO_MARKS
    rules: Rules = CLASSIC

    def __init__(
        self,
        clues: BoardLike,
        placed: BoardLike = BLANK_BOARD,
        name: str = "",
        line: int = 0,
        uncertain: bool = False,
        marks: Marks = NO_MARKS,
        rules: Rules = CLASSIC,
    ) -> None:
        """Take boards as :func:`~sudoku_vision.sudoku.board.parse_board` does, and raise its errors."""
        printed, entered = board_array(parse_board(clues)), board_array(parse_board(placed))
        both = np.flatnonzero((printed > 0) & (entered > 0))
        if both.size:
            what = f"{cell_name(int(both[0]))} holds both a clue and a placed digit."
            raise BoardError(what, "Leave one of them out.")
        if any(digits and filled for digits, filled in zip(marks, (printed + entered).flat, strict=True)):
            raise BoardError("A cell holds both a digit and pencil marks.", "Leave one of them out.")
        values = (printed, entered, tidy_name(name), line, uncertain, marks, rules)
        vars(self).update(zip((part.name for part in fields(self)), values, strict=True))
        self.__post_init__()

    @cached_property
    def digits(self) -> Board:
        """Clues and placed digits together, (9, 9) int8."""
        return self.clues + self.placed


def marks_beside(digits: Board, texts: Iterable[str]) -> Marks:
    """Return the pencil marks of 81 *texts* such as ``"28"``, for the blank cells of *digits* (9, 9).

    Programs may keep the marks of a cell after it was filled in. Characters other than 1 to 9 are skipped.
    """
    return tuple(
        frozenset() if filled else _digits_in(text) for text, filled in zip(texts, digits.flat, strict=True)
    )


def marks_without(board: NamedBoard, struck: Iterable[str]) -> Marks:
    """Return the marks of a *board* without the candidates that are *struck* out, 81 texts such as ``"28"``.

    A cell with struck candidates but without marks first gets all digits that no cell in its units has.
    """
    return tuple(
        (marks or left) - _digits_in(gone) if _digits_in(gone) else marks
        for marks, left, gone in zip(board.marks, all_candidates(board), struck, strict=True)
    )


def _digits_in(text: str) -> frozenset[int]:
    return frozenset(int(character) for character in text if character in "123456789")


def all_candidates(board: NamedBoard) -> Marks:
    """Return for each blank cell the digits that no cell in its units has; for filled cells nothing."""
    values, peers_of = board.digits.ravel().tolist(), board.rules.peers
    return tuple(
        frozenset() if value else _ALL_DIGITS - {values[peer] for peer in peers_of[cell]}
        for cell, value in enumerate(values)
    )


def tidy_name(text: str) -> str:
    """Return a name on one line, without control characters, cut to :data:`MAX_NAME`."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:MAX_NAME].rstrip()


Reader: TypeAlias = Callable[[str], list[NamedBoard] | None]
"""Returns the boards of a text, in order; None or nothing for a text of another format."""

Writer: TypeAlias = Callable[[Sequence[NamedBoard]], str]
"""Returns the text of some boards, with its last line end."""


@dataclass(frozen=True)
class Format:
    """One way to write boards down.

    * ``name``: its name for ``--to``. ``about``: a description for people.
    * ``read``: recognises it by its content; several formats may share one reader. ``write``: the way back.
    * ``endings``: file endings that choose it if no format is named.
    * ``several``: whether a text can hold more than one board. ``keeps``: what it stores besides the clues.
    """

    name: str
    about: str
    read: Reader
    write: Writer
    endings: tuple[str, ...] = ()
    several: bool = True
    keeps: tuple[Part, ...] = ()


def each(text: Callable[[NamedBoard], str], between: str = "") -> Writer:
    """Return the writer that joins the texts of boards."""
    return lambda boards: between.join(map(text, boards))


def digit_rows(digits: Board, blank: str = ".", between: str = "") -> list[str]:
    """Return the nine rows of a board (9, 9) as text, *blank* for blank cells and *between* any two."""
    return [between.join(str(digit) if digit else blank for digit in row) for row in digits.tolist()]
