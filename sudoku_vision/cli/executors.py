"""Executors: who does the work of a command, as ``--jobs`` and ``--cluster`` say."""

import contextlib
import glob
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path

from sudoku_vision.cli.options import Options
from sudoku_vision.cli.progress import complain
from sudoku_vision.errors import UsageError
from sudoku_vision.parallel import TASK_SECONDS, available_cores, open_executor

FEWEST_SHARED = 8
"""Files from which other processes pay: they are ready a quarter of a second later than this one, which four
to ten photos win back."""
ROOM_BYTES, BYTES_A_PIXEL = 500_000_000, 25.0
"""Memory that a process may take: for the program, and for each pixel of the largest picture allowed; a PNG
with transparency was measured to take 20, a HEIC 14."""
PRELOADED = "sudoku_vision.cli.preloaded"
"""The module that loads what processes need that read pictures, once for all of them."""


def executor_for(
    options: Options,
    tasks: int,
    *,
    fewest: int = 2,
    task_seconds: float | None = TASK_SECONDS,
    task_memory: int = 0,
) -> AbstractContextManager[Executor]:
    """Return the context of an executor for *tasks*; left to itself, other processes do *fewest* or more.

    Each may take *task_memory* bytes, 0 for no limit. Raises :class:`UsageError` for options that can't be
    together, and what :func:`~sudoku_vision.parallel.open_executor` raises, when it is entered.
    """
    check_sharing(options)
    jobs = options.jobs or (available_cores() if tasks >= fewest else 1)
    return open_executor(
        min(jobs, max(1, tasks)),
        cluster=options.cluster,
        task_seconds=task_seconds,
        task_memory=task_memory,
        announce=complain,
    )


def picture_executor(arguments: Sequence[str], options: Options) -> AbstractContextManager[Executor]:
    """Return the context of the executor that reads what *arguments* lead to; errors as above.

    Nothing heavy is loaded for that, so that other processes load what they need while this one does.
    """
    check_sharing(options)
    if options.cluster is not None and options.debug_dir is not None:
        raise UsageError("--cluster and --debug-dir can't both be.", "Leave one out.")
    jobs = options.jobs
    if options.debug_dir is not None:
        jobs = 1
    elif jobs is None:
        jobs = available_cores()
        if jobs > 1 and len(list(islice(_files(arguments, options), FEWEST_SHARED))) < FEWEST_SHARED:
            jobs = 1
    return open_executor(
        jobs,
        cluster=options.cluster,
        task_memory=reading_memory(options),
        preloaded=PRELOADED,
        announce=complain,
    )


def reading_memory(options: Options) -> int:
    """Return the bytes that a process may take which reads pictures as large as the *options* allow."""
    return round(ROOM_BYTES + BYTES_A_PIXEL * 1e6 * options.max_megapixels)


def check_sharing(options: Options) -> None:
    """Raise :class:`UsageError` for what can't be meant of processes and clusters."""
    if options.cluster is not None and options.jobs is not None:
        raise UsageError("--cluster and --jobs can't both be.", "Leave one out.")


def _files(arguments: Sequence[str], options: Options) -> Iterator[object]:
    """Yield something for each file that *arguments* may lead to, or each line of a report."""
    for argument in arguments:
        if os.path.isdir(argument):  # noqa: PTH112 (takes any name)
            for _, folders, files in os.walk(argument):
                yield from (name for name in files if not name.startswith("."))
                folders[:] = [name for name in folders if options.recursive and not name.startswith(".")]
        elif os.path.isfile(argument):  # noqa: PTH113 (takes any name)
            yield argument
        elif glob.has_magic(argument) and "\n" not in argument:
            yield from glob.iglob(argument, recursive=True)  # noqa: PTH207 (takes any name)
    if options.resume and options.report is not None and not arguments:
        with contextlib.suppress(OSError), Path(options.report).open("rb") as report:
            yield from report
