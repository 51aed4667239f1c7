"""Asking: what ``hint``, ``explain`` and ``rate`` are asked about: boards as text, in files and in photos."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sudoku_vision.board import BLANKS, board_array
from sudoku_vision.cli.show import Call, Cell, doubt_lines
from sudoku_vision.errors import ImproperError, OpenError, SudokuVisionError, UsageError
from sudoku_vision.formats import NamedBoard, is_link, read_boards
from sudoku_vision.load import STDIN, expand_paths, iter_pages
from sudoku_vision.load.sniff import SNIFFED_BYTES, kind_of
from sudoku_vision.logic.words import cell_name, listed
from sudoku_vision.results import Board, GridResult, PageResult, Photo
from sudoku_vision.solver import solve

if TYPE_CHECKING:
    from sudoku_vision.cli.solving import Options
    from sudoku_vision.digits import DigitModel

_BOARD_SHARE = 0.6
"""Share of digits and blanks from which on a word that is no file is taken for a board, if a broken one."""


_BOARD_STATUS = {"many_solutions": "many", "no_solution": "none"}
"""What boards call the statuses of grids."""


@dataclass(frozen=True, eq=False)
class Asked:
    """One board that is asked about, or the ``error`` that says why there is none.

    ``clues`` (9, 9) int8; ``board`` the clues and what is rightly filled in already. ``cautions``: what must
    be said with every answer, ``doubts`` more lines on that. A board of a photo comes with both, ``photo``
    and ``grid``.
    """

    name: str
    clues: Board | None = None
    board: Board | None = None
    error: SudokuVisionError | None = None
    cautions: tuple[str, ...] = ()
    doubts: tuple[list[Cell], ...] = field(default=())
    photo: Photo | None = None
    grid: GridResult | None = None

    @property
    def sure(self) -> bool:
        """Whether the board is surely as it was printed."""
        return self.grid is None or self.grid.status == "solved"


class Asker:
    """Finds the boards that the arguments of a command mean."""

    def __init__(self, options: Options) -> None:
        """Keep what the command line says about pictures; the digit model is loaded with the first."""
        self._options = options

    @cached_property
    def _model(self) -> DigitModel:
        from sudoku_vision.cli.model import named_model

        return named_model(self._options.model)

    def asked(self, arguments: Sequence[str]) -> Iterator[Asked]:
        """The boards of all *arguments*, in order; raises :class:`UsageError` for options that can't be."""
        if self._options.for_one_picture and len(arguments) != 1:
            raise UsageError("--givens and --corners are for one picture.", "Name one picture at a time.")
        for argument in arguments:
            yield from self._or_why_not(argument)

    def _or_why_not(self, argument: str) -> Iterator[Asked]:
        """The boards of an argument, or the error that says why it has none."""
        try:
            yield from self._of_argument(argument)
        except UsageError:
            raise
        except SudokuVisionError as error:
            yield Asked(_shown(argument), error=error)

    def _of_argument(self, argument: str) -> Iterator[Asked]:
        # Asked by pathlib, a name too long raises an error, and an empty one is this folder.
        is_folder = os.path.isdir(argument)  # noqa: PTH112
        if argument == STDIN or os.path.isfile(argument):  # noqa: PTH113
            yield from self._of_file(argument)
        elif is_folder or (glob.has_magic(argument) and not _looks_like_board(argument)):
            for path in expand_paths([argument]):
                yield from self._of_file(path)
        elif _looks_like_board(argument) or is_link(argument):
            yield from (_of_text(_shown(argument), named) for named in read_boards(argument))
        else:
            raise OpenError(
                f"{argument}: there is no such file, and it is no board.",
                "Give 81 characters, a file with a board, or a picture.",
            )

    def _of_file(self, path: str) -> Iterator[Asked]:
        data = _bytes_of(path)
        if _is_picture(data, path):
            yield from self._of_picture(data, path)
            return
        boards = read_boards(data)
        for number, named in enumerate(boards, start=1):
            yield _of_text(path if len(boards) == 1 else f"{path}, {named.name or number}", named)

    def _of_picture(self, data: bytes, path: str) -> Iterator[Asked]:
        from sudoku_vision.pipeline import read_photo

        options = self._options
        pages = iter_pages(data, name=path, max_megapixels=options.max_megapixels, only=options.page)
        for photo in pages:
            if isinstance(photo, OpenError):
                yield Asked(path, error=photo)
                continue
            page = read_photo(photo, model=self._model, givens=options.givens, corners=options.corners)
            yield from _of_page(photo, page, Call(said=options.said))


