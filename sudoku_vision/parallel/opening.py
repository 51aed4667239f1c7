"""Opening: which executor does the tasks, and how it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor

from sudoku_vision.errors import UsageError
from sudoku_vision.parallel.cores import available_cores

TASK_SECONDS = 120.0
"""What a task may take in a worker process where its caller doesn't say: a hundred times what pages take."""


NO_LIMIT = 7 * 86_400.0
"""Seconds that stand for no limit: a week, for some systems can't wait much longer at once."""


@contextlib.contextmanager
def open_executor(
    jobs: int | None = None,
    *,
    cluster: str | None = None,
    task_seconds: float | None = TASK_SECONDS,
    task_memory: int = 0,
    preloaded: str | None = None,
    announce: Callable[[str], object] = lambda _: None,
) -> Iterator[Executor]:
    """Open the executor for some work, and end it at once when the context is left, whatever is under way.

    *jobs*: worker processes on this machine; as many as this process may use cores where not said, and for
    1 all is done in this process. *cluster*: the address of a scheduler, such as ``tcp://host:8786``, whose
    workers do the tasks instead; *announce* is told, in a sentence, what these are. *task_seconds*: after
    which a worker process of this machine is killed, None for never; *task_memory*: bytes that one may take,
    0 for no limit. *preloaded*: a module that worker processes of this machine find loaded, for a program of
    our own alone (:func:`~sudoku_vision.parallel.worker_process.forked_from`).

    Raises :class:`UsageError` for what can't be, :class:`~sudoku_vision.errors.MissingExtraError` where a
    cluster is named and ``distributed`` is not installed, and :class:`~sudoku_vision.errors.ClusterError`
    where it can't be used.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"{jobs} jobs can't do anything.", "Give 1 or more.")
    if cluster is not None:
        from sudoku_vision.parallel.cluster import open_cluster

        with open_cluster(cluster, announce) as executor:
            yield executor
        return
    jobs = jobs or available_cores()
    if jobs == 1:
        from sudoku_vision.parallel.serial import HereExecutor

        yield HereExecutor()
        return
    from sudoku_vision.parallel.processes import ProcessExecutor

    seconds = NO_LIMIT if task_seconds is None else task_seconds
    processes = ProcessExecutor(jobs, seconds, task_memory, preloaded)
    try:
        yield processes
    finally:
        processes.kill()
