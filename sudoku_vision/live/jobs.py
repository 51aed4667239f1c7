"""Jobs: what takes longer than a frame lasts is handed to an executor, which may well do it at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

_T = TypeVar("_T")


class ImmediateExecutor(Executor):
    """Runs every job when it is handed in: each frame is then worked out to the end before the next."""

    def submit(self, fn: Callable[..., _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        """Run *fn* and return its result, or its error, as a future that is done."""
        future: Future[_T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
