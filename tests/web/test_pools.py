"""The pool of the service: jobs are answered, killed in time and replaced, and it is said why one is not."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from psutil import pid_exists
from serving import WAIT, until
from stand_in_handler import StandInHandler

from sudoku_vision.errors import ModelError, TaskLostError
from sudoku_vision.parallel.process_pool import BusyError
from sudoku_vision.web import pools
from sudoku_vision.web.pools import JobPool
from sudoku_vision.web.problems import BUSY, INTERNAL, TOO_HARD, WORKER_LOST, Problem, ProblemError
from sudoku_vision.web.settings import Limits


@pytest.fixture(scope="module")
def made() -> Iterator[JobPool]:
    with JobPool(StandInHandler, 2, Limits(queue=2, job_seconds=1.2)) as made:
        yield made


@pytest.fixture
def pool(made: JobPool) -> JobPool:
    """The pool with all of its processes ready."""
    until(lambda: made.state()["ready"] == 2 and not made.state()["busy"])
    return made


def run(pool: JobPool, job: str, **arguments: Any) -> bytes:
    answer: bytes = asyncio.run(pool.run(job, **arguments))
    return answer


def problem(pool: JobPool, job: str, **arguments: Any) -> Problem:
    with pytest.raises(ProblemError) as raised:
        run(pool, job, **arguments)
    return raised.value.problem


def test_a_job_is_a_method_called_with_plain_values(pool: JobPool) -> None:
    assert run(pool, "echo", body=bytes(5_000_000)) == bytes(5_000_000)
    assert int(run(pool, "process")) in pool.process_ids()


def test_it_is_said_why_there_is_no_answer(pool: JobPool, caplog: pytest.LogCaptureFixture) -> None:
    assert "r1c1 twice" in problem(pool, "refuse").to_json().decode()
    assert problem(pool, "starve") == TOO_HARD
    assert problem(pool, "fail", body=b"secret") == INTERNAL
    assert "ValueError" in caplog.text and "stand_in_handler.py:" in caplog.text
    assert "secret" not in caplog.text


def test_a_job_that_cost_two_processes_is_put_off(pool: JobPool, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = pool.state()["lost"]
    assert problem(pool, "die", body=b"poison") == WORKER_LOST
    assert problem(pool, "die", body=b"poison") == TOO_HARD
    assert pool.state()["lost"] == lost + 2
    assert run(pool, "echo", body=b"poison") == b"poison"
    later = time.monotonic() + Limits().quarantine
    monkeypatch.setattr(pools, "time", SimpleNamespace(monotonic=lambda: later))
    assert problem(pool, "die", body=b"poison") == WORKER_LOST


def test_beyond_the_queue_it_is_said_at_once_and_who_no_longer_waits_costs_nothing(pool: JobPool) -> None:
    taken = [pool.submit_job("wait", seconds=0.5) for _ in range(2)]
    until(lambda: pool.state()["busy"] == 2)
    waiting = [pool.submit_job("wait", seconds=30) for _ in range(2)]
    assert problem(pool, "echo", body=b"one too many") == BUSY
    assert all(future.cancel() for future in waiting)
    assert pool.submit_job("echo", body=b"soon").result(WAIT) == b"soon"
    assert [future.result(WAIT) for future in taken] == [b"waited"] * 2


def test_what_can_not_be_opened_is_told_at_the_start() -> None:
    with pytest.raises(ModelError, match="There is no model"):
        JobPool(partial(StandInHandler, model=False), 1, Limits()).start()


def test_when_the_pool_ends_so_do_its_processes_and_nobody_waits_on() -> None:
    with JobPool(StandInHandler, 1, Limits(job_seconds=60.0)) as pool:
        processes = pool.process_ids()
        jobs = [pool.submit_job("wait", seconds=50) for _ in range(3)]
        until(lambda: pool.state()["busy"] == 1)
    assert not any(map(pid_exists, processes))
    for job in jobs:
        with pytest.raises((TaskLostError, CancelledError)):
            job.result(WAIT)
    with pytest.raises(BusyError):
        pool.submit_job("echo", body=b"too late")
