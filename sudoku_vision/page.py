"""A page: the grids of one picture, its status, and its photo; it can draw, save and show itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sudoku_vision.api.notebook import figure
from sudoku_vision.errors import UsageError, checked_number, explained_memory
from sudoku_vision.sudoku.rules import RulesLike
from sudoku_vision.values import Image, Value
from sudoku_vision.vision.decode.overrides import Overrides, by_grid, read_overrides
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Photo, page_name
from sudoku_vision.vision.status import PageStatus, least_sure_status, message_of
from sudoku_vision.vision.verdicts import Check, CheckStatus, check

if TYPE_CHECKING:
    from sudoku_vision.api.hints import Hint
    from sudoku_vision.vision.load import Channels, Source

PageCheckStatus = CheckStatus | Literal["no_grid", "error"]

CHECK_ORDER: tuple[CheckStatus, ...] = (
    "wrong",
    "no_solution",
    "many_solutions",
    "uncertain",
    "right",
    "nothing_written",
    "unreadable",
)
"""The page gets the first status in this order that one of its grids has: mistakes come first."""

CHECK_MESSAGES: dict[str, str] = {
    "right": "",
    "wrong": "",
    "nothing_written": "",
    "uncertain": "This may be misread, so the verdicts are not sure: look at the cells that are named.",
    "many_solutions": "The printed clues allow more than one solution, so there are no verdicts: "
    "one clue may have been missed.",
    "no_solution": "The printed clues contradict one another, so there are no verdicts: one may be misread, "
    "or the puzzle has other rules, as a jigsaw has.",
}
"""The messages of a checked page. For a status that is not here, the message of the page is used."""

UNCLEAR_MESSAGE = "Some entries are not clear: look at the cells that are named. The rest is sure."
"""The message of an uncertain page whose clues are sure."""


@dataclass(frozen=True, eq=False)
class Page(Value):
    """One picture or page: its grids in reading order, its status, and the photo that they lie in.

    ``status`` is the status of its least sure grid, and ``message`` says what to do about it. A page that
    could not be opened has the status ``error``, and ``message`` says why. ``seconds``: time of reading and
    solving. ``other``: the kind of puzzle, if the page shows no sudoku of 9 x 9 cells: "killer",
    "samurai", "6x6" and so on. ``photo`` is None if it is not kept. A page is pickled with its photo.
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
        """Give the page's name, its status, how many grids it has, and the time that it took."""
        name = page_name(self.source, self.page)
        grids = "1 grid" if len(self.grids) == 1 else f"{len(self.grids)} grids"
        return f"Page({name}, {self.status}, {grids}, {self.seconds:.2f} s)"

    def to_dict(self) -> dict[str, Any]:
        """Return the page as a dictionary for JSON, with the keys that we promise to keep."""
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
        """Draw the answers into the photo, a new array (H, W, 3) uint8; *channels*: the order of its colours.

        *photo* is the same picture again. Without it and without a kept photo: :class:`UsageError`.
        """
        from sudoku_vision.output.overlay import overlay
        from sudoku_vision.vision.load import in_channels

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
        """Decode the page again with a person's corrections of some cells; no picture is read again.

        *overrides* and their errors are those of :func:`solve_photo`.
        """
        said = by_grid(read_overrides(overrides), [grid.status for grid in self.grids])
        grids = [
            grid.with_overrides(said[place]) if place in said else grid
            for place, grid in enumerate(self.grids)
        ]
        return self._with_grids(grids) if said else self

    def with_rules(self, rules: RulesLike) -> Page:
        """Decode all grids again under the *rules* that a person gives; no picture is read again."""
        return self._with_grids([grid.with_rules(rules) for grid in self.grids])

    def _with_grids(self, grids: Sequence[Grid]) -> Page:
        status = least_sure_status(grid.status for grid in grids)
        message = message_of(status, grids, self.other)
        return replace(self, grids=tuple(grids), status=status, message=message)

    def without_photo(self) -> Page:
        """Return the page without its photo. It has some kilobytes: easy to keep or to send."""
        return replace(self, photo=None)

    def hint(self, grid: int = 0, *, marks: bool = False) -> Hint | None:
        """Return the easiest next step on a grid, which can draw itself into the photo; None for a full grid.

        *grid* is the index in ``grids``. The step starts from the clues and the right entries, with *marks*
        also from the pencil marks. Raises :class:`ImproperError` for a grid that does not have exactly one
        solution.
        """
        from sudoku_vision.api.hints import hint_of_grid

        grid = checked_number(grid, "The number of a grid", 0)
        if grid >= len(self.grids):
            what = f"This page has no grid {grid}, grids here: {len(self.grids)}."
            raise UsageError(what, "Count them from 0, as in page.grids.")
        return hint_of_grid(self.grids[grid], self.photo, marks=marks)

    def _own_photo(self, photo: Source | None) -> Photo:
        """Return *photo*, or else the photo of the page; raises :class:`UsageError` if there is none."""
        if photo is not None:
            from sudoku_vision.vision.load import load_photo

            return load_photo(photo, page=self.page)
        if self.photo is None:
            raise UsageError(
                "This page has no photo with it.", "Hand it over again, as in: page.image(photo=...)"
            )
        return self.photo

    def _write(self, path: str | Path, photo: Source | None, draw: Callable[..., Image]) -> None:
        """Draw into a copy of the photo with *draw*, and write it to *path*."""
        from sudoku_vision.output.save import check_output, save
        from sudoku_vision.vision.load.files import name_of

        check_output(path, [self.source, name_of(photo)])
        with explained_memory(str(path)):
            own = self._own_photo(photo)
            save(path, draw(photo=own), exif=own.exif)

    def _repr_html_(self) -> str:
        """Return the annotated picture with a word on it, for notebooks."""
        pixels = None if self.photo is None else self.image()
        name = f"{self.source}, page {self.page}" if self.page > 1 else self.source
        return figure(pixels, [f"{name}: {self.status.replace('_', ' ')}", self.message])


