"""The base class of the runs of commands. It makes pages from the inputs, and reads the pages in order.

An executor reads the pages in this process, in other processes, or on a cluster. If a page can't be read, or
crashes the process that reads it, only this page has an error.
"""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sudoku_vision.cli.inputs import Input, find_inputs, open_input, picture_kind
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import Draw, Output
from sudoku_vision.cli.pages import InputPage, pages_of_boards
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
from sudoku_vision.parallel import Outcome, SerialExecutor, map_in_order
from sudoku_vision.sudoku.rules import rules_from
from sudoku_vision.vision.digits.model_files import load_model
from sudoku_vision.vision.load.files import SNIFFED_BYTES, kind_of, opened
from sudoku_vision.vision.results import Photo

if TYPE_CHECKING:
    from sudoku_vision.output.debug import DebugSink
    from sudoku_vision.vision.digits.cascade import DigitModel

MAX_LOST = 2  # after this many pages in a row that crash their process, the rest of a document is left out

_DOCUMENTS = ("Pdf", "Tiff")  # kinds of files that can have several pages


class Run(ABC):
    """A run of a command, with its options and inputs. It reads pages, and prints and counts results."""

    name: ClassVar[str]
    """The name of the command."""
    doing: ClassVar[str] = "working"
    """The word beside the progress bar. It says what the command is doing."""
    noun: ClassVar[str] = "board"
    """The word for the things that the command counts."""
    order: ClassVar[tuple[str, ...]] = ()
    """The order of the statuses in the summary."""

    def __init__(self, arguments: Sequence[str], options: Options) -> None:
        """Find the inputs, and check all options before any work is done.

        Raises :class:`UsageError` for conflicting options, and :class:`SaveError` for a bad output.
        """
        self.options = options
        self.inputs = self.find_inputs(arguments)
        self._rules = options.reading["rules"]
        if options.is_for_one_picture and len(self.inputs) != 1:
            what = f"--overrides and --corners are for one picture, these are {len(self.inputs)}."
            raise UsageError(what, "Name one picture at a time.")
        language = options.text_language
        self.reporter = Reporter(self.noun, self.order, as_json=options.as_json, language=language)
        self.style = self.reporter.style
        self.reader = PageReader(options)
        self._lost: dict[Input, int] = {}
        self._ended: set[Input] = set()

    def find_inputs(self, arguments: Sequence[str]) -> tuple[Input, ...]:
        """Return the inputs that *arguments* mean."""
        return find_inputs(arguments)

    def share_standard_output(self, output: Output, what: str) -> None:
        """If *output* is standard output, print all text on standard error.

        Raises :class:`UsageError` if JSON would also go to standard output. *what*: the word for the output
        in this message.
        """
        self.reporter.aside = output.is_standard_output
        if self.options.as_json and output.is_standard_output:
            raise UsageError(f"Standard output can't take both {what} and JSON.", "Name a file with -o.")

    @abstractmethod
    def take(self, page: InputPage) -> None:
        """Do the work of the command with a page that was read."""

    def finish(self) -> None:  # noqa: B027 (most commands do nothing here)
        """Write the file with the results of all pages. This method is called after the last page."""

    def run(self, executor: Executor | None = None) -> ExitCode:
        """Read all pages with the *executor*, by default in this process, and return the exit status."""
        with self.reporter.progress(len(self.inputs), self.doing):
            for page in self._pages(executor or SerialExecutor()):
                self.take(page)
        self.finish()
        return self.reporter.close(searched=any(item.searched for item in self.inputs))

    def _pages(self, executor: Executor) -> Iterator[InputPage]:
        """Yield all pages of all inputs, in order. Move the progress bar after each input."""
        current: Input | None = None
        for outcome in map_in_order(executor, self.reader, self._tasks()):
            item = outcome.item.item
            if current not in (None, item):
                self.reporter.bar.advance()
            current = item
            if item not in self._ended:
                yield self._read_page(outcome)

    def _tasks(self) -> Iterator[InputPage]:
        """Yield the unread pages of all inputs. For an input without pages, move the progress bar."""
        for item in self.inputs:
            is_done = True
            try:
                for page in self._pages_of(item):
                    is_done = False
                    yield page
                    if item in self._ended:
                        break
                if is_done:
                    self.reporter.bar.advance()
            except (UsageError, ModelError):
                raise
            except Exception as error:
                yield InputPage(item, error=explained_error(error, item.name))

    def _pages_of(self, item: Input) -> Iterator[InputPage]:
        kind = picture_kind(item) if self.options.cluster is None else None
        content = open_input(item) if kind is None else None
        if not isinstance(content, list):
            yield from self._pages_of_picture(item, content, kind)
            return
        for name in ("overrides", "corners", "debug_dir"):
            if getattr(self.options, name) is not None:
                what = f"--{name.replace('_', '-')} is for pictures, and {item.name} is a board in text."
                raise UsageError(what, "Leave it out.")
        if isinstance(self._rules, str):  # only a name: boards of this kind keep their regions or cages
            content = [
                board
                if self._rules in board.rules.name.split()
                else replace(board, rules=rules_from(self._rules))
                for board in content
            ]
        elif self._rules is not None:
            content = [replace(board, rules=self._rules) for board in content]
        yield from pages_of_boards(item, content, self.options.page)

    def _pages_of_picture(self, item: Input, data: bytes | None, kind: str | None) -> Iterator[InputPage]:
        """Yield the pages of a picture file. Either *kind* (of the file) or *data* (its bytes) is given."""
        from sudoku_vision.vision.load import MAX_PAGES, page_count
        from sudoku_vision.vision.load.guard import too_many_pages

        only = self.options.page
        meant = item.pages if only is None else (only,)
        count = 1
        kind = kind or kind_of((data or b"")[:SNIFFED_BYTES], item.name)
        if not meant and kind in _DOCUMENTS:
            count = page_count(item.path if data is None else data, name=item.path)
        if count > 1 and self.options.is_for_one_picture:
            raise UsageError(f"{item.name}: it has several pages.", "Name the one you mean, as in: --page 1")
        paged = count > 1 or bool(meant)
        for number in meant or range(1, min(max(1, count), MAX_PAGES) + 1):
            if number not in item.done:
                yield self._page_of_picture(item, number, paged, data)
        if count > MAX_PAGES:
            yield InputPage(item, MAX_PAGES + 1, paged=True, error=too_many_pages(item.name, MAX_PAGES))

    def _page_of_picture(self, item: Input, number: int, paged: bool, data: bytes | None) -> InputPage:
        """Return the unread page *number* of a picture file. *paged*: whether it has several pages."""
        several = len(self.inputs) > 1
        call = f"sudoku-vision {self.name} {shlex.quote(item.path)} " if several else ""
        call += f"--page {number} " if paged else ""
        overrides = self.options.overrides or ""
        return InputPage(item, number, paged, data=data, call=call, overrides=overrides)

    def _read_page(self, outcome: Outcome[InputPage, InputPage]) -> InputPage:
        """Return the page of a task with its result or error. Raises errors that concern all pages."""
        page, error = outcome.item, outcome.error
        if isinstance(error, UsageError | ModelError | ClusterError):
            raise error
        if isinstance(error, TaskError):
            return self._lost_page(page, error)
        if error is not None:
            return replace(page, error=explained_error(error, page.name))
        self._lost.pop(page.item, None)
        return outcome.unwrap()

    def _lost_page(self, page: InputPage, error: TaskError) -> InputPage:
        """Return a page that crashed its process, with an error that says this.

        After :data:`MAX_LOST` such pages in a row, the rest of the document is left out.
        """
        self._lost[page.item] = self._lost.get(page.item, 0) + 1
        if page.paged and self._lost[page.item] >= MAX_LOST:
            self._ended.add(page.item)
        remedy = "To see why, read it alone with --jobs 1, or save it in another format."
        if isinstance(error, TaskTimeoutError):
            remedy = "Make it smaller, or read it alone with --jobs 1, which sets no time."
        what = error.message[:1].lower() + error.message[1:]
        return replace(page, error=OpenError(f"{page.name}: {what}", remedy))


