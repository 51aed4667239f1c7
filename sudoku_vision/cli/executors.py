"""Chooses the processes that do the work of a command, by ``--jobs`` and ``--cluster``."""

import contextlib
import glob
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path

from sudoku_vision.cli.options import Options
from sudoku_vision.cli.reporter import complain
from sudoku_vision.errors import UsageError
from sudoku_vision.parallel import available_cores, open_executor

MIN_SHARED = 8
"""With fewer files, no other processes are used: their start takes a quarter of a second, which is what
parallel work on four to ten photos saves."""
ROOM_BYTES, BYTES_A_PIXEL = 500_000_000, 25.0
"""Memory of a process: for the program, and for each pixel of the largest allowed picture. A PNG with
transparency took 20 bytes a pixel, a HEIC 14."""
PRELOADED = "sudoku_vision.cli.preloaded"
"""The module that loads all that reading processes need; it is imported once, before they are forked."""


def picture_executor(
    arguments: Sequence[str], options: Options, *, here: bool = False
) -> AbstractContextManager[Executor]:
    """Return a context manager for the executor that reads the inputs of *arguments*.

    With *here*, everything is read in this process. This function imports no large modules, so that other
    processes can import them at the same time. Raises :class:`UsageError` for options that contradict each
    other; the ``with`` statement raises the errors of :func:`~sudoku_vision.parallel.open_executor`.
    """
    options.check_sharing()
    if options.cluster is not None and options.debug_dir is not None:
        raise UsageError("--cluster and --debug-dir can't both be.", "Leave one out.")
    jobs = options.jobs
    if here or options.debug_dir is not None:
        jobs = 1
    elif jobs is None:
        jobs = available_cores()
        if jobs > 1 and len(list(islice(_files(arguments, options), MIN_SHARED))) < MIN_SHARED:
            jobs = 1
    return open_executor(
        jobs,
        cluster=options.cluster,
        task_memory=round(ROOM_BYTES + BYTES_A_PIXEL * 1e6 * options.max_megapixels),
        preloaded=PRELOADED,
        announce=complain,
    )


def _files(arguments: Sequence[str], options: Options) -> Iterator[object]:
    """Yield a value for each file that *arguments* can mean; without them, for each line of the report."""
    for argument in arguments:
        if os.path.isdir(argument):  # noqa: PTH112 (pathlib fails for long names)
            argument = os.path.join(glob.escape(argument), "**" if options.recursive else "*")  # noqa: PTH118
        elif os.path.isfile(argument):  # noqa: PTH113 (pathlib fails for long names)
            argument = glob.escape(argument)
        yield from glob.iglob(argument, recursive=True)  # noqa: PTH207 (pathlib fails for long names)
    if options.resume and options.report is not None and not arguments:
        with contextlib.suppress(OSError), Path(options.report).open("rb") as report:
            yield from report
