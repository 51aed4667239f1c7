"""Live workers: workers of their own for cameras, each camera bound to one; started when needed."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from dataclasses import dataclass, field

from sudoku_vision.errors import SudokuVisionError
from sudoku_vision.web.problems import BUSY, TOO_MANY_CAMERAS, WORKER_LOST, ProblemError
from sudoku_vision.web.run_job import run_job
from sudoku_vision.web.settings import Limits
from sudoku_vision.web.workers import BusyError, Factory, JobFailedError, Pool, PoolSettings, WorkerLostError


@dataclass(eq=False)
class LiveSession:
    """One camera: its name, the worker that follows its pictures, and when it was last heard of."""

    name: str
    worker: Pool
    heard: float = field(default_factory=time.monotonic)
    frames: int = 0
    in_work: bool = False


class LiveWorkers:
    """Workers of one process each; a camera stays with the one that it was given."""

    def __init__(self, factory: Factory, workers: int, limits: Limits) -> None:
        """Follow cameras in as many processes as *workers*."""
        settings = PoolSettings(1, limits.live_clients, limits.work, limits.memory)
        self._workers = [Pool(factory, settings) for _ in range(workers)]
        self._limits = limits
        self._starting = threading.Lock()
        self._sessions: dict[str, LiveSession] = {}

    async def open(self, name: str) -> LiveSession:
        """Return the session of a camera, a new one where it isn't known.

        Raises :class:`ProblemError` where there are too many cameras.
        """
        self._forget_idle()
        session = self._sessions.get(name)
        if session is None:
            if len(self._sessions) >= self._limits.live_clients:
                raise ProblemError(TOO_MANY_CAMERAS)
            session = self._sessions[name] = LiveSession(name, self._least_used())
        try:
            await asyncio.to_thread(self._start, session.worker)
        except (WorkerLostError, JobFailedError, SudokuVisionError):
            self.close_session(session)
            raise ProblemError(WORKER_LOST) from None
        return session

    async def read(self, session: LiveSession, frame: bytes, mode: str) -> bytes:
        """Return what is seen in a frame; raises :class:`ProblemError`, also where one is in work already."""
        if session.in_work:
            raise ProblemError(BUSY)
        session.in_work = True
        try:
            seen = await run_job(session.worker, "live", session=session.name, frame=frame, mode=mode)
            session.frames += 1
            return seen
        finally:
            session.heard = time.monotonic()
            session.in_work = False

    def close_session(self, session: LiveSession) -> None:
        """Forget a camera, here and in its worker."""
        if self._sessions.pop(session.name, None) is None or not session.worker.started:
            return
        with contextlib.suppress(BusyError):  # the worker is full or gone, and bounds its sessions itself
            session.worker.submit("forget", session=session.name)

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.close()

    def state(self) -> dict[str, int]:
        """Return how many cameras there are, and may be."""
        self._forget_idle()
        return {"clients": len(self._sessions), "room": self._limits.live_clients}

    def _start(self, worker: Pool) -> None:
        with self._starting:
            worker.start()

    def _least_used(self) -> Pool:
        used = [session.worker for session in self._sessions.values()]
        return min(self._workers, key=used.count)

    def _forget_idle(self) -> None:
        now = time.monotonic()
        for session in list(self._sessions.values()):
            if not session.in_work and now - session.heard > self._limits.live_idle:
                self.close_session(session)
