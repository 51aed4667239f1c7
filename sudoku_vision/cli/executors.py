"""Executors: which one a command shares its work out with, as ``--jobs`` and ``--cluster`` say."""

from __future__ import annotations

from concurrent.futures import Executor
from contextlib import AbstractContextManager

from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.errors import UsageError
from sudoku_vision.parallel import TASK_SECONDS, available_cores, open_executor

ROOM_BYTES, BYTES_A_PIXEL = 500_000_000, 25.0
"""Memory that a process may take: for the program, and for each pixel of the largest picture allowed; a PNG
with transparency was measured to take 20, a HEIC 14."""


def executor_for(
    options: Options,
    tasks: int,
    *,
    fewest: int = 2,
    task_seconds: float | None = TASK_SECONDS,
    task_memory: int = 0,
) -> AbstractContextManager[Executor]:
    """Return the context of an executor for so many *tasks*, which are done here where they are too few.

    Where nobody says how many jobs, other processes are used from *fewest* tasks on; each may take
    *task_memory* bytes, 0 for no limit. Raises
    :class:`UsageError` for options that can't be together, at once, and what
    :func:`~sudoku_vision.parallel.open_executor` raises, when it is entered.
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


def reading_memory(options: Options) -> int:
    """Return the bytes that a process may take which reads pictures as large as the *options* allow."""
    return round(ROOM_BYTES + BYTES_A_PIXEL * 1e6 * options.max_megapixels)


def check_sharing(options: Options) -> None:
    """Raise :class:`UsageError` for what can't be meant of processes and clusters."""
    if options.cluster is not None and options.jobs is not None:
        raise UsageError("--cluster and --jobs can't both be.", "Leave one out.")
    if options.shared_files and options.cluster is None:
        raise UsageError("--shared-files is for the workers of a --cluster.", "Leave it out, or name one.")
