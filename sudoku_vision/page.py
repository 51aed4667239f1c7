"""A page: the grids in one picture, its status, and its photo. A page can draw, save and show itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sudoku_vision.errors import UsageError, checked_number, explained_memory
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.rules import RulesLike
from sudoku_vision.texts import Said, Sentence
from sudoku_vision.values import Image, Value
from sudoku_vision.vision.decode.overrides import Overrides, by_grid, read_overrides
from sudoku_vision.vision.grid import Grid, solved_grid
from sudoku_vision.vision.results import Photo, page_name
from sudoku_vision.vision.status import UNCERTAIN_BOARD, PageStatus, least_sure_status, message_of
from sudoku_vision.vision.verdicts import Check, CheckStatus, check

if TYPE_CHECKING:
    from sudoku_vision.api.hints import Hint
    from sudoku_vision.vision.load import Channels, Source

CHECK_ORDER: tuple[CheckStatus, ...] = (
    "wrong",
    "no_solution",
    "many_solutions",
    "uncertain",
    "right",
    "nothing_written",
    "unreadable",
)
"""The status of a checked page is the first status in this list that at least one of its grids has."""


@dataclass(frozen=True, eq=False)
class Page(Value):
    """One picture, or one page of a document: its grids in reading order, its status, and its photo.

    ``status``: the status of the least sure grid, or ``error`` if the page could not be opened. ``message``:
    what to do about the status. ``seconds``: how long reading and solving took. ``other``: if the page
    shows a puzzle that can't be read as a sudoku, the kind of this puzzle, such as "samurai" or "6x6";
    otherwise empty. ``photo``: None if the photo is not kept.
    """

    source: str
    page: int
    status: PageStatus
    message: str
    grids: tuple[Grid, ...]
    seconds: float = field(compare=False)
    other: str = ""
    photo: Photo | None = None

    def __repr__(self) -> str:
        name = page_name(self.source, self.page)
        grids = "1 grid" if len(self.grids) == 1 else f"{len(self.grids)} grids"
        return f"Page({name}, {self.status}, {grids}, {self.seconds:.2f} s)"

    def to_dict(self) -> dict[str, Any]:
        """Return the page as a dictionary for JSON."""
        return {
            "source": self.source,
            "page": self.page,
            "status": self.status,
            "message": self.message,
            "grids": [grid.to_dict() for grid in self.grids],
            "seconds": round(self.seconds, 4),
            **({"other": self.other} if self.other else {}),
        }

    def image(self, *, photo: Source | None = None, channels: Channels = "bgr") -> Image:
        """Return the photo with the answers drawn into it, as a new array (H, W, 3) uint8.

        *channels*: the order of the colours. *photo*: the picture; it is needed if the page keeps no photo.
        Raises :class:`UsageError` if there is no photo at all.
        """
        from sudoku_vision.output.overlay import overlay
        from sudoku_vision.vision.load import in_channels

        own = self._own_photo(photo)
        with explained_memory(own.source):
            return in_channels(overlay(own, self.grids), channels)

    def save(self, path: str | Path, *, photo: Source | None = None) -> None:
        """Write the photo with the answers to *path*. *photo* has the same meaning as in :meth:`image`.

        Raises :class:`SaveError` or :class:`UsageError` if *path* can't be written, or is the photo's file.
        """
        self._write(path, photo, self.image)

    def with_overrides(self, overrides: Overrides) -> Page:
        """Return the page with a user's corrections of cells, without reading the picture again."""
        said = by_grid(read_overrides(overrides), [grid.status for grid in self.grids])
        grids = [
            grid.with_overrides(said[place]) if place in said else grid
            for place, grid in enumerate(self.grids)
        ]
        return self._with_grids(grids) if said else self

    def with_rules(self, rules: RulesLike) -> Page:
        """Return the page with other *rules* for all grids. The picture is not read again."""
        return self._with_grids([grid.with_rules(rules) for grid in self.grids])

    def _with_grids(self, grids: Sequence[Grid]) -> Page:
        status = least_sure_status(grid.status for grid in grids)
        message = message_of(status, grids, self.other)
        return replace(self, grids=tuple(grids), status=status, message=message)

    def without_photo(self) -> Page:
        """Return the page without its photo, so that it takes only some kilobytes of memory."""
        return replace(self, photo=None)

    def hint(self, grid: int = 0, *, marks: bool = False) -> Hint | None:
        """Return the easiest next step from the clues and right entries of a grid; None if the grid is full.

        *grid*: index of the grid in ``grids``. *marks*: whether a cell with pencil marks can take only the
        digits of its marks. Raises :class:`ImproperError` if the grid does not have exactly one solution.
        """
        from sudoku_vision.api.hints import hint_of_grid

        grid = checked_number(grid, "The number of a grid", 0)
        if grid >= len(self.grids):
            what = f"This page has no grid {grid}, grids here: {len(self.grids)}."
            raise UsageError(what, "Count them from 0, as in page.grids.")
        return hint_of_grid(self.grids[grid], self.photo, marks=marks)

    def _own_photo(self, photo: Source | None) -> Photo:
        """Return *photo* or the page's own photo. Raises :class:`UsageError` if there is no photo."""
        if photo is not None:
            from sudoku_vision.vision.load import load_photo

            return load_photo(photo, page=self.page)
        if self.photo is None:
            raise UsageError(
                "This page has no photo with it.", "Hand it over again, as in: page.image(photo=...)"
            )
        return self.photo

    def _write(self, path: str | Path, photo: Source | None, draw: Callable[..., Image]) -> None:
        """Call *draw* with the photo; save the picture that *draw* returns in the file *path*."""
        from sudoku_vision.output.save import check_output, save
        from sudoku_vision.vision.load.files import name_of

        check_output(path, [self.source, name_of(photo)])
        with explained_memory(str(path)):
            own = self._own_photo(photo)
            save(path, draw(photo=own), exif=own.exif)

    def _repr_html_(self) -> str:
        from sudoku_vision.output.save import html_figure

        pixels = None if self.photo is None else self.image()
        name = f"{self.source}, page {self.page}" if self.page > 1 else self.source
        return html_figure(pixels, [f"{name}: {self.status.replace('_', ' ')}", self.message])


