"""Formats: boards from texts, files and links, and back into them.

>>> from sudoku_vision.formats import link, read_boards, write_board
>>> (board,) = read_boards("https://sudoku.coach/en/play/53" + "0" * 79)
>>> write_board(board, "ss").splitlines()[0]
'53.|...|...'
>>> link(board, "sudokuexchange.com")[:37]
'https://sudokuexchange.com/play/?s=53'

What a text is, its content says, never a name::

    source     bytes -> text, bounded
    links      addresses of other sites; packed: what f-puzzles and SudokuPad pack into them, by lzstring
    programs   .sdk with sections, OpenSudoku's XML, .dat labels
    values     JSON and Python lists
    text       anything else: lines of 81, tables and HoDoKu's in lines; grids as people print them and .ss in
               grids, with spaces for blanks in columns
    write      all of them the other way round
"""

from __future__ import annotations

from sudoku_vision.errors import BoardError
from sudoku_vision.formats.links import SITES, Site, is_link, link, read_link, read_links, site_named
from sudoku_vision.formats.marks import REMEDY
from sudoku_vision.formats.named import NamedBoard
from sudoku_vision.formats.programs import find_dat, read_opensudoku, read_sdk
from sudoku_vision.formats.source import MAX_BYTES, text_of
from sudoku_vision.formats.text import read_text
from sudoku_vision.formats.values import read_values
from sudoku_vision.formats.write import FORMATS, Format, format_named, format_of, write_board, write_boards

__all__ = [
    "FORMATS",
    "MAX_BYTES",
    "SITES",
    "Format",
    "NamedBoard",
    "Site",
    "find_boards",
    "format_named",
    "format_of",
    "is_link",
    "link",
    "read_boards",
    "read_link",
    "site_named",
    "text_of",
    "write_board",
    "write_boards",
]

_READERS = (read_links, read_sdk, read_opensudoku, find_dat, read_values, read_text)
"""From the surest signs to the least sure; each gives None or nothing for what is not of its kind."""


def read_boards(data: str | bytes) -> list[NamedBoard]:
    """All boards of a text, in order: at least one.

    *data* is a text or the bytes of a file, in any format of :data:`FORMATS` or with links of :data:`SITES`.
    Whether digits clash or a puzzle has one solution is not looked at. Raises
    :class:`~sudoku_vision.errors.BoardError`, which says what is wrong and in which line, for a text without
    a board and for one with a broken board in it.
    """
    boards = find_boards(text_of(data))
    if not boards:
        raise BoardError("There is no board in it.", REMEDY)
    return boards


def find_boards(text: str) -> list[NamedBoard]:
    """As :func:`read_boards`, but none for a text in which there is nothing like a board."""
    return next((boards for read in _READERS if (boards := read(text))), [])