PageResult = Page
"""Another name of :class:`Page`."""


@dataclass(frozen=True, eq=False)
class CheckedPage(Value):
    """The verdicts on one page: ``grids`` has one for each grid of ``page``, in the same order."""

    page: Page
    grids: tuple[Check, ...]

    def __repr__(self) -> str:
        """Give the page's name, the verdict on it, and how many grids it has."""
        grids = "1 grid" if len(self.grids) == 1 else f"{len(self.grids)} grids"
        return f"CheckedPage({self.page.source!r}, {self.status}, {grids})"

    @property
    def status(self) -> PageCheckStatus:
        """The first status of :data:`CHECK_ORDER` among the grids, or why there is no verdict."""
        found = {one.status for one in self.grids}
        if not found:
            return "error" if self.page.status == "error" else "no_grid"
        return next(status for status in CHECK_ORDER if status in found)

    @property
    def message(self) -> str:
        """What the status means, and what to do about it; empty if it speaks for itself."""
        if self.status == "uncertain" and self.page.status == "solved":
            return UNCLEAR_MESSAGE
        if self.status == "uncertain" and not any(one.has_verdicts for one in self.grids):
            return self.page.message
        return CHECK_MESSAGES.get(self.status, self.page.message)

    def to_dict(self, *, marks: bool = False) -> dict[str, Any]:
        """Return the verdicts for JSON, as ``check --json`` prints them; *marks* adds the pencil marks."""
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
        """Mark the handwriting in the photo as a teacher does; return a new array (H, W, 3) uint8.

        With *answers*, the right digit stands beside a wrong one. With *marks*, pencil marks without the
        right digit have a box. *photo*, *channels* and errors as for :meth:`Page.image`.
        """
        from sudoku_vision.output.overlay import overlay_check
        from sudoku_vision.vision.load import in_channels

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


def check_page(page: Page) -> CheckedPage:
    """Compare the handwriting in the grids of a *page* with the solutions of their printed clues."""
    return CheckedPage(page, tuple(map(check, page.grids)))
