"""Find out what each argument is: the one road in, for all commands that work on pictures and boards.

An argument is the first of these that fits::

    -                          what comes on standard input
    a file                     a picture or a text with boards: its content says, never its name
    a link                     the board in it; nothing is fetched from the net
    a folder                   its pictures (with --recursive those below it, too); without any, its boards
    a pattern with matches     the files that match
    anything else              a board that is written out, or nothing at all

What this program wrote itself (``photo-solved.jpg`` beside ``photo.jpg``, or with its note) is left out of
folders and patterns. Files come in the order that people count in: 2 before 10.
"""

import contextlib
import glob
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from sudoku_vision.cli.inputs import Input, Inputs, is_meant_as_board
from sudoku_vision.cli.progress import complain
from sudoku_vision.cli.provenance import provenance_of
from sudoku_vision.errors import OpenError
from sudoku_vision.output.save import file_key
from sudoku_vision.sudoku.formats import FORMATS, is_link
from sudoku_vision.vision.load.files import PICTURE_ENDINGS, STDIN

BOARD_ENDINGS = tuple(ending for form in FORMATS.values() for ending in form.endings)
"""Endings by which a file of boards is known when a folder is searched."""

_SHOWN = 90  # characters of a text that stand for it in messages
_LISTED = 3  # names that are listed of pictures left out; the others are counted

_DRAWN = re.compile(r"(.+?)(?:-(?:page|board)\d+)?-(?:solved|checked|hint)(?:-\d+)?")
"""The names of the pictures that commands write into folders."""

_NUMBERS_AND_OTHERS = re.compile("[0-9]+|[^0-9 ]")

InputKind = Literal["standard input", "file", "link", "folder", "pattern", "text"]
"""What an argument is, by itself: a file is opened only when its turn comes."""


def input_kind(argument: str) -> InputKind:
    """Tell what an argument is."""
    # Asked by pathlib, a name too long raises an error, and an empty one is this folder.
    if argument == STDIN:
        return "standard input"
    if os.path.isfile(argument):  # noqa: PTH113
        return "file"
    if is_link(argument):
        return "link"
    if os.path.isdir(argument):  # noqa: PTH112
        return "folder"
    return "pattern" if _matches(argument) else "text"


def find_inputs(arguments: Iterable[str], *, recursive: bool = False, output: str | None = None) -> Inputs:
    """Find all that *arguments* lead to, in the order given.

    What leads nowhere stands in its place with its error. With *recursive*, folders are searched with all
    below them but *output*, where pictures go.
    """
    items: list[Input] = []
    left_out: list[str] = []
    searched = False
    for argument in arguments:
        kind = input_kind(argument)
        if kind == "folder":
            found = search_folder(argument, recursive=recursive, output=output)
            items += found.items
            left_out += found.left_out
        elif kind == "pattern":
            matches = _matches(argument)
            ours = {path: None for path in matches if _is_drawn(path)}
            what = f"{argument}: all that matches was written by this program itself."
            nothing = Input(argument, error=OpenError(what, "Name the pictures one by one."))
            items += [Input(path, path) for path in matches if path not in ours] or [nothing]
            left_out += ours
        elif kind in ("standard input", "file"):
            items.append(Input(argument, argument))
        else:
            items.append(Input(shown(argument), text=argument))
        searched |= kind in ("folder", "pattern")
    return Inputs(tuple(items), tuple(left_out), searched)


def say_left_out(inputs: Inputs) -> None:
    """Say which pictures are not read because this program drew them."""
    count = len(inputs.left_out)
    if count:
        names = ", ".join(inputs.left_out[:_LISTED]) + (", ..." if count > _LISTED else "")
        complain(f"left out, as drawn by this program: {names}")


def _matches(argument: str) -> list[str]:
    """Return the files that a pattern leads to, by name; boards have stars in them, too."""
    if not glob.has_magic(argument) or "\n" in argument:
        return []
    found = glob.glob(argument, recursive=True)  # noqa: PTH207
    return sorted(filter(os.path.isfile, found), key=natural_key)


