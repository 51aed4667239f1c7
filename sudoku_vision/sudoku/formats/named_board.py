"""A board as files and links hold it: clues, what a person placed and marked, a name; what a format is."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.results import NO_MARKS, Board, Marks, brief
from sudoku_vision.sudoku.board import BoardLike, board_array, cell_name, parse_board
from sudoku_vision.sudoku.rules import CLASSIC, Rules

BLANK_BOARD: Board = np.zeros((9, 9), np.int8)
BLANK_BOARD.setflags(write=False)

MAX_NAME = 200  # characters of a name that are kept: names are shown on one line
_ALL_DIGITS = frozenset(range(1, 10))
Part: TypeAlias = Literal["placed", "marks", "name", "rules"]  # what a board may have besides its clues


@dataclass(frozen=True, eq=False)
class NamedBoard:
    """One board of a text, file or link.

    ``clues`` are the printed digits, ``placed`` those that a person has put into blank cells: both (9, 9)
    int8, 0 for blank, read-only, and never both set in one cell. ``name`` is its title or empty, ``line`` the
    line it begins at, from 1, or 0. ``uncertain``: it may be read wrongly from a picture. ``marks`` are the
    81 sets of pencil marks, ``rules`` those that hold on it. Two of them are equal if boards, marks,
    names and rules are.

    >>> NamedBoard("53" + "." * 79).clues[0, :3].tolist()
    [5, 3, 0]
    """

    clues: Board
    placed: Board
    name: str
    line: int
    uncertain: bool
    marks: Marks
    rules: Rules

    __repr__ = brief

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
        printed, entered = _frozen(clues), _frozen(placed)
        both = np.flatnonzero((printed > 0) & (entered > 0))
        if both.size:
            what = f"{cell_name(int(both[0]))} holds both a clue and a placed digit."
            raise BoardError(what, "Leave one of them out.")
        if any(digits and filled for digits, filled in zip(marks, (printed + entered).flat, strict=True)):
            raise BoardError("A cell holds both a digit and pencil marks.", "Leave one of them out.")
        values = (printed, entered, tidy_name(name), line, uncertain, marks, rules)
        for field, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, field.name, value)

    @cached_property
    def digits(self) -> Board:
        """Clues and placed digits together, (9, 9) int8, read-only."""
        return _frozen(self.clues + self.placed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedBoard) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[bytes, bytes, Marks, str, Rules]:
        return self.clues.tobytes(), self.placed.tobytes(), self.marks, self.name, self.rules


def marks_beside(digits: Board, texts: Iterable[str]) -> Marks:
    """Return the pencil marks of 81 *texts* such as ``"28"``, without those below *digits* (9, 9).

    Programs keep the marks of a cell that was filled in meanwhile; what is no digit from 1 to 9 is skipped.
    """
    return tuple(
        frozenset() if filled else frozenset(int(mark) for mark in text if mark in "123456789")
        for text, filled in zip(texts, digits.flat, strict=True)
    )


def marks_without(board: NamedBoard, struck: Iterable[str]) -> Marks:
    """Return the marks of a *board* without the candidates that are *struck* out, 81 texts such as ``"28"``.

    A cell that something is struck out of, and that has no marks, gets what the digits it sees leave it.
    """
    gone = (frozenset(int(mark) for mark in text if mark in "123456789") for text in struck)
    return tuple(
        (marks or left) - out if out else marks
        for marks, left, out in zip(board.marks, all_candidates(board), gone, strict=True)
    )


def all_candidates(board: NamedBoard) -> Marks:
    """Return what the digits that each blank cell of a *board* sees leave it; nothing for the other cells."""
    values, peers_of = board.digits.ravel().tolist(), board.rules.peers
    return tuple(
        frozenset() if value else _ALL_DIGITS - {values[peer] for peer in peers_of[cell]}
        for cell, value in enumerate(values)
    )


def tidy_name(text: str) -> str:
    """Return a name on one line, without control characters, cut to :data:`MAX_NAME`."""
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())[:MAX_NAME].rstrip()


def _frozen(board: BoardLike) -> Board:
    """Return a read-only (9, 9) int8 copy."""
    if isinstance(board, np.ndarray) and board.dtype == np.int8 and board.shape == (9, 9):
        array = board.copy() if board.flags.writeable else board
        if array.min() < 0 or array.max() > 9:
            array = board_array(parse_board(board))  # which says what is wrong
    else:
        array = board_array(parse_board(board))
    array.setflags(write=False)
    return array


Reader: TypeAlias = Callable[[str], list[NamedBoard] | None]
"""Gives the boards of a text, in order; None or nothing for a text that is not of its kind."""

Writer: TypeAlias = Callable[[Sequence[NamedBoard]], str]
"""Gives the text of some boards, with its last line end."""


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
