"""Finds the files, links and boards that arguments mean, and opens them.

An argument is the first of these that fits::

    -                          standard input
    a file                     a picture or a text with boards; its content decides this, never its name;
                               also a pipe, /dev/stdin, or an address that begins with file://
    a link                     the board in the link; nothing is downloaded
    a folder                   its pictures, with --recursive also the pictures in subfolders; if there are no
                               pictures, the files of boards
    a pattern with matches     the files that match
    anything else              a board that is typed as text, or an error if it is no board

Folders and patterns leave out the drawings of this program, such as ``photo-solved.jpg`` beside
``photo.jpg``. Files are sorted by name, and numbers in names by their value: 2 comes before 10.
"""

import contextlib
import glob
import os
import re
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from sudoku_vision.cli.reporter import complain
from sudoku_vision.errors import BoardError, OpenError
from sudoku_vision.output.save import file_key, is_stream
from sudoku_vision.sudoku.formats import (
    FORMATS,
    MAX_BYTES,
    NamedBoard,
    find_boards,
    is_link,
    read_boards,
    text_of,
)
from sudoku_vision.sudoku.formats.cells import CELL_CHARACTERS
from sudoku_vision.vision.load.files import PICTURE_ENDINGS, SNIFFED_BYTES, STDIN, kind_of, opened

BOARD_ENDINGS = tuple(ending for form in FORMATS.values() for ending in form.endings)
"""When a folder is searched for files of boards, only files with these endings are found."""

_MIN_BOARD_CELLS = 60
"""An argument that names no file is taken for a board if it has at least this many digits and blanks."""
_MAX_SHOWN = 90
"""In messages, a long argument is cut to this number of characters. A board is long if it has more characters
than this. Any other text is long if it has more than three times as many characters."""
_MAX_LISTED = 3  # in the message about the drawings that are left out, at most this many are named

_DRAWN = re.compile(r"(.+?)(?:-(?:page|board)\d+)?-(?:solved|checked|hint)(?:-\d+)?")
"""Pattern of the names, without endings, of the pictures that commands write into folders."""

_NUMBERS_AND_OTHERS = re.compile("[0-9]+|[^0-9 ]")

InputKind = Literal["standard input", "file", "link", "folder", "pattern", "text"]
"""The kinds of arguments. The kind of an argument is found without opening a file."""


@dataclass(frozen=True, eq=False)
class Input:
    """A thing to open: a file, standard input, or a board or link that was typed."""

    name: str  # the name in messages
    path: str = ""  # path of a file; "-" for standard input
    text: str = ""  # a board or link that was typed
    error: OpenError | None = None  # the reason why there is nothing to open, or None
    searched: bool = False  # whether the file was found in a folder or by a pattern
    below: str = ""  # subfolder of the file, relative to the folder that was searched
    pages: tuple[int, ...] = ()  # numbers of the pages to read; all pages if empty

    @property
    def stem(self) -> str:
        """The beginning of the names of all files that are made from this input."""
        return "stdin" if self.path == STDIN else Path(self.path).stem if self.path else "board"


def paths_of(inputs: Iterable[Input]) -> list[str]:
    """Return the paths of all *inputs* that are files; ``-`` stands for standard input."""
    return [item.path for item in inputs if item.path]


def input_kind(argument: str) -> InputKind:
    """Return the kind of an argument: the first kind in the table at the top of this module that fits."""
    if argument == STDIN:
        return "standard input"
    try:
        # pathlib isn't used: it fails for a name that is too long, and takes "" for the current folder.
        mode = os.stat(argument).st_mode  # noqa: PTH116
    except PermissionError:
        return "file"  # the file's folder can't be entered; when the file is opened later, an error is raised
    except (OSError, ValueError):
        mode = 0
    if mode and not stat.S_ISDIR(mode):
        return "file"
    if is_link(argument):
        return "link"
    if mode:
        return "folder"
    return "pattern" if _matches(argument) else "text"


