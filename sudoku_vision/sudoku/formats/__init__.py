"""Formats: boards from texts, files and links, and back into them.

>>> from sudoku_vision.sudoku.formats import link, read_boards, write_board
>>> (board,) = read_boards("https://sudoku.coach/en/play/53" + "0" * 79)
>>> write_board(board, "ss").splitlines()[0]
'53.|...|...'
>>> link(board, "sudokuexchange.com")[:37]
'https://sudokuexchange.com/play/?s=53'

What a text is, its content says, never a name. A format is one record (``named_board``)
that reads and writes, in the module of its family; this module reads and writes by all of them, or by name::

    encoding       bytes -> text, bounded
    plain_text     lines of 81, grids as people print them (grids), tables with a header (tables)
    json_lists     JSON and the lists that Python prints
    program_files  files of one program each
    links          addresses of other sites; what some pack into them is read by fpuzzles and lz_string
"""

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from sudoku_vision.errors import BoardError, UsageError
from sudoku_vision.sudoku.board import BoardLike
from sudoku_vision.sudoku.formats import json_lists, plain_text, program_files
from sudoku_vision.sudoku.formats.cell_marks import REMEDY
from sudoku_vision.sudoku.formats.encoding import MAX_BYTES, text_of
from sudoku_vision.sudoku.formats.links import SITES, Site, is_link, link, read_link, read_links, site_named
from sudoku_vision.sudoku.formats.named_board import Format, NamedBoard, Part, all_candidates

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


_FAMILIES = (plain_text, json_lists, program_files)
"""The modules whose records are formats, those with the surest signs last."""
FORMATS: dict[str, Format] = {form.name: form for family in _FAMILIES for form in family.FORMATS}
"""The formats of text by name; links go by the names of :data:`~sudoku_vision.sudoku.formats.links.SITES`."""
_READERS = tuple(dict.fromkeys((read_links, *(form.read for form in reversed(FORMATS.values())))))
"""From the surest signs to the least sure: what takes nearly any text must come last."""


def read_boards(data: str | bytes) -> list[NamedBoard]:
    """Read all boards of a text or of the bytes of a file, in any format, in order: at least one.

    Whether digits clash or a puzzle has one solution is not looked at. Raises
    :class:`~sudoku_vision.errors.BoardError`, which names the line, for a text without a board and for one
    with a broken board in it.
    """
    boards = find_boards(text_of(data))
    if not boards:
        raise BoardError("There is no board in it.", REMEDY)
    return boards


def find_boards(text: str) -> list[NamedBoard]:
    """Read boards as :func:`read_boards` does, but none where there is nothing like a board."""
    return next((boards for read in _READERS if (boards := read(text))), [])


def write_boards(boards: Iterable[NamedBoard], format: str) -> str:
    """Write all *boards* in one text, in a format of :data:`FORMATS` or as links to a site.

    Raises UsageError for an unknown format, and for several boards in one that holds a single one.
    """
    chosen, listed = format_named(format), list(boards)
    if len(listed) > 1 and not chosen.several:
        raise UsageError(
            f"One text in the format {chosen.name} can't hold {len(listed)} boards.",
            "Write one board a file, or choose another format such as sdm.",
        )
    return chosen.write(listed)


def write_board(board: BoardLike | NamedBoard, format: str) -> str:
    """Write one board in a format of :data:`FORMATS`, or as a link to a site; raises UsageError.

    >>> write_board("53" + "." * 79, "sdm")[:5]
    '53000'
    """
    return write_boards([board if isinstance(board, NamedBoard) else NamedBoard(board)], format)


def format_named(name: str) -> Format:
    """Return the format of that name or ending, or that of a site; raises UsageError if there is none."""
    wanted = name.strip().lower().lstrip(".")
    for form in FORMATS.values():
        if wanted == form.name or f".{wanted}" in form.endings:
            return form
    with contextlib.suppress(UsageError):
        return site_named(wanted).format
    raise UsageError(
        f"The format {name!r} is unknown.", f"Use one of {', '.join(FORMATS)}, or {', '.join(SITES)}."
    )


def format_of(
    path: str | Path, others: Sequence[str] = (), remedy: str = "or name the format with --to"
) -> Format:
    """Return the format of *path*'s ending; raises :class:`~sudoku_vision.errors.UsageError`.

    *others* are endings of what is no text, and *remedy* is what else helps: both are for the message.
    """
    ending = Path(path).suffix.lower()
    for form in FORMATS.values():
        if ending in form.endings:
            return form
    known = ", ".join([*others, *(ending for form in FORMATS.values() for ending in form.endings)])
    what = f"no format goes by the ending {ending!r}" if ending else "the name has no ending"
    raise UsageError(f"{path}: {what}.", f"End it with one of {known}, {remedy}.")
