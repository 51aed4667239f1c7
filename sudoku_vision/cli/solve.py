"""The work of ``sudoku-vision solve``: each puzzle beside its solution, answers drawn into its picture."""

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any

from sudoku_vision.api.board_pages import board_of
from sudoku_vision.cli.drawings import draw_answers
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.page_run import PageCommand, run_pages
from sudoku_vision.cli.pages import InputPage
from sudoku_vision.cli.progress import complain
from sudoku_vision.cli.text import page_lines, page_status
from sudoku_vision.errors import ExitCode
from sudoku_vision.results import GridResult, PageResult
from sudoku_vision.sudoku.display import Line, TextStyle
from sudoku_vision.sudoku.formats import Site, site_named


def run_solve(arguments: Sequence[str], options: Options, executor: Executor) -> ExitCode:
    """Solve all that *arguments* lead to, print and draw the answers, and return the exit status."""
    site = None if options.link is None else site_named(options.link)
    command = PageCommand(
        *("solve", "solving", "solved", ("solved",)),
        draw=draw_answers,
        status=lambda page: page.status,
        lines=partial(_lines, site),
        brief=partial(_brief, site),
        to_dict=partial(_to_dict, site),
        prints=True,
    )
    return run_pages(command, arguments, options, executor)


def _lines(site: Site | None, page: InputPage, style: TextStyle) -> list[Line]:
    _caution(site, page.page)
    return page_lines(page, style, partial(_link, site))


def _brief(site: Site | None, page: PageResult) -> Line:
    _caution(site, page)
    links = "".join(f" {address}" for address in map(partial(_link, site), page.grids) if address)
    grids = f", {len(page.grids)} grids" if len(page.grids) > 1 else ""
    return [page_status(page), (f"{grids}{links}", "")]


def _to_dict(site: Site | None, page: PageResult) -> dict[str, Any]:
    value = page.to_dict()
    if site:
        _caution(site, page)
        grids = zip(value["grids"], page.grids, strict=True)
        value["grids"] = [{**data, "link": _link(site, grid)} for data, grid in grids]
    return value


def _link(site: Site | None, grid: GridResult) -> str | None:
    return None if site is None or grid.status == "unreadable" else site.write(board_of(grid))


def _caution(site: Site | None, page: PageResult) -> None:
    """Say where a link may open another puzzle than the printed one."""
    if site and any(grid.status not in ("solved", "unreadable") for grid in page.grids):
        complain(f"{page.source}: the reading is not sure, so look at the clues before you use the link.")
