"""The work of ``sudoku-vision solve`` and ``check``: one picture after another, none stops the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_vision.cli.boards import board_of, shown, with_next
from sudoku_vision.cli.output import DebugFolders, Output
from sudoku_vision.cli.settings import Options
from sudoku_vision.cli.show import NO_CALL, Call, call_words, complain, progress, show_page
from sudoku_vision.cli.text import solve_text
from sudoku_vision.errors import BoardError, ModelError, SudokuVisionError, UsageError
from sudoku_vision.formats import site_named
from sudoku_vision.load import expand_paths, iter_pages
from sudoku_vision.results import GridResult, Image, PageResult, Photo

if TYPE_CHECKING:
    from sudoku_vision.digits import CellClassifier

SOLVED, NOT_SOLVED, NOTHING_OPENED = 0, 1, 3
"""Exit statuses."""


@dataclass(frozen=True)
class Task:
    """What a command makes of a page that was read.

    ``doing`` it is what progress shows, ``done`` ends the names of pictures in a folder; ``passes`` says
    whether the page counts as a success; ``show`` prints it, and is told which call is for it alone.
    """

    command: str
    doing: str
    done: str
    passes: Callable[[PageResult], bool]
    draw: Callable[[Photo, PageResult], Image]
    show: Callable[[PageResult, Call], None]
    to_dict: Callable[[PageResult], dict[str, Any]]


def _draw_answers(photo: Photo, page: PageResult) -> Image:
    from sudoku_vision.overlay import overlay

    return overlay(photo, page.grids)


def solve_task(options: Options) -> Task:
    """What ``solve`` makes of a page; raises :class:`UsageError` for a link to a site that is not known."""
    site = None if options.link is None else site_named(options.link)

    def link(grid: GridResult) -> str | None:
        return None if site is None or grid.status == "unreadable" else site.write(board_of(grid))

    def show(page: PageResult, call: Call) -> None:
        _caution(page)
        show_page(page, call, options.text_style, link if site else None)

    def to_dict(page: PageResult) -> dict[str, Any]:
        value = page.to_dict()
        if site:
            _caution(page)
            value["grids"] = [
                {**told, "link": link(grid)} for told, grid in zip(value["grids"], page.grids, strict=True)
            ]
        return value

    def _caution(page: PageResult) -> None:
        """Say where a link may open another puzzle than the printed one."""
        if site and any(grid.status not in ("solved", "unreadable") for grid in page.grids):
            complain(f"{page.source}: the reading is not sure, so look at the clues before you use the link.")

    return Task(
        command="solve",
        doing="solving",
        done="solved",
        passes=lambda page: page.status == "solved",
        draw=_draw_answers,
        show=show,
        to_dict=to_dict,
    )


@dataclass
class Tally:
    """What came of the pictures so far."""

    opened: int = 0
    failed: int = 0

    @property
    def exit_status(self) -> int:
        """0 all solved, 1 some not solved or not saved, 3 nothing could be opened."""
        if not self.opened:
            return NOTHING_OPENED
        return NOT_SOLVED if self.failed else SOLVED


def solve_all(paths: Sequence[str], options: Options, task: Task | None = None) -> int:
    """Solve the pictures that *paths* lead to, print and save what was found, and give the exit status."""
    task = task or solve_task(options)
    sources = list(expand_paths(paths))
    if options.for_one_picture and len(sources) != 1:
        what = f"--givens and --corners are for one picture, these are {len(sources)}."
        raise UsageError(what, "Name one picture at a time.")
    output = Output(options.output, sources, task.done)
    debug = DebugFolders(options.debug_dir, sources)
    # The heavy imports come after wrong usage is ruled out.
    from sudoku_vision.cli.model import named_model

    model = named_model(options.model)
    tally = Tally()
    with progress(len(sources), task.doing) as step:
        for source in sources:
            if task.command == "solve" and _solve_text(source, options, task, tally):
                step()
                continue
            several_pages, photos = with_next(_photos(source, options))
            if several_pages and options.for_one_picture:
                raise UsageError(f"{source}: it has several pages.", "Name the one you mean, as in: --page 1")
            for photo in photos:
                page = _solve(photo, model, debug, options)
                tally.opened += isinstance(photo, Photo)
                tally.failed += not task.passes(page)
                paged = several_pages or options.page is not None
                words = call_words(task.command, page, len(sources) > 1, paged)
                _report(page, options.as_json, task, Call(words, options.said))
                if isinstance(photo, Photo) and page.grids:
                    output.write(photo, partial(task.draw, photo, page))
            step()
    tally.failed += output.failed + debug.failed
    return tally.exit_status


def _solve_text(source: str, options: Options, task: Task, tally: Tally) -> bool:
    """Solve the boards of a text, or say what is wrong with them; False if *source* is not that."""
    try:
        statuses = solve_text(source, options)
    except BoardError as error:
        tally.failed += 1
        _report(_failed(shown(source), 1, f"{shown(source)}: {error}"), options.as_json, task, NO_CALL)
        return True
    tally.opened += bool(statuses)
    tally.failed += sum(status != "one" for status in statuses)
    return bool(statuses)


def _photos(source: str, options: Options) -> Iterator[Photo | PageResult]:
    """The photos of one source, page by page; in place of what can't be opened, a result that says why."""
    page = options.page or 1
    try:
        for photo in iter_pages(source, max_megapixels=options.max_megapixels, only=options.page):
            yield photo if isinstance(photo, Photo) else _failed(source, page, str(photo))
            page += 1
    except MemoryError:
        yield _failed(source, page, f"{source}: too large for this memory.")


def _failed(source: str, page: int, message: str) -> PageResult:
    return PageResult(source, page, "error", message, (), 0.0)


def _solve(
    photo: Photo | PageResult, model: CellClassifier, debug: DebugFolders, options: Options
) -> PageResult:
    """Read and solve one photo; what goes wrong inside is said and does not stop the rest."""
    from sudoku_vision.pipeline import read_photo

    if isinstance(photo, PageResult):
        return photo
    try:
        sink = debug.sink(photo)
        return read_photo(
            photo, model=model, debug=sink, overrides=options.overrides, corners=options.corners
        )
    except (ModelError, UsageError):
        raise
    except SudokuVisionError as error:
        return _failed(photo.source, photo.page, str(error))
    except Exception as error:
        # A fault of ours on one picture must not cost the user the other thousand.
        what = f"{photo.source}: solving failed inside ({type(error).__name__}: {error})."
        return _failed(photo.source, photo.page, f"{what} Please report this picture.")


def _report(page: PageResult, as_json: bool, task: Task, call: Call) -> None:
    """Print one result; an error goes to standard error in any case."""
    if page.status == "error":
        complain(page.message)
    if as_json:
        print(json.dumps(task.to_dict(page)), flush=True)  # noqa: T201
    elif page.status != "error":
        task.show(page, call)
