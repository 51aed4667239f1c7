"""Lists with one puzzle on each line, from a file or from standard input, read some lines at a time.

A line begins with the 81 cells of its puzzle; any other text may follow after white space, a comma or a
semicolon. Blank lines and lines that begin with ``#`` hold no puzzle. If a list begins with the header of a
table, the puzzles are read from the column that the header names. Files may be packed by gzip.
"""

import contextlib
import gzip
import io
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import BoardError, OpenError
from sudoku_vision.sudoku.board import BLANKS, parse_board
from sudoku_vision.sudoku.formats.plain_text import Table

STDIN = "-"  # the name of standard input

Values = NDArray[np.uint8]  # boards (N, 81) uint8, 0 for blank
NO_BOARD: Values = np.ones(81, np.uint8)
"""Stands for a malformed board. Its digits clash, so no solver tries it."""

CHUNK_BYTES = 1 << 18  # a file is read in pieces of at most this many bytes, about 3,000 lines
MAX_LINE = 1 << 12  # of a longer line, only this many bytes are always kept; its puzzle is in them
MAX_UNENDED = 1 << 24  # maximum number of successive bytes without a line end; a file with more is not a list
MAX_IDLE_LINES = 1_000_000
"""Maximum number of successive lines without a puzzle. A list with more is refused: reading so many lines
takes a second, and a small gzip file can hold many more."""
MAX_SHOWN = 100  # maximum number of characters in a malformed line that are shown to the user

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_PICTURES = (b"\xff\xd8\xff", b"\x89PNG", b"%PDF-", b"RIFF", b"GIF8", b"II*\0", b"MM\0*")
"""First bytes of files with pictures."""
_SEPARATOR = re.compile(rb"[\s,;]")
_LINE_END = ord("\n")
_FIRST_WORDS = re.compile(rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*([^\s#][^\n]*)")
"""Matches the beginning of a text, up to the end of the first line that is neither blank nor begins with
``#``. Group 1 is this line."""
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")

_VALUE_OF_MARK = np.full(256, 255, np.uint8)
_VALUE_OF_MARK[list(BLANKS.encode("ascii", "ignore"))] = 0  # blanks that aren't ASCII are left to parse_board
_VALUE_OF_MARK[list(b"123456789")] = range(1, 10)
_ENDS_FIELD = np.array([bool(_SEPARATOR.match(bytes([byte]))) for byte in range(256)])


@dataclass(frozen=True)
class Malformed:
    """A line that should hold a puzzle but doesn't: the ``text`` of its first field, and a ``message``."""

    text: str
    message: str


@dataclass(frozen=True, eq=False)
class Chunk:
    """The puzzles of some successive lines of a ``source``.

    ``numbers`` (N,) int64 are the line numbers of the puzzles, from 1. ``values`` (N, 81) uint8 are their
    digits, 0 for blank. A line that should hold a puzzle but doesn't is malformed: its values are
    :data:`NO_BOARD`, and ``malformed`` has an entry for its line number that says what is wrong.
    """

    source: str
    numbers: NDArray[np.int64]
    values: Values
    malformed: Mapping[int, Malformed]

    @property
    def well_formed(self) -> NDArray[np.bool_]:
        """Whether each line in ``numbers`` holds a puzzle, (N,) bool."""
        return np.isin(self.numbers, list(self.malformed), invert=True)

    def portions(self, size: int) -> "Iterator[Chunk]":
        """Yield parts of the chunk with at most *size* puzzles."""
        for start in range(0, len(self.numbers), size):
            part = slice(start, start + size)
            yield Chunk(self.source, self.numbers[part], self.values[part], self.malformed)


def marks_to_values(marks: NDArray[np.uint8]) -> Values:
    """Return the value of each character (a byte) in *marks*: a digit, 0 for a blank, 255 for any other."""
    return _VALUE_OF_MARK[marks]


def read_list(source: str, advance: Callable[[int], object] = lambda _: None) -> Iterator[Chunk]:
    """Yield the puzzles of a list, some lines at a time. The list may be of any length.

    *source*: a path, or ``-`` for standard input. *advance* is called with the number of bytes that were
    read. Raises :class:`OpenError` if the list can't be opened, is no text, or is damaged; the chunks before
    a damaged place are yielded first.
    """
    with _opened(source) as file:
        line, idle, position = 1, 0, 0
        table: Table | None = None
        plain: Any = gzip.GzipFile(fileobj=file) if file.peek(len(_GZIP)).startswith(_GZIP) else file
        head = plain.peek(MAX_LINE)
        _check_text(head, source)
        if head.startswith(_BOM):
            plain.read(len(_BOM))
        for lines in _whole_lines(plain, source):
            with contextlib.suppress(OSError):  # a pipe has no position
                advance(file.tell() - position)
                position = file.tell()
            if line == 1:
                table, lines = _without_header(lines)
            chunk, count = _parse(_puzzle_column(lines, table), source, line)
            line += count
            idle = 0 if chunk.well_formed.any() else idle + count
            if len(chunk.numbers):
                yield chunk
            if idle > MAX_IDLE_LINES:
                what = f"{source}: there is no puzzle in {idle:,} successive lines."
                raise OpenError(what, "Leave these lines out.")


@contextlib.contextmanager
def _opened(source: str) -> Iterator[io.BufferedReader]:
    """Open a file or standard input. In the ``with`` block, errors of reading are raised as OpenError."""
    try:
        if source != STDIN:
            with Path(source).open("rb") as file:
                yield file
            return
        if sys.stdin is None:  # the program was started without standard input
            raise OpenError(f"{STDIN}: there is no standard input.", "Name a file.")
        standard_input: Any = sys.stdin.buffer
        yield standard_input if hasattr(standard_input, "peek") else io.BufferedReader(standard_input)
    except FileNotFoundError:
        raise OpenError(f"{source}: there is no such file.", "Check the spelling and the folder.") from None
    except IsADirectoryError:
        raise OpenError(f"{source}: this is a folder.", "Name the files in it.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        what = f"{source}: the gzip file is damaged from here on."
        raise OpenError(what, "Copy or download it again.") from None
    except (OSError, ValueError) as error:  # ValueError: no file can have this name
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise OpenError(f"{source}: can't be read ({reason}).", "Check its name and permissions.") from None


def _whole_lines(file: Any, name: str) -> Iterator[bytes]:
    """Yield the lines of *file*, one or more at a time. Lines of more than MAX_LINE bytes can lose their end.

    Raises OpenError if there are more than MAX_UNENDED bytes without a line end.
    """
    rest = b""
    dropped = 0
    while piece := file.read1(CHUNK_BYTES):
        if len(rest) == MAX_LINE:
            end = piece.find(b"\n")
            dropped += len(piece) if end < 0 else 0
            if dropped > MAX_UNENDED:
                what = f"{name}: no line ends within {MAX_UNENDED:,} bytes."
                raise OpenError(what, "Give each puzzle a line.")
            if end < 0:
                continue
            piece = piece[end:]
        dropped = 0
        data = rest + piece
        end = data.rfind(b"\n") + 1
        rest = data[end:][:MAX_LINE]
        if end:
            yield data[:end]
    if rest:
        yield rest + b"\n"


def _check_text(head: bytes, name: str) -> None:
    if head.startswith(_PICTURES):
        raise OpenError(f"{name}: this is a picture.", f"Solve it with: sudoku-vision solve {name}")
    if _NO_TEXT.search(head[:MAX_LINE]):
        raise OpenError(f"{name}: this is no text.", "Give lines of 81 characters; gzip alone is unpacked.")


def _without_header(lines: bytes) -> tuple[Table | None, bytes]:
    """If *lines* begin with a header, return its table, and *lines* with ``#`` before the header.

    So the header is skipped as a note. Without a header, return None and unchanged *lines*.
    """
    found = _FIRST_WORDS.match(lines)
    table = Table.of_header(found[1].decode("utf-8", "replace")) if found else None
    if found is None or table is None:
        return None, lines
    return table, lines[: found.start(1)] + b"#" + lines[found.start(1) :]


def _puzzle_column(lines: bytes, table: Table | None) -> bytes:
    """Return the *lines* of a *table*. A line with a puzzle is reduced to the field that holds the puzzle."""
    if table is None or table.puzzles == 0:
        return lines
    texts = lines.decode("utf-8", "replace").split("\n")
    return "\n".join(
        text if text.startswith("#") else table.field(text, table.puzzles) or text for text in texts
    ).encode()


def _parse(lines: bytes, source: str, first: int) -> tuple[Chunk, int]:
    """Return the puzzles of complete *lines*, and the number of lines. *first*: number of the first line."""
    data = np.frombuffer(lines, np.uint8)
    ends = np.flatnonzero(data == _LINE_END)
    starts = np.concatenate([[0], ends[:-1] + 1])
    # All lines that begin with 81 cells are read together, without a loop in Python.
    plain = (ends - starts >= 81) & _ENDS_FIELD[data[np.minimum(starts + 81, len(data) - 1)]]
    values = np.zeros((len(starts), 81), np.uint8)
    values[plain] = marks_to_values(data[starts[plain, None] + np.arange(81)])
    plain &= values.max(axis=1) <= 9
    counts = np.ones(len(starts), np.bool_)
    malformed: dict[int, Malformed] = {}
    for at in np.flatnonzero(~plain):
        read = _parse_line(lines[starts[at] : ends[at]])
        if read is None:
            counts[at] = False
        elif isinstance(read, Malformed):
            malformed[first + int(at)], values[at] = read, NO_BOARD
        else:
            values[at] = read
    return Chunk(source, first + np.flatnonzero(counts), values[counts], malformed), len(starts)


def _parse_line(line: bytes) -> tuple[int, ...] | Malformed | None:
    """Return the 81 values of a line's puzzle, or what is wrong, or None for a blank line or a ``#`` line."""
    stripped = line.strip()
    if not stripped or stripped.startswith(b"#"):
        return None
    spaced = line.rstrip(b"\r")
    if len(spaced) == 81 and set(spaced) <= set(b" 123456789"):
        return parse_board(spaced.replace(b" ", b"0").decode())
    field = _SEPARATOR.split(stripped, maxsplit=1)[0].strip(b"\"'").decode("utf-8", "replace")
    try:
        return parse_board(field)
    except BoardError as error:
        shown = field if len(field) <= MAX_SHOWN else f"{field[:MAX_SHOWN]}..."
        return Malformed(shown, error.message)
