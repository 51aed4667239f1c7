"""The service as its endpoints see it: settings, and workers for photos and for cameras."""

from __future__ import annotations

from typing import Any

from starlette.requests import HTTPConnection

from sudoku_vision.web.live_workers import LiveWorkers
from sudoku_vision.web.pools import JobPool
from sudoku_vision.web.settings import Settings


class Service:
    """What the endpoints share."""

    def __init__(self, settings: Settings, pool: JobPool) -> None:
        """Keep the *settings*, and let *pool* do the jobs; cameras get workers of their own."""
        self.settings = settings
        self.pool = pool
        self.live = LiveWorkers(pool.opener, settings.workers, settings.limits)

    async def run(self, job: str, **arguments: Any) -> bytes:
        """Return the answer of a job; raises :class:`ProblemError` that says why there is none."""
        return await self.pool.run(job, **arguments)


async def service_of(connection: HTTPConnection) -> Service:
    """Return the service that a request or a WebSocket came to."""
    service: Service = connection.app.state.service
    return service
