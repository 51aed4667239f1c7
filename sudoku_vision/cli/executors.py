"""Executors: which one a command shares its work out with, as ``--jobs`` and ``--cluster`` say."""

from __future__ import annotations

from concurrent.futures import Executor
from contextlib import AbstractContextManager

from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.errors import UsageError
from sudoku_vision.parallel import TASK_SECONDS, available_cores, open_executor


def executor_for(
    options: Options, tasks: int, *, fewest: int = 2, task_seconds: float | None = TASK_SECONDS
) -> AbstractContextManager[Executor]:
    """Return the context of an executor for so many *tasks*, which are done here where they are too few.

    Where nobody says how many jobs, other processes are used from *fewest* tasks on. Raises
    :class:`UsageError` for options that can't be together, at once, and what
    :func:`~sudoku_vision.parallel.open_executor` raises, when it is entered.
    """
    check_sharing(options)
    jobs = options.jobs or (available_cores() if tasks >= fewest else 1)
    return open_executor(
        min(jobs, max(1, tasks)), cluster=options.cluster, task_seconds=task_seconds, announce=complain
    )


def check_sharing(options: Options) -> None:
    """Raise :class:`UsageError` for what can't be meant of processes and clusters."""
    if options.cluster is not None and options.jobs is not None:
        raise UsageError("--cluster and --jobs can't both be.", "Leave one out.")
    if options.shared_files and options.cluster is None:
        raise UsageError("--shared-files is for the workers of a --cluster.", "Leave it out, or name one.")
