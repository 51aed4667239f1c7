"""Pages: what was sent to be read, a picture, a document or boards in text, page by page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sudoku_vision.api.board_pages import drawn_board
from sudoku_vision.errors import BoardError, CornersError, OpenError, UsageError
from sudoku_vision.output.overlay.print import PrintStyle, grid_print
from sudoku_vision.pipeline import read_page
from sudoku_vision.results import Floats, GridResult, PageResult, Photo
from sudoku_vision.sudoku.formats import NamedBoard, read_boards
from sudoku_vision.vision.decode.overrides import (
    Overrides,
    OverridesByGrid,
    by_grid,
    parse_corners,
    parse_overrides,
)
from sudoku_vision.vision.digits import CellClassifier
from sudoku_vision.vision.load import iter_pages
from sudoku_vision.vision.load.sniff import SNIFFED_BYTES, kind_of
from sudoku_vision.web.settings import BodyKind
from sudoku_vision.web.state import GridState, InkContent, TextContent, ink_content
from sudoku_vision.web.view import GridView, needs_preview, page_view

MAX_PAGES = 20
"""Pages of a document, or boards of a text, that are read for one request."""

_PHOTO, _BOARD = "photo", "board"
"""What pictures and boards are called: nothing is known of the names of their files."""


@dataclass(frozen=True, eq=False)
class ReadPage:
    """One page that was read: what is told of it (``result``), and its grids with what they were read from.

    ``photo``: of a board in text a drawing of it, None where the page could not be opened. ``grids`` lie in
    it, ``contents`` are theirs. ``preview``: whether a browser can't show it itself.
    """

    result: PageResult
    photo: Photo | None
    grids: tuple[GridResult, ...] = ()
    contents: tuple[InkContent | TextContent, ...] = ()
    preview: bool = True

    @property
    def in_text(self) -> bool:
        """Whether it is a board in text."""
        return any(isinstance(content, TextContent) for content in self.contents)

    def states(self) -> Iterator[GridState]:
        """Yield what is to be kept of each grid; how it is printed is measured here."""
        if self.photo is None:
            return
        for grid, content in zip(self.grids, self.contents, strict=True):
            source, page = self.result.source, self.result.page
            yield GridState(content, grid.lattice, _print_of(grid, self.photo), self.photo.size, source, page)

    def view(self, grids: Sequence[GridView]) -> dict[str, Any]:
        """Return the view of the page for JSON, with those of its *grids*."""
        if self.photo is None:
            return {"size": [0, 0], "preview": None, "grids": []}
        return page_view(self.photo, grids, preview=self.preview)


def _print_of(grid: GridResult, photo: Photo) -> PrintStyle:
    """Measure how a grid is printed, in the reduced copy of its photo if there is one: lengths are cells."""
    copy = photo.reduced
    if copy is None:
        return grid_print(photo.pixels, grid)
    return grid_print(copy.pixels, replace(grid, lattice=copy.from_photo(grid.lattice)))


@dataclass(frozen=True, eq=False)
class _Word:
    """A person's word on a page: what cells hold, and where the grid lies."""

    overrides: Overrides | OverridesByGrid
    corners: Floats | None

    def __bool__(self) -> bool:
        return bool(self.overrides) or self.corners is not None


def open_pages(
    body: bytes,
    kind: BodyKind,
    model: CellClassifier,
    megapixels: float,
    *,
    page: int | None = None,
    overrides: str = "",
    corners: str = "",
) -> list[ReadPage]:
    """Read all pages of what was sent, or that of the number *page* alone; at least one.

    *overrides* and *corners* are as on the command line, empty for none. Raises
    :class:`~sudoku_vision.errors.OpenError` or :class:`~sudoku_vision.errors.BoardError` where there is
    nothing to read, and :class:`~sudoku_vision.errors.UsageError` for what a person can't have meant.
    """
    word = _Word(
        parse_overrides(overrides) if overrides.strip() else {},
        parse_corners(corners) if corners.strip() else None,
    )
    if kind == "text":
        return _boards(body, page, word)
    return _photos(body, model, megapixels, page, word)


def _photos(
    body: bytes, model: CellClassifier, megapixels: float, page: int | None, word: _Word
) -> list[ReadPage]:
    """Read the pages of a picture file; one that can't be opened has its error in its place."""
    pages: list[ReadPage] = []
    opened = iter_pages(body, name=_PHOTO, max_megapixels=megapixels, max_pages=MAX_PAGES, only=page)
    for number, photo in enumerate(opened, start=page or 1):
        if pages and word:
            raise UsageError("There are several pages.", "Say which one is meant.")
        if isinstance(photo, OpenError):
            failed = PageResult(_PHOTO, number, "error", str(photo), (), 0.0)
            pages.append(ReadPage(failed, None))
            error = photo
        else:
            pages.append(_read(photo, model, word))
    if all(one.photo is None for one in pages):
        raise error
    preview = len(pages) > 1 or needs_preview(kind_of(body[:SNIFFED_BYTES], _PHOTO))
    return [replace(one, preview=preview) for one in pages]


def _read(photo: Photo, model: CellClassifier, word: _Word) -> ReadPage:
    """Read one photo."""
    read = read_page(photo, model=model, overrides=word.overrides, corners=word.corners)
    contents = tuple(ink_content(grid.scores, grid.ink.puzzle) for grid in read.grids)
    return ReadPage(read.result, photo, read.result.grids, contents)


def _boards(body: bytes, page: int | None, word: _Word) -> list[ReadPage]:
    """Solve the boards of a text."""
    if word.corners is not None:
        raise CornersError("A board in text has no corners.", "Leave them out.")
    boards = read_boards(body)
    if len(boards) > MAX_PAGES and page is None:
        raise BoardError(f"There are {len(boards)} boards in it.", f"Send at most {MAX_PAGES} at once.")
    if page is not None and not 1 <= page <= len(boards):
        raise UsageError(f"There is no board {page}, boards here: {len(boards)}.", "Choose another one.")
    chosen = list(enumerate(boards, start=1)) if page is None else [(page, boards[page - 1])]
    if len(chosen) > 1 and word:
        raise UsageError("There are several boards.", "Say which one is meant.")
    return [_drawn(board, number, word) for number, board in chosen]


def _drawn(board: NamedBoard, number: int, word: _Word) -> ReadPage:
    """Solve one board in text, and draw it."""
    content = TextContent(board)
    said = by_grid(word.overrides, ["solved"]).get(0, {})
    result = replace(content.page(said), source=_BOARD, page=number)
    pixels, grid = drawn_board(result.grids[0])
    photo = Photo(np.ascontiguousarray(pixels), _BOARD, number)
    return ReadPage(result, photo, (grid,), (content,))
