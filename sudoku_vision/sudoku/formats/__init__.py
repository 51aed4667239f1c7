"""Formats: boards from texts, files and links, and back into them.

>>> from sudoku_vision.sudoku.formats import link, read_boards, write_board
>>> (board,) = read_boards("https://sudoku.coach/en/play/53" + "0" * 79)
>>> write_board(board, "ss").splitlines()[0]
'53.|...|...'
>>> link(board, "sudokuexchange.com")[:37]
'https://sudokuexchange.com/play/?s=53'

What a text is, its content says, never a name. A format is one record (``format``)
that reads and writes, in the module of its family::

    encoding       bytes -> text, bounded
    plain_text     lines of 81, grids as people print them (grids), tables with a header (tables)
    json_lists     JSON and the lists that Python prints
    program_files  files of one program each
    links          addresses of other sites; what some pack into them is read by fpuzzles and lz_string
    registry       all of them: reading, writing, and formats by name
"""

from sudoku_vision.sudoku.formats.encoding import MAX_BYTES, text_of
from sudoku_vision.sudoku.formats.format import Format, Part
from sudoku_vision.sudoku.formats.links import SITES, Site, is_link, link, read_link, site_named
from sudoku_vision.sudoku.formats.named_board import NamedBoard, all_candidates
from sudoku_vision.sudoku.formats.registry import (
    FORMATS,
    find_boards,
    format_named,
    format_of,
    read_boards,
    write_board,
    write_boards,
)

__all__ = [
    "FORMATS",
    "MAX_BYTES",
    "SITES",
    "Format",
    "NamedBoard",
    "Part",
    "Site",
    "all_candidates",
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
