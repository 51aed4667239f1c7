"""Parallel work: tasks are done in this process, in worker processes or by a cluster.

Callers use a :class:`concurrent.futures.Executor`. They need not know which of these three ways it uses.
:func:`open_executor` opens it. :func:`map_in_order` submits tasks and yields their results in order.

A task is a call of a function with one item. Function and item are pickled and sent, so the function must be
defined at the top of a module, not in the main script. The function itself loads what it needs, for
example a model.

* :class:`SerialExecutor` does each task in this process when it is submitted.
* :mod:`process_pool`: worker processes on this machine. The web service uses them, too. If a process dies or
  a task takes too long, only this task is lost, and the process is started again.
* :mod:`worker_process`: one worker process. A pool has several. One alone renders the pages of a PDF.
* :mod:`cluster`: the workers of a ``dask.distributed`` scheduler.
"""

import contextlib
import math
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from pathlib import Path
from typing import ParamSpec, TypeVar

from sudoku_vision.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

TASK_SECONDS = 60.0
"""Default time limit of a task in a worker process, in seconds. It is far more than a task needs: rendering a
page takes at most 8 seconds, and reading the largest picture also takes at most 8."""

_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""The file in which Linux says how much processor time a container may use. It holds two values: the time for
each period (``max`` for no limit), and the length of a period, both in microseconds."""

_WAIT_SECONDS = 0.5  # seconds of one wait for a task; some systems notice Ctrl-C only between two waits


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
    """Open an executor for a ``with`` block. The executor ends with the block, even if tasks are not done.

    *jobs*: the number of worker processes on this machine, by default one for each core that this process may
    use. With one job, this process does all tasks itself. *cluster*: the address of a scheduler, for example
    ``tcp://host:8786``. Then the workers of the cluster do the tasks, and *announce* is called with a
    sentence about them.

    A worker process on this machine is killed if a task takes more than *task_seconds* (None for no limit),
    and it may use *task_memory* bytes (0 for no limit). *preloaded*: a module that is already loaded when
    worker processes start, see :func:`~sudoku_vision.parallel.worker_process.forked_from`.

    Raises :class:`UsageError` for less than one job or for a wrong address,
    :class:`~sudoku_vision.errors.MissingExtraError` if ``distributed`` is needed and not installed, and
    :class:`~sudoku_vision.errors.ClusterError` if the cluster can't be used.
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
    """Does each task immediately, in the thread that submits it. Starts no process, sets no time limit."""

    ahead = 1  # maximum number of tasks to submit before a result is taken; more would not be faster

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Do a task. Return a future that already has its result or error. Ctrl-C is not caught."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def available_cores() -> int:
    """Return the number of cores that this process may use. CPU affinity or a container may limit it."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
        quota, period = _QUOTA.read_text(encoding="ascii").split()
        return max(1, min(cores, math.ceil(int(quota) / int(period))))
    return cores


def map_in_order(
    executor: Executor, function: Callable[[T], R], items: Iterable[T]
) -> Generator[tuple[T, Future[R]], None, None]:
    """Submit a task for each of *items*: a call of *function* with the item. Yield the item and the future.

    The pairs are yielded in the order of *items*. A pair is yielded as soon as its task is done and all
    earlier pairs were yielded. At most ``executor.ahead`` pairs wait to be yielded. This is enough to keep
    all workers busy. Only the items of these pairs are in memory, so *items* can be endless.

    If a task raises an error, its future has this error. If the worker dies, the error is
    :class:`~sudoku_vision.errors.TaskLostError`. If the task takes too long, it is
    :class:`~sudoku_vision.errors.TaskTimeoutError`. An error of the iterator *items* is raised here. If
    the generator is closed, tasks that have not begun are cancelled.
    """
    ahead = int(getattr(executor, "ahead", 2 * available_cores()))
    waiting: deque[tuple[T, Future[R]]] = deque()
    try:
        for item in items:
            waiting.append((item, executor.submit(function, item)))
            del item  # lets Python free the item after its future was yielded
            while waiting and (len(waiting) >= ahead or waiting[0][1].done()):
                yield _first_done(waiting)
        while waiting:
            yield _first_done(waiting)
    finally:
        for _, future in waiting:
            future.cancel()


def _first_done(waiting: deque[tuple[T, Future[R]]]) -> tuple[T, Future[R]]:
    """Wait for the first task, and remove it."""
    while not wait([waiting[0][1]], _WAIT_SECONDS).done:
        pass
    return waiting.popleft()
