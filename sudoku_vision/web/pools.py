"""The pool of processes that do the jobs of requests, and in words of the page why one has no answer.

What the jobs do is not known here: they are the methods of an object that is made anew in every process. This
module loads no vision; the processes do.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any, Self

from sudoku_vision.errors import SudokuVisionError, TaskLostError, TaskTimeoutError
from sudoku_vision.parallel.process_pool import BusyError, ProcessPool
from sudoku_vision.web.problems import (
    BUSY,
    INTERNAL,
    TOO_HARD,
    WORKER_LOST,
    Problem,
    ProblemError,
    problem_of,
    timed_out,
)
from sudoku_vision.web.settings import Limits, Settings

KEY_BYTES = 32
"""Bytes of the key that signs what clients bring back; it is made anew at every start."""

NICENESS = 5
"""How far the processes stand back: who hands them jobs answers at once, on a busy machine, too."""

MAX_LOSSES = 2
"""Processes that one job may cost: the first loss may be that of a machine with too much to do."""
MAX_REMEMBERED = 256
"""Jobs that are remembered for it."""

log = logging.getLogger("sudoku_vision.web")


def photo_pool(settings: Settings, model: Path | None = None) -> JobPool:
    """Return the pool that reads photos, not yet started, with the digit *model* of a file or our own."""
    opener = partial(_open_handler, secrets.token_bytes(KEY_BYTES), settings.limits, model)
    return JobPool(opener, settings.workers, settings.limits)


def _open_handler(key: bytes, limits: Limits, model: Path | None) -> Any:
    """Return the object whose methods are the jobs; called in each process, which loads vision."""
    from sudoku_vision.web.job_handler import open_job_handler

    return open_job_handler(key, limits, model)


class JobPool(ProcessPool):
    """Processes and a bounded queue before them; a context that starts and ends them.

    A job that has cost too many processes is in quarantine, and not tried again.
    """

    def __init__(self, opener: Callable[[], Any], workers: int, limits: Limits) -> None:
        """Have jobs done by so many *workers*, as methods of what *opener* returns in each."""
        super().__init__(
            workers,
            seconds=limits.work,
            waiting=limits.queue,
            opener=opener,
            memory=limits.memory,
            niceness=NICENESS,
        )
        self.opener = opener
        self._limits = limits
        self._losses: OrderedDict[bytes, int] = OrderedDict()  # processes that a job has cost, by its digest

    def __enter__(self) -> Self:
        """Start the processes, and wait until the first is ready; raises what opening does."""
        try:
            self.start()
        except BaseException:  # Ctrl-C: what was begun is ended
            self.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the processes; what they were at is lost, what waits is cancelled."""
        self.kill()

    async def run(self, job: str, **arguments: Any) -> bytes:
        """Return the answer of the method *job*; raises :class:`ProblemError` that says why there is none."""
        if self._losses and self._losses.get(_digest(job, arguments), 0) >= MAX_LOSSES:
            raise ProblemError(TOO_HARD)
        try:
            return await asyncio.wrap_future(self.hand_in(job, **arguments))
        except Exception as error:
            traceback.clear_frames(error.__traceback__)  # they hold the error, and what was sent, until then
            raise ProblemError(self._problem_of(error, job, arguments)) from None

    def _problem_of(self, error: Exception, job: str, arguments: Mapping[str, Any]) -> Problem:
        """Return what is said of an error of a job, which is remembered if it has cost a process."""
        if isinstance(error, TaskLostError | TaskTimeoutError):
            self._blame(_digest(job, arguments))
            return timed_out(self._limits.work) if isinstance(error, TaskTimeoutError) else WORKER_LOST
        if isinstance(error, SudokuVisionError):
            return problem_of(error)
        if isinstance(error, BusyError | MemoryError):
            return BUSY if isinstance(error, BusyError) else TOO_HARD
        # Its words may hold what was sent, its places don't.
        log.error("internal error: %s %s", type(error).__name__, getattr(error, "__notes__", [""])[-1])
        return INTERNAL

    def hand_in(self, job: str, **arguments: Any) -> Future[bytes]:
        """Hand in a job and return its answer to come; raises :class:`BusyError` where too many wait."""
        method: Any = methodcaller(job, **arguments)  # of what the opener has opened there
        return self.submit(method)

    def state(self) -> dict[str, int]:
        """Return how the processes are: numbers of them, of jobs that wait, and of processes lost so far."""
        return super().state() | {"room": self._limits.queue}

    def _blame(self, digest: bytes) -> None:
        """Count a process lost to a job."""
        self._losses[digest] = self._losses.pop(digest, 0) + 1
        if len(self._losses) > MAX_REMEMBERED:
            self._losses.popitem(last=False)


def _digest(job: str, arguments: Mapping[str, Any]) -> bytes:
    """Return what tells a job from others; nothing of a photo can be had back from it."""
    digest = hashlib.sha256(job.encode())
    for value in arguments.values():
        digest.update(value if isinstance(value, bytes) else repr(value).encode())
    return digest.digest()
