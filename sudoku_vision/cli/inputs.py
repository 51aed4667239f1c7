"""Find out what each argument is: the one road in, for all commands that work on pictures and boards.

An argument is the first of these that fits::

    -                          what comes on standard input
    a file                     a picture or a text with boards: its content says, never its name
    a link                     the board in it; nothing is fetched from the net
    a folder                   its pictures (with --recursive those below it, too); without any, its boards
    a pattern with matches     the files that match
    anything else              a board that is written out, or nothing at all

What this program wrote itself beside a picture (``photo-solved.jpg``) is left out of folders and patterns.
"""

from __future__ import annotations

import contextlib
import glob
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import BinaryIO

from sudoku_vision.cli.folders import BOARD_ENDINGS, in_order, search_folder, without_drawn
from sudoku_vision.cli.progress import complain
from sudoku_vision.errors import BoardError, OpenError
from sudoku_vision.sudoku.formats import MAX_BYTES, NamedBoard, find_boards, is_link, read_boards, text_of
from sudoku_vision.sudoku.formats.cell_marks import MARKS
from sudoku_vision.vision.load.paths import PICTURE_ENDINGS, STDIN
from sudoku_vision.vision.load.sniff import SNIFFED_BYTES, kind_of

_MEANT_AS_BOARD = 60
"""Digits and blanks in an argument above which it is a board, if a broken one, and no name of a file."""
_SHOWN = 90
"""Characters of a text that stand for it in messages."""
_LISTED = 3
"""Names that are listed of pictures left out; the others are counted."""
_REMEDY = "Check the spelling, or give a board of 81 characters, a link, or a file with a board or a picture."


class InputKind(Enum):
    """What an argument is, by itself: a file is opened only when its turn comes."""

    STANDARD_INPUT = "standard input"
    FILE = "file"
    LINK = "link"
    FOLDER = "folder"
    PATTERN = "pattern"
    TEXT = "text"


@dataclass(frozen=True)
class Input:
    """One thing to open: a file or standard input (``path``), or what was typed itself (``text``).

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


def input_kind(argument: str) -> InputKind:
    """Tell what an argument is."""
    # Asked by pathlib, a name too long raises an error, and an empty one is this folder.
    if argument == STDIN:
        return InputKind.STANDARD_INPUT
    if os.path.isfile(argument):  # noqa: PTH113
        return InputKind.FILE
    if is_link(argument):
        return InputKind.LINK
    if os.path.isdir(argument):  # noqa: PTH112
        return InputKind.FOLDER
    return InputKind.PATTERN if any(_matches(argument)) else InputKind.TEXT


def find_inputs(arguments: Iterable[str], *, recursive: bool = False, output: str | None = None) -> Inputs:
    """Find all that *arguments* lead to, in the order given; of folders and patterns by name, 2 before 10.

    What leads nowhere stands in its place with its error. With *recursive*, folders are searched with all
    below them but *output*, where pictures go.
    """
    items: list[Input] = []
    left_out: list[str] = []
    searched = False
    for argument in arguments:
        kind = input_kind(argument)
        if kind is InputKind.FOLDER:
            found = search_folder(argument, recursive=recursive, output=output)
            items += [Input(one.path, one.path, below=one.below) for one in found.files]
            items += [_closed(folder) for folder in found.closed if folder != argument]
            if not found.files:
                items.append(_nothing_in(argument, kind))
            left_out += found.left_out
        elif kind is InputKind.PATTERN:
            kept, ours = without_drawn(list(_matches(argument)))
            items += [Input(path, path) for path in kept] or [_nothing_in(argument, kind)]
            left_out += ours
        elif kind in (InputKind.STANDARD_INPUT, InputKind.FILE):
            items.append(Input(argument, argument))
        else:
            items.append(Input(shown(argument), text=argument))
        searched |= kind in (InputKind.FOLDER, InputKind.PATTERN)
    return Inputs(tuple(items), tuple(left_out), searched)


def say_left_out(inputs: Inputs) -> None:
    """Say which pictures are not read because this program drew them."""
    count = len(inputs.left_out)
    if count:
        names = ", ".join(inputs.left_out[:_LISTED]) + (", ..." if count > _LISTED else "")
        complain(f"left out, as drawn by this program: {names}")


def _matches(argument: str) -> Iterator[str]:
    """Yield the files that a pattern leads to, by name; boards have stars in them, too."""
    if glob.has_magic(argument) and "\n" not in argument:
        found = glob.glob(argument, recursive=True)  # noqa: PTH207
        yield from in_order(path for path in found if os.path.isfile(path))  # noqa: PTH113


def _nothing_in(argument: str, kind: InputKind) -> Input:
    if kind is InputKind.PATTERN:
        what = f"{argument}: all that matches was written by this program itself."
        return Input(argument, error=OpenError(what, "Name the pictures one by one."))
    what = f"{argument}: the folder holds no pictures and no files of boards."
    return Input(argument, error=OpenError(what, "Name one with .jpg, .png, .txt or .sdm files in it."))


def _closed(folder: str) -> Input:
    return Input(folder, error=OpenError(f"{folder}: the folder can't be read.", "Check its permissions."))


def open_input(item: Input) -> bytes | list[NamedBoard]:
    """Open one input: the bytes of a picture file, or the boards of a text, at least one.

    Raises :class:`~sudoku_vision.errors.OpenError` for what is missing, unreadable, empty or neither of the
    two, and :class:`~sudoku_vision.errors.BoardError` for a board that is broken. Every message begins with
    the name of the input.
    """
    if item.error is not None:
        raise item.error
    if not item.path:
        return _boards_of_text(item)
    data = _read(item.path)
    return data if _is_picture(data) else _boards_of_bytes(item, data)


def picture_kind(item: Input) -> str | None:
    """Return the kind of picture in a file, by its first bytes, None for anything else; no more is read."""
    if item.error is not None or not item.path or item.path == STDIN:
        return None
    try:
        with Path(item.path).open("rb") as file:
            return kind_of(file.read(SNIFFED_BYTES), "")
    except (OSError, OpenError):
        return None


def _boards_of_bytes(item: Input, data: bytes) -> list[NamedBoard]:
    """Read the boards of a file's bytes, which are no picture."""
    if not data.strip():
        raise OpenError(f"{item.name}: the file is empty.", "Copy or download it again.")
    with _named_errors(item.name):
        try:
            text = text_of(data)
        except BoardError:
            if len(data) <= MAX_BYTES:
                kind_of(data[:SNIFFED_BYTES], item.name)  # raises what it is instead
            raise
        boards = find_boards(text)
    if not boards:
        what = f"{item.name}: this is not a picture, and there is no board in it."
        raise OpenError(what, "Give a file with a picture or with boards of 81 characters.")
    return boards


