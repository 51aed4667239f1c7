"""Formats of single programs or data sets: SadMan's ``.sdk``, OpenSudoku's XML, ``.dat`` labels.

* ``.sdk`` (http://sudocue.net/fileformats.php) has the sections ``[Puzzle]``, ``[State]`` and
  ``[PencilMarks]``, and a title after ``#D``. Pencil marks: nine rows of nine cells, separated by commas.
* OpenSudoku's XML (https://opensudoku.moire.org) has ``<game data="81 digits"/>`` for each puzzle. A saved
  game has a line ``version: N`` and then the cells, each as ``digit|marks|changeable|``. ``changeable`` is 1
  if the digit may be changed, and 0 for a clue. In version 1 the marks of a cell are a list of digits, in
  later versions the bits of a number. Version 4 adds a second field of marks, version 5 a colour. Version 1
  is written, because every version of the app can read it.
* A ``.dat`` file says which digits a picture shows. It has two lines about the picture, and then nine rows of
  nine digits, as in the Wichtounet data set.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.board import Board, board_text, marks_text
from sudoku_vision.sudoku.formats.cells import REMEDY, cells_81
from sudoku_vision.sudoku.formats.named_board import Format, NamedBoard, Part, digit_rows, each
from sudoku_vision.sudoku.formats.plain_text import read_plain_text

_SECTION = re.compile(r"(?im)^[ \t]*\[(puzzle|state|pencil\s?marks|colou?rs|solution)\][ \t]*(?:\n|\Z)")
_DESCRIPTION = re.compile(r"#D\s*(.*)")
_XML_REMEDY = "Export the puzzles from OpenSudoku once more."
_GAME_KEYS = (("data", "cells_data"), ("note", "user_note"))
"""The names of the XML attributes with the cells and with the name of a game. Each pair is the old and the
new name of one attribute."""
_SAVED = re.compile(r"version:\s*(\d+)\s+([\d|,-]+?)\s*")
_SAVED_CELLS = {
    "1": r"(\d)\|([\d,]+|-)()\|([01])\|",
    "2": r"(\d)\|(\d{1,3})()\|{1,2}([01])\|",  # the app wrote two bars here in this version
    "3": r"(\d)\|(\d{1,3})()\|([01])\|",
    "4": r"(\d)\|(\d{1,3})\|(\d{1,3})\|([01])\|",
    "5": r"(\d)\|(\d{1,3})\|(\d{1,3})\|\d\|([01])\|",
}
"""For each version of saved games, a pattern for a cell. Its four groups are the digit, the marks, a second
field of marks (read if the first is empty), and whether the digit may be changed (0 or 1)."""
_DAT_HEADERS = 2  # number of lines before the nine rows of digits; these lines describe the picture
_DAT_ROW = re.compile(r"\s*(?:[0-9]\s+){8}[0-9]\s*")


def read_sdk(text: str) -> list[NamedBoard] | None:
    """Return the boards of a ``.sdk`` file with sections; None if *text* has no sections."""
    boards: list[NamedBoard] = []
    name, sections = "", list(_sections(text))
    if len(sections) == 1:
        return None
    for section, first, lines in sections:
        described = next((found[1] for line in lines if (found := _DESCRIPTION.match(line))), "")
        if section == "puzzle":
            boards.append(NamedBoard(_only_board(lines, first, section), name=name or described, line=first))
            name = ""
            continue
        if section == "state" and boards:
            state = _only_board(lines, first, section)
            board = boards[-1]
            placed = np.where(board.clues > 0, np.int8(0), state)
            boards[-1] = NamedBoard(board.clues, placed, board.name, board.line)
        elif section.startswith("pencil") and boards:
            boards[-1] = _with_marks(boards[-1], lines)
        name = described or name
    if not boards:
        raise BoardError("This .sdk file has no section [Puzzle].", REMEDY)
    return boards


def _sections(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Yield for each section its name in small letters, the number of its first line, and its lines.

    First come the lines before all sections, with an empty name.
    """
    pieces, first = _SECTION.split(text), 1
    for name, lines in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        yield name.lower(), first, lines.split("\n")
        first += lines.count("\n") + 1


def _only_board(lines: list[str], first: int, section: str) -> Board:
    """Return the board in the *lines* of a *section*; raises BoardError unless there is exactly one."""
    boards = read_plain_text("\n".join(line for line in lines if not line.startswith("#")), first)
    if len(boards) != 1:
        raise BoardError(f"line {first}: section [{section}] holds {len(boards)} boards, not one.", REMEDY)
    return boards[0].clues


def _with_marks(board: NamedBoard, lines: Sequence[str]) -> NamedBoard:
    """Return the board with the marks in *lines*; unchanged if they aren't nine lines of nine cells."""
    rows = [line.split(",") for line in lines if line.strip()]
    if len(rows) != 9 or any(len(row) != 9 for row in rows):
        return board
    return board.with_marks(cell for row in rows for cell in row)


