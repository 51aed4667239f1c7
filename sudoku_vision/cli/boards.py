"""Boards: what a person names on the command line, be it a text, a file, a link or a picture, becomes boards.

Every command that takes boards takes them in all these ways::

    sudoku-vision hint 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    sudoku-vision convert book.sdm https://sudoku.coach/en/play/53007... photo.jpg - --to csv
"""

from __future__ import annotations

import glob
import io
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from sudoku_vision.cli.settings import Options
from sudoku_vision.cli.show import NO_CALL, Call, call_words
from sudoku_vision.errors import BoardError, OpenError, SudokuVisionError, UsageError
from sudoku_vision.formats import MAX_BYTES, NamedBoard, find_boards, is_link, read_boards, text_of
from sudoku_vision.formats.cell_marks import MARKS
from sudoku_vision.load.paths import STDIN, expand_paths
from sudoku_vision.load.sniff import SNIFFED_BYTES, kind_of
from sudoku_vision.results import GridResult, PageResult, Photo

if TYPE_CHECKING:
    from sudoku_vision.digits import CellClassifier

_Item = TypeVar("_Item")

_MEANT_AS_BOARD = 60
"""Digits and blanks in an argument above which it is a board, if a broken one, and no name of a file."""
_SHOWN = 90
"""Characters of a text that stand for it in messages."""


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """One board that was named, or the ``error`` that says why there is none.

    ``source`` is what it goes by in messages, ``path`` the file that it comes from, if any.
    ``board.uncertain`` says that it was read from a picture, and may be read wrongly. A board of a picture
    comes with ``photo``, ``page`` and ``grid``, ``number`` counts the grids of a picture that has several,
    from 1, and ``call`` is how its cells in doubt can be settled.
    """

    source: str
    board: NamedBoard | None = None
    error: SudokuVisionError | None = None
    path: str = ""
    photo: Photo | None = None
    page: PageResult | None = None
    grid: GridResult | None = None
    number: int = 0
    call: Call = NO_CALL


class BoardFinder:
    """Finds the boards that the arguments of a command name."""

    def __init__(self, command: str, options: Options) -> None:
        """Keep what the command line says about pictures; the digit model is loaded with the first."""
        self._command = command
        self._options = options

    @cached_property
    def _model(self) -> CellClassifier:
        from sudoku_vision.cli.model import named_model

        return named_model(self._options.model)

    def find(self, arguments: Sequence[str]) -> Iterator[FoundBoard]:
        """The boards of all *arguments*, in order; in place of what can't be read, one with its error.

        Raises :class:`~sudoku_vision.errors.UsageError` for options that do not fit.
        """
        if self._options.for_one_picture and len(arguments) != 1:
            what = f"--givens and --corners are for one picture, these are {len(arguments)}."
            raise UsageError(what, "Name one picture at a time.")
        for argument in arguments:
            found = self._of_argument(argument, several=len(arguments) > 1)
            yield from _with_error(found, shown(argument))

    def _of_argument(self, argument: str, several: bool) -> Iterator[FoundBoard]:
        # Asked by pathlib, a name too long raises an error, and an empty one is this folder.
        if argument == STDIN or os.path.isfile(argument):  # noqa: PTH113
            yield from self._of_file(argument, several)
        elif is_link(argument):
            yield from (FoundBoard(shown(argument), board) for board in read_boards(argument))
        elif os.path.isdir(argument) or _matches(argument):  # noqa: PTH112
            for path in expand_paths([argument]):
                yield from _with_error(self._of_file(path, several=True), path)
        else:
            yield from (FoundBoard(shown(argument), board) for board in _boards_of_text(argument))

    def _of_file(self, path: str, several: bool) -> Iterator[FoundBoard]:
        data, is_picture = _read(path)
        if is_picture:
            yield from self._of_picture(data, path, several)
            return
        boards = read_boards(data)
        for number, board in enumerate(boards, start=1):
            yield FoundBoard(path if len(boards) == 1 else f"{path}, board {number}", board, path=path)

    def _of_picture(self, data: bytes, path: str, several: bool) -> Iterator[FoundBoard]:
        from sudoku_vision.load import iter_pages
        from sudoku_vision.pipeline import read_photo

        options = self._options
        pages = iter_pages(data, name=path, max_megapixels=options.max_megapixels, only=options.page)
        paged, photos = with_next(pages)
        for photo in photos:
            if isinstance(photo, OpenError):
                yield FoundBoard(path, error=photo)
                continue
            page = read_photo(photo, model=self._model, overrides=options.overrides, corners=options.corners)
            words = call_words(self._command, page, several, paged or options.page is not None)
            yield from _of_page(photo, page, Call(words, options.said))


def _with_error(found: Iterator[FoundBoard], source: str) -> Iterator[FoundBoard]:
    """The boards of *source*, and the error that ends them as the last of them."""
    try:
        yield from found
    except UsageError:
        raise
    except SudokuVisionError as error:
        yield FoundBoard(source, error=error)