def _of_text(name: str, named: NamedBoard) -> Asked:
    cautions = ("This was read from a picture and may be wrong.",) if named.uncertain else ()
    board, wrong = _rightly_placed(named.givens, named.placed, not named.uncertain)
    return Asked(name, named.givens, board, cautions=(*cautions, *wrong))


def _of_page(photo: Photo, page: PageResult, call: Call) -> Iterator[Asked]:
    name = page.source if page.page == 1 else f"{page.source}, page {page.page}"
    if not page.grids:
        yield Asked(name, error=ImproperError(page.message, status=page.status), photo=photo)
    for number, grid in enumerate(page.grids, start=1):
        several = len(page.grids) > 1
        yield _of_grid(f"{name}, grid {number}" if several else name, photo, grid, call, number * several)


def _of_grid(name: str, photo: Photo, grid: GridResult, call: Call, number: int) -> Asked:
    from sudoku_vision.pipeline import MESSAGES

    if grid.status in ("unreadable", "many_solutions", "no_solution"):
        error = ImproperError(MESSAGES[grid.status], status=_BOARD_STATUS.get(grid.status, grid.status))
        doubts = tuple(doubt_lines(grid.doubts, number, call))
        return Asked(name, grid.puzzle, error=error, doubts=doubts, photo=photo, grid=grid)
    sure = grid.status == "solved"
    unclear = np.isin(np.arange(81), grid.reading.unclear).reshape(9, 9)
    board, wrong = _rightly_placed(grid.puzzle, np.where(unclear, 0, grid.written).astype(np.int8), sure)
    caution = () if sure else (MESSAGES["uncertain"],)
    doubts = tuple(doubt_lines(grid.doubts, number, call))
    return Asked(name, grid.puzzle, board, None, (*caution, *wrong), doubts, photo, grid)


def _rightly_placed(clues: Board, placed: Board, sure: bool) -> tuple[Board, tuple[str, ...]]:
    """The clues with those of the *placed* digits that are right, and a sentence on those that are not."""
    solved = solve(clues) if placed.any() else None
    if solved is None or solved.status != "one" or solved.solution is None:
        return board_array((clues + placed).reshape(81).tolist()), ()
    right = np.where(placed == solved.solution, placed, 0)
    wrong = np.flatnonzero((placed > 0) & (right == 0)).tolist()
    board = board_array((clues + right).reshape(81).tolist())
    if not wrong:
        return board, ()
    places = listed(map(cell_name, wrong))
    return board, (
        f"What is filled in at {places} is {'' if sure else 'probably '}wrong, and left out here.",
    )


def _looks_like_board(argument: str) -> bool:
    marks = [mark for mark in argument if not mark.isspace()]
    likely = sum(mark.isdigit() or mark in BLANKS or mark in "|+" for mark in marks)
    return len(marks) > 1 and likely >= _BOARD_SHARE * len(marks)


def _shown(argument: str) -> str:
    """What stands for an argument in messages: itself if it is a short line."""
    line = " ".join(argument.split())
    return line if len(line) <= 90 else f"{line[:87]}..."


def _bytes_of(path: str) -> bytes:
    if path == STDIN:
        data = sys.stdin.buffer.read() if sys.stdin else b""
        if not data:
            raise OpenError(f"{STDIN}: nothing came on standard input.", "Send one board or picture to it.")
        return data
    try:
        return Path(path).read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OpenError(f"{path}: the file can't be read ({reason}).", "Check its permissions.") from None


def _is_picture(data: bytes, path: str) -> bool:
    try:
        return bool(kind_of(data[:SNIFFED_BYTES], path))
    except OpenError:
        return False
