"""Inputs: what is opened, whatever it is, becomes the bytes of a picture or the boards of a text."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from sudoku_vision.errors import BoardError, OpenError
from sudoku_vision.sudoku.formats import MAX_BYTES, NamedBoard, find_boards, is_link, read_boards, text_of
from sudoku_vision.sudoku.formats.cell_marks import MARKS
from sudoku_vision.vision.load.files import PICTURE_ENDINGS, SNIFFED_BYTES, STDIN, kind_of, opened

_MEANT_AS_BOARD = 60
"""Digits and blanks in an argument above which it is a board, if a broken one, and no name of a file."""


@dataclass(frozen=True, eq=False)
class Input:
    """One thing to open: a file or standard input (``path``), or what was typed itself (``text``).

    The same file named twice is two things.
    ``name`` is what it goes by in messages. ``error`` says why there is nothing to open. ``below`` is the
    subfolder of a folder that was searched, in which it lies. ``pages`` are the only ones meant, if any.
    """

    name: str
    path: str = ""
    text: str = ""
    error: OpenError | None = None
    below: str = ""
    pages: tuple[int, ...] = ()

    @property
    def stem(self) -> str:
        """Return what files that are made from it are called."""
        return "stdin" if self.path == STDIN else Path(self.path).stem if self.path else "board"


@dataclass(frozen=True)
class Inputs:
    """All that is to be opened, in order; ``left_out`` are pictures that this program wrote itself.

    ``searched`` says whether a folder or a pattern was among the arguments. ``kept`` are files that an
    earlier run made, and that nothing is to be written over.
    """

    items: tuple[Input, ...]
    left_out: tuple[str, ...] = ()
    searched: bool = False
    kept: tuple[str, ...] = ()

    @property
    def paths(self) -> list[str]:
        """Return the files, and ``-`` for standard input."""
        return [item.path for item in self.items if item.path]


def open_input(item: Input) -> bytes | list[NamedBoard]:
    """Open one input: the bytes of a picture file, or the boards of a text, at least one.

    Raises :class:`OpenError` for what is missing, unreadable, empty or neither, and :class:`BoardError` for
    a broken board. Every message begins with the name of the input.
    """
    if item.error is not None:
        raise item.error
    if not item.path:
        return _boards_of_text(item)
    data = opened(item.path, text_bytes=MAX_BYTES)
    assert isinstance(data, bytes)
    try:
        kind_of(data[:SNIFFED_BYTES], item.name)
        return data
    except OpenError as error:
        no_picture = error
    if not data.strip():
        raise OpenError(f"{item.name}: the file is empty.", "Copy or download it again.")
    with _named_errors(item.name):
        try:
            text = text_of(data)
        except BoardError:
            if len(data) <= MAX_BYTES:
                raise no_picture from None
            raise
        boards = find_boards(text)
    if not boards:
        what = f"{item.name}: this is not a picture, and there is no board in it."
        raise OpenError(what, "Give a file with a picture or with boards of 81 characters.")
    return boards


def picture_kind(item: Input) -> str | None:
    """Return the kind of picture in a file, by its first bytes, None for anything else; no more is read."""
    if item.error is not None or not item.path or item.path == STDIN:
        return None
    with contextlib.suppress(OSError, OpenError), Path(item.path).open("rb") as file:
        return kind_of(file.read(SNIFFED_BYTES), "")
    return None


def _boards_of_text(item: Input) -> list[NamedBoard]:
    """Read the boards that are written out, or behind a link; what is meant as neither is no file either."""
    try:
        with _named_errors(item.name):
            return read_boards(item.text)
    except BoardError:
        if is_link(item.text) and Path(urlsplit(item.text).path).suffix.lower() in PICTURE_ENDINGS:
            what = f"{item.name}: nothing is fetched from the net."
            raise OpenError(what, "Download the picture first, then name the file.") from None
        if is_link(item.text) or is_meant_as_board(item.text):
            raise
    what = "there is no such file, and it is no board either"
    if any(mark in item.text for mark in "*?"):
        what = "no file matches this pattern, and it is no board either"
    remedy = (
        "Check the spelling, or give a board of 81 characters, a link, or a file with a board or a picture."
    )
    raise OpenError(f"{item.name}: {what}.", remedy)


@contextlib.contextmanager
def _named_errors(name: str) -> Iterator[None]:
    """Begin the message of a broken board with the name of its input."""
    try:
        yield
    except BoardError as error:
        message = error.message[:1].lower() + error.message[1:]
        raise BoardError(f"{name}: {message}", error.remedy) from None


def is_meant_as_board(argument: str) -> bool:
    """Tell whether a text is a board, be it a broken one, and no name of a file."""
    return sum(mark in MARKS for mark in argument) >= _MEANT_AS_BOARD
