"""Executors: which one does the tasks, and how it ends."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import ParamSpec, TypeVar

from sudoku_vision.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")

TASK_SECONDS = 60.0
"""What a task may take in a worker process where its caller doesn't say: a page takes at most 8 seconds to be
rendered, and the largest picture as long to be read."""

_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux says what a container may take of the processors: microseconds in a period, or ``max``."""


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
        yield SerialExecutor()
        return
    from sudoku_vision.parallel.process_pool import ProcessPool

    pool = ProcessPool(jobs, seconds=task_seconds, memory=task_memory, preloaded=preloaded)
    try:
        yield pool
    finally:
        pool.kill()


class SerialExecutor(Executor):
    """Does each task at once, in the thread that hands it over; nothing is started, nothing is timed."""

    ahead = 1
    """Nothing is gained by more tasks in hand."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the future of a task, done already; Ctrl-C goes through."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def available_cores() -> int:
    """Return the number of cores that this process may use: bound to it, and granted to its container."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
        quota, period = _QUOTA.read_text(encoding="ascii").split()
        return max(1, min(cores, math.ceil(int(quota) / int(period))))
    return cores
