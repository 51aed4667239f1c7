"""The executor of one job: each task is done in this process, when it is handed over."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class HereExecutor(Executor):
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