# The code below runs in the processes that read pages.


@dataclass(frozen=True, eq=False)
class PageReader:
    """Reads and draws a page. The fields ``debug`` and ``keep_photo`` work only in the main process."""

    options: Options
    draw: Draw | None = None  # makes the output file of a page
    keep_photo: bool = False  # whether the result keeps its photo
    debug: Callable[[InputPage, Photo], DebugSink] | None = None

    def __call__(self, page: InputPage) -> InputPage:
        """Read and draw a *page*, and return it with its result or its error.

        Raises :class:`UsageError` and :class:`ModelError`, because these errors concern all pages.
        """
        if page.error is not None:
            return page
        if page.board is not None:
            return self._drawn(page, None)
        from sudoku_vision import pipeline
        from sudoku_vision.vision.load import load_photo

        path, number, options = page.item.path, page.number, self.options
        source: bytes | str | Path = page.data or path
        page = replace(page, data=None)
        try:
            if page.paged and source is path and Path(path).is_file():
                source = _opened_document(path, Path(path).stat().st_mtime_ns)
            photo = load_photo(source, page=number, name=path, max_megapixels=options.max_megapixels)
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
            return replace(page, reading=page.page, picture=self.draw(page, photo))
        except Exception as error:
            return replace(page, picture=explained_error(error, page.name, "drawing"))


@lru_cache(maxsize=1)
def _opened_document(path: str, _: int) -> bytes | Path:
    """Return the document at *path*; a cache holds it for all its pages. *_*: the time of its last change."""
    return opened(path)


def named_model(path: Path | None) -> DigitModel:
    """Return the model in the file *path*, by default the built-in model; raises :class:`ModelError`."""
    try:
        return load_model(path)
    except ModelError as error:
        if path is None:
            raise
        remedy = "Name one made by `python -m workshop train`, or leave --model out."
        raise ModelError(error.message, remedy) from None


def explained_error(error: Exception, name: str, what: str = "reading") -> SudokuVisionError:
    """Return the error to report if *error* was raised while the input *name* was read or drawn.

    All errors are reported in this way, even mistakes in this program, because one bad file must not stop the
    work on other files. *what* is "reading" or "drawing".
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
