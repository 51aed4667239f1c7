"""Reads the pages of a picture or document, or the boards in a text; each board becomes a page."""

import contextlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from sudoku_vision.errors import BoardError, CornersError, NoPictureError, OpenError, RulesError, UsageError
from sudoku_vision.output.drawing.puzzle_figure import draw_grid
from sudoku_vision.output.overlay.print_style import PrintStyle, grid_print
from sudoku_vision.page import Page, solved_board
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.formats import NamedBoard, read_boards
from sudoku_vision.sudoku.formats.json_lists import rules_of_json
from sudoku_vision.sudoku.rules import Rules, rules_from
from sudoku_vision.values import Floats
from sudoku_vision.vision.decode.overrides import OverridesByGrid, by_grid, parse_corners, read_overrides
from sudoku_vision.vision.digits import CellClassifier
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.load import iter_pages
from sudoku_vision.vision.load.files import SNIFFED_BYTES, kind_of
from sudoku_vision.vision.results import Photo
from sudoku_vision.web.settings import BodyKind, Limits
from sudoku_vision.web.state import GridState, board_with, state_of

READING_SHARE = 0.6
"""After this share of a job's time, no further page is read. The remaining time is for drawing the pages."""
_SHOWN_BY_BROWSERS = {"Jpeg", "Png", "WebP", "Gif", "Bmp", "Avif"}
"""The kinds of pictures that all browsers can show. The names are those of ``kind_of``."""
_PHOTO, _BOARD = "photo", "board"
"""Names of pictures and boards in answers. The service doesn't know the names of the files."""


@dataclass(frozen=True, eq=False)
class ReadPage:
    """A page that was read, or that could not be opened.

    For a board in text, a drawing of the board takes the place of a photo.
    """

    page: Page
    states: Sequence[GridState] = ()  # for each grid, the data that a browser stores
    preview: bool = True  # whether a browser needs a preview, because it can't show the page itself


ReadPages: TypeAlias = tuple[list[ReadPage], int | None]
"""The read pages (at least one), and the number of the first page not read; None if all pages were read."""


def _print_of(grid: Grid, photo: Photo) -> PrintStyle:
    """Return the style of a grid's print. To save time, the reduced copy of a large photo is measured."""
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
    """Read the pages in *body*, the bytes of a picture, a document or a text with boards.

    As many pages are read as *limits* allow, or only page number *page*. *kind* is the kind that the request
    declares. If a "photo" is no picture, it is read as text. *overrides*, *corners*, *rules* and *regions*
    have the form of the command line. Raises :class:`~sudoku_vision.errors.OpenError` or
    :class:`~sudoku_vision.errors.BoardError` if there is nothing to read, and
    :class:`~sudoku_vision.errors.UsageError` for wrong options.
    """
    overrides = overrides.strip()
    cells = read_overrides(overrides)
    places = parse_corners(corners) if corners.strip() else None
    named = named_rules(rules, regions)
    boards = _boards_in(body, kind)
    if boards is None:
        return _read_photos(body, model, limits, page, overrides, places, named)
    if places is not None:
        raise CornersError("A board in text has no corners.", "Leave them out.")
    return _read_boards([replace(one, rules=named or one.rules) for one in boards], limits.pages, page, cells)


def named_rules(rules: str, regions: str) -> Rules | None:
    """Return the rules of a request; None if both texts are blank.

    *rules*: a name such as "jigsaw", or the JSON of :meth:`Rules.to_dict`. *regions*: a jigsaw's regions;
    ignored if *rules* is JSON.
    """
    if rules.lstrip().startswith("{"):
        try:
            return rules_of_json(json.loads(rules))
        except (ValueError, RecursionError):
            raise RulesError(
                f"These rules are no JSON: {rules[:20]!r}.", "Send them as answers do."
            ) from None
    return rules_from(rules, regions) if rules.strip() or regions.strip() else None


def _boards_in(body: bytes, kind: BodyKind) -> list[NamedBoard] | None:
    """Return the boards in *body*; None for a picture. Raises OpenError or BoardError for other bytes."""
    if kind == "text":
        return read_boards(body)
    try:
        kind_of(body[:SNIFFED_BYTES], _PHOTO)
    except NoPictureError:
        with contextlib.suppress(BoardError):
            return read_boards(body)
        raise
    return None


def _read_photos(
    body: bytes,
    model: CellClassifier,
    limits: Limits,
    page: int | None,
    overrides: str,
    corners: Floats | None,
    rules: Rules | None,
) -> ReadPages:
    """Read a document. A page that can't be opened has a message. Raises OpenError if no page opens."""
    pages: list[ReadPage] = []
    left_out = None
    end = time.monotonic() + READING_SHARE * limits.job_seconds
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
            pages.append(ReadPage(Page(_PHOTO, number, "error", str(photo), (), 0.0)))
            error = photo
        else:
            read = read_page(photo, model=model, overrides=overrides, corners=corners, rules=rules)
            states = [state_of(grid, photo.size, _print_of(grid, photo)) for grid in read.grids]
            pages.append(ReadPage(replace(read, photo=photo), states))
    if all(read.page.photo is None for read in pages):
        raise error
    is_shown = kind_of(body[:SNIFFED_BYTES], _PHOTO) in _SHOWN_BY_BROWSERS
    preview = len(pages) > 1 or left_out is not None or not is_shown
    return [replace(read, preview=preview) for read in pages], left_out


def _read_boards(
    boards: list[NamedBoard], max_pages: int, page: int | None, overrides: OverridesByGrid
) -> ReadPages:
    """Return the boards of a text as solved and drawn pages.

    Only board number *page* is returned; if *page* is None, the first *max_pages* boards.
    """
    if page is not None and page > len(boards):
        raise UsageError(f"There is no board {page}, boards here: {len(boards)}.", "Choose another one.")
    chosen = boards[:max_pages] if page is None else [boards[page - 1]]
    if len(chosen) > 1 and overrides:
        raise UsageError("There are several boards.", "Say which one is meant.")
    cells = by_grid(overrides, ["solved"]).get(0, {})
    pages = []
    for number, board in enumerate(chosen, start=page or 1):
        solved = solved_board(board_with(board, cells), _BOARD, number)
        pixels, grid = draw_grid(solved.grids[0])
        photo = Photo(np.ascontiguousarray(pixels), _BOARD, number)
        state = GridState(grid.lattice, photo.size, _print_of(grid, photo), board)
        pages.append(ReadPage(replace(solved, grids=(grid,), photo=photo), [state]))
    return pages, max_pages + 1 if page is None and len(boards) > max_pages else None
