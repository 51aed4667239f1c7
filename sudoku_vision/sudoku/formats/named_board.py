"""The boards that files and links contain, and the class :class:`Format` for ways to write boards.

A board has clues, placed digits, pencil marks, a name and rules.
"""

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

MAX_NAME = 200  # most characters of a name, because it is shown on one line; longer names are cut
_ALL_DIGITS = frozenset(range(1, 10))
Part: TypeAlias = Literal["placed", "marks", "name", "rules", "regions"]
"""A part that a board may have besides its clues.

A format with "regions" keeps the regions of a jigsaw or the cages of a killer, but not whether the diagonals
are units.
"""


@dataclass(frozen=True, eq=False, repr=False, init=False)
class NamedBoard(Value):
    """One board of a text, file or link.

    ``clues`` are the printed digits, and ``placed`` are the digits that a person put into blank cells. Both
    are (9, 9) int8, 0 for blank, and read-only. No cell has a digit in both. ``name``: the title of the
    board, or empty. ``line``: the line where the board begins, from 1; 0 if the board does not come from a
    text. ``uncertain``: whether the board comes from a picture and may be read wrongly. ``marks``: the 81
    sets of pencil marks. ``rules``: the rules of the puzzle. Boards that differ only in ``line`` and
    ``uncertain`` are equal.

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
        """Make a board; *clues* and *placed* are read by :func:`~sudoku_vision.sudoku.board.parse_board`.

        Raises BoardError if *clues* or *placed* is no board, or if a cell has more than one of a clue, a
        placed digit and pencil marks.
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

    @cached_property
    def digits(self) -> Board:
        """A board (9, 9) int8 with the clues and the placed digits; 0 for blank."""
        return self.clues + self.placed


def marks_beside(digits: Board, texts: Iterable[str]) -> Marks:
    """Return pencil marks from 81 *texts* such as ``"28"``; cells that have a digit in *digits* get none.

    Marks of filled cells are left out, because some programs keep the marks of a cell when it is filled in.
    *digits* is (9, 9). Characters other than 1 to 9 are skipped.
    """
    return tuple(
        frozenset() if filled else _digits_in(text) for text, filled in zip(texts, digits.flat, strict=True)
    )


def marks_without(board: NamedBoard, struck: Iterable[str]) -> Marks:
    """Return the pencil marks of a *board* without the candidates in *struck*, 81 texts such as ``"28"``.

    If a cell has struck candidates but no marks, its new marks are all its other candidates, those of
    :func:`all_candidates`.
    """
    return tuple(
        (marks or left) - _digits_in(gone) if _digits_in(gone) else marks
        for marks, left, gone in zip(board.marks, all_candidates(board), struck, strict=True)
    )


def _digits_in(text: str) -> frozenset[int]:
    return frozenset(int(character) for character in text if character in "123456789")


def all_candidates(board: NamedBoard) -> Marks:
    """Return for each blank cell the set of digits that no cell in its units holds.

    A filled cell has an empty set.
    """
    values, peers_of = board.digits.ravel().tolist(), board.rules.peers
    return tuple(
        frozenset() if value else _ALL_DIGITS - {values[peer] for peer in peers_of[cell]}
        for cell, value in enumerate(values)
    )


def tidy_name(text: str) -> str:
    """Return *text* as a name on one line, without control characters, cut to :data:`MAX_NAME` characters."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:MAX_NAME].rstrip()


Reader: TypeAlias = Callable[[str], list[NamedBoard] | None]
"""A function that is called with a text and returns its boards, in order.

It returns None or an empty list if the text has another format.
"""

Writer: TypeAlias = Callable[[Sequence[NamedBoard]], str]
"""A function that is called with boards and returns one text for all of them, which ends with a line end."""


@dataclass(frozen=True)
class Format:
    """A way to write boards as text.

    * ``name``: the name of the format for the option ``--to``. ``about``: a description for people.
    * ``read``: reads a text if its content has this format; several formats may share one reader.
    * ``write``: writes boards in this format.
    * ``endings``: endings of file names for which this format is chosen, unless a format is named.
    * ``several``: whether a text can hold more than one board.
    * ``keeps``: the parts of a board that the format stores besides the clues.
    """

    name: str
    about: str
    read: Reader
    write: Writer
    endings: tuple[str, ...] = ()
    several: bool = True
    keeps: tuple[Part, ...] = ()


def each(text: Callable[[NamedBoard], str], between: str = "") -> Writer:
    """Return a writer that joins the texts of all boards, with *between* after each but the last.

    *text* is called with a board and returns its text.
    """
    return lambda boards: between.join(map(text, boards))


def digit_rows(digits: Board, blank: str = ".", between: str = "") -> list[str]:
    """Return the nine rows of a board (9, 9) as texts.

    *blank* stands for each blank cell, and *between* is put between two cells.
    """
    return [between.join(str(digit) if digit else blank for digit in row) for row in digits.tolist()]