def shown(argument: str) -> str:
    """Return what stands for an argument in messages: itself, unless it is empty or a long text."""
    if os.path.exists(argument):  # noqa: PTH110 (takes any name)
        return argument
    line = " ".join(argument.split())
    most = _SHOWN if is_meant_as_board(argument) else 3 * _SHOWN
    return (line if len(line) <= most else f"{line[: _SHOWN - 3]}...") or "''"


def looks_like_input(argument: str) -> bool:
    """Tell whether an argument is something to open, or is named as if it were; nothing is opened."""
    if input_kind(argument) != "text" or is_meant_as_board(argument):
        return True
    return Path(argument).suffix.lower() in (*PICTURE_ENDINGS, *BOARD_ENDINGS)


def natural_key(path: str) -> list[tuple[int, int | str]]:
    """Return what to sort paths by, so that photo2 comes before photo10."""
    parts = _NUMBERS_AND_OTHERS.findall(path)
    return [(0, int(part)) if part.isascii() and part.isdigit() else (1, part) for part in parts]


def search_folder(folder: str, *, recursive: bool = False, output: str | None = None) -> Inputs:
    """Find the pictures in a folder or, where it has none, its files of boards; or an error in their place.

    Hidden files and folders are left out. With *recursive*, the files of its subfolders come after its own;
    each folder is searched once, however many links lead there, and the folder *output*, where the pictures
    of this run go, is not.
    """
    files: list[Input] = []
    closed: list[Input] = []
    seen = {file_key(output)} if output is not None and file_key(output) != file_key(folder) else set()
    waiting = [""]
    while waiting:
        below = waiting.pop()
        here = str(Path(folder, below)) if below else folder
        if file_key(here) in seen:
            continue
        seen.add(file_key(here))
        try:
            entries = [entry for entry in os.scandir(here) if not entry.name.startswith(".")]
        except OSError:
            error = OpenError(f"{here}: the folder can't be read.", "Check its permissions.")
            closed += [Input(here, error=error)] if below else []
            continue
        entries.sort(key=lambda entry: natural_key(entry.name))
        paths = [str(Path(here, entry.name)) for entry in entries if _is(entry, "file")]
        files += [Input(path, path, below=below) for path in paths]
        if recursive:
            waiting += [str(Path(below, entry.name)) for entry in reversed(entries) if _is(entry, "folder")]
    for endings in (PICTURE_ENDINGS, BOARD_ENDINGS):
        found = [item for item in files if Path(item.path).suffix.lower() in endings]
        drawn = {item.path: None for item in found if _is_drawn(item.path)}
        if len(drawn) < len(found):
            kept = (item for item in found if item.path not in drawn)
            return Inputs((*kept, *closed), tuple(drawn), searched=True)
    what = f"{folder}: the folder holds no pictures and no files of boards."
    nothing = OpenError(what, "Name one with .jpg, .png, .txt or .sdm files in it.")
    return Inputs((*closed, Input(folder, error=nothing)), searched=True)


def _is_drawn(path: str) -> bool:
    """Tell whether a picture is named as this program names its own, and its source beside it or noted."""
    place = Path(path)
    named = _DRAWN.fullmatch(place.stem)
    if named is None or place.suffix.lower() not in PICTURE_ENDINGS:
        return False
    endings = (place.suffix, *PICTURE_ENDINGS, *BOARD_ENDINGS)
    beside = any(place.with_name(named[1] + ending).is_file() for ending in endings)
    return beside or provenance_of(place) is not None


def _is(entry: os.DirEntry[str], kind: Literal["file", "folder"]) -> bool:
    with contextlib.suppress(OSError):  # a link that leads to itself
        return entry.is_file() if kind == "file" else entry.is_dir()
    return False
