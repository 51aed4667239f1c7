"""The base class of the runs of commands. It makes pages from the inputs, and reads the pages in order.

An executor reads the pages in this process, in other processes, or on a cluster. If a page can't be read, or
crashes the process that reads it, only this page has an error.
"""

from __future__ import annotations

import shlex
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sudoku_vision.cli.inputs import Input, find_inputs, open_input, picture_kind
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputPage
from sudoku_vision.cli.report import ReportRow, resumed
from sudoku_vision.cli.reporter import Reporter
from sudoku_vision.errors import (
    ClusterError,
    ExitCode,
    ModelError,
    OpenError,
    SaveError,
    SudokuVisionError,
    TaskError,
    TaskTimeoutError,
    UsageError,
    explained_memory,
)
from sudoku_vision.page import solved_board
from sudoku_vision.parallel import map_in_order
from sudoku_vision.sudoku.rules import rules_for
from sudoku_vision.vision.digits.model_files import load_model
from sudoku_vision.vision.load.files import STDIN
from sudoku_vision.vision.results import Photo

if TYPE_CHECKING:
    from sudoku_vision.output.debug import DebugSink
    from sudoku_vision.vision.digits.cascade import DigitModel

MAX_LOST = 2  # after this many pages in a row that crash their process, the rest of a document is left out


class Run(ABC):
    """A run of a command, with its options and inputs. It reads pages, and prints and counts results."""

    name: ClassVar[str]  # the name of the command
    doing: ClassVar[str] = "working"  # the word beside the progress bar; it says what the command is doing
    noun: ClassVar[str] = "board"  # the word for the things that the command counts
    good: ClassVar[tuple[str, ...]] = ("answered", "converted")  # the statuses that count as a success
    order: ClassVar[tuple[str, ...]] = ()  # the order of the statuses in the summary
    output_words: ClassVar[str] = "the picture"  # what the command writes to its output

    def __init__(self, arguments: Sequence[str], options: Options) -> None:
        """Find the inputs, and check all options before any work is done.

        If the output is written to standard output (``-o -``), text for people goes to standard error.
        """
        if not arguments and not options.resume:
            raise UsageError("Missing argument 'INPUT'.", f"See: sudoku-vision {self.name} --help")
        self.options = options
        self.inputs = find_inputs(arguments, recursive=options.recursive, output=options.output)
        self.done: list[ReportRow] = []
        """With ``--resume``: the lines of the report for pages that need not be read again."""
        if options.resume:
            self.inputs, self.done = resumed(options, self.inputs, self.name)
        self._done_pages = {(row.source, row.page) for row in self.done}
        if options.page is not None:
            self.inputs = tuple(replace(item, pages=(options.page,)) for item in self.inputs)
        self._rules = options.reading["rules"]
        if options.is_for_one_picture and len(self.inputs) != 1:
            what = f"--overrides and --corners are for one picture, these are {len(self.inputs)}."
            raise UsageError(what, "Name one picture at a time.")
        stream = sys.stdout if options.output != STDIN else sys.stderr
        if stream is sys.stderr and options.as_json:
            what = f"Standard output can't take both {self.output_words} and JSON."
            raise UsageError(what, "Name a file with -o.")
        order, as_json, language = self.order, options.as_json, options.text_language
        self.reporter = Reporter(self.noun, self.good, order, stream, as_json=as_json, language=language)
        self.style = self.reporter.style
        self.reader = PageReader(options)
        self._lost: Counter[Input] = Counter()
        """For each document: how many pages in a row have crashed their process, up to the latest page."""

    @abstractmethod
    def take(self, page: InputPage) -> None:
        """Do the work of the command with a page that was read."""

    def finish(self) -> None:  # noqa: B027 (most commands do nothing here)
        """Write the file with the results of all pages. This method is called after the last page."""

    def run(self, executor: Executor) -> ExitCode:
        """Read all pages with the *executor*, call :meth:`take` with each, and return the exit status."""
        last = None
        with self.reporter.progress(len(self.inputs), self.doing):
            for page, reading in map_in_order(executor, self.reader, self._tasks()):
                if page.item is not last:
                    self.reporter.bar.advance()
                last = page.item
                if self._lost[page.item] < MAX_LOST:
                    self.take(self._result_of(page, reading))
        self.finish()
        return self.reporter.close(searched=any(item.searched for item in self.inputs))

    def _tasks(self) -> Iterator[InputPage]:
        """Yield the unread pages of all inputs, but no more pages of a document that was given up."""
        for item in self.inputs:
            try:
                for page in self._pages_of(item):
                    if self._lost[item] < MAX_LOST:
                        yield page
            except (UsageError, ModelError):
                raise
            except Exception as error:
                yield InputPage(item, error=explained_error(error, item.name))

    def _pages_of(self, item: Input) -> Iterator[InputPage]:
        # Usually, only the path of a picture is passed on, and the process that reads a page opens the file.
        # But a process on another machine doesn't have the file. So it gets the bytes of the file.
        is_sent = self.options.cluster is not None or picture_kind(item) is None
        content = open_input(item) if is_sent else Path(item.path)
        if not isinstance(content, list):
            yield from self._pages_of_picture(item, content)
            return
        for name in ("overrides", "corners", "debug_dir"):
            if getattr(self.options, name) is not None:
                what = f"--{name.replace('_', '-')} is for pictures, and {item.name} is a board in text."
                raise UsageError(what, "Leave it out.")
        if self._rules is not None:
            # If ``--rules`` gives only the name of a variant, boards of this variant keep their own regions
            # or cages.
            content = [
                board
                if isinstance(self._rules, str) and self._rules in board.rules.name.split()
                else replace(board, rules=rules_for(self._rules))
                for board in content
            ]
        last = max(item.pages, default=1)
        if last > len(content):
            what = f"{item.name}: there is no board {last}, boards here: {len(content)}."
            raise OpenError(what, "Choose another one with --page.")
        for number, board in enumerate(content, start=1):
            if number in (item.pages or (number,)) and (item.name, number) not in self._done_pages:
                yield InputPage(item, number, len(content) > 1, board)

    def _pages_of_picture(self, item: Input, source: bytes | Path) -> Iterator[InputPage]:
        from sudoku_vision.vision.load import MAX_PAGES, page_count
        from sudoku_vision.vision.load.guard import too_many_pages

        count = 1 if item.pages else page_count(source, name=item.path)
        if count > 1 and self.options.is_for_one_picture:
            raise UsageError(f"{item.name}: it has several pages.", "Name the one you mean, as in: --page 1")
        paged = count > 1 or bool(item.pages)
        call = f"sudoku-vision {self.name} {shlex.quote(item.path)} " if len(self.inputs) > 1 else ""
        overrides = self.options.overrides or ""
        for number in item.pages or range(1, min(max(1, count), MAX_PAGES) + 1):
            if (item.name, number) not in self._done_pages:
                again = call + (f"--page {number} " if paged else "")
                yield InputPage(item, number, paged, source=source, call=again, overrides=overrides)
        if count > MAX_PAGES:
            yield InputPage(item, MAX_PAGES + 1, paged=True, error=too_many_pages(item.name, MAX_PAGES))

    def _result_of(self, page: InputPage, reading: Future[InputPage]) -> InputPage:
        """Return *page* with the result or the error of *reading*. Raises errors that concern all pages."""
        error = reading.exception()
        if error is None:
            self._lost[page.item] = 0
            return reading.result()
        if isinstance(error, UsageError | ModelError | ClusterError):
            raise error
        if isinstance(error, TaskError):  # the page has crashed its process
            self._lost[page.item] += 1
            remedy = "To see why, read it alone with --jobs 1, or save it in another format."
            if isinstance(error, TaskTimeoutError):
                remedy = "Make it smaller, or read it alone with --jobs 1, which sets no time."
            what = error.message[:1].lower() + error.message[1:]
            error = OpenError(f"{page.name}: {what}", remedy)
        return replace(page, error=explained_error(error, page.name))


