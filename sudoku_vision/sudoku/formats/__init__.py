"""Read boards from texts, files and links, and write boards as texts, files and links.

>>> from sudoku_vision.sudoku.formats import link, read_boards, write_board
>>> (board,) = read_boards("https://sudoku.coach/en/play/53" + "0" * 79)
>>> write_board(board, "ss").splitlines()[0]
'53.|...|...'
>>> link(board, "sudokuexchange.com")[:37]
'https://sudokuexchange.com/play/?s=53'

The format of a text is recognised by its content, never by the name of its file. Each format is a record of
the class ``Format`` with a function to read and a function to write.
"""

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from sudoku_vision.errors import BoardError, UsageError
from sudoku_vision.sudoku.board import BoardLike
from sudoku_vision.sudoku.formats import json_lists, plain_text, program_files
from sudoku_vision.sudoku.formats.cells import MAX_BYTES as MAX_BYTES
from sudoku_vision.sudoku.formats.cells import REMEDY
from sudoku_vision.sudoku.formats.cells import text_of as text_of
from sudoku_vision.sudoku.formats.links import SITES as SITES
from sudoku_vision.sudoku.formats.links import is_link as is_link
from sudoku_vision.sudoku.formats.links import link as link
from sudoku_vision.sudoku.formats.links import read_links
from sudoku_vision.sudoku.formats.links import site_named as site_named
from sudoku_vision.sudoku.formats.named_board import Format as Format
from sudoku_vision.sudoku.formats.named_board import NamedBoard as NamedBoard
from sudoku_vision.sudoku.formats.named_board import Part as Part
from sudoku_vision.sudoku.formats.named_board import all_candidates as all_candidates

FORMATS: dict[str, Format] = {
    form.name: form for family in (plain_text, json_lists, program_files) for form in family.FORMATS
}
"""The formats of text by name; formats of links are in :data:`~sudoku_vision.sudoku.formats.links.SITES`."""
# The functions that read a text, in the order in which they are tried. Plain text comes last, because its
# reader accepts nearly any text.
_READERS = tuple(dict.fromkeys((read_links, *(form.read for form in reversed(FORMATS.values())))))


def read_boards(data: str | bytes) -> list[NamedBoard]:
    """Read the boards of a text, or of the bytes of a file, in any format. The result is never empty.

    The boards may have any number of solutions. Raises BoardError if there is no board, or a malformed one.
    """
    boards = find_boards(text_of(data))
    if not boards:
        raise BoardError("There is no board in it.", REMEDY)
    return boards


def find_boards(text: str) -> list[NamedBoard]:
    """Read boards as :func:`read_boards` does; return an empty list if *text* has nothing like a board."""
    return next((boards for read in _READERS if (boards := read(text))), [])


def write_boards(boards: Iterable[NamedBoard], format: str) -> str:
    """Write *boards* into one text. *format* is a name of :data:`FORMATS` or of a site.

    Raises UsageError if the format is unknown, or if it can't hold several boards in one text.
    """
    chosen, listed = format_named(format), list(boards)
    if len(listed) > 1 and not chosen.several:
        raise UsageError(
            f"One text in the format {chosen.name} can't hold {len(listed)} boards.",
            "Write one board a file, or choose another format such as sdm.",
        )
    return chosen.write(listed)


def write_board(board: BoardLike | NamedBoard, format: str) -> str:
    """Write one board in a format of :data:`FORMATS`, or as a link to a site.

    Raises UsageError if the format is unknown.

    >>> write_board("53" + "." * 79, "sdm")[:5]
    '53000'
    """
    return write_boards([board if isinstance(board, NamedBoard) else NamedBoard(board)], format)


def format_named(name: str) -> Format:
    """Return the format with this name, file ending or site; raises UsageError if there is none."""
    wanted = name.strip().lower().lstrip(".")
    for form in FORMATS.values():
        if wanted == form.name or f".{wanted}" in form.endings:
            return form
    with contextlib.suppress(UsageError):
        return site_named(wanted)
    raise UsageError(
        f"The format {name!r} is unknown.", f"Use one of {', '.join(FORMATS)}, or {', '.join(SITES)}."
    )


def format_of(
    path: str | Path, others: Sequence[str] = (), remedy: str = "or name the format with --to"
) -> Format:
    """Return the format for the ending of *path*; raises UsageError if no format has this ending.

    *others*: further endings that the caller accepts. The error message names all endings, and ends with
    *remedy*.
    """
    ending = Path(path).suffix.lower()
    for form in FORMATS.values():
        if ending in form.endings:
            return form
    known = ", ".join([*others, *(ending for form in FORMATS.values() for ending in form.endings)])
    what = f"no format goes by the ending {ending!r}" if ending else "the name has no ending"
    raise UsageError(f"{path}: {what}.", f"End it with one of {known}, {remedy}.")
