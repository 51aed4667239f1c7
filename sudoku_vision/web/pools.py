"""The pool of processes that do the jobs of requests, and in words of the page why one has no answer.

What the jobs do is not known here: they are the methods of an object that is made anew in every process. This
module loads no vision; the processes do. A camera has a process of its own, started when needed.
"""

import asyncio
import contextlib
import hashlib
import logging
import secrets
import time
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any, Self

from sudoku_vision.errors import SudokuVisionError, TaskLostError, TaskTimeoutError
from sudoku_vision.parallel.process_pool import BusyError, ProcessPool
from sudoku_vision.web import problems
from sudoku_vision.web.settings import Limits, Settings

KEY_BYTES = 32  # bytes of the key that signs what clients bring back; it is made anew at every start
NICENESS = 5  # how far the processes stand back: who hands them jobs answers at once, on a busy machine, too

log = logging.getLogger("sudoku_vision.web")


def photo_pool(settings: Settings, model: Path | None = None) -> "JobPool":
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
            raise problems.ProblemError(problems.TOO_HARD)
        try:
            return await asyncio.wrap_future(self.hand_in(job, **arguments))
        except Exception as error:
            traceback.clear_frames(error.__traceback__)  # they hold the error, and what was sent, until then
            raise problems.ProblemError(self._problem_of(error, job, arguments)) from None

    def _problem_of(self, error: Exception, job: str, arguments: Mapping[str, Any]) -> problems.Problem:
        """Return what is said of an error of a job, which is in quarantine if it has cost processes."""
        if isinstance(error, TaskTimeoutError):
            return problems.timed_out(self._limits.work)
        if isinstance(error, TaskLostError):
            self._quarantine[_digest(job, arguments)] = time.monotonic() + self._limits.quarantine
            return problems.WORKER_LOST
        if isinstance(error, SudokuVisionError):
            return problems.problem_of(error)
        if isinstance(error, BusyError | MemoryError):
            return problems.BUSY if isinstance(error, BusyError) else problems.TOO_HARD
        # Its words may hold what was sent, its places don't.
        log.error("internal error: %s %s", type(error).__name__, getattr(error, "__notes__", [""])[-1])
        return problems.INTERNAL

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


@dataclass(eq=False)
class LiveSession:
    """One camera: its name, the worker that follows its pictures, and when it was last heard of."""

    name: str
    worker: JobPool
    heard: float
    frames: int = 0
    in_work: bool = False


class LiveWorkers:
    """Pools of one process each; a camera stays with the one that it was given."""

    def __init__(self, opener: Callable[[], Any], workers: int, limits: Limits) -> None:
        """Follow cameras in as many processes as *workers*."""
        self._limits = limits
        each = replace(limits, queue=limits.live_clients)
        self._workers = [JobPool(opener, 1, each) for _ in range(workers)]
        self._sessions: dict[str, LiveSession] = {}

    async def open(self, name: str) -> LiveSession:
        """Return the session of a camera, a new one where it isn't known.

        Raises :class:`ProblemError` where there are too many cameras.
        """
        count = self.state()["clients"]
        if name not in self._sessions:
            if count >= self._limits.live_clients:
                raise problems.ProblemError(problems.TOO_MANY_CAMERAS)
            used = [session.worker for session in self._sessions.values()]
            worker = min(self._workers, key=used.count)
            self._sessions[name] = LiveSession(name, worker, time.monotonic())
        session = self._sessions[name]
        try:
            await asyncio.to_thread(session.worker.start)
        except Exception:
            self.close_session(session)
            raise problems.ProblemError(problems.WORKER_LOST) from None
        return session

    async def read(self, session: LiveSession, frame: bytes, mode: str, language: str) -> bytes:
        """Return what is seen in a frame; raises :class:`ProblemError`, also where one is in work already."""
        if session.in_work:
            raise problems.ProblemError(problems.BUSY)
        session.in_work = True
        try:
            wish = {"mode": mode, "language": language}
            seen = await session.worker.run("live", session=session.name, frame=frame, **wish)
            session.frames += 1
            return seen
        finally:
            session.heard = time.monotonic()
            session.in_work = False

    def close_session(self, session: LiveSession) -> None:
        """Forget a camera, here and in its worker."""
        if self._sessions.pop(session.name, None) is not None and session.worker.process_ids():
            with contextlib.suppress(BusyError):  # the worker is full or gone, and bounds its sessions itself
                session.worker.hand_in("forget", session=session.name)

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.kill()

    def state(self) -> dict[str, int]:
        """Return how many cameras there are, without those that went silent, and may be."""
        silent = time.monotonic() - self._limits.live_idle
        for session in list(self._sessions.values()):
            if not session.in_work and session.heard < silent:
                self.close_session(session)
        return {"clients": len(self._sessions), "room": self._limits.live_clients}
