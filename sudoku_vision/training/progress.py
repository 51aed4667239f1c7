"""Show how far a training has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

Steps = Callable[[int, str], Iterable[int]]
"""Counts from 0 to a number under a name, and shows it."""


class TrainingProgress:
    """Progress of the steps of a training, shown on a terminal only and always on standard error."""

    def __init__(self, shown: bool = True) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
            console=console,
            disable=not (shown and console.is_terminal),
        )

    @contextmanager
    def running(self) -> Iterator[Steps]:
        """Show the progress while the block runs; gives what counts the steps."""
        with self._progress:
            yield self.steps

    def steps(self, count: int, name: str) -> Iterator[int]:
        """Count from 0 to *count*, shown under *name*."""
        task = self._progress.add_task(name, total=count)
        for index in range(count):
            yield index
            self._progress.advance(task)
