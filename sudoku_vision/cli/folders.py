"""Folders: the pictures in them, or their files of boards, in the order that people count in.

What this program wrote itself (``photo-solved.jpg`` beside ``photo.jpg``, or with its note) is left out.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sudoku_vision.cli.provenance import provenance_of
from sudoku_vision.sudoku.formats import FORMATS
from sudoku_vision.vision.load.paths import PICTURE_ENDINGS, natural_key

BOARD_ENDINGS = tuple(ending for form in FORMATS.values() for ending in form.endings)
"""Endings by which a file of boards is known when a folder is searched."""

DRAWN_SUFFIXES = ("solved", "checked", "hint")
"""What ends the names of the pictures that commands write into folders."""

_DRAWN = re.compile(rf"(.+?)(?:-(?:page|board)\d+)?-(?:{'|'.join(DRAWN_SUFFIXES)})(?:-\d+)?")


@dataclass(frozen=True)
class FoundFile:
    """A file of a folder that was searched; ``below`` is the subfolder of that folder in which it lies."""

    path: str
    below: str = ""


@dataclass(frozen=True)
class Search:
    """What a folder holds: the ``files`` to open, and paths that were ``left_out`` as drawn by this program.

    ``closed`` are subfolders that can't be read.
    """

    files: tuple[FoundFile, ...]
    left_out: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()


def search_folder(folder: str, *, recursive: bool = False, output: str | None = None) -> Search:
    """Find the pictures in a folder or, where it has none, its files of boards, by name: 2 before 10.

    Hidden files and folders are left out. With *recursive*, the files of its subfolders come after its own;
    each folder is searched once, however many links lead there, and the folder *output*, where the pictures
    of this run go, is not.
    """
    closed: list[str] = []
    folders = _folders_in(folder, output, closed) if recursive else iter([("", _listed(folder, closed))])
    names = [FoundFile(path, below) for below, entries in folders for path in entries]
    for endings in (PICTURE_ENDINGS, BOARD_ENDINGS):
        found = [one for one in names if Path(one.path).suffix.lower() in endings]
        kept, drawn = without_drawn([one.path for one in found])
        if kept:
            wanted = set(kept)
            files = tuple(one for one in found if one.path in wanted)
            return Search(files, tuple(drawn), tuple(closed))
    return Search((), (), tuple(closed))


def without_drawn(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part *paths* into those to open, and pictures that this program drew."""
    kept: list[str] = []
    drawn: list[str] = []
    for path in paths:
        (drawn if _is_drawn(Path(path)) else kept).append(path)
    return kept, drawn


def _is_drawn(path: Path) -> bool:
    """Tell whether a picture is named as this program names its own, and its source beside it or noted."""
    named = _DRAWN.fullmatch(path.stem)
    if named is None or path.suffix.lower() not in PICTURE_ENDINGS:
        return False
    endings = (*PICTURE_ENDINGS, *BOARD_ENDINGS)
    beside = (path.with_name(named[1] + ending) for ending in (path.suffix, *endings))
    return any(source.is_file() for source in beside) or provenance_of(path) is not None


def _folders_in(folder: str, output: str | None, closed: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield a folder and all below it, each by its place below and its files; those *closed* are noted."""
    seen = {_same(output)} if output is not None and _same(output) != _same(folder) else set()
    waiting = [""]
    while waiting:
        below = waiting.pop()
        here = str(Path(folder, below)) if below else folder
        if _same(here) in seen:
            continue
        seen.add(_same(here))
        yield below, _listed(here, closed)
        waiting += reversed([str(Path(below, Path(path).name)) for path in _listed(here, [], folders=True)])


def _listed(folder: str, closed: list[str], *, folders: bool = False) -> list[str]:
    """Return the paths of the files in a folder, or of its *folders*, by name, hidden ones left out."""
    try:
        entries = [entry for entry in os.scandir(folder) if not entry.name.startswith(".")]
    except OSError:
        closed.append(folder)
        return []
    names = in_order(entry.name for entry in entries if _is_wanted(entry, folders))
    return [str(Path(folder, name)) for name in names]


def _is_wanted(entry: os.DirEntry[str], folders: bool) -> bool:
    with contextlib.suppress(OSError):  # a link that leads to itself
        return entry.is_dir() if folders else entry.is_file()
    return False


def in_order(paths: Iterable[str]) -> list[str]:
    """Return paths, or names of one folder, in the order that people count in."""
    return sorted(paths, key=natural_key)


def _same(path: str) -> str:
    """One spelling for all the ways to name a folder."""
    return os.path.normcase(os.path.realpath(path))
