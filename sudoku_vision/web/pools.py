"""The pool of processes that do the jobs of requests, and in words of the page why one has no answer.

What the jobs do is not known here: they are the methods of an object that is made anew in every process. This
module loads no vision; the processes do.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
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
    ProblemError,
    problem_of,
    timed_out,
)
from sudoku_vision.web.settings import Limits, Settings

KEY_BYTES = 32
"""Bytes of the key that signs what clients bring back; it is made anew at every start."""

NICENESS = 5
"""How far the processes stand back: who hands them jobs answers at once, on a busy machine, too."""

log = logging.getLogger("sudoku_vision.web")


def photo_pool(settings: Settings, model: Path | None = None) -> JobPool:
    """Return the pool that reads photos, not yet started, with the digit *model* of a file or our own."""
    opener = partial(_open_handler, secrets.token_bytes(KEY_BYTES), settings.limits, model)
    return JobPool(opener, settings.workers, settings.limits)


def _open_handler(key: bytes, limits: Limits, model: Path | None) -> Any:
    """Return the object whose methods are the jobs; called in each process, which loads vision."""
    from sudoku_vision.web.job_handler import open_job_handler

    return open_job_handler(key, limits, model)


class JobPool:
    """Processes, a bounded queue before them, and a quarantine; a context that starts and ends them."""

    def __init__(self, opener: Callable[[], Any], workers: int, limits: Limits) -> None:
        """Have jobs done by so many *workers*, as methods of what *opener* returns in each."""
        self.opener = opener
        self._limits = limits
        self._quarantine = _Quarantine()
        self._pool = ProcessPool(
            workers,
            seconds=limits.work,
            waiting=limits.queue,
            opener=opener,
            memory=limits.memory,
            niceness=NICENESS,
        )

    def __enter__(self) -> Self:
        """Start the processes, and wait until the first is ready."""
        try:
            self.start()
        except BaseException:  # Ctrl-C: what was begun is ended
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes."""
        self.close()

    def start(self) -> None:
        """Start the processes and return when one is ready; a second call does nothing.

        Raises a :class:`~sudoku_vision.errors.SudokuVisionError`, or what opening raises else.
        """
        self._pool.start()

    def close(self) -> None:
        """Kill the processes; what they were at is lost, what waits is cancelled."""
        self._pool.kill()

    async def run(self, job: str, **arguments: Any) -> bytes:
        """Return the answer of the method *job*; raises :class:`ProblemError` that says why there is none."""
        if self._quarantine.has(job, arguments):
            raise ProblemError(TOO_HARD)
        try:
            return await asyncio.wrap_future(self.submit(job, **arguments))
        except BusyError:
            raise ProblemError(BUSY) from None
        except MemoryError:
            raise ProblemError(TOO_HARD) from None
        except TaskLostError:
            self._quarantine.blame(job, arguments)
            raise ProblemError(WORKER_LOST) from None
        except TaskTimeoutError:
            self._quarantine.blame(job, arguments)
            raise ProblemError(timed_out(self._limits.work)) from None
        except SudokuVisionError as error:
            raise ProblemError(problem_of(error)) from None
        except Exception as error:  # its words may hold what was sent, its places don't
            log.error("internal error: %s %s", type(error).__name__, getattr(error, "__notes__", [""])[-1])
            raise ProblemError(INTERNAL) from None

    def submit(self, job: str, **arguments: Any) -> Future[bytes]:
        """Hand in a job and return its answer to come; raises :class:`BusyError` where too many wait."""
        method: Any = methodcaller(job, **arguments)  # of what the opener has opened there
        return self._pool.submit(method)

    def state(self) -> dict[str, int]:
        """Return how the processes are: numbers of them, of jobs that wait, and of processes lost so far."""
        return self._pool.state() | {"room": self._limits.queue}

    def process_ids(self) -> list[int]:
        """Return the ids of the processes that are ready or in work now."""
        return self._pool.process_ids()


class _Quarantine:
    """Remembers the latest jobs that cost processes, by digests."""

    def __init__(self) -> None:
        self._losses: OrderedDict[bytes, int] = OrderedDict()

    def has(self, job: str, arguments: Mapping[str, Any]) -> bool:
        """Tell whether a job has cost too many processes; almost always there is none to compare it with."""
        return bool(self._losses) and self._losses.get(_digest(job, arguments), 0) >= MAX_LOSSES

    def blame(self, job: str, arguments: Mapping[str, Any]) -> None:
        """Count a process lost to a job."""
        digest = _digest(job, arguments)
        self._losses[digest] = self._losses.pop(digest, 0) + 1
        while len(self._losses) > MAX_REMEMBERED:
            self._losses.popitem(last=False)


MAX_LOSSES = 2
"""Processes that one job may cost: the first loss may be that of a machine with too much to do."""
MAX_REMEMBERED = 256
"""Jobs that are remembered for it."""


def _digest(job: str, arguments: Mapping[str, Any]) -> bytes:
    """Return what tells a job from others; nothing of a photo can be had back from it."""
    digest = hashlib.sha256(job.encode())
    for value in arguments.values():
        digest.update(value if isinstance(value, bytes) else repr(value).encode())
    return digest.digest()
