"""Pages: what was sent to be read, a picture, a document or boards in text, page by page."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from sudoku_vision.api.board_pages import drawn_board
from sudoku_vision.errors import BoardError, CornersError, NoPictureError, OpenError, UsageError
from sudoku_vision.output.overlay.print_style import PrintStyle, grid_print
from sudoku_vision.pipeline import read_page
from sudoku_vision.results import Floats, GridResult, PageResult, Photo
from sudoku_vision.sudoku.formats import NamedBoard, read_boards
from sudoku_vision.sudoku.rules import Rules, rules_from
from sudoku_vision.vision.decode.overrides import SaidByGrid, by_grid, parse_corners, read_overrides
from sudoku_vision.vision.digits import CellClassifier
from sudoku_vision.vision.load import iter_pages
from sudoku_vision.vision.load.files import SNIFFED_BYTES, kind_of
from sudoku_vision.web.settings import BodyKind, Limits
from sudoku_vision.web.state import GridState, InkContent, TextContent, ink_content
from sudoku_vision.web.view import needs_preview, preview_of

READING_SHARE = 0.6
"""Share of the time for a request after which no further page is begun: the rest is for drawing them."""
_PHOTO, _BOARD = "photo", "board"
"""What pictures and boards are called: nothing is known of the names of their files."""


@dataclass(frozen=True, eq=False)
class ReadPage:
    """One page that was read (``result``), and what its grids were read from (``contents``).

    ``photo``: of a board in text a drawing, in which its grid lies; None where the page could not be opened.
    ``preview``: whether a browser can't show it itself.
    """

    result: PageResult
    photo: Photo | None = None
    contents: tuple[InkContent | TextContent, ...] = ()
    preview: bool = True

    @property
    def in_text(self) -> bool:
        """Whether it is a board in text."""
        return any(isinstance(content, TextContent) for content in self.contents)

    def grids_and_states(self) -> Iterator[tuple[GridResult, GridState]]:
        """Yield each grid with what is to be kept of it; how it is printed is measured here."""
        if self.photo is None:
            return
        for grid, content in zip(self.result.grids, self.contents, strict=True):
            style, size = _print_of(grid, self.photo), self.photo.size
            yield grid, GridState(content, grid.lattice, style, size, self.result.source, self.result.page)

    def view(self, grids: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return what a browser needs to draw the page, for JSON; *grids* are views of its grids."""
        if self.photo is None:
            return {"size": [0, 0], "preview": None, "grids": []}
        preview = preview_of(self.photo.pixels) if self.preview else None
        return {"size": list(self.photo.size), "preview": preview, "grids": grids}


class ReadPages(NamedTuple):
    """The pages of what was sent, at least one, and the number of the first that was left out, if any was."""

    pages: list[ReadPage]
    next_page: int | None = None


def _print_of(grid: GridResult, photo: Photo) -> PrintStyle:
    """Measure how a grid is printed, in the reduced copy of its photo if there is one: lengths are cells."""
    copy = photo.reduced
    if copy is None:
        return grid_print(photo.pixels, grid)
    return grid_print(copy.pixels, replace(grid, lattice=copy.from_photo(grid.lattice)))


def open_pages(
    body: bytes,
    model: CellClassifier,
    limits: Limits,
    *,
    kind: BodyKind = "photo",
    page: int | None = None,
    overrides: str = "",
    corners: str = "",
    rules: str = "",
    regions: str = "",
) -> ReadPages:
    """Read the pages of what was sent, as many as *limits* allow, or that of the number *page* alone.

    What is no picture may be a text with boards, whatever *kind* was declared. *overrides*, *corners*,
    *rules* and *regions* are as on the command line, empty for none. Raises
    :class:`~sudoku_vision.errors.OpenError` or :class:`~sudoku_vision.errors.BoardError` where there is
    nothing to read, and :class:`~sudoku_vision.errors.UsageError` for what a person can't have meant.
    """
    overrides = overrides.strip()
    cells = read_overrides(overrides)
    places = parse_corners(corners) if corners.strip() else None
    said = said_rules(rules, regions)
    boards = _boards_in(body, kind)
    if boards is None:
        return _photos(body, model, limits, page, overrides, places, said)
    if places is not None:
        raise CornersError("A board in text has no corners.", "Leave them out.")
    return _boards([replace(one, rules=said or one.rules) for one in boards], limits.pages, page, cells)


def said_rules(rules: str, regions: str) -> Rules | None:
    """Return the rules that a person says, None for none; raises RulesError for what are none."""
    return rules_from(rules, regions) if rules.strip() or regions.strip() else None


def _boards_in(body: bytes, kind: BodyKind) -> list[NamedBoard] | None:
    """Return the boards of a text, None of a picture; raises what is wrong with what is neither."""
    try:
        if kind == "photo":
            kind_of(body[:SNIFFED_BYTES], _PHOTO)
            return None
        return read_boards(body)
    except NoPictureError as no_picture:
        try:
            return read_boards(body)
        except BoardError:
            raise no_picture from None


def _photos(
    body: bytes,
    model: CellClassifier,
    limits: Limits,
    page: int | None,
    overrides: str,
    corners: Floats | None,
    rules: Rules | None,
) -> ReadPages:
    """Read the pages of a picture file; one that can't be opened has its error in its place."""
    pages: list[ReadPage] = []
    left_out = None
    end = time.monotonic() + READING_SHARE * limits.work
    opened = iter_pages(
        body, name=_PHOTO, max_megapixels=limits.megapixels, max_pages=limits.pages, only=page
    )
    for number, photo in enumerate(opened, start=page or 1):
        if pages and (overrides or corners is not None):
            raise UsageError("There are several pages.", "Say which one is meant.")
        if len(pages) == limits.pages or (pages and time.monotonic() > end):
            left_out = number
            break
        if isinstance(photo, OpenError):
            pages.append(ReadPage(PageResult(_PHOTO, number, "error", str(photo), (), 0.0)))
            error = photo
        else:
            read = read_page(photo, model=model, overrides=overrides, corners=corners, rules=rules)
            contents = tuple(ink_content(grid.scores, grid.ink_puzzle) for grid in read.grids)
            pages.append(ReadPage(read, photo, contents))
    if all(read.photo is None for read in pages):
        raise error
    preview = len(pages) > 1 or left_out is not None or needs_preview(kind_of(body[:SNIFFED_BYTES], _PHOTO))
    return ReadPages([replace(read, preview=preview) for read in pages], left_out)


def _boards(boards: list[NamedBoard], most: int, page: int | None, cells: SaidByGrid) -> ReadPages:
    """Solve the boards of a text, and draw them."""
    if page is not None and page > len(boards):
        raise UsageError(f"There is no board {page}, boards here: {len(boards)}.", "Choose another one.")
    first = page or 1
    chosen = boards[:most] if page is None else [boards[page - 1]]
    if len(chosen) > 1 and cells:
        raise UsageError("There are several boards.", "Say which one is meant.")
    pages = []
    for number, board in enumerate(chosen, start=first):
        content = TextContent(board)
        result = content.page(by_grid(cells, ["solved"]).get(0, {}))
        pixels, grid = drawn_board(result.grids[0])
        photo = Photo(np.ascontiguousarray(pixels), _BOARD, number)
        result = replace(result, source=_BOARD, page=number, grids=(grid,))
        pages.append(ReadPage(result, photo, (content,)))
    return ReadPages(pages, most + 1 if page is None and len(boards) > most else None)
