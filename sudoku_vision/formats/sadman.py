"""Programs: the files of other sudoku programs, as far as they are more than lines and grids.

* ``.sdk`` of SadMan Sudoku: ``[Puzzle]`` with the clues, ``[State]`` with the digits placed so far, and
  headers such as ``#D`` for a description. SudoCue's has the headers, but no sections
  (http://sudocue.net/fileformats.php).
* ``.opensudoku`` of OpenSudoku: XML with ``<game data="81 digits"/>``.
* ``.dat`` of the picture labels of this project: two lines about the picture, then nine rows of nine digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from xml.etree import ElementTree

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.formats.marks import REMEDY, board_of_marks, cells_81
from sudoku_vision.formats.named import NamedBoard
from sudoku_vision.formats.text import read_text
from sudoku_vision.results import Board

_SECTION = re.compile(r"\s*\[(puzzle|state|pencil\s?marks|colou?rs|solution)\]\s*", re.IGNORECASE)
_DESCRIPTION = re.compile(r"#D\s*(.*)")
_XML_REMEDY = "Export the puzzles from OpenSudoku once more."

DAT_HEADERS = 2
"""Lines about the picture before the rows of a label."""


def read_sdk(text: str) -> list[NamedBoard] | None:
    """The boards of an ``.sdk`` file with sections, or None if it has none; several may follow each other."""
    if not any(_SECTION.fullmatch(line) for line in text.split("\n")):
        return None
    boards: list[NamedBoard] = []
    name = ""
    for section, first, lines in _sections(text):
        described = next((found[1] for line in lines if (found := _DESCRIPTION.match(line))), "")
        if section == "puzzle":
            boards.append(_only_board(lines, first, section, name or described))
            described = ""
            name = ""
        elif section == "state" and boards:
            state = _only_board(lines, first, section, "")
            boards[-1] = _with_state(boards[-1], state)
        name = described or name
    if not boards:
        raise BoardError("This .sdk file has no section [Puzzle].", REMEDY)
    return boards


def _sections(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Name, number of the first line, and lines of each section; the first one has no name."""
    section = ""
    numbered: list[tuple[str, int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        head = _SECTION.fullmatch(line)
        if head:
            section = f"{head[1].lower()} {number}"
        else:
            numbered.append((section, number, line))
    for name, lines in groupby(numbered, key=lambda item: item[0]):
        found = list(lines)
        yield name.partition(" ")[0], found[0][1], [line for _, _, line in found]


def _only_board(lines: list[str], first: int, section: str, name: str) -> NamedBoard:
    """The one board of a section."""
    boards = read_text("\n".join(line for line in lines if not line.startswith("#")), first)
    if len(boards) != 1:
        raise BoardError(f"line {first}: section [{section}] holds {len(boards)} boards, not one.", REMEDY)
    return NamedBoard(boards[0].clues, name=name, line=first)


def _with_state(board: NamedBoard, state: NamedBoard) -> NamedBoard:
    """The board with the digits of a state that are no clues."""
    placed = np.where(board.clues > 0, np.zeros((9, 9), np.int8), state.clues)
    return NamedBoard(board.clues, placed, board.name, board.line)


def read_opensudoku(text: str) -> list[NamedBoard] | None:
    """The boards of OpenSudoku's XML, or None if *text* is not it.

    Document types and entities are refused unread: no such file has them, and they can be made to blow up.
    """
    if not text.lstrip().startswith("<"):
        return None
    if "<opensudoku" not in text:
        raise BoardError("This is XML or HTML, but not of OpenSudoku.", REMEDY)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise BoardError("This XML declares a document type.", _XML_REMEDY)
    try:
        root = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except (ElementTree.ParseError, ValueError) as error:
        raise BoardError(f"This XML is broken ({error}).", _XML_REMEDY) from None
    games = [game.get("data", "") for game in root.iter("game")]
    return [
        board_of_marks(cells_81(data, f"game {number}")) for number, data in enumerate(games, start=1)
    ] or None


def read_dat(text: str) -> Board:
    """The board of a ``.dat`` label: two lines about the picture, then 81 digits.

    Returns (9, 9) int8, 0 for blank. Raises :class:`~sudoku_vision.errors.BoardError` for anything else.
    """
    digits = "".join("".join(text.splitlines()[DAT_HEADERS:]).split())
    if len(digits) != 81 or not digits.isascii() or not digits.isdigit():
        raise BoardError(f"a label must be 81 digits, got {digits[:90]!r}.", "Correct the label.")
    return board_of_marks(digits).clues


def find_dat(text: str) -> list[NamedBoard] | None:
    """The board of a ``.dat`` label, or None if *text* does not look like one."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) != DAT_HEADERS + 9 or any(
        re.fullmatch(r"(?:[0-9]\s+){8}[0-9]\s*", line) for line in lines[:2]
    ):
        return None
    if not all(re.fullmatch(r"\s*(?:[0-9]\s+){8}[0-9]\s*", line) for line in lines[DAT_HEADERS:]):
        return None
    return [NamedBoard(read_dat(text), line=DAT_HEADERS + 1)]
