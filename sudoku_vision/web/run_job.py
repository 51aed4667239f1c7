"""Run a job in a worker, and say in words of the page what went wrong."""

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
from sudoku_vision.web.workers import BusyError, JobFailedError, Pool, SuspectError, WorkerLostError

log = logging.getLogger("sudoku_vision.web")


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
