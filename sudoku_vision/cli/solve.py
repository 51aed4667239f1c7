"""The work of ``sudoku-vision solve``: each puzzle beside its solution, answers drawn into its picture."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from sudoku_vision.api.board_pages import board_of
from sudoku_vision.cli.drawings import Draw, draw_answers
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.page_run import PageCommand, run_pages
from sudoku_vision.cli.pages import InputPage
from sudoku_vision.cli.progress import complain
from sudoku_vision.cli.text import page_lines
from sudoku_vision.errors import ExitCode
from sudoku_vision.results import GridResult, PageResult
from sudoku_vision.sudoku.display import Line, TextStyle
from sudoku_vision.sudoku.formats import Site, site_named


def run_solve(arguments: Sequence[str], options: Options, executor: Executor) -> ExitCode:
    """Solve all that *arguments* lead to, print and draw the answers, and return the exit status."""
    site = None if options.link is None else site_named(options.link)
    return run_pages(_Solve(site), arguments, options, executor)


@dataclass(frozen=True)
class _Solve(PageCommand):
    """Solves pages; with the links that open their puzzles on a *site*, if one is asked for."""

    site: Site | None
    name = "solve"
    doing = "solving"
    suffix = "solved"
    good = "solved"
    prints = True

    def status(self, page: PageResult) -> str:
        return page.status

    @property
    def draw(self) -> Draw:
        return draw_answers

    def lines(self, page: InputPage, style: TextStyle) -> list[Line]:
        self._caution(page.page)
        return page_lines(page, style, self._link)

    def to_dict(self, page: PageResult) -> dict[str, Any]:
        value = page.to_dict()
        if self.site:
            self._caution(page)
            grids = zip(value["grids"], page.grids, strict=True)
            value["grids"] = [{**data, "link": self._link(grid)} for data, grid in grids]
        return value

    def _link(self, grid: GridResult) -> str | None:
        return None if self.site is None or grid.status == "unreadable" else self.site.write(board_of(grid))

    def _caution(self, page: PageResult) -> None:
        """Say where a link may open another puzzle than the printed one."""
        if self.site and any(grid.status not in ("solved", "unreadable") for grid in page.grids):
            complain(f"{page.source}: the reading is not sure, so look at the clues before you use the link.")
