"""The pool of processes that do the jobs of requests, and in words of the page why one has no answer.

What the jobs do is not known here: they are the methods of an object that is made anew in every process. This
module loads no vision; the processes do.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
import traceback
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

KEY_BYTES = 32  # bytes of the key that signs what clients bring back; it is made anew at every start
NICENESS = 5  # how far the processes stand back: who hands them jobs answers at once, on a busy machine, too

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

    A job that has cost two processes, one after the other, is for a while in quarantine: not tried again.
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
        self._quarantine: dict[bytes, float] = {}  # until when, by the digest of a job

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
        now = time.monotonic()
        self._quarantine = {digest: until for digest, until in self._quarantine.items() if until > now}
        if self._quarantine and _digest(job, arguments) in self._quarantine:
            raise ProblemError(TOO_HARD)
        try:
            return await asyncio.wrap_future(self.hand_in(job, **arguments))
        except Exception as error:
            traceback.clear_frames(error.__traceback__)  # they hold the error, and what was sent, until then
            raise ProblemError(self._problem_of(error, job, arguments)) from None

    def _problem_of(self, error: Exception, job: str, arguments: Mapping[str, Any]) -> Problem:
        """Return what is said of an error of a job, which is in quarantine if it has cost processes."""
        if isinstance(error, TaskTimeoutError):
            return timed_out(self._limits.work)
        if isinstance(error, TaskLostError):
            self._quarantine[_digest(job, arguments)] = time.monotonic() + self._limits.quarantine
            return WORKER_LOST
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


def _digest(job: str, arguments: Mapping[str, Any]) -> bytes:
    """Return what tells a job from others; nothing of a photo can be had back from it."""
    digest = hashlib.sha256(job.encode())
    for value in arguments.values():
        digest.update(value if isinstance(value, bytes) else repr(value).encode())
    return digest.digest()
