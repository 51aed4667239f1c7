"""Read the inputs of a command: items in, pages out, in the order of the items.

Pictures are read by whatever an executor stands for: this process, others of this machine, or a cluster.
What can't be read never stops the rest, and what a picture costs, be it its process, is its own error.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

from sudoku_vision.cli.drawings import Drawing
from sudoku_vision.cli.inputs import Input, Inputs, open_input, picture_kind
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import DebugFolders, PictureOutput
from sudoku_vision.cli.pages import InputPage, Retry, board_pages
from sudoku_vision.cli.provenance import digest, picture_key, provenance_of
from sudoku_vision.cli.search import say_left_out
from sudoku_vision.cli.tasks import PageTask, ReadingSettings, explained_error, read_pages
from sudoku_vision.errors import ClusterError, ModelError, OpenError, TaskError, TaskTimeoutError, UsageError
from sudoku_vision.parallel import Outcome, map_in_order
from sudoku_vision.vision.load.files import SNIFFED_BYTES, kind_of

PAGES_A_TASK = 4
"""Pages of a document that are read together: it is opened once for them, and they are held together."""

MOST_LOST = 2
"""Pages of one document, one after the other, that may cost the process that reads them: after that the rest
is left out."""

_DOCUMENTS = ("Pdf", "Tiff")  # kinds of pictures that may have several pages

ALONE = "To see why, read it alone with --jobs 1, or save it in another format."
SMALLER = "Make it smaller, or read it alone with --jobs 1, which sets no time."


class Reader:
    """Reads all inputs of a command, and draws what it writes."""

    def __init__(
        self,
        command: str,
        inputs: Inputs,
        options: Options,
        *,
        output: PictureOutput | None = None,
        drawing: Callable[[InputPage], Drawing] | None = None,
        debug: DebugFolders | None = None,
        recipe: str | None = None,
        keep_photos: bool = False,
    ) -> None:
        """Check what the *options* say of pictures, before any work.

        *drawing* gives what is written of a page to *output*, *debug* takes the pictures of the stages.
        *recipe* stands for all that decides what is drawn: with it, a page whose picture is there already,
        made from the same file by the same recipe, is not read. With *keep_photos*, pages come with their
        photos, in this process alone. It is said what is left out. Raises :class:`UsageError` for options
        that can't be.
        """
        self._command, self._inputs, self._options = command, inputs, options
        self._output, self._drawing, self._debug = output, drawing, debug
        self._recipe, self._keep_photos = recipe, keep_photos
        self._settings = _reading_settings(options, inputs)
        self._lost: dict[Input, int] = {}
        self._ended: set[Input] = set()
        say_left_out(inputs)

    def pages(self, executor: Executor, advance: Callable[[], object] = lambda: None) -> Iterator[InputPage]:
        """Yield every page of every input, in order, and *advance* after each input but the last.

        Raises :class:`~sudoku_vision.errors.UsageError` for options that don't fit an input, and
        :class:`~sudoku_vision.errors.ModelError`.
        """
        current: Input | None = None
        for outcome in map_in_order(executor, read_pages, self._tasks()):
            if current not in (None, outcome.item.item):
                advance()
            current = outcome.item.item
            yield from self._taken(outcome, executor)

    # What is to be done

    def _tasks(self) -> Iterator[PageTask]:
        """Yield the tasks that all inputs come to, as they are needed."""
        for item in self._inputs.items:
            try:
                for task in self._tasks_of(item):
                    yield task
                    if item in self._ended:
                        break
            except (UsageError, ModelError):
                raise
            except Exception as error:
                page = InputPage(item.name, item.stem, item.name, below=item.below)
                yield PageTask(item, (replace(page, error=explained_error(error, item.name)),))

    def _tasks_of(self, item: Input) -> Iterator[PageTask]:
        kind = picture_kind(item)
        if kind is not None and self._options.cluster is None:
            yield from self._picture_tasks(item, None, kind)
            return
        opened = open_input(item)
        if isinstance(opened, bytes):
            yield from self._picture_tasks(item, opened, kind_of(opened[:SNIFFED_BYTES], item.name))
            return
        for name in ("overrides", "corners", "debug_dir"):
            if getattr(self._options, name) is not None:
                what = f"--{name.replace('_', '-')} is for pictures, and {item.name} is a board in text."
                raise UsageError(what, "Leave it out.")
        rules = self._settings.said["rules"]
        if rules is not None:
            opened = [replace(board, rules=rules) for board in opened]
        for page in board_pages(item, opened, self._options.page):
            if not item.pages or page.number in item.pages:
                placed = self._placed(page)
                yield PageTask(item, (placed,), drawing=self._drawing and self._drawing(placed))

    def _picture_tasks(self, item: Input, data: bytes | None, kind: str) -> Iterator[PageTask]:
        """Yield the task of a picture, or those of the pages of a document."""
        from sudoku_vision.vision.load import MAX_PAGES, page_count
        from sudoku_vision.vision.load.guard import too_many_pages

        only = self._options.page
        meant = item.pages if only is None else (only,)
        count = 1
        if not meant and kind in _DOCUMENTS:
            count = page_count(item.path if data is None else data, name=item.path)
        if count > 1 and _is_for_one_picture(self._options):
            raise UsageError(f"{item.name}: it has several pages.", "Name the one you mean, as in: --page 1")
        paged = count > 1 or bool(meant)
        numbers = meant or range(1, min(max(1, count), MAX_PAGES) + 1)
        source = ""
        if (paged or self._recipe is not None) and self._output and self._output.target.is_folder:
            source = digest(Path(item.path) if data is None else data)
        pages = (self._picture_page(item, number, source, paged=paged) for number in numbers)
        for part in _parts(pages):
            task = PageTask(item, part, None, data, source, paged, keep_photo=self._keep_photos)
            if part[0].already is None:
                debug = partial(self._debug.sink, part, paged) if self._debug is not None else None
                drawing = self._drawing and self._drawing(part[0])
                task = replace(task, settings=self._settings, drawing=drawing, debug=debug)
            yield task
        if count > MAX_PAGES:
            page = _unread_page(item, MAX_PAGES + 1, paged=True)
            yield PageTask(item, (replace(page, error=too_many_pages(item.name, MAX_PAGES)),))

    def _picture_page(self, item: Input, number: int, source: str, *, paged: bool) -> InputPage:
        """Return a page of a picture file, with what of it is there; *source* stands for the file's bytes."""
        words = (
            ["sudoku-vision", self._command, shlex.quote(item.path)] if len(self._inputs.items) > 1 else []
        )
        words += ["--page", str(number)] if paged else []
        retry = Retry("".join(f"{word} " for word in words), self._options.overrides or "")
        page = self._placed(replace(_unread_page(item, number, paged=paged), retry=retry))
        if self._recipe is None or page.place is None:
            return page
        found = provenance_of(page.place)
        is_same = found is not None and found.key == picture_key(source, number, self._recipe)
        return replace(page, already=found) if is_same else page

    def _placed(self, page: InputPage) -> InputPage:
        """Return a page with the place for its picture: it hangs on the inputs alone, not on what is read."""
        output = self._output
        has_place = output is not None and (output.target.is_file or output.target.is_folder)
        return replace(page, place=output.place(page)) if output and has_place else page

    # What comes back

    def _taken(
        self, outcome: Outcome[PageTask, tuple[InputPage, ...]], executor: Executor
    ) -> Iterator[InputPage]:
        """Yield the pages of a task that was done, or what is wrong with them."""
        task, error = outcome.item, outcome.error
        if task.item in self._ended:
            return
        if isinstance(error, UsageError | ModelError | ClusterError):
            raise error
        if isinstance(error, TaskError) and len(task.pages) > 1:  # one of them has cost all their process
            parts = [replace(task, pages=(page,)) for page in task.pages]
            for part in map_in_order(executor, read_pages, parts, ahead=1):
                yield from self._taken(part, executor)
                if task.item in self._ended:
                    return
        elif isinstance(error, TaskError):
            yield self._lost_page(task, error)
        elif error is not None:
            yield from (replace(page, error=explained_error(error, page.name)) for page in task.pages)
        else:
            assert outcome.result is not None
            self._lost.pop(task.item, None)
            if len(outcome.result) < len(task.pages):  # a document that is given up ends early
                self._ended.add(task.item)
            yield from outcome.result

    def _lost_page(self, task: PageTask, error: TaskError) -> InputPage:
        """Return a page that cost the process that read it; the rest of its document may be left out."""
        (page,) = task.pages
        self._lost[task.item] = self._lost.get(task.item, 0) + 1
        if task.paged and self._lost[task.item] >= MOST_LOST:
            self._ended.add(task.item)
        remedy = SMALLER if isinstance(error, TaskTimeoutError) else ALONE
        what = error.message[:1].lower() + error.message[1:]
        return replace(page, error=OpenError(f"{page.name}: {what}", remedy))


