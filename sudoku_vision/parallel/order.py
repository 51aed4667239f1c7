"""Tasks in order: items in, what came of each out, while only a few are held."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

from sudoku_vision.parallel.executors import available_cores

T = TypeVar("T")
R = TypeVar("R")

_LOOK_UP = 0.5
"""Seconds after which a wait begins anew: some systems tell of Ctrl-C only between two waits."""


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
    ahead = _ahead_of(executor) if ahead is None else ahead
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


def _ahead_of(executor: Executor) -> int:
    """Return how many tasks in hand keep the workers of an executor busy, be it one of ours or another."""
    return int(getattr(executor, "ahead", 0)) or 2 * available_cores()


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
