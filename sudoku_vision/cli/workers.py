"""Workers: who reads the pictures, decided and begun before anything heavy is loaded here.

So the processes load what they need while this one does.
"""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path

from sudoku_vision.cli.executors import check_sharing, reading_memory
from sudoku_vision.cli.interrupts import stopped_as_by_ctrl_c
from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.runs.warm_up import warm_up
from sudoku_vision.errors import UsageError
from sudoku_vision.parallel import available_cores, open_executor

FEWEST_SHARED = 8
"""Files from which other processes pay: they are ready a quarter of a second later than this one, which four
to ten photos win back."""

TASK_SECONDS = 60.0
"""What a picture, or a part of a document, may take in a process of its own: a page takes at most 8 seconds
to be rendered, and the largest picture as long to be read."""


PRELOADED = "sudoku_vision.cli.runs.preloaded"
"""The module that loads what workers need, once for all of them."""


@contextlib.contextmanager
def open_workers(arguments: Sequence[str], options: Options) -> Iterator[Executor]:
    """Open the executor that reads what *arguments* lead to, and end it at once when the context is left.

    Raises :class:`~sudoku_vision.errors.UsageError` for options that can't be together, and what opening a
    cluster does.
    """
    check_sharing(options)
    if options.cluster is not None and options.debug_dir is not None:
        raise UsageError("--cluster and --debug-dir can't both be.", "Leave one out.")
    jobs = _jobs(arguments, options)
    workers = open_executor(
        jobs,
        cluster=options.cluster,
        task_seconds=TASK_SECONDS,
        task_memory=reading_memory(options),
        preloaded=PRELOADED,
        announce=complain,
    )
    with stopped_as_by_ctrl_c(), workers as executor:
        if jobs > 1 and options.cluster is None:
            for _ in range(jobs):
                executor.submit(warm_up, options.model)
        yield executor


def _jobs(arguments: Sequence[str], options: Options) -> int:
    """Return in how many processes is read: in this one alone where others wouldn't pay."""
    if options.debug_dir is not None:
        return 1
    if options.jobs is not None:
        return options.jobs
    cores = available_cores()
    enough = cores > 1 and _number_of_files(arguments, options) >= FEWEST_SHARED
    return cores if enough else 1


def _number_of_files(arguments: Sequence[str], options: Options) -> int:
    """Count the files that *arguments* may lead to, roughly and no further than needed."""
    count = 0
    for argument in arguments:
        if os.path.isdir(argument):  # noqa: PTH112 (takes any name)
            count += _files_in(argument, recursive=options.recursive)
        elif os.path.isfile(argument):  # noqa: PTH113 (takes any name)
            count += 1
        elif glob.has_magic(argument) and "\n" not in argument:
            count += len(glob.glob(argument, recursive=True))  # noqa: PTH207 (takes any name)
    if options.again is not None:
        with contextlib.suppress(OSError), Path(options.again).open("rb") as report:
            count += sum(1 for _ in zip(report, range(FEWEST_SHARED), strict=False))
    return count


def _files_in(folder: str, *, recursive: bool) -> int:
    """Count the files in a folder, and below it if *recursive*, up to those that are enough."""
    count = 0
    for _, folders, files in os.walk(folder):
        count += sum(not name.startswith(".") for name in files)
        if not recursive or count >= FEWEST_SHARED:
            break
        folders[:] = [name for name in folders if not name.startswith(".")]
    return count
