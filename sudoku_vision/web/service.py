"""The service as its endpoints see it: the settings, the workers, and a job's answer or what went wrong."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from sudoku_vision.errors import SudokuVisionError
from sudoku_vision.web.problems import (
    BUSY,
    INTERNAL,
    TOO_HARD,
    WORKER_LOST,
    ProblemError,
    problem_of,
    timed_out,
)
from sudoku_vision.web.settings import Settings
from sudoku_vision.web.workers import BusyError, JobFailedError, Pool, SuspectError, WorkerLostError

log = logging.getLogger("sudoku_vision.web")


class Service:
    """What the endpoints share."""

    def __init__(self, settings: Settings, pool: Pool) -> None:
        """Keep the *settings*, and let *pool* do the jobs."""
        self.settings = settings
        self.pool = pool

    async def run(self, job: str, **arguments: Any) -> bytes:
        """Return the answer of a job; raises :class:`ProblemError` that says why there is none."""
        return await run_job(self.pool, job, **arguments)


async def run_job(pool: Pool, job: str, **arguments: Any) -> bytes:
    """Return the answer of a job of *pool*; raises :class:`ProblemError` that says why there is none."""
    try:
        return await asyncio.wrap_future(pool.submit(job, **arguments))
    except BusyError:
        raise ProblemError(BUSY) from None
    except (SuspectError, MemoryError):
        raise ProblemError(TOO_HARD) from None
    except WorkerLostError:
        raise ProblemError(WORKER_LOST) from None
    except TimeoutError:
        raise ProblemError(timed_out(pool.settings.seconds)) from None
    except SudokuVisionError as error:
        raise ProblemError(problem_of(error)) from None
    except JobFailedError as error:
        log.error("internal error in a worker: %s", error)
        raise ProblemError(INTERNAL) from None
