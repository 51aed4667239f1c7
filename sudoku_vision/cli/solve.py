"""The work of ``sudoku-vision solve``: each puzzle beside its solution, answers drawn into its picture."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

from sudoku_vision.api.board_pages import board_of
from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputPage
from sudoku_vision.cli.reporter import PageTask
from sudoku_vision.cli.runner import run_pages
from sudoku_vision.cli.runs.drawings import draw_answers
from sudoku_vision.cli.text import page_lines
from sudoku_vision.errors import ExitCode
from sudoku_vision.results import GridResult, PageResult
from sudoku_vision.sudoku.display import Line, TextStyle
from sudoku_vision.sudoku.formats import Site, site_named


def run_solve(
    arguments: Sequence[str], options: Options, executor: Executor, link: str | None = None
) -> ExitCode:
    """Solve all that *arguments* lead to, print and draw the answers, and return the exit status.

    *executor* reads the pictures, *link* names the site whose links are printed. Raises
    :class:`~sudoku_vision.errors.UsageError` for one that is not known.
    """
    links = _Links(None if link is None else site_named(link))
    task = PageTask(
        command="solve",
        doing="solving",
        suffix="solved",
        good="solved",
        status=lambda page: page.status,
        draw=draw_answers,
        lines=links.lines,
        to_dict=links.to_dict,
        prints=True,
    )
    return run_pages(arguments, options, task, executor)


class _Links:
    """Tells each page with the links that open its puzzles on a site, if one is asked for."""

    def __init__(self, site: Site | None) -> None:
        self._site = site

    def lines(self, one: InputPage, text_style: TextStyle) -> list[Line]:
        """Return the page for people."""
        self._caution(one.page)
        return page_lines(one, text_style, self._link if self._site else None)

    def to_dict(self, page: PageResult) -> dict[str, Any]:
        """Return the page for other programs."""
        value = page.to_dict()
        if self._site:
            self._caution(page)
            grids = zip(value["grids"], page.grids, strict=True)
            value["grids"] = [{**told, "link": self._link(grid)} for told, grid in grids]
        return value

    def _link(self, grid: GridResult) -> str | None:
        return None if self._site is None or grid.status == "unreadable" else self._site.write(board_of(grid))

    def _caution(self, page: PageResult) -> None:
        """Say where a link may open another puzzle than the printed one."""
        if self._site and any(grid.status not in ("solved", "unreadable") for grid in page.grids):
            complain(f"{page.source}: the reading is not sure, so look at the clues before you use the link.")
