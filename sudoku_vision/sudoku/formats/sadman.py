"""SadMan Sudoku's ``.sdk``: sections ``[Puzzle]``, ``[State]`` and ``[PencilMarks]``, headers such as ``#D``.

``#D`` is a description. Pencil marks are nine rows of nine cells with commas between them.

SudoCue's files have the headers, but no sections (http://sudocue.net/fileformats.php): those are plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.results import marks_text
from sudoku_vision.sudoku.formats.cell_marks import REMEDY
from sudoku_vision.sudoku.formats.format import Format, digit_rows, text_rows
from sudoku_vision.sudoku.formats.named_board import NamedBoard, marks_beside
from sudoku_vision.sudoku.formats.plain_text import read_plain_text

_SECTION = re.compile(r"\s*\[(puzzle|state|pencil\s?marks|colou?rs|solution)\]\s*", re.IGNORECASE)
_DESCRIPTION = re.compile(r"#D\s*(.*)")


def read_sdk(text: str) -> list[NamedBoard] | None:
    """Read the boards of a file with sections, or give None if it has none; several may follow each other."""
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
        elif section.startswith("pencil") and boards:
            boards[-1] = _with_marks(boards[-1], lines)
        name = described or name
    if not boards:
        raise BoardError("This .sdk file has no section [Puzzle].", REMEDY)
    return boards


def _sections(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Return name, number of the first line, and lines of each section; the first has no name."""
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
    """Return the one board of a section."""
    boards = read_plain_text("\n".join(line for line in lines if not line.startswith("#")), first)
    if len(boards) != 1:
        raise BoardError(f"line {first}: section [{section}] holds {len(boards)} boards, not one.", REMEDY)
    return NamedBoard(boards[0].clues, name=name, line=first)


def _with_state(board: NamedBoard, state: NamedBoard) -> NamedBoard:
    """Return the board with the digits of a state that are no clues."""
    placed = np.where(board.clues > 0, np.zeros((9, 9), np.int8), state.clues)
    return NamedBoard(board.clues, placed, board.name, board.line)


def _with_marks(board: NamedBoard, lines: Sequence[str]) -> NamedBoard:
    """Return the board with pencil marks; those that aren't nine rows of nine are left out."""
    rows = [line.split(",") for line in lines if line.strip()]
    if len(rows) != 9 or any(len(row) != 9 for row in rows):
        return board
    return replace(board, marks=marks_beside(board.digits, (cell for row in rows for cell in row)))


def _written(boards: Sequence[NamedBoard]) -> str:
    lines: list[str] = []
    for board in boards:
        lines += [f"#D {board.name}"] if board.name else []
        lines += ["[Puzzle]", *digit_rows(board)]
        lines += ["[State]", *text_rows(board.digits.tolist())] if board.placed.any() else []
        if any(board.marks):
            texts = marks_text(board.marks)
            lines += ["[PencilMarks]", *(",".join(texts[at : at + 9]) for at in range(0, 81, 9))]
    return "".join(f"{line}\n" for line in lines)


FORMATS = (
    Format(
        "sdk",
        "SadMan Sudoku: `#D` title, `[Puzzle]`, `[State]`, `[PencilMarks]`; SudoCue's without sections is "
        "read too",
        read_sdk,
        _written,
        (".sdk",),
        several=False,
        keeps_placed=True,
        keeps_marks=True,
        keeps_name=True,
    ),
)