PageResult = Page


@dataclass(frozen=True, eq=False)
class CheckedPage(Value):
    """The verdicts on the entries of a ``page``: each entry is right, wrong or unclear.

    ``grids`` has a :class:`Check` for each grid of the page.
    """

    page: Page
    grids: tuple[Check, ...]

    def __repr__(self) -> str:
        grids = "1 grid" if len(self.grids) == 1 else f"{len(self.grids)} grids"
        return f"CheckedPage({self.page.source!r}, {self.status}, {grids})"

    @property
    def status(self) -> CheckStatus | Literal["no_grid", "error"]:
        """The first status in :data:`CHECK_ORDER` that any grid has. Without grids: "error" or "no_grid"."""
        found = {one.status for one in self.grids}
        if not found:
            return "error" if self.page.status == "error" else "no_grid"
        return next(status for status in CHECK_ORDER if status in found)

    @property
    def message(self) -> str:
        """What to do about the status; empty if there is nothing to do."""
        if self.status in ("right", "wrong", "nothing_written"):
            return ""
        if self.status == "uncertain" and self.page.status == "solved":
            return Said(Sentence("checked.unclear"))  # all clues are sure, but some entries are unclear
        has_verdicts = any(one.has_verdicts for one in self.grids)
        if self.status in ("many_solutions", "no_solution") or (self.status == "uncertain" and has_verdicts):
            return Said(Sentence(f"checked.{self.status}"))
        return self.page.message

    def to_dict(self, *, marks: bool = False) -> dict[str, Any]:
        """Return the verdicts as a dictionary for JSON. With *marks*, add the verdicts on pencil marks."""
        return {
            "source": self.page.source,
            "page": self.page.page,
            "status": self.status,
            "message": self.message,
            "grids": [one.to_dict(marks=marks) for one in self.grids],
            "seconds": round(self.page.seconds, 4),
        }

    def image(
        self,
        *,
        answers: bool = False,
        marks: bool = False,
        photo: Source | None = None,
        channels: Channels = "bgr",
    ) -> Image:
        """Return a new array (H, W, 3) uint8: the photo, with each entry marked as right or wrong.

        With *answers*, the right digit is drawn beside each wrong entry. With *marks*, a box is drawn around
        pencil marks if the right digit is not among them. *photo*, *channels* and errors are those of
        :meth:`Page.image`.
        """
        from sudoku_vision.output.overlay import overlay_check
        from sudoku_vision.vision.load import in_channels

        own = self.page._own_photo(photo)
        with explained_memory(own.source):
            return in_channels(overlay_check(own, self.grids, answers=answers, marks=marks), channels)

    def save(
        self, path: str | Path, *, answers: bool = False, marks: bool = False, photo: Source | None = None
    ) -> None:
        """Write the picture that :meth:`image` returns to *path*; errors are those of :meth:`Page.save`."""
        draw = partial(self.image, answers=answers, marks=marks)
        self.page._write(path, photo, draw)

    def _repr_html_(self) -> str:
        from sudoku_vision.output.save import html_figure

        pixels = None if self.page.photo is None else self.image()
        counts = [f"{len(one.right)} right, {len(one.wrong)} wrong, {one.left} left" for one in self.grids]
        return html_figure(pixels, [f"{self.page.source}: {self.status}", *counts, self.message])


def check_page(page: Page) -> CheckedPage:
    """Compare each entry of a *page* with the solution of its printed clues, and return the verdicts."""
    return CheckedPage(page, tuple(map(check, page.grids)))


def solved_board(board: NamedBoard, source: str, number: int = 1) -> Page:
    """Solve a board from a text, and return a page with one grid. The grid has no place in a picture.

    *number*: the number of the board in the text, from 1. *source*: the name of the text.
    """
    started = time.perf_counter()
    grid, solution = solved_grid(board)
    message = UNCERTAIN_BOARD if solution.status == "one" and board.uncertain else solution.message
    if solution.clashes:
        message = Said(Sentence("message.clash", {"cells": solution.clashes}))
    return Page(source, number, grid.status, message, (grid,), time.perf_counter() - started)


def board_of(grid: Grid) -> NamedBoard:
    """Return the board of a grid; the board is ``uncertain`` unless the status of the grid is "solved"."""
    return NamedBoard(
        grid.puzzle, grid.written, uncertain=grid.status != "solved", marks=grid.marks, rules=grid.rules
    )
