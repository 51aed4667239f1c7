"""Executors: which one does the tasks, how it ends, and tasks in order while only a few are held."""

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
"""What a task may take in a worker process where its caller doesn't say: a page takes at most 8 seconds to be
rendered, and the largest picture as long to be read."""

_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux says what a container may take of the processors: microseconds in a period, or ``max``."""

_LOOK_UP = 0.5  # seconds after which a wait begins anew: some systems tell of Ctrl-C only between two waits


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


@dataclass(frozen=True)
class Outcome(Generic[T, R]):
    """What came of the task with *item*: its result, or the error that stands for it."""

    item: T
    result: R | None = None
    error: Exception | None = None

    def unwrap(self) -> R:
        """Return the result; raises the error where there is one."""
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value] # a task may well return None


def map_in_order(
    executor: Executor, function: Callable[[T], R], items: Iterable[T], *, ahead: int | None = None
) -> Generator[Outcome[T, R], None, None]:
    """Yield what *function* makes of each item, in the order of *items*, each as soon as it is there.

    Items are drawn as they are needed: at most *ahead* are under way or done and not yet taken, so memory is
    bounded, and *items* may be without end. Where not said, as many as keep all workers of the executor busy.

    What a task raises, a worker that died over it (:class:`~sudoku_vision.errors.TaskLostError`) or that took
    too long (:class:`~sudoku_vision.errors.TaskTimeoutError`) is the error of its own item alone; what
    *items* raises goes through. Closing the generator cancels what has not begun.
    """
    if ahead is None:
        ahead = int(getattr(executor, "ahead", 0)) or 2 * available_cores()
    if ahead < 1:
        raise ValueError(f"ahead must be at least 1, not {ahead}")
    waiting: deque[tuple[T, Future[R]]] = deque()
    try:
        for item in items:
            waiting.append((item, executor.submit(function, item)))
            del item  # what was taken is not kept
            while waiting and (len(waiting) >= ahead or waiting[0][1].done()):
                yield _outcome(*waiting.popleft())
        while waiting:
            yield _outcome(*waiting.popleft())
    finally:
        for _, future in waiting:
            future.cancel()


def _outcome(item: T, future: Future[R]) -> Outcome[T, R]:
    """Wait for a task, and return what came of it."""
    try:
        while not wait([future], _LOOK_UP).done:
            pass
        return Outcome(item, future.result())
    except Exception as error:
        return Outcome(item, error=error)
    finally:
        future.cancel()  # of no use any more, where Ctrl-C ended the wait