def _written_sdk(board: NamedBoard) -> str:
    lines = [f"#D {board.name}"] if board.name else []
    lines += ["[Puzzle]", *digit_rows(board.clues)]
    lines += ["[State]", *digit_rows(board.digits)] if board.placed.any() else []
    if any(board.marks):
        texts = marks_text(board.marks)
        lines += ["[PencilMarks]", *(",".join(texts[at : at + 9]) for at in range(0, 81, 9))]
    return "\n".join([*lines, ""])


def read_opensudoku(text: str) -> list[NamedBoard] | None:
    """Return the boards of OpenSudoku's XML; None if *text* is no XML."""
    if not text.lstrip().startswith("<"):
        return None
    if "<opensudoku" not in text:
        raise BoardError("This is XML or HTML, but not of OpenSudoku.", REMEDY)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # entities can expand without limit
        raise BoardError("This XML declares a document type.", _XML_REMEDY)
    from xml.etree import ElementTree  # imported only here, because it is slow to import and seldom needed

    try:
        root = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except (ElementTree.ParseError, ValueError) as error:
        raise BoardError(f"This XML is broken ({error}).", _XML_REMEDY) from None
    return [
        replace(_game(data, f"game {number}"), name=name)
        for number, game in enumerate(root.iter("game"), start=1)
        for data, name in [[game.get(key, game.get(later, "")) for key, later in _GAME_KEYS]]
    ] or None


def _game(data: str, where: str) -> NamedBoard:
    """Return the board in *data*, a puzzle or a saved game; error messages begin with *where*."""
    saved = _SAVED.fullmatch(data.strip())
    if saved is None:
        return NamedBoard(cells_81(data, where))
    cell = _SAVED_CELLS.get(saved[1], "")
    if not re.fullmatch(f"(?:{cell}){{81}}", saved[2]):
        raise BoardError(f"{where}: this is no saved game of a known version.", _XML_REMEDY)
    cells = re.findall(cell, saved[2])
    digits, is_clue = [int(cell[0]) for cell in cells], [cell[3] == "0" for cell in cells]
    board = NamedBoard.from_digits(digits, is_clue)
    return board.with_marks(
        marks if saved[1] == "1" else _digits_of(marks) or _digits_of(second) for _, marks, second, _ in cells
    )


def _digits_of(bits: str) -> str:
    """Return the digits whose bits are set in the decimal number *bits*. The lowest bit is the digit 1."""
    return "".join(str(digit) for digit in range(1, 10) if int(bits or 0) >> (digit - 1) & 1)


def _written_opensudoku(boards: Sequence[NamedBoard]) -> str:
    from xml.sax.saxutils import quoteattr

    name = next((board.name for board in boards if board.name), "sudoku")
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<opensudoku version="2">']
    lines += [f'  <folder name={quoteattr(name)} created="0">']
    for board in boards:
        note = f" note={quoteattr(board.name)}" if board.name else ""
        begun = board.placed.any() or any(board.marks)
        data = f'{quoteattr(_saved(board))} state="0"' if begun else f'"{board_text(board.clues)}"'
        lines.append(f"    <game data={data}{note} />")
    return "\n".join([*lines, "  </folder>", "</opensudoku>", ""])


def _saved(board: NamedBoard) -> str:
    """Return a board as the data of a saved game of version 1."""
    cells = zip(board.digits.flat, board.clues.flat, board.marks, strict=True)
    return "version: 1\n" + "".join(
        f"{digit}|{''.join(f'{mark},' for mark in sorted(marks)) or '-'}|{int(not clue)}|"
        for digit, clue, marks in cells
    )


def read_dat(text: str) -> Board:
    """Return the board (9, 9) int8 of a ``.dat`` file; raises BoardError if its rows aren't 81 digits."""
    lines = text.rstrip().splitlines()
    digits = "".join("".join(lines[0 if len(lines) == 9 else _DAT_HEADERS :]).split())
    if len(digits) != 81 or not digits.isascii() or not digits.isdigit():
        raise BoardError(f"a label must be 81 digits, got {digits[:90]!r}.", "Correct the label.")
    return NamedBoard(digits).clues


def find_dat(text: str) -> list[NamedBoard] | None:
    """Return the board of a ``.dat`` file with two lines before its rows; None for any other text."""
    lines = text.rstrip("\n").split("\n")
    if [bool(_DAT_ROW.fullmatch(line)) for line in lines] != [False] * _DAT_HEADERS + [True] * 9:
        return None
    return [NamedBoard(read_dat(text), line=_DAT_HEADERS + 1)]


def _written_dat(board: NamedBoard) -> str:
    return "\n".join(["sudoku", "no picture", *digit_rows(board.clues, "0", " "), ""])


_KEPT: tuple[Part, ...] = ("placed", "marks", "name")
FORMATS = (
    Format("dat", find_dat, each(_written_dat), (".dat",), several=False),
    Format("opensudoku", read_opensudoku, _written_opensudoku, (".opensudoku",), keeps=_KEPT),
    Format("sdk", read_sdk, each(_written_sdk), (".sdk",), several=False, keeps=_KEPT),
)
