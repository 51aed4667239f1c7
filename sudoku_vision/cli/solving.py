"""The work of ``sudoku-vision solve`` and ``check``: one picture after another, none stops the rest."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_vision.cli.boards import shown
from sudoku_vision.cli.show import NO_CALL, Call, call_words, complain, progress, show_page
from sudoku_vision.cli.text import solve_text
from sudoku_vision.display import Look, look_of
from sudoku_vision.errors import BoardError, ModelError, SaveError, SudokuVisionError, UsageError
from sudoku_vision.formats import NamedBoard, site_named
from sudoku_vision.load import MAX_MEGAPIXELS, STDIN, expand_paths, iter_pages
from sudoku_vision.results import Floats, GridResult, Image, PageResult, Photo
from sudoku_vision.save import SAVE_ENDINGS, check_folder, check_output, make_folder

if TYPE_CHECKING:
    from sudoku_vision.debug import DebugFolder
    from sudoku_vision.digits import DigitModel
    from sudoku_vision.givens import Givens, GivensByGrid

SOLVED, NOT_SOLVED, NOTHING_OPENED = 0, 1, 3
"""Exit statuses."""


@dataclass(frozen=True)
class Options:
    """What the command line asks for beside the pictures."""

    output: str | None = None
    as_json: bool = False
    debug_dir: Path | None = None
    max_megapixels: float = MAX_MEGAPIXELS
    model: Path | None = None
    page: int | None = None
    givens: Givens | GivensByGrid | None = None
    said: str = ""
    corners: Floats | None = None
    plain: bool = False
    link: str | None = None

    @property
    def look(self) -> Look:
        """How boards are printed on standard output."""
        return look_of(sys.stdout, plain=self.plain)

    @property
    def for_one_picture(self) -> bool:
        """Whether something was said that can only be meant for one picture."""
        return bool(self.givens) or self.corners is not None


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
        show_page(page, call, options.look, link if site else None)

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


def board_of(grid: GridResult) -> NamedBoard:
    """The puzzle of a grid and what is written in it; not certain unless it is solved."""
    return NamedBoard(grid.puzzle, grid.written, uncertain=grid.status != "solved")


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


class Output:
    """Where the annotated pictures go: one file, a folder, or nowhere.

    Of a picture in which no grid was found nothing is written. What can't be written is said on standard
    error and counted in ``failed``.
    """

    def __init__(self, out: str | None, sources: Sequence[str], task: Task) -> None:
        """Check *out* before any work is done.

        Raises :class:`UsageError` if it can't be right and :class:`SaveError` if it can't be written.
        """
        self.failed = 0
        self._out = None if out is None else Path(out)
        self._task = task
        self._names = Names(sources)
        if out is None:
            self._is_folder = False
            return
        nameless = len(sources) > 1 and not Path(out).suffix
        self._is_folder = nameless or out.endswith(("/", os.sep)) or os.path.isdir(out)  # noqa: PTH112 (takes any name)
        if self._is_folder:
            check_folder(out)
            return
        if len(sources) > 1:
            raise UsageError(f"{out}: one file can't hold {len(sources)} pictures.", "Name a folder with -o.")
        check_output(out)
        if _same(out) in {_same(source) for source in sources if source != STDIN}:
            raise UsageError(f"{out}: this would overwrite the photo itself.", "Choose another name.")

    def write(self, photo: Photo, page: PageResult) -> None:
        """Draw what was found on *page* into its photo and write it."""
        if self._out is None or not page.grids:
            return
        from sudoku_vision.save import save

        try:
            save(self._place(photo), self._task.draw(photo, page))
        except SaveError as error:
            self.failed += 1
            complain(error)
        except Exception as error:  # a fault of ours in one picture must not take the others with it
            self.failed += 1
            complain(SaveError(f"{photo.source}: it can't be drawn: {error!r}.", "Please report this."))

    def _place(self, photo: Photo) -> Path:
        """The name to write under."""
        assert self._out is not None
        if not self._is_folder:
            return self._names.free(self._out)
        make_folder(self._out)
        ending = Path(photo.source).suffix
        ending = ending if ending.lower() in SAVE_ENDINGS else ".png"
        return self._names.free(self._out / f"{_stem(photo)}-{self._task.done}{ending}")


class DebugFolders:
    """Where the pictures of the stages go: straight into a folder, or into one a picture within it."""

    def __init__(self, folder: Path | None, sources: Sequence[str]) -> None:
        """Nothing is made before it is needed."""
        self.failed = 0
        self._folder = folder
        self._names = Names([])
        self._several = len(sources) > 1

    def sink(self, photo: Photo) -> DebugFolder | None:
        """What takes the pictures of one photo, or None if there are none to be kept."""
        if self._folder is None:
            return None
        from sudoku_vision.debug import DebugFolder, draw_photo

        several = self._several or photo.page > 1
        try:
            sink = DebugFolder(self._names.free(self._folder / _stem(photo)) if several else self._folder)
            sink.add("photo", draw_photo(photo))
        except SaveError as error:
            self.failed += 1
            self._folder = None
            complain(error)
            return None
        return sink


class Names:
    """Names for files that are made: each of its own, and none that of a picture that is read."""

    def __init__(self, sources: Sequence[str]) -> None:
        """Keep clear of *sources*."""
        self._taken = {_same(source) for source in sources}

    def free(self, path: Path) -> Path:
        """*path*, or with a number before its ending if that is taken."""
        candidate, number = path, 2
        while _same(candidate) in self._taken:
            candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
            number += 1
        self._taken.add(_same(candidate))
        return candidate


def _stem(photo: Photo) -> str:
    """What a photo's files are called."""
    stem = "stdin" if photo.source == STDIN else Path(photo.source).stem
    return stem if photo.page == 1 else f"{stem}-page{photo.page}"


def _same(path: str | Path) -> str:
    """One spelling for all the ways to name a file."""
    return os.path.normcase(os.path.realpath(path))


def solve_all(paths: Sequence[str], options: Options, task: Task | None = None) -> int:
    """Solve the pictures that *paths* lead to, print and save what was found, and give the exit status."""
    task = task or solve_task(options)
    sources = list(expand_paths(paths))
    if options.for_one_picture and len(sources) != 1:
        what = f"--givens and --corners are for one picture, these are {len(sources)}."
        raise UsageError(what, "Name one picture at a time.")
    output = Output(options.output, sources, task)
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
                if isinstance(photo, Photo):
                    output.write(photo, page)
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


_Item = TypeVar("_Item")


def with_next(items: Iterator[_Item]) -> tuple[bool, Iterator[_Item]]:
    """Whether there are several photos, told by opening the second beside the first, and all of them."""
    first = list(islice(items, 2))
    return len(first) > 1, chain(first, items)


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


def _solve(photo: Photo | PageResult, model: DigitModel, debug: DebugFolders, options: Options) -> PageResult:
    """Read and solve one photo; what goes wrong inside is said and does not stop the rest."""
    from sudoku_vision.pipeline import read_photo

    if isinstance(photo, PageResult):
        return photo
    try:
        sink = debug.sink(photo)
        return read_photo(photo, model=model, debug=sink, givens=options.givens, corners=options.corners)
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
