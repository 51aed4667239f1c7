"""A page as programs get it, read or checked: it draws, saves and shows itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.api.notebook import figure
from sudoku_vision.errors import UsageError, explained_memory
from sudoku_vision.output.overlay import overlay, overlay_check
from sudoku_vision.output.save import check_output, save
from sudoku_vision.pipeline import PageReading, message_of
from sudoku_vision.results import Image, Photo, least_sure_status
from sudoku_vision.sudoku.verdicts import PageCheck
from sudoku_vision.vision.decode.overrides import Overrides, by_grid, read_overrides
from sudoku_vision.vision.load import Channels, Source, load_photo
from sudoku_vision.vision.load.files import name_of
from sudoku_vision.vision.load.pixels import in_channels

if TYPE_CHECKING:
    from sudoku_vision.api.hints import Hint


@dataclass(frozen=True, eq=False, repr=False)
class Page(PageReading):
    """One picture or page: its grids in reading order, its status, and the photo that they lie in.

    ``photo`` is None where it was not to be kept, and of a page that could not be opened: its status is
    ``error``, and ``message`` says why. A page is pickled with its photo.
    """

    photo: Photo | None = None

    def image(self, *, photo: Source | None = None, channels: Channels = "bgr") -> Image:
        """Return the photo with the answers drawn in, a new array (H, W, 3) uint8, colours as in *channels*.

        *photo* is the same picture again, where it was not kept, else :class:`UsageError` is raised.
        """
        own = self._own_photo(photo)
        with explained_memory(own.source):
            return in_channels(overlay(own, self.grids), channels)

    def save(self, path: str | Path, *, photo: Source | None = None) -> None:
        """Write the photo with the answers drawn in to *path*, in the format of its ending.

        The file is written whole or not at all. *photo* as for :meth:`image`. Raises :class:`SaveError` or
        :class:`UsageError` for a path that can't be written, or is the photo itself.
        """
        self._write(path, photo, self.image)

    def with_overrides(self, overrides: Overrides) -> Page:
        """Return the page with a person's word for cells of its grids, decoded anew without reading again.

        *overrides* and their errors are those of :func:`solve_photo`.
        """
        said = by_grid(read_overrides(overrides), [grid.status for grid in self.grids])
        grids = tuple(
            grid.with_overrides(said[place]) if place in said else grid
            for place, grid in enumerate(self.grids)
        )
        if not said:
            return self
        status = least_sure_status(grid.status for grid in grids)
        return replace(self, grids=grids, status=status, message=message_of(status, grids, self.other))

    def without_photo(self) -> Page:
        """Return the page without its photo, some kilobytes: to keep thousands, or to send to a process."""
        return replace(self, photo=None)

    def hint(self, grid: int = 0, *, marks: bool = False) -> Hint | None:
        """Return the easiest next step on a grid, drawn into its photo where shown; None if it is full.

        *grid* is its place in ``grids``. It goes on from what is rightly filled in; with *marks* from the
        pencil marks, too. Raises :class:`ImproperError` for a grid that hasn't one solution.
        """
        from sudoku_vision.api.hints import hint_of_grid

        if not 0 <= grid < len(self.grids):
            what = f"This page has no grid {grid}, grids here: {len(self.grids)}."
            raise UsageError(what, "Count them from 0, as in page.grids.")
        return hint_of_grid(self.grids[grid], self.photo, marks=marks)

    def _own_photo(self, photo: Source | None) -> Photo:
        """Return the photo of the page, or *photo* in its place; raises :class:`UsageError` without any."""
        if photo is not None:
            return load_photo(photo, page=self.page)
        if self.photo is None:
            raise UsageError(
                "This page has no photo with it.", "Hand it over again, as in: page.image(photo=...)"
            )
        return self.photo

    def _write(self, path: str | Path, photo: Source | None, draw: Callable[..., Image]) -> None:
        """Write what *draw* makes of the photo to *path*."""
        check_output(path, [self.source, name_of(photo)])
        with explained_memory(str(path)):
            own = self._own_photo(photo)
            save(path, draw(photo=own), exif=own.exif)

    def _repr_html_(self) -> str:
        """Return the annotated picture with a word on it, for notebooks."""
        pixels = None if self.photo is None else self.image()
        name = f"{self.source}, page {self.page}" if self.page > 1 else self.source
        return figure(pixels, [f"{name}: {self.status.replace('_', ' ')}", self.message])


@dataclass(frozen=True, eq=False)
class CheckedPage(PageCheck):
    """The verdicts on one page: ``grids`` are those on the grids of ``page``, in the same order."""

    page: Page

    def __repr__(self) -> str:
        """Give the page's name, the verdict on it, and how many grids it has."""
        grids = "1 grid" if len(self.grids) == 1 else f"{len(self.grids)} grids"
        return f"CheckedPage({self.page.source!r}, {self.status}, {grids})"

    def image(
        self,
        *,
        answers: bool = False,
        marks: bool = False,
        photo: Source | None = None,
        channels: Channels = "bgr",
    ) -> Image:
        """Return the photo with what a person wrote marked as a teacher would, a new array (H, W, 3) uint8.

        With *answers* the right digit stands beside a wrong one, with *marks* pencil marks without the right
        digit are boxed. *photo*, *channels* and errors as for :meth:`Page.image`.
        """
        own = self.page._own_photo(photo)
        with explained_memory(own.source):
            return in_channels(overlay_check(own, self.grids, answers=answers, marks=marks), channels)

    def save(
        self, path: str | Path, *, answers: bool = False, marks: bool = False, photo: Source | None = None
    ) -> None:
        """Write the marked photo to *path*; the rest is as for :meth:`image` and :meth:`Page.save`."""
        draw = partial(self.image, answers=answers, marks=marks)
        self.page._write(path, photo, draw)

    def _repr_html_(self) -> str:
        """Return the marked picture with the verdict in words, for notebooks."""
        pixels = None if self.page.photo is None else self.image()
        counts = [f"{len(one.right)} right, {len(one.wrong)} wrong, {one.left} left" for one in self.grids]
        return figure(pixels, [f"{self.page.source}: {self.status}", *counts, self.message])
