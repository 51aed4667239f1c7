"""Live workers: processes of their own for cameras, each camera bound to one; started when needed."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sudoku_vision.parallel.process_pool import BusyError
from sudoku_vision.web.pools import JobPool
from sudoku_vision.web.problems import BUSY, TOO_MANY_CAMERAS, WORKER_LOST, ProblemError
from sudoku_vision.web.settings import Limits


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
                raise ProblemError(TOO_MANY_CAMERAS)
            used = [session.worker for session in self._sessions.values()]
            worker = min(self._workers, key=used.count)
            self._sessions[name] = LiveSession(name, worker, time.monotonic())
        session = self._sessions[name]
        try:
            await asyncio.to_thread(session.worker.start)
        except Exception:
            self.close_session(session)
            raise ProblemError(WORKER_LOST) from None
        return session

    async def read(self, session: LiveSession, frame: bytes, mode: str, language: str) -> bytes:
        """Return what is seen in a frame; raises :class:`ProblemError`, also where one is in work already."""
        if session.in_work:
            raise ProblemError(BUSY)
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