# The code below runs in the processes that read pages.


@dataclass(frozen=True, eq=False)
class PageReader:
    """Reads and draws a page. Set ``debug`` and ``keep_photo`` only if the main process reads the pages."""

    options: Options
    draw: Callable[[InputPage, Photo | None], bytes] | None = None  # makes the output file of a page
    keep_photo: bool = False  # whether the result keeps its photo
    debug: Callable[[InputPage, Photo], DebugSink] | None = None

    def __call__(self, page: InputPage) -> InputPage:
        """Read and draw a *page*, and return it with its result or its error.

        Only errors that concern all pages are raised: :class:`UsageError` and :class:`ModelError`.
        """
        if page.error is not None:
            return page
        if page.board is not None:
            page = replace(page, reading=solved_board(page.board, page.item.name, page.number))
            return self._drawn(page, None)
        from sudoku_vision import pipeline
        from sudoku_vision.vision.load import load_photo

        path, options, source = page.item.path, self.options, page.source or page.item.path
        page = replace(page, source=None)
        try:
            photo = load_photo(source, page=page.number, name=path, max_megapixels=options.max_megapixels)
            debug = None if self.debug is None else self.debug(page, photo)
            model = named_model(options.model)
            reading = pipeline.read_page(photo, model=model, debug=debug, **options.reading)
            page = replace(page, reading=replace(reading, photo=photo) if self.keep_photo else reading)
            return self._drawn(page, photo) if reading.grids else page
        except (UsageError, ModelError):
            raise
        except Exception as error:
            return replace(page, error=explained_error(error, page.name))

    def _drawn(self, page: InputPage, photo: Photo | None) -> InputPage:
        if self.draw is None:
            return page
        try:
            return replace(page, picture=self.draw(page, photo))
        except Exception as error:
            return replace(page, picture=explained_error(error, page.name, "drawing"))


def named_model(path: Path | None) -> DigitModel:
    """Return the model in the file *path*, by default the built-in model."""
    try:
        return load_model(path)
    except ModelError as error:
        if path is None:
            raise
        remedy = "Name one made by `python -m workshop train`, or leave --model out."
        raise ModelError(error.message, remedy) from None


def explained_error(error: BaseException, name: str, what: str = "reading") -> SudokuVisionError:
    """Return the error to report if *error* was raised while the input *name* was read or drawn.

    Even bugs of this program are reported in this way, because one bad file must not stop the work on others.
    """
    try:
        with explained_memory(name):
            raise error
    except SudokuVisionError as explained:
        return explained
    except Exception as fault:
        kind = SaveError if what == "drawing" else SudokuVisionError
        return kind(
            f"{name}: {what} failed inside ({type(fault).__name__}: {fault}).", "Please report this file."
        )
