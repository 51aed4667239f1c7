"""Boards with a name, and the records of formats."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.board import NO_MARKS, Board, BoardLike, Marks, board_array, cell_name, parse_board
from sudoku_vision.sudoku.formats.cells import DIGITS
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.values import Value

BLANK_BOARD: Board = np.zeros((9, 9), np.int8)
BLANK_BOARD.setflags(write=False)

MAX_NAME = 200  # maximum number of characters in the name of a board; longer names are cut
_ALL_DIGITS = frozenset(range(1, 10))
Part: TypeAlias = Literal["placed", "marks", "name", "rules", "regions"]
"""A part of a board that a format may store besides the clues. "rules" are all rules. "regions" are the rules
that drawn borders can show: regions and cages, but not diagonals."""


@dataclass(frozen=True, eq=False, repr=False, init=False)
class NamedBoard(Value):
    """One board of a text, file or link.

    ``clues``: the printed digits. ``placed``: the digits that a person put into blank cells. Both are (9, 9)
    int8, 0 for blank, and read-only. ``line``: the line of the text where the board begins, from 1; 0 if it
    is unknown. ``uncertain``: whether the board comes from a picture and may have been misread. Boards
    that differ only in ``line`` and ``uncertain`` are equal.

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
        """Make a board of *clues* and *placed* in any form of :data:`BoardLike`.

        Raises BoardError if *clues* or *placed* is no board, or if a cell has more than one of these: a clue,
        a placed digit, and marks.
        """
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

    @classmethod
    def from_digits(cls, digits: Iterable[int], is_clue: Iterable[bool], **more: Any) -> "NamedBoard":
        """Return the board of 81 *digits*, 0 for blank. Digits that are no clues are placed digits."""
        values, clue = (np.array([*cells]).reshape(9, 9) for cells in (digits, is_clue))
        return cls(np.where(clue, values, 0), np.where(clue, 0, values), **more)

    @cached_property
    def digits(self) -> Board:
        """The clues and the placed digits together, (9, 9) int8."""
        return self.clues + self.placed

    def with_marks(self, texts: Iterable[str]) -> "NamedBoard":
        """Return the board with the pencil marks in 81 *texts* such as ``"28"``; filled cells get none."""
        return replace(self, marks=marks_beside(self.digits, texts))

    def without(self, struck: Iterable[str]) -> "NamedBoard":
        """Return the board without the candidates in *struck*, 81 texts such as ``"28"``.

        If a cell with struck candidates has no marks, all its other candidates become its marks.
        """
        marks = tuple(
            (marks or left) - _digits_in(gone) if _digits_in(gone) else marks
            for marks, left, gone in zip(self.marks, all_candidates(self), struck, strict=True)
        )
        return replace(self, marks=marks)


def marks_beside(digits: Board, texts: Iterable[str]) -> Marks:
    """Return the pencil marks in 81 *texts* such as ``"28"``; cells that *digits* (9, 9) fill get none."""
    return tuple(
        frozenset() if filled else _digits_in(text) for text, filled in zip(texts, digits.flat, strict=True)
    )


def _digits_in(text: str) -> frozenset[int]:
    return frozenset(int(character) for character in text if character in "123456789")


def all_candidates(board: NamedBoard) -> Marks:
    """For each cell, return the digits that none of its peers holds; a filled cell has no candidates."""
    values, peers_of = board.digits.ravel().tolist(), board.rules.peers
    return tuple(
        frozenset() if value else _ALL_DIGITS - {values[peer] for peer in peers_of[cell]}
        for cell, value in enumerate(values)
    )


def tidy_name(text: str) -> str:
    """Return *text* as a name on one line, without control characters, cut to :data:`MAX_NAME` characters."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:MAX_NAME].rstrip()


@dataclass(frozen=True)
class Format:
    """A format in which boards are written as text.

    ``name``: its name in the option ``--to``. ``read`` returns the boards of a text; None or an empty list if
    the text has another format. ``write`` returns one text with all boards, and with a line end at its end.
    ``endings``: the file endings for which this format is chosen. ``several``: whether a text can hold more
    than one board. ``keeps``: the parts of a board that the format stores besides the clues.
    """

    name: str
    read: Callable[[str], list[NamedBoard] | None]
    write: Callable[[Sequence[NamedBoard]], str]
    endings: tuple[str, ...] = ()
    several: bool = True
    keeps: tuple[Part, ...] = ()


def each(text: Callable[[NamedBoard], str], between: str = "") -> Callable[[Sequence[NamedBoard]], str]:
    """Return a function that calls *text* for each board and joins the results, separated by *between*."""
    return lambda boards: between.join(map(text, boards))


def digit_rows(digits: Board, blank: str = ".", between: str = "") -> list[str]:
    """Return the nine rows of a board (9, 9) as texts. *between* separates the cells."""
    return [between.join(str(digit) if digit else blank for digit in row) for row in digits.tolist()]


def solves(solution: str, puzzle: str) -> bool:
    """Return whether *solution* (81 cells) is full and has all clues of *puzzle*.

    The result is False if *puzzle* has no blank cell.
    """
    if not set(solution) <= DIGITS or set(puzzle) <= DIGITS:
        return False
    return all(clue not in DIGITS or clue == digit for clue, digit in zip(puzzle, solution, strict=True))
