"""Executors: open the right one, and map tasks in order with only a few of them in memory."""

import contextlib
import math
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, ParamSpec, TypeVar

from sudoku_vision.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

TASK_SECONDS = 60.0
"""Default time limit of a task in a worker process: rendering a page takes at most 8 seconds, and reading the
largest picture as long."""

_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""The file of Linux with a container's share of the processors: microseconds in a period, or ``max``."""

_WAIT_SECONDS = 0.5  # length of one wait, then repeated: some systems notice Ctrl-C only between waits


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
    """Open an executor. It ends at once when the ``with`` block ends, even if tasks are not done.

    *jobs*: number of worker processes on this machine, by default one for each core that this process may
    use; with 1, this process does everything. *cluster*: the address of a scheduler, ``tcp://host:8786`` for
    example, whose workers do the tasks instead; *announce* gets a sentence about them. Limits of a worker
    process of this machine: *task_seconds* until it is killed, None for never; *task_memory* in bytes, 0 for
    no limit. *preloaded*: a module that is already loaded in new worker processes; only for our own
    programs (:func:`~sudoku_vision.parallel.worker_process.forked_from`).

    Raises :class:`UsageError` for less than one job, :class:`~sudoku_vision.errors.MissingExtraError` if
    ``distributed`` is needed and not installed, and :class:`~sudoku_vision.errors.ClusterError` if the
    cluster can't be used.
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
    """Does each task at once, in the thread that submits it; starts no process and has no time limit."""

    ahead = 1  # more submitted tasks would not help

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the future of a task that is done already; Ctrl-C is not caught."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def available_cores() -> int:
    """Return the number of cores that its affinity and its container allow this process to use."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
        quota, period = _QUOTA.read_text(encoding="ascii").split()
        return max(1, min(cores, math.ceil(int(quota) / int(period))))
    return cores


@dataclass(frozen=True)
class Outcome(Generic[T, R]):
    """The outcome of the task with *item*: its result, or its error."""

    item: T
    result: R | None = None
    error: Exception | None = None

    def unwrap(self) -> R:
        """Return the result; raises the error if there is one."""
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value] # a task may well return None


def map_in_order(
    executor: Executor, function: Callable[[T], R], items: Iterable[T], *, ahead: int | None = None
) -> Generator[Outcome[T, R], None, None]:
    """Yield the outcome of *function* for each item, in the order of *items*, each as soon as it is ready.

    Items are taken only when they are needed: at most *ahead* tasks are submitted and not yet yielded. So
    memory is bounded, and *items* may be endless. By default, *ahead* keeps all workers of the executor busy.

    The error of a task, and the loss (:class:`~sudoku_vision.errors.TaskLostError`) or timeout
    (:class:`~sudoku_vision.errors.TaskTimeoutError`) of its worker, are the outcome of its own item.
    If *items* itself fails, its error is raised. Closing the generator cancels tasks that have not begun.
    """
    if ahead is None:
        ahead = int(getattr(executor, "ahead", 0)) or 2 * available_cores()
    if ahead < 1:
        raise ValueError(f"ahead must be at least 1, not {ahead}")
    waiting: deque[tuple[T, Future[R]]] = deque()
    try:
        for item in items:
            waiting.append((item, executor.submit(function, item)))
            del item  # so that it can be freed once it is yielded
            while waiting and (len(waiting) >= ahead or waiting[0][1].done()):
                yield _outcome(*waiting.popleft())
        while waiting:
            yield _outcome(*waiting.popleft())
    finally:
        for _, future in waiting:
            future.cancel()


def _outcome(item: T, future: Future[R]) -> Outcome[T, R]:
    """Wait for a task, and return its outcome."""
    try:
        while not wait([future], _WAIT_SECONDS).done:
            pass
        return Outcome(item, future.result())
    except Exception as error:
        return Outcome(item, error=error)
    finally:
        future.cancel()  # nobody needs it any more if Ctrl-C has ended the wait