def find_inputs(
    arguments: Iterable[str], *, recursive: bool = False, output: str | None = None
) -> tuple[Input, ...]:
    """Return the inputs of *arguments*, in the order of the arguments.

    If an argument leads to no input, the result has one input with an error in its place.
    :func:`search_folder` explains *recursive* and *output*.
    """
    items: list[Input] = []
    for argument in map(_local_path, arguments):
        kind = input_kind(argument)
        if kind == "folder":
            items += search_folder(argument, recursive=recursive, output=output)
        elif kind == "pattern":
            matches = [Input(path, path, searched=True) for path in _matches(argument)]
            what = f"{argument}: all that matches was written by this program itself."
            nothing = OpenError(what, "Name the pictures one by one.")
            items += _without_drawings(matches) or [Input(argument, error=nothing, searched=True)]
        elif kind in ("standard input", "file"):
            items.append(Input(argument, argument))
        else:
            items.append(Input(shown(argument), text=argument))
    return tuple(items)


def _local_path(argument: str) -> str:
    """Return the path in an address that begins with ``file://``. Other arguments stay unchanged."""
    if not argument.lower().startswith("file://"):
        return argument
    path = unquote(urlsplit(argument).path)
    return path[1:] if re.match("/[A-Za-z]:", path) else path  # /C:/photo.jpg means C:/photo.jpg


def search_folder(folder: str, *, recursive: bool = False, output: str | None = None) -> list[Input]:
    """Return the pictures in a folder as inputs.

    If the folder has no pictures, return its files of boards. If it has neither, return one input with an
    error.

    Hidden files and folders are left out. With *recursive*, subfolders are searched, too. Their files come
    after the files of their parent folder. Each folder is searched only once, even if several links lead to
    it. *output* is the folder into which this run writes its drawings. If *output* is a subfolder, it is not
    searched.
    """
    files: list[Input] = []
    closed: list[Input] = []

    def add_closed(error: OSError) -> None:
        reason = (error.strerror or str(error)).lower()
        unread = OpenError(
            f"{error.filename}: the folder can't be read ({reason}).", "Check its permissions."
        )
        closed.append(Input(error.filename, error=unread, searched=True))

    seen = {file_key(folder), file_key(output or folder)}
    for here, folders, names in os.walk(folder, onerror=add_closed, followlinks=True):
        below, found = os.path.relpath(here, folder).removeprefix(os.curdir), sorted(folders, key=natural_key)
        folders.clear()  # os.walk will search only the folders that stay in this list
        for name in found if recursive else ():
            key = file_key(str(Path(here, name)))
            if key not in seen and not name.startswith("."):
                seen.add(key)
                folders.append(name)
        paths = [str(Path(here, name)) for name in sorted(names, key=natural_key) if not name.startswith(".")]
        files += [Input(path, path, searched=True, below=below) for path in paths if os.path.isfile(path)]  # noqa: PTH113
    for endings in (PICTURE_ENDINGS, BOARD_ENDINGS):
        kept = _without_drawings([item for item in files if Path(item.path).suffix.lower() in endings])
        if kept:
            return kept + closed
    what = f"{folder}: the folder holds no pictures and no files of boards."
    nothing = OpenError(what, "Name one with .jpg, .png, .txt or .sdm files in it.")
    return closed or [Input(folder, error=nothing, searched=True)]


def _without_drawings(items: Sequence[Input]) -> list[Input]:
    """Return *items* without this program's drawings.

    If other items are left, print a message that names the drawings that were left out.
    """
    drawn = [item for item in items if _is_drawn(Path(item.path))]
    if drawn and len(drawn) < len(items):
        names = ", ".join(item.path for item in drawn[:_MAX_LISTED])
        complain(f"left out, as drawn by this program: {names}{', ...' * (len(drawn) > _MAX_LISTED)}")
    return [item for item in items if item not in drawn]


def _is_drawn(path: Path) -> bool:
    named = _DRAWN.fullmatch(path.stem)
    if named is None or path.suffix.lower() not in PICTURE_ENDINGS:
        return False
    endings = (path.suffix, *PICTURE_ENDINGS, *BOARD_ENDINGS)
    return any(path.with_name(named[1] + ending).is_file() for ending in endings)


