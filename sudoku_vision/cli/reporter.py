"""Prints messages, a progress bar, results and a summary of a run, and finds its exit status."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, Literal, TextIO

from sudoku_vision.errors import ExitCode, ImproperError, SudokuVisionError, explained_memory
from sudoku_vision.texts import ENGLISH, visible

if TYPE_CHECKING:  # the modules below load numpy and rich, which messages don't need
    from rich.progress import Progress

    from sudoku_vision.sudoku.display import Line

_WORDS = {"no_grid": "without a grid"}  # words in the summary for statuses with unclear names


def complain(message: object) -> None:
    """Print a message to standard error. Control characters are made visible, because they can hide text."""
    text = f"sudoku-vision: {visible(str(message))}"
    if sys.stderr.isatty():  # the terminal would break lines within words
        width = shutil.get_terminal_size().columns
        text = TextWrapper(width, break_long_words=False, break_on_hyphens=False).fill(text)
    print(text, file=sys.stderr, flush=True)  # noqa: T201


class ProgressBar:
    """A progress bar of the library rich. If *bar* is None, nothing is shown."""

    def __init__(self, bar: Progress | None = None) -> None:
        self._bar = bar

    def advance(self, steps: float = 1) -> None:
        """Move the bar forward by *steps*."""
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0], steps)

    @contextlib.contextmanager
    def cleared(self, stream: TextIO | None = None) -> Iterator[None]:
        """Remove the bar during the ``with`` block if *stream*, by default standard output, is a terminal."""
        bar = self._bar if (stream or sys.stdout).isatty() else None
        if bar is not None:
            bar.stop()
        try:
            yield
        finally:
            if bar is not None:
                bar.start()


@contextlib.contextmanager
def progress(
    total: float | None, words: str, *, unit: Literal["steps", "bytes"] = "steps"
) -> Iterator[ProgressBar]:
    """Show a progress bar on standard error during the ``with`` block, with *words* beside it.

    *total*: the number of steps or bytes, None if unknown. There is no bar if *total* is 0 or 1, or if
    standard error isn't a terminal.
    """
    if (total is not None and total < 2) or not sys.stderr.isatty():
        yield ProgressBar()
        return
    from rich import progress as rich
    from rich.console import Console

    count = rich.DownloadColumn() if unit == "bytes" else rich.MofNCompleteColumn()
    columns = (rich.TextColumn("{task.description}"), rich.BarColumn(), count, rich.TimeRemainingColumn())
    console = Console(stderr=True)
    with rich.Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        bar.add_task(words, total=total)
        yield ProgressBar(bar)


class Reporter:
    """Prints the results of a run, and counts its pages, boards or puzzles by status."""

    def __init__(
        self,
        noun: str,
        good: Sequence[str] = (),
        order: Sequence[str] = (),
        stream: TextIO | None = None,
        *,
        as_json: bool = False,
        rate: bool = False,
        language: str = ENGLISH,
    ) -> None:
        """Prepare a reporter. It prints text on *stream*, by default on standard output.

        *noun*: the word for one thing that is counted. *good*: the statuses that are successes. *order*: the
        order of the statuses in the summary. *as_json*: print results as JSON lines. *rate*: the summary says
        how many things were done per second.
        """
        from sudoku_vision.sudoku.display import style_for

        self.as_json = as_json
        self._stream = stream or sys.stdout
        self.style = style_for(self._stream, language)
        """The style of text on the stream: its width, its language, and whether it has colours."""
        self.bar = ProgressBar()  # the progress bar of the run; it is shown only during :meth:`progress`
        self._noun, self._good, self._order, self._rate = noun, good, order, rate
        self.counts: Counter[str] = Counter()  # how many things have each status
        self._errors: list[int] = []
        self._already = self._unwritten = 0
        self._begun = time.perf_counter()

    # The methods below print.

    @contextlib.contextmanager
    def progress(self, total: int, words: str) -> Iterator[None]:
        """Show a progress bar during the ``with`` block. After Ctrl-C, print a summary of the run."""
        try:
            with progress(total, words) as self.bar:
                yield
        except KeyboardInterrupt:
            if self.total:
                complain(f"interrupted after {self}")
            raise
        finally:
            self.bar = ProgressBar()  # from now on, no bar is shown

    def print(self, lines: Sequence[Line]) -> None:
        """Print lines of styled text."""
        from sudoku_vision.sudoku.display import print_lines

        if lines:
            with self.bar.cleared(self._stream):
                print_lines(lines, self.style, self._stream)

    def print_json(self, data: Mapping[str, Any]) -> None:
        """Print a result as a line of JSON."""
        with self.bar.cleared():
            print(json.dumps(data), flush=True)  # noqa: T201

    # The methods below count.

    def add(self, status: str, count: int = 1, *, already: bool = False) -> None:
        """Count *count* things with a *status*. *already*: whether an earlier run did them."""
        self.counts[status] += count
        self._already += count if already else 0

    def add_error(self, error: SudokuVisionError, name: str = "") -> None:
        """Print and count an *error*. *name*: the input or board that has the error."""
        with self.bar.cleared():
            named = SudokuVisionError(f"{name}: {error.message}", error.remedy)
            complain(error if name in str(error) else named)
        if isinstance(error, ImproperError):
            self.add(error.status)
        else:
            self._errors.append(error.exit_code)

    def add_written(self, place: object) -> None:
        """Print the *place* of an output that was written. Nothing is printed for None or with JSON."""
        if place is not None and not self.as_json:
            self.print([[(f"{self.style.say('file.written')} {place}", "")]])

    @contextlib.contextmanager
    def guarded(self, name: str = "") -> Iterator[list[SudokuVisionError]]:
        """If the ``with`` block raises an error of this program, print it.

        The error counts as an output that was not written. Yields a list that is empty at first, and to which
        the error is added. If memory runs out, the message about this begins with *name*.
        """
        errors: list[SudokuVisionError] = []
        try:
            with explained_memory(name):
                yield errors
        except SudokuVisionError as error:
            errors.append(error)
            self._unwritten += 1
            with self.bar.cleared():
                complain(error)

    @property
    def count(self) -> int:
        """The number of things that were opened: pages, boards or puzzles."""
        return sum(self.counts.values())

    @property
    def total(self) -> int:
        """The number of things that were opened or could not be opened."""
        return self.count + len(self._errors)

    @property
    def exit_code(self) -> ExitCode:
        """The exit status: 0 if everything was done, 1 if something wasn't.

        If nothing could be opened, the exit status is that of the errors, or 3 if their statuses differ.
        """
        if self.count:
            is_done = self.counts.keys() <= {*self._good} and not (self._unwritten or self._errors)
            return ExitCode.DONE if is_done else ExitCode.SOME_NOT
        kinds = set(self._errors)
        return ExitCode(kinds.pop()) if len(kinds) == 1 else ExitCode.NOTHING_OPENED

    def close(self, *, searched: bool) -> ExitCode:
        """Print a summary in one line if this is useful, and return the exit status.

        *searched*: whether inputs were found in folders or by patterns. A summary is useful if an earlier run
        did a part of the work. If there are several results, it is also useful in two cases: *searched* is
        true, or standard error is a terminal.
        """
        if self._already or (self.total > 1 and (searched or sys.stderr.isatty())):
            complain(self)
        return self.exit_code

    def __str__(self) -> str:
        total, seconds = self.total, time.perf_counter() - self._begun
        known = [status for status in self._order if status in self.counts]
        statuses = known + [status for status in self.counts if status not in known]
        parts = [f"{self.counts[one]:,} {_WORDS.get(one, one.replace('_', ' '))}" for one in statuses]
        parts += [f"{len(self._errors):,} not opened"] if self._errors else []
        parts += [f"{self._unwritten:,} not written"] if self._unwritten else []
        rate = f", {self.count / max(seconds, 1e-6):,.0f} a second" if self._rate else ""
        were = "was" if self._already == 1 else "were"
        already = f" {self._already:,} of {total:,} {were} done already." if self._already else ""
        nouns = f"{self._noun}{'s' * (total != 1)}"
        return f"{total:,} {nouns}: {', '.join(parts)}. {seconds:.2f} s{rate}.{already}"
