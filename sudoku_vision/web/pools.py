"""Runs the jobs of requests and cameras in worker processes. Turns errors of jobs into problems to report.

Each process makes an object whose methods are the jobs. This module imports no code that reads pictures.
"""

import asyncio
import contextlib
import hashlib
import logging
import os
import secrets
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any, Self

from sudoku_vision.errors import SudokuVisionError, TaskLostError, TaskTimeoutError
from sudoku_vision.parallel.process_pool import BusyError, ProcessPool
from sudoku_vision.web import problems
from sudoku_vision.web.settings import Limits, Settings

KEY_BYTES = 32  # bytes of the key that signs the states of grids; each start of the service makes a new key
NICENESS = 5  # the processes have a low priority, so that they don't slow down the service itself

log = logging.getLogger("sudoku_vision.web")


def photo_pool(settings: Settings, model: Path | None = None) -> "JobPool":
    """Return the pool that reads photos; it is not started yet. *model*: None for the bundled model."""
    opener = partial(_open_handler, secrets.token_bytes(KEY_BYTES), settings.limits, model)
    return JobPool(opener, settings.workers, settings.limits)


def _open_handler(key: bytes, limits: Limits, model: Path | None) -> Any:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    from sudoku_vision.web.job_handler import open_job_handler

    return open_job_handler(key, limits, model)


class JobPool(ProcessPool):
    """Worker processes with a limited queue of jobs. A ``with`` block starts and ends the processes.

    A job that has killed two processes is put into quarantine: it is refused for some time.
    """

    def __init__(self, opener: Callable[[], Any], workers: int, limits: Limits) -> None:
        """Prepare *workers* processes. In each, *opener* makes the object whose methods are the jobs."""
        super().__init__(
            workers, seconds=limits.job_seconds, waiting=limits.queue, opener=opener, memory=limits.memory
        )
        self.opener = opener
        self._limits = limits
        self._quarantine: dict[bytes, float] = {}  # end of the quarantine of each job, by the job's digest

    def __enter__(self) -> Self:
        """Start the processes, and wait until one is ready. If the opener fails, its error is raised."""
        try:
            self.start()
        except BaseException:  # the processes must end even after Ctrl-C
            self.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    async def run(self, job: str, **arguments: Any) -> Any:
        """Run the method *job* in a worker. Raises :class:`ProblemError` if the job returns no answer."""
        now = time.monotonic()
        self._quarantine = {digest: until for digest, until in self._quarantine.items() if until > now}
        if self._quarantine and _digest(job, arguments) in self._quarantine:
            raise problems.ProblemError(problems.TOO_HARD)
        try:
            return await asyncio.wrap_future(self.submit_job(job, **arguments))
        except Exception as error:
            # Frees the photo, which the stack frames of the error would keep in memory.
            traceback.clear_frames(error.__traceback__)
            raise problems.ProblemError(self._problem_of(error, job, arguments)) from None

    def _problem_of(self, error: Exception, job: str, arguments: Mapping[str, Any]) -> problems.Problem:
        """Return the problem for a job's *error*. If the job killed two processes, quarantine the job."""
        if isinstance(error, TaskTimeoutError):
            return problems.timed_out(self._limits.job_seconds)
        if isinstance(error, TaskLostError):
            self._quarantine[_digest(job, arguments)] = time.monotonic() + self._limits.quarantine
            return problems.WORKER_LOST
        if isinstance(error, SudokuVisionError):
            return problems.problem_of(error)
        if isinstance(error, BusyError | MemoryError):
            return problems.BUSY if isinstance(error, BusyError) else problems.TOO_HARD
        # Only the kind and place of the error are logged: its message could contain parts of the request.
        log.error("internal error: %s %s", type(error).__name__, getattr(error, "__notes__", [""])[-1])
        return problems.INTERNAL

    def submit_job(self, job: str, **arguments: Any) -> Future[Any]:
        """Submit a job, and return a future for its answer. BusyError is raised if too many jobs wait."""
        # The worker calls this method on the object that the opener made when the worker started.
        method: Any = methodcaller(job, **arguments)
        return self.submit(method)


def _digest(job: str, arguments: Mapping[str, Any]) -> bytes:
    """Return a digest that identifies a job. The photo can't be recovered from the digest."""
    digest = hashlib.sha256(job.encode())
    for value in arguments.values():
        digest.update(value if isinstance(value, bytes) else repr(value).encode())
    return digest.digest()


class LiveWorkers:
    """Worker processes for cameras. All frames of a camera go to one process, which knows the camera's grids.

    A pool gives a job to any of its processes. So each process is in a pool of its own.
    """

    def __init__(self, opener: Callable[[], Any], workers: int, limits: Limits) -> None:
        self._limits = limits
        each = replace(limits, queue=limits.live_clients)
        self._workers = [JobPool(opener, 1, each) for _ in range(workers)]
        self._cameras: dict[str, JobPool] = {}  # the worker of each camera, by the camera's name

    @contextlib.asynccontextmanager
    async def camera(self) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
        """Add a camera, and remove it at the end of the ``async with`` block.

        Yields a function of ``frame``, ``mode`` and ``language``. The function returns what is known about
        the grids in the frame. Raises :class:`ProblemError` for too many cameras, or if a worker can't start.
        """
        if len(self._cameras) >= self._limits.live_clients:
            raise problems.ProblemError(problems.TOO_MANY_CAMERAS)
        used = list(self._cameras.values())
        name, worker = secrets.token_hex(16), min(self._workers, key=used.count)
        self._cameras[name] = worker
        try:
            try:
                await asyncio.to_thread(worker.start)
            except Exception:
                raise problems.ProblemError(problems.WORKER_LOST) from None
            yield partial(worker.run, "live", camera=name)
        finally:
            del self._cameras[name]
            if worker.process_ids():
                with contextlib.suppress(BusyError):  # then the worker drops the camera later
                    worker.submit_job("forget", camera=name)

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.kill()

    def state(self) -> dict[str, int]:
        """Return the number of cameras (``clients``), and the largest number that is allowed (``room``)."""
        return {"clients": len(self._cameras), "room": self._limits.live_clients}