def _matches(argument: str) -> list[str]:
    """Return the files that match a pattern, sorted by name. A text of several lines is never a pattern."""
    if not glob.has_magic(argument) or "\n" in argument:
        return []
    found = glob.glob(argument, recursive=True)  # noqa: PTH207
    return sorted(filter(os.path.isfile, found), key=natural_key)


def natural_key(path: str) -> list[tuple[int, int | str]]:
    """Return a sorting key that puts photo2 before photo10."""
    parts = _NUMBERS_AND_OTHERS.findall(path)
    return [(0, int(part)) if part.isascii() and part.isdigit() else (1, part) for part in parts]


def shown(argument: str) -> str:
    """Return an argument in the form for messages: on one line, and cut off if it is too long.

    The name of an existing file or folder is unchanged. An empty argument becomes two quotes.
    """
    if os.path.exists(argument):  # noqa: PTH110 (pathlib fails for long names)
        return argument
    line = " ".join(argument.split())
    most = _MAX_SHOWN if is_meant_as_board(argument) else 3 * _MAX_SHOWN
    return (line if len(line) <= most else f"{line[: _MAX_SHOWN - 3]}...") or "''"


def looks_like_input(argument: str) -> bool:
    """Return whether an argument exists, or looks like a link, a board, a picture or a file of boards."""
    if input_kind(argument) != "text" or is_meant_as_board(argument):
        return True
    return Path(argument).suffix.lower() in (*PICTURE_ENDINGS, *BOARD_ENDINGS)


def is_meant_as_board(argument: str) -> bool:
    """Return whether a text is meant as a board, perhaps with mistakes, and not as the name of a file."""
    return sum(character in CELL_CHARACTERS for character in argument) >= _MIN_BOARD_CELLS


# Opening inputs


def picture_kind(item: Input) -> str | None:
    """Return the kind of picture in a file; None for other files and for streams.

    A stream is not opened here, because it can be read only once.
    """
    if item.error is not None or item.path in ("", STDIN) or is_stream(item.path):
        return None
    with contextlib.suppress(OSError, OpenError), Path(item.path).open("rb") as file:
        return kind_of(file.read(SNIFFED_BYTES), "")
    return None


def open_input(item: Input) -> bytes | list[NamedBoard]:
    """Open an input, and return the bytes of a picture file, or the boards of a text (at least one).

    The messages of :class:`OpenError` and :class:`BoardError` begin with the input's name.
    """
    if item.error is not None:
        raise item.error
    try:
        return _content_of_file(item) if item.path else _boards_of_text(item)
    except BoardError as error:
        message = error.message[:1].lower() + error.message[1:]
        raise BoardError(f"{item.name}: {message}", error.remedy) from None


def _content_of_file(item: Input) -> bytes | list[NamedBoard]:
    data = opened(item.path, text_bytes=MAX_BYTES)
    assert isinstance(data, bytes)
    try:
        kind_of(data[:SNIFFED_BYTES], item.name)
        return data
    except OpenError as error:
        no_picture = error
    if not data.strip():
        raise OpenError(f"{item.name}: the file is empty.", "Copy or download it again.")
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


def _boards_of_text(item: Input) -> list[NamedBoard]:
    """Return the boards that were typed, or the board in a link."""
    try:
        return read_boards(item.text)
    except BoardError:
        if is_link(item.text) and Path(urlsplit(item.text).path).suffix.lower() in PICTURE_ENDINGS:
            what = f"{item.name}: nothing is downloaded."
            raise OpenError(what, "Download the picture first, then name the file.") from None
        if is_link(item.text) or is_meant_as_board(item.text):
            raise
    what = "there is no such file, and it is no board either"
    if any(mark in item.text for mark in "*?"):
        what = "no file matches this pattern, and it is no board either"
    remedy = (
        "Check the spelling, or give a board of 81 characters, a link, or a file with a board or a picture. "
        "What is to be written is named with -o."
    )
    raise OpenError(f"{item.name}: {what}.", remedy)
