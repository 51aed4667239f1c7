"""Boards with a name, the records of formats, and the texts and characters that formats share."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.board import (
    BLANKS,
    NO_MARKS,
    Board,
    BoardLike,
    Marks,
    board_array,
    cell_name,
    parse_board,
)
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

        Raises BoardError if *clues* or *placed* is no board, or if a cell has two of the three: a clue, a
        placed digit, and marks.
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
    """Return for each of 81 cells the digits that no peer of it holds; a filled cell has no candidates."""
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
    """Return a writer that joins what *text* returns for each board, with *between* between two boards."""
    return lambda boards: between.join(map(text, boards))


def digit_rows(digits: Board, blank: str = ".", between: str = "") -> list[str]:
    """Return the nine rows of a board (9, 9) as texts, with *between* between two cells."""
    return [between.join(str(digit) if digit else blank for digit in row) for row in digits.tolist()]


MAX_BYTES = 32 << 20  # maximum bytes of a text: 400,000 puzzles, which take 0.3 GB of memory
MAX_LINES = 500_000  # maximum number of lines in a text; so many take some seconds to read
MAX_DEPTH = 32  # maximum number of levels of nested brackets; a list of boards has three levels

DIGITS = frozenset("123456789")
BLANK_WORDS = frozenset({"none", "null", "nan", "nil", "", "''", '""'})
"""Words, in small letters, for a blank cell in the lists that programs print."""
CELL_CHARACTERS = DIGITS | set(BLANKS)
BOARD_81 = re.compile(r"[1-9" + re.escape(BLANKS) + r"]{81}")
REMEDY = "A board has nine rows of nine cells: digits 1 to 9, and for blanks 0 or one of . _ * x X -."

_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # the characters at which str.splitlines ends a line
_BYTE_ORDER_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_LEGACY = "cp1252"
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")  # an escape sequence of a terminal, such as for a colour
_SPACES = {ord(character): " " for character in "\u00a0\u2007\u2009\u202f\u3000"} | dict.fromkeys(
    map(ord, "\u200b\u200c\u200d\u2060\ufeff")
)
"""For :meth:`str.translate`: special spaces become plain ones, and characters without width are removed."""
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BRACKETS = re.compile(r"[\[{(\])}]")
_SPLIT_REMEDY = "Split it into smaller files, or solve a list of lines with: sudoku-vision puzzles FILE"
_BOARD_REMEDY = "Give a text with a board in it, or a picture of one."


def text_of(data: str | bytes) -> str:
    """Return the text of a file, with line feeds between its lines and without terminal escape sequences.

    Bytes are decoded as UTF-16 with a byte order mark, as UTF-8 or as Windows-1252. Raises
    :class:`~sudoku_vision.errors.BoardError` for data that are empty, too long, or no text.
    """
    if len(data) > MAX_BYTES:
        raise BoardError(f"This is more than {MAX_BYTES >> 20} MB of text.", _SPLIT_REMEDY)
    text = data if isinstance(data, str) else _decoded(data)
    lines = sum(map(text.count, _LINE_ENDS)) - text.count("\r\n")
    if lines > MAX_LINES:
        raise BoardError(f"This is {lines:,} lines of text, the limit is {MAX_LINES:,}.", _SPLIT_REMEDY)
    if not text.strip():
        raise BoardError("There is nothing in it.", _BOARD_REMEDY)
    binary = _BINARY.search(text)
    if binary:
        line = text.count("\n", 0, binary.start()) + 1
        raise BoardError(f"This is no text: line {line} holds {binary.group()!r}.", _BOARD_REMEDY)
    return "\n".join(_ESCAPES.sub("", text).translate(_SPACES).splitlines())


def _decoded(data: bytes) -> str:
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode(_LEGACY, "replace")


def check_depth(text: str) -> None:
    """Raise BoardError if brackets in *text* are nested more than :data:`MAX_DEPTH` levels deep."""
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket.group() in "[{(" else max(depth - 1, 0)
        if depth > MAX_DEPTH:
            raise BoardError(f"Brackets are nested more than {MAX_DEPTH} deep.", _BOARD_REMEDY)


def cells_81(text: str, where: str = "") -> str:
    """Return the 81 cells in *text*, without white space. A BoardError says *where* the text stands."""
    cells = "".join(text.split())
    begin = f"{where}: " if where else ""
    for place, character in enumerate(cells, 1):
        if character not in CELL_CHARACTERS:
            raise BoardError(f"{begin}{character!r} at place {place} is neither a digit nor a blank.", REMEDY)
    if len(cells) != 81:
        raise BoardError(f"{begin}a board has 81 cells, this one has {len(cells)}.", REMEDY)
    return cells


def is_cell(word: str) -> bool:
    """Return whether *word* stands for one cell: it is a digit, a blank, or a word such as None."""
    return word in CELL_CHARACTERS or word.lower() in BLANK_WORDS


def cell_of(word: str) -> str:
    """Return a cell as one character, 0 for a word such as None."""
    return word if word in CELL_CHARACTERS else "0"


def digit_of(word: str) -> int:
    """Return *word* as a number if it is a digit 1 to 9; otherwise 0."""
    return int(word) if word in DIGITS else 0


def solves(solution: str, puzzle: str) -> bool:
    """Return whether *solution* (81 cells) is full and has all clues of *puzzle*.

    The result is False if *puzzle* has no blank cell.
    """
    if not set(solution) <= DIGITS or set(puzzle) <= DIGITS:
        return False
    return all(clue in BLANKS or clue == digit for clue, digit in zip(puzzle, solution, strict=True))
