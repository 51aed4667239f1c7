"""A checked page: what a person wrote into its grids, marked right or wrong."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudoku_vision.api.notebook import figure
from sudoku_vision.api.page import Page
from sudoku_vision.errors import explained_memory
from sudoku_vision.output.overlay import overlay_check
from sudoku_vision.output.save import check_output, save
from sudoku_vision.results import Image
from sudoku_vision.sudoku.verdicts import Check, PageCheckStatus, check, page_dict, page_message, page_status
from sudoku_vision.vision.load import Channels, Source
from sudoku_vision.vision.load.pixels import in_channels


@dataclass(frozen=True, eq=False)
class CheckedPage:
    """The verdicts on one page: ``grids`` are those on the grids of ``page``, in the same order."""

    page: Page
    grids: tuple[Check, ...]

    def __repr__(self) -> str:
        """Give the page's name, the verdict on it, and how many grids it has."""
        grids = "1 grid" if len(self.grids) == 1 else f"{len(self.grids)} grids"
        return f"CheckedPage({self.page.source!r}, {self.status}, {grids})"

    @property
    def status(self) -> PageCheckStatus:
        """What the page comes to: ``wrong`` before all else."""
        return page_status(self.page, self.grids)

    @property
    def message(self) -> str:
        """What the status means, and what to do about it; empty where it is plain."""
        return page_message(self.page, self.status)

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
        check_output(path)
        with explained_memory(str(path)):
            own = self.page._own_photo(photo)
            save(path, self.image(answers=answers, marks=marks, photo=own), exif=own.exif)

    def to_dict(self, *, marks: bool = False) -> dict[str, Any]:
        """Return the verdicts for JSON, as ``sudoku-vision check --json`` tells them."""
        return page_dict(self.page, self.grids, marks=marks)

    def _repr_html_(self) -> str:
        """Return the marked picture with the verdict in words, for notebooks."""
        pixels = None if self.page.photo is None else self.image()
        counts = [f"{len(one.right)} right, {len(one.wrong)} wrong, {one.left} left" for one in self.grids]
        return figure(pixels, [f"{self.page.source}: {self.status}", *counts, self.message])


def checked_page(page: Page) -> CheckedPage:
    """Return the verdicts on what a person wrote into the grids of a page."""
    return CheckedPage(page, tuple(check(grid) for grid in page.grids))
