"""Pages: what commands work on, pictures and boards in text alike.

A board in text becomes a page with one grid, so that every command works on it as on a picture of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.api.board_pages import board_of, drawn_board, solved_board
from sudoku_vision.cli.inputs import Input
from sudoku_vision.cli.provenance import Provenance
from sudoku_vision.errors import ImproperError, OpenError, SudokuVisionError
from sudoku_vision.results import GridResult, PageResult, Photo
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.texts import ENGLISH

if TYPE_CHECKING:
    from sudoku_vision.api.hint_request import HintRequest


@dataclass(frozen=True)
class Retry:
    """How one page alone is read again: ``call`` goes before the options, ``said`` are its overrides."""

    call: str = ""
    said: str = ""

    def with_overrides(self, number: int, cells: str) -> str:
        """Return the call that says what *cells* of grid *number* hold, besides what was said before."""
        said = f"{number}:{self.said}" if number and self.said and ":" not in self.said else self.said
        cells = f"{number}:{cells}" if number else cells
        return f'{self.call}--overrides "{",".join(filter(None, (said, cells)))}"'


@dataclass(frozen=True, eq=False)
class InputPage:
    """One page of an input, read, or the ``error`` that says why it is not.

    ``name`` is what it goes by in messages, ``stem`` in the names of files. ``number`` is that of the page,
    or of the ``board`` in a text, from 1. ``below`` is the subfolder in which it lies, of a folder that was
    searched. ``reading`` is what was read, with the ``photo`` where that is kept, and the bytes of the
    ``picture`` drawn of it, or why there is none; ``place`` is where that goes, ``digest`` stands for the
    bytes of the file that was read. ``already`` says what the picture is where it was there before. ``retry``
    is how cells in doubt can be settled.
    """

    name: str
    stem: str
    source: str
    number: int = 1
    error: SudokuVisionError | None = None
    photo: Photo | None = None
    board: NamedBoard | None = None
    reading: PageResult | None = None
    retry: Retry = Retry()
    below: str = ""
    picture: bytes | SudokuVisionError | None = None
    place: Path | None = None
    digest: str = ""
    already: Provenance | None = None

    @cached_property
    def page(self) -> PageResult:
        """Return what was read and solved; a board in text is solved when this is first asked for."""
        if self.error is not None:
            return PageResult(self.source, self.number, "error", str(self.error), (), 0.0)
        if self.reading is not None:
            return self.reading
        assert self.board is not None
        return solved_board(self.board, self.source, self.number)

    @property
    def is_picture(self) -> bool:
        """Tell whether this is a picture, and no board in text."""
        return self.board is None

    @property
    def title(self) -> str:
        """Return the name, with that of the board."""
        return f"{self.name} ({self.board.name})" if self.board is not None and self.board.name else self.name


@dataclass(frozen=True, eq=False)
class InputBoard:
    """One board of a page, or the ``error`` that says why there is none.

    ``number`` counts the grids of a picture that has several, from 1, else 0. Steps are told in a
    ``language``.
    """

    name: str
    of: InputPage
    board: NamedBoard | None = None
    error: SudokuVisionError | None = None
    place: int = 0
    number: int = 0
    language: str = ENGLISH

    @cached_property
    def asked(self) -> HintRequest:
        """Return the board that is asked about; raises the error that says why there is none.

        Of a picture, that may be an :class:`~sudoku_vision.errors.ImproperError` for what was read.
        """
        if self.error is not None:
            raise self.error
        assert self.board is not None and self.grid is not None
        from sudoku_vision.api.hint_request import request_of_board, request_of_grid

        asked = (
            request_of_grid(self.grid) if self.of.is_picture else request_of_board(self.board, self.of.page)
        )
        return replace(asked, language=self.language)

    @property
    def grid(self) -> GridResult | None:
        """Return what was read and solved of it, if anything was."""
        grids = self.of.page.grids
        return grids[self.place] if self.place < len(grids) else None


def picture_of(page: InputPage) -> tuple[Photo, tuple[GridResult, ...]]:
    """Return the photo of a page and its grids; of a board in text, a plain drawing and its grid in that."""
    if page.photo is not None:
        return page.photo, page.page.grids
    pixels, grid = drawn_board(page.page.grids[0])
    return Photo(pixels, page.source, page.number), (grid,)


def board_pages(item: Input, boards: Sequence[NamedBoard], only: int | None) -> Iterator[InputPage]:
    """Yield the *boards* of a text as pages, or page *only* of them; raises :class:`OpenError` without it."""
    several = len(boards) > 1
    if only is not None and only > len(boards):
        what = f"{item.name}: there is no board {only}, boards here: {len(boards)}."
        raise OpenError(what, "Choose another one with --page.")
    for number, board in enumerate(boards, start=1):
        if only in (None, number):
            name = f"{item.name}, board {number}" if several else item.name
            stem = f"{item.stem}-board{number}" if several else item.stem
            yield InputPage(name, stem, item.name, number, board=board, below=item.below)


def boards_of(page: InputPage) -> Iterator[InputBoard]:
    """Yield the boards of a page: what was written out, or the puzzles of its grids."""
    if page.error is not None:
        yield InputBoard(page.name, page, error=page.error)
        return
    if page.board is not None:
        yield InputBoard(page.name, page, page.board)
        return
    from sudoku_vision.pipeline import message_of

    grids = page.page.grids
    if not grids:
        error = ImproperError(f"{page.name}: {page.page.message}", status=page.page.status)
        yield InputBoard(page.name, page, error=error)
    for place, grid in enumerate(grids):
        number = place + 1 if len(grids) > 1 else 0
        name = f"{page.name}, grid {number}" if number else page.name
        if grid.status == "unreadable":
            why = message_of(grid.status, [grid], page.page.other)
            unreadable = ImproperError(f"{name}: {why}", status=grid.status)
            yield InputBoard(name, page, None, unreadable, place, number)
        else:
            yield InputBoard(name, page, board_of(grid), None, place, number)
