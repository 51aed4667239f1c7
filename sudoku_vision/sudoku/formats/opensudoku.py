"""OpenSudoku's XML: ``<game data="81 digits"/>`` for each puzzle."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sudoku_vision.errors import BoardError
from sudoku_vision.results import board_text
from sudoku_vision.sudoku.formats.cell_marks import REMEDY, board_of_marks, cells_81
from sudoku_vision.sudoku.formats.format import Format
from sudoku_vision.sudoku.formats.named_board import NamedBoard

_XML_REMEDY = "Export the puzzles from OpenSudoku once more."


def read_opensudoku(text: str) -> list[NamedBoard] | None:
    """Read the boards of OpenSudoku's XML, or give None if *text* is not it.

    Document types and entities are refused unread: no such file has them, and they can be made to blow up.
    """
    if not text.lstrip().startswith("<"):
        return None
    if "<opensudoku" not in text:
        raise BoardError("This is XML or HTML, but not of OpenSudoku.", REMEDY)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise BoardError("This XML declares a document type.", _XML_REMEDY)
    from xml.etree import ElementTree  # here and below: these take long to load, and are seldom needed

    try:
        root = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except (ElementTree.ParseError, ValueError) as error:
        raise BoardError(f"This XML is broken ({error}).", _XML_REMEDY) from None
    games = [game.get("data", "") for game in root.iter("game")]
    return [
        board_of_marks(cells_81(data, f"game {number}")) for number, data in enumerate(games, start=1)
    ] or None


def _written(boards: Sequence[NamedBoard]) -> str:
    from xml.sax.saxutils import escape, quoteattr

    name = next((board.name for board in boards if board.name), "sudoku")
    games = "".join(f"  <game data={quoteattr(board_text(board.clues))} />\n" for board in boards)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'
    return f"{head}  <name>{escape(name)}</name>\n{games}</opensudoku>\n"


FORMATS = (Format("opensudoku", "OpenSudoku's XML", read_opensudoku, _written, (".opensudoku",)),)