def _reading_settings(options: Options, inputs: Inputs) -> ReadingSettings:
    """Return how pictures are to be read."""
    from sudoku_vision.vision.decode.overrides import parse_corners, parse_overrides

    if options.overrides is not None:
        parse_overrides(options.overrides)
    corners = None if options.corners is None else parse_corners(options.corners)
    if _is_for_one_picture(options) and len(inputs.items) != 1:
        what = f"--overrides and --corners are for one picture, these are {len(inputs.items)}."
        raise UsageError(what, "Name one picture at a time.")
    said = {"overrides": options.overrides, "corners": corners, "rules": options.said_rules}
    return ReadingSettings(options.max_megapixels, options.model, said)


def _is_for_one_picture(options: Options) -> bool:
    """Tell whether what the options say can be meant of one picture alone."""
    return options.overrides is not None or options.corners is not None


def _unread_page(item: Input, number: int, *, paged: bool) -> InputPage:
    """Return a page of a picture file that is not read yet; *paged*: its number is told with its name."""
    name = f"{item.name}, page {number}" if paged else item.name
    stem = f"{item.stem}-page{number}" if paged else item.stem
    return InputPage(name, stem, item.path or item.name, number, below=item.below)


def _parts(pages: Iterable[InputPage]) -> Iterator[tuple[InputPage, ...]]:
    """Yield *pages* in parts of successive ones, each for a task, all of a part there already or none."""
    for _, run in groupby(enumerate(pages), lambda one: (one[1].number - one[0], one[1].already is None)):
        part = tuple(page for _, page in run)
        yield from (part[at : at + PAGES_A_TASK] for at in range(0, len(part), PAGES_A_TASK))
