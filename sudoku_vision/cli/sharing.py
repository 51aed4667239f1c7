"""Share the pages of all inputs out, and take them back in the order of the inputs.

Pictures are read by whatever an executor stands for: this process, others of this machine, or a cluster. A
board in text is taken in here, when its turn comes. What a picture costs, even the process that reads it, is
its own error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from sudoku_vision.cli.inputs import Input, Inputs, open_input, picture_kind
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import DebugFolders, PictureOutput
from sudoku_vision.cli.pages import InputPage, board_pages
from sudoku_vision.cli.reader import (
    picture_page,
    reading_settings,
    refuse_picture_options,
    refuse_several_pages,
    retry_of,
)
from sudoku_vision.cli.runs.provenance import digest, picture_key, provenance_of
from sudoku_vision.cli.runs.tasks import (
    Drawing,
    PictureTask,
    ReadPages,
    ReadPicture,
    read_pictures,
    told_error,
)
from sudoku_vision.errors import (
    ClusterError,
    ModelError,
    OpenError,
    SudokuVisionError,
    TaskError,
    TaskTimeoutError,
    UsageError,
)
from sudoku_vision.parallel import Outcome, map_in_order
from sudoku_vision.results import Photo
from sudoku_vision.vision.load.sniff import SNIFFED_BYTES, kind_of

PAGES_A_TASK = 4
"""Pages of a document that are read together: it is opened once for them, and they are held together."""

MOST_LOST = 2
"""Pages of one document, one after the other, that may cost the process that reads them: after that the rest
is left out."""

_DOCUMENTS = ("Pdf", "Tiff")
"""Kinds of pictures that may have several pages."""

ALONE = "To see why, read it alone with --jobs 1, or save it in another format."
SMALLER = "Make it smaller, or read it alone with --jobs 1, which sets no time."


@dataclass(frozen=True, eq=False)
class _Work:
    """Pages of one input that come back together: read by a ``task``, or there already without one."""

    item: Input
    pages: tuple[InputPage, ...]
    task: PictureTask | None = None


_Outcome = Outcome[PictureTask | None, ReadPages]


class SharedReader:
    """Reads all inputs of a command; what can't be read never stops the rest."""

    def __init__(
        self,
        command: str,
        inputs: Inputs,
        options: Options,
        output: PictureOutput,
        drawing: Callable[[str], Drawing],
        debug: DebugFolders,
        *,
        recipe: Callable[[], str],
    ) -> None:
        """Check what the *options* say of pictures, before any work.

        *drawing* gives what is written of a page in the format of an ending. *recipe* gives what stands for
        all that decides what is drawn: with ``--resume``, a page whose picture is there already, made from
        the same file by the same recipe, is not read. Raises
        :class:`~sudoku_vision.errors.UsageError` for options that can't be.
        """
        self._command, self._inputs, self._options = command, inputs, options
        self._output, self._drawing, self._debug, self._recipe = output, drawing, debug, recipe
        self._send_bytes = options.cluster is not None and not options.shared_files
        self._settings = reading_settings(options, inputs)
        self._lost: dict[Input, int] = {}
        self._ended: set[Input] = set()

    def pages(self, executor: Executor, advance: Callable[[], object] = lambda: None) -> Iterator[InputPage]:
        """Yield every page of every input, in order, and *advance* after each input.

        Raises :class:`~sudoku_vision.errors.UsageError` for options that
        don't fit an input, and :class:`~sudoku_vision.errors.ModelError`.
        """
        for _, of_item in groupby(self._done(executor, self._works()), key=lambda done: id(done[0].item)):
            for work, outcome in of_item:
                if work.item not in self._ended:
                    yield from self._taken(work, outcome, executor)
            advance()

    def _done(
        self, executor: Executor, works: Iterable[_Work], ahead: int | None = None
    ) -> Iterator[tuple[_Work, _Outcome]]:
        """Yield all *works* in order, with what came of their tasks: these alone go where they are done."""
        under_way: deque[_Work] = deque()

        def tasks() -> Iterator[PictureTask | None]:
            for work in works:
                under_way.append(work)
                yield work.task

        for outcome in map_in_order(executor, read_pictures, tasks(), ahead=ahead):
            yield under_way.popleft(), outcome

    # What is shared out

    def _works(self) -> Iterator[_Work]:
        """Yield the work that all inputs come to, as it is asked for."""
        for item in self._inputs.items:
            try:
                for work in self._works_of(item):
                    yield work
                    if item in self._ended:
                        break
            except (UsageError, ModelError):
                raise
            except Exception as error:
                page = InputPage(
                    item.name, item.stem, item.name, error=told_error(error, item.name), below=item.below
                )
                yield _Work(item, (page,))

    def _works_of(self, item: Input) -> Iterator[_Work]:
        kind = picture_kind(item)
        if kind is not None and not self._send_bytes:
            yield from self._picture_works(item, None, kind)
            return
        opened = open_input(item)
        if isinstance(opened, bytes):
            yield from self._picture_works(item, opened, kind_of(opened[:SNIFFED_BYTES], item.name))
            return
        refuse_picture_options(self._options, item)
        for page in board_pages(item, opened, self._options.page):
            if item.pages and page.number not in item.pages:
                continue
            yield _Work(item, (self._placed(page),))

    def _picture_works(self, item: Input, data: bytes | None, kind: str) -> Iterator[_Work]:
        """Share a picture out, or the pages of a document."""
        from sudoku_vision.vision.load import MAX_PAGES, page_count
        from sudoku_vision.vision.load.guard import too_many_pages

        only = self._options.page
        meant = item.pages if only is None else (only,)
        count = 1
        if not meant and kind in _DOCUMENTS:
            count = page_count(item.path if data is None else data, name=item.path)
        if count > 1:
            refuse_several_pages(self._options, item)
        paged = count > 1 or bool(meant)
        numbers = meant or range(1, min(max(1, count), MAX_PAGES) + 1)
        source = self._digest(item, data) if paged or self._options.resume else ""
        pages = (self._picture_page(item, number, source, paged=paged) for number in numbers)
        for part in _parts(pages):
            task = None if part[0].already else self._task(item, data, part, source, paged=paged)
            yield _Work(item, part, task)
        if count > MAX_PAGES:
            page = picture_page(item, MAX_PAGES + 1, paged=True)
            yield _Work(item, (replace(page, error=too_many_pages(item.name, MAX_PAGES)),))

    def _digest(self, item: Input, data: bytes | None) -> str:
        """Return what stands for the bytes of a picture file, where pictures of it are noted."""
        return digest(Path(item.path) if data is None else data) if self._output.target.is_folder else ""

    def _picture_page(self, item: Input, number: int, source: str, *, paged: bool) -> InputPage:
        """Return a page of a picture file, with what of it is there; *source* stands for the file's bytes."""
        retry = retry_of(self._command, self._inputs, self._options, item, number, paged=paged)
        page = self._placed(replace(picture_page(item, number, paged=paged), retry=retry))
        if not self._options.resume or page.place is None:
            return page
        found = provenance_of(page.place)
        is_same = found is not None and found.key == picture_key(source, number, self._recipe())
        return replace(page, already=found) if is_same else page

    def _placed(self, page: InputPage) -> InputPage:
        """Return a page with the place for its picture: it hangs on the inputs alone, not on what is read."""
        return replace(page, place=self._output.place(page)) if self._output.has_places else page

    def _task(
        self, item: Input, data: bytes | None, pages: tuple[InputPage, ...], source: str, *, paged: bool
    ) -> PictureTask:
        numbers = range(pages[0].number, pages[-1].number + 1) if paged else None
        drawing = self._drawing(self._output.ending(pages[0])) if self._output.is_wanted else None
        debug = partial(self._sink, pages, paged) if self._debug.is_wanted else None
        return PictureTask(item.name, item.path, self._settings, data, source, numbers, drawing, debug)

    def _sink(self, pages: tuple[InputPage, ...], paged: bool, photo: Photo) -> Any:
        stem = next(page.stem for page in pages if page.number == photo.page)
        return self._debug.sink(photo, stem, paged=paged)

    # What comes back

    def _taken(self, work: _Work, outcome: _Outcome, executor: Executor) -> Iterator[InputPage]:
        """Yield the pages of some work that was done, or what is wrong with them."""
        error = outcome.error
        if isinstance(error, UsageError | ModelError | ClusterError):
            raise error
        if work.task is None:
            yield from work.pages
        elif isinstance(error, TaskError) and len(work.pages) > 1:
            yield from self._one_by_one(work, executor)
        elif isinstance(error, TaskError):
            yield self._lost_page(work, error)
        elif error is not None:
            yield from (replace(page, error=told_error(error, page.name)) for page in work.pages)
        else:
            assert outcome.result is not None
            self._lost.pop(work.item, None)
            if len(outcome.result) < len(work.pages):  # a document that is given up ends early
                self._ended.add(work.item)
            yield from map(_read_page, work.pages, outcome.result)

    def _one_by_one(self, work: _Work, executor: Executor) -> Iterator[InputPage]:
        """Read pages anew, each as a task of its own: one of them has cost all their process."""
        assert work.task is not None
        parts = [
            replace(work, pages=(page,), task=replace(work.task, pages=range(page.number, page.number + 1)))
            for page in work.pages
        ]
        for part, outcome in self._done(executor, parts, ahead=1):
            yield from self._taken(part, outcome, executor)
            if work.item in self._ended:
                return

    def _lost_page(self, work: _Work, error: TaskError) -> InputPage:
        """Return a page that cost the process that read it; the rest of its document may be left out."""
        (page,) = work.pages
        assert work.task is not None
        self._lost[work.item] = self._lost.get(work.item, 0) + 1
        if work.task.pages is not None and self._lost[work.item] >= MOST_LOST:
            self._ended.add(work.item)
        remedy = SMALLER if isinstance(error, TaskTimeoutError) else ALONE
        what = error.message[:1].lower() + error.message[1:]
        return replace(page, error=OpenError(f"{page.name}: {what}", remedy))


def _read_page(page: InputPage, done: ReadPicture | SudokuVisionError) -> InputPage:
    if isinstance(done, SudokuVisionError):
        return replace(page, error=done)
    return replace(page, reading=done.result, picture=done.picture, digest=done.digest)


def _parts(pages: Iterable[InputPage]) -> Iterator[tuple[InputPage, ...]]:
    """Yield *pages* in parts of successive ones, each for a task, or for none as all of it is there."""
    part: list[InputPage] = []
    for page in pages:
        if part and not (
            len(part) < PAGES_A_TASK
            and page.number == part[-1].number + 1
            and (page.already is None) == (part[-1].already is None)
        ):
            yield tuple(part)
            part = []
        part.append(page)
    if part:
        yield tuple(part)
