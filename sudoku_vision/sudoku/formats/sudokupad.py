"""SudokuPad: its JSON, and what stands in its links.

JSON with ``cells``, packed as f-puzzles' is behind ``scl`` or ``ctc``; f-puzzles' own behind ``fpuzzles`` or
``fpuz``; and behind ``scf`` the bare clues, each with the blanks that follow it as one character. The forms
are those that SudokuPad's own tools read (https://github.com/SudokuPad/sudokutools, MIT).
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.formats.fpuzzles import (
    PLAIN_REMEDY,
    board_of_cells,
    board_of_fpuzzle,
    nine_by_nine,
    unpack_fpuzzle,
    unpack_object,
)
from sudoku_vision.sudoku.formats.named_board import NamedBoard

_REMEDY = "Copy the whole link once more."

_MARKS_OF_BLANKS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
"""Character number ``digit + 10 * blanks``: a cell, and how many blanks follow it, up to five."""


def board_of_sudokupad(puzzle: dict[str, Any]) -> NamedBoard:
    """Read SudokuPad's JSON; raises :class:`~sudoku_vision.errors.BoardError` if it is not plain."""
    if any(puzzle.get(key) for key in ("lines", "arrows", "overlays", "underlays")):
        raise BoardError("The puzzle has lines or signs on it.", PLAIN_REMEDY)
    cages = puzzle.get("cages") or []
    if not isinstance(cages, list) or any(isinstance(cage, dict) and cage.get("cells") for cage in cages):
        raise BoardError("The puzzle has cages.", PLAIN_REMEDY)
    details = puzzle.get("metadata")
    title = details.get("title") if isinstance(details, dict) else None
    return board_of_cells(nine_by_nine(puzzle.get("cells")), title, lambda _: True)


def pack_clues(board: NamedBoard) -> str:
    """Pack the clues alone, as SudokuPad writes them behind ``scf``."""
    packed, digits = "", [int(digit) for digit in board.clues.flat]
    at = 0
    while at < 81:
        blanks = 0
        while blanks < 5 and at + blanks + 1 < 81 and not digits[at + blanks + 1]:
            blanks += 1
        packed += _MARKS_OF_BLANKS[digits[at] + 10 * blanks]
        at += blanks + 1
    return packed


def unpack_clues(packed: str, name: str = "") -> NamedBoard:
    """Unpack what :func:`pack_clues` makes."""
    cells = ""
    for mark in packed[:82]:
        number = _MARKS_OF_BLANKS.find(mark)
        if number < 0:
            raise BoardError(f"{mark!r} does not belong into SudokuPad's short form.", _REMEDY)
        cells += str(number % 10) + "0" * (number // 10)
        if len(cells) >= 81:
            break
    if len(cells) != 81 or len(packed) > len(cells):
        raise BoardError(f"SudokuPad's short form holds {len(cells)} cells here, not 81.", _REMEDY)
    return NamedBoard(cells, name=name)


def unpack_sudokupad(puzzle_id: str) -> NamedBoard:
    """Read a SudokuPad link's puzzle id; raises :class:`~sudoku_vision.errors.BoardError`."""
    for prefix, unpack in (
        ("fpuzzles", unpack_fpuzzle),
        ("fpuz", unpack_fpuzzle),
        ("scf", lambda packed: unpack_clues(unquote(packed).removesuffix(".scf"))),
        ("scl", lambda packed: board_of_sudokupad(unpack_object(packed))),
        ("ctc", lambda packed: board_of_sudokupad(unpack_object(packed))),
    ):
        if puzzle_id.startswith(prefix):
            return unpack(puzzle_id[len(prefix) :])
    if len(puzzle_id) > _LONGEST_NUMBER:
        puzzle = unpack_object(puzzle_id)
        if isinstance(puzzle.get("p"), str):
            return unpack_clues(puzzle["p"], str(puzzle.get("n") or ""))
        return board_of_fpuzzle(puzzle) if "grid" in puzzle else board_of_sudokupad(puzzle)
    raise BoardError(
        "This link holds a puzzle's number only, and nothing is fetched from the net.",
        "Open it in a browser, and export the puzzle as an f-puzzles link.",
    )


_LONGEST_NUMBER = 60
"""Characters of an id under which SudokuPad itself keeps a puzzle: an author's name and a title, at most."""
