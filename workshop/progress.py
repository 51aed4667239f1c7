"""Show the progress of long work."""

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

from sudoku_vision.cli.reporter import complain, progress

T = TypeVar("T")


def tracked(items: Sequence[T], words: str) -> Iterator[T]:
    """Yield *items* with a progress bar titled *words*. Without a terminal, lines show the progress."""
    with progress(len(items), words) as bar:
        for number, item in enumerate(items):
            yield item
            bar.advance()
            if not sys.stderr.isatty() and (number + 1) * 10 // len(items) > number * 10 // len(items):
                complain(f"{words}: {number + 1} of {len(items)}")