def boards_of(argument: str, options: Options | None = None, *, command: str = "solve") -> list[FoundBoard]:
    """The boards that one argument names: a text, a file, ``-``, a link, a picture, a folder or a pattern.

    *options* are those for pictures, *command* what messages advise to call again. Raises the
    :class:`~sudoku_vision.errors.SudokuVisionError` of the first that can't be read.
    """
    found = list(BoardFinder(command, options or Options()).find([argument]))
    for one in found:
        if one.error is not None:
            raise one.error
    return found


def boards_in_text(argument: str) -> list[FoundBoard] | None:
    """The boards that an argument names if it is no picture: a text, a file of it, or a link; or None.

    Raises :class:`~sudoku_vision.errors.BoardError` for a text that is meant as a board, but is none.
    """
    if argument == STDIN:
        boards = _boards_on_standard_input()
    elif os.path.isfile(argument):  # noqa: PTH113
        boards = _boards_in_file(argument)
    elif is_link(argument) or _is_meant_as_board(argument):
        boards = read_boards(argument)
    else:
        boards = []
    if not boards:
        return None
    name, several = shown(argument), len(boards) > 1
    sources = [f"{name}, board {number}" if several else name for number in range(1, len(boards) + 1)]
    return [FoundBoard(source, board) for source, board in zip(sources, boards, strict=True)]


def _boards_in_file(path: str) -> list[NamedBoard]:
    """The boards in a file of text; none in one of anything else."""
    try:
        with Path(path).open("rb") as file:
            head = file.read(SNIFFED_BYTES)
            text = "" if _is_picture(head) else text_of(head + file.read(MAX_BYTES + 1))
    except (OSError, SudokuVisionError):
        return []
    return find_boards(text)


def _boards_on_standard_input() -> list[NamedBoard]:
    """The boards of a text that comes on standard input; of anything else none, and it is left there."""
    buffer = sys.stdin.buffer if sys.stdin else None
    if not isinstance(buffer, io.BufferedReader):
        return []
    head = buffer.peek(SNIFFED_BYTES)[:SNIFFED_BYTES]
    if not head.strip() or b"\0" in head or _is_picture(head):
        return []
    return read_boards(buffer.read(MAX_BYTES + 1))


def _of_page(photo: Photo, page: PageResult, call: Call) -> Iterator[FoundBoard]:
    """The boards of a picture's page."""
    name = page.source if page.page == 1 else f"{page.source}, page {page.page}"
    if not page.grids:
        yield FoundBoard(name, error=BoardError(f"{name}: {page.message}"), photo=photo, page=page)
    several = len(page.grids) > 1
    for number, grid in enumerate(page.grids, start=1):
        source = f"{name}, grid {number}" if several else name
        if grid.status == "unreadable":
            board, error = None, BoardError(f"{source}: its digits can't be read.", "Take a sharper picture.")
        else:
            board, error = board_of(grid), None
        yield FoundBoard(source, board, error, page.source, photo, page, grid, number * several, call)


def _boards_of_text(argument: str) -> list[NamedBoard]:
    """The boards that are written out in an argument."""
    try:
        return read_boards(argument)
    except BoardError:
        if _is_meant_as_board(argument):
            raise
        raise OpenError(
            f"{shown(argument)}: there is no such file, and it is no board either.",
            "Give a board of 81 characters, a link, or a file with a board or a picture.",
        ) from None


def _matches(argument: str) -> bool:
    """Whether an argument is a pattern that leads to files; boards have stars in them, too."""
    if not glob.has_magic(argument) or "\n" in argument:
        return False
    return any(os.path.isfile(path) for path in glob.iglob(argument, recursive=True))  # noqa: PTH113, PTH207


def shown(argument: str) -> str:
    """What stands for an argument in messages: itself, unless it is a long text."""
    if os.path.exists(argument):  # noqa: PTH110 (takes any name)
        return argument
    line = " ".join(argument.split())
    most = _SHOWN if _is_meant_as_board(argument) else 3 * _SHOWN
    return line if len(line) <= most else f"{line[: _SHOWN - 3]}..."


def _is_meant_as_board(argument: str) -> bool:
    return sum(mark in MARKS for mark in argument) >= _MEANT_AS_BOARD


def _read(path: str) -> tuple[bytes, bool]:
    """The bytes of a file, and whether they are those of a picture; of a text, no more than can be read."""
    try:
        if path == STDIN:
            data = _read_from(sys.stdin.buffer) if sys.stdin else b""
            if not data:
                what = f"{STDIN}: nothing came on standard input."
                raise OpenError(what, "Send a board or a picture to it, and name it once.")
        else:
            with Path(path).open("rb") as file:
                data = _read_from(file)
        return data, _is_picture(data)
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


def board_of(grid: GridResult) -> NamedBoard:
    """The puzzle of a grid and what is written in it; not certain unless it is solved."""
    return NamedBoard(grid.puzzle, grid.written, uncertain=grid.status != "solved")


def with_next(items: Iterator[_Item]) -> tuple[bool, Iterator[_Item]]:
    """Whether there are several photos, told by opening the second beside the first, and all of them."""
    first = list(islice(items, 2))
    return len(first) > 1, chain(first, items)