def _boards_of_text(item: Input) -> list[NamedBoard]:
    """Read the boards that are written out, or behind a link; what is meant as neither is no file either."""
    try:
        with _named_errors(item.name):
            return read_boards(item.text)
    except BoardError:
        if is_link(item.text) or is_meant_as_board(item.text):
            raise
    what = "there is no such file, and it is no board either"
    if any(mark in item.text for mark in "*?"):
        what = "no file matches this pattern, and it is no board either"
    raise OpenError(f"{item.name}: {what}.", _REMEDY)


@contextlib.contextmanager
def _named_errors(name: str) -> Iterator[None]:
    """Begin the message of a broken board with the name of its input."""
    try:
        yield
    except BoardError as error:
        message = error.message[:1].lower() + error.message[1:]
        raise BoardError(f"{name}: {message}", error.remedy) from None


def shown(argument: str) -> str:
    """Return what stands for an argument in messages: itself, unless it is empty or a long text."""
    if os.path.exists(argument):  # noqa: PTH110 (takes any name)
        return argument
    line = " ".join(argument.split())
    most = _SHOWN if is_meant_as_board(argument) else 3 * _SHOWN
    return (line if len(line) <= most else f"{line[: _SHOWN - 3]}...") or "''"


def looks_like_input(argument: str) -> bool:
    """Tell whether an argument is something to open, or is named as if it were; nothing is opened."""
    if input_kind(argument) is not InputKind.TEXT or is_meant_as_board(argument):
        return True
    return Path(argument).suffix.lower() in (*PICTURE_ENDINGS, *BOARD_ENDINGS)


def is_meant_as_board(argument: str) -> bool:
    """Tell whether a text is a board, be it a broken one, and no name of a file."""
    return sum(mark in MARKS for mark in argument) >= _MEANT_AS_BOARD


def _read(path: str) -> bytes:
    """Read the bytes of a file; of a text, no more than can be read."""
    try:
        if path == STDIN:
            data = _read_from(sys.stdin.buffer) if sys.stdin else b""
            if not data:
                what = f"{STDIN}: nothing came on standard input."
                raise OpenError(what, "Send a board or a picture to it, and name it once.")
            return data
        with Path(path).open("rb") as file:
            return _read_from(file)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OpenError(f"{path}: the file can't be read ({reason}).", "Check its permissions.") from None


def _read_from(file: BinaryIO) -> bytes:
    head = file.read(SNIFFED_BYTES)
    return head + (file.read() if _is_picture(head) else file.read(MAX_BYTES + 1))


def _is_picture(data: bytes) -> bool:
    try:
        return bool(kind_of(data[:SNIFFED_BYTES], ""))
    except OpenError:
        return False
