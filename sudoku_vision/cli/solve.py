"""``sudoku-vision solve``: prints each puzzle beside its solution, and draws the answers into its picture."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import DrawInto
from sudoku_vision.cli.page_run import PageRun
from sudoku_vision.cli.pages import InputPage, page_lines, status_span
from sudoku_vision.cli.reporter import complain
from sudoku_vision.page import Page, board_of
from sudoku_vision.sudoku.display import Line
from sudoku_vision.sudoku.formats import link, site_named
from sudoku_vision.vision.grid import Grid


class SolveRun(PageRun):
    """A run of ``solve``, which prints and draws the answers of each page."""

    name, doing, suffix, good, prints = "solve", "solving", "solved", ("solved",), True

    def __init__(self, arguments: Sequence[str], options: Options) -> None:
        self._site = None if options.link is None else site_named(options.link)
        super().__init__(arguments, options)

    @property
    def into_photo(self) -> DrawInto:
        """The function that draws the answers into a photo."""
        from sudoku_vision.output.overlay import overlay

        return partial(overlay, language=self.options.text_language)

    def take(self, page: InputPage) -> None:
        """Print a warning if a link may open a misread puzzle, and then do the work of the base class."""
        grids, source = page.page.grids, page.page.source
        if self._site and any(grid.status not in ("solved", "unreadable") for grid in grids):
            complain(f"{source}: the reading is not sure, so look at the clues before you use the link.")
        super().take(page)

    def lines(self, page: InputPage) -> list[Line]:
        """Return lines with each puzzle beside its solution, and with ``--link`` its link."""
        return page_lines(page, self.style, self._link)

    def brief(self, page: Page) -> Line:
        """Return a line with the status of a page, the number of several grids, and the links."""
        links = "".join(f" {address}" for address in map(self._link, page.grids) if address)
        count = len(page.grids)
        grids = f", {self.style.say('grid.count', count=count)}" if count > 1 else ""
        return [status_span(page.status, page.grids, self.style), (f"{grids}{links}", "")]

    def to_dict(self, page: Page) -> dict[str, Any]:
        """Return the result of a page as a JSON object; with ``--link``, each grid has its link."""
        value = page.to_dict()
        if self._site:
            grids = zip(value["grids"], page.grids, strict=True)
            value["grids"] = [{**data, "link": self._link(grid)} for data, grid in grids]
        return value

    def _link(self, grid: Grid) -> str | None:
        """Return the link to a grid's puzzle; None without ``--link``, or if the grid is unreadable."""
        if self._site is None or grid.status == "unreadable":
            return None
        return link(board_of(grid), self._site.name)
