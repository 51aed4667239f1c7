"""What is said on standard error while a command works: messages, a line each, and a progress bar."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from sudoku_vision.escape_control import visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


def complain(message: object) -> None:
    """Print a message to standard error; control characters in it, as in names of files, are written out."""
    print(f"sudoku-vision: {visible(str(message))}", file=sys.stderr, flush=True)  # noqa: T201


class ProgressBar:
    """How far a work has come. Where nothing is shown, all of it does nothing."""

    def __init__(self, bar: Progress | None = None, task: TaskID | None = None) -> None:
        """Move the *task* of a *bar*."""
        self._bar, self._task = bar, task

    def advance(self, steps: float = 1) -> None:
        """Say that so many *steps* more are done."""
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task, steps)

    @contextlib.contextmanager
    def cleared(self) -> Iterator[None]:
        """Take the bar off the terminal while something is printed there."""
        bar = self._bar if sys.stdout.isatty() else None
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
    """Show a bar on standard error while *total* steps or bytes are done, None where that isn't known.

    Nothing is shown where standard error is no terminal, or there is but one step.
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
        yield ProgressBar(bar, bar.add_task(words, total=total))


def counted(count: int, words: str) -> Iterator[int]:
    """Count from 0 to *count*, and show a bar as :func:`progress` does: for other rooms."""
    with progress(count, words) as bar:
        for index in range(count):
            yield index
            bar.advance()
