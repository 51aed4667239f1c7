"""Workers: they answer, are killed in time, are replaced, and end with the server."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from processes import is_alive

from sudoku_vision.errors import ImproperError, ModelError
from sudoku_vision.web.workers import (
    BusyError,
    Factory,
    JobFailedError,
    Pool,
    PoolSettings,
    SuspectError,
    WorkerLostError,
)

DESK = Factory("stand_in_handler", "StandInHandler")
WAIT = 20.0  # seconds that a test waits for what takes a part of one


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(DESK, PoolSettings(workers=2, queue=2, seconds=1.0, memory=1_000_000_000)) as made:
        yield until_ready(made)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def until_ready(pool: Pool) -> Pool:
    until(lambda: pool.state()["ready"] == pool.settings.workers and not pool.state()["busy"])
    return pool


def test_a_job_is_a_method_called_with_plain_values(pool: Pool) -> None:
    big = bytes(5_000_000)
    assert pool.submit("echo", body=big).result(WAIT) == big
    assert pool.submit("threads").result(WAIT) == b"1"
    assert int(pool.submit("process").result(WAIT)) in pool.process_ids()


def test_an_error_comes_back_as_it_was_raised(pool: Pool) -> None:
    with pytest.raises(ImproperError) as raised:
        pool.submit("refuse").result(WAIT)
    assert (raised.value.message, raised.value.remedy) == ("It has two solutions.", "Look again.")
    assert raised.value.status == "many"
    assert str(raised.value) == "It has two solutions. Look again."


def test_a_mistake_of_the_program_names_its_place_and_nothing_of_the_data(pool: Pool) -> None:
    with pytest.raises(JobFailedError, match=r"^ValueError at .*stand_in_handler\.py:\d+$"):
        pool.submit("fail", body=b"secret").result(WAIT)


def test_a_job_that_takes_too_long_ends_its_worker_and_no_other(pool: Pool) -> None:
    until_ready(pool)
    before, lost = set(pool.process_ids()), pool.state()["lost"]
    slow = pool.submit("wait", seconds=60)
    began = time.monotonic()
    assert pool.submit("echo", body=b"meanwhile").result(WAIT) == b"meanwhile"
    assert time.monotonic() - began < 0.8
    with pytest.raises(TimeoutError):
        slow.result(WAIT)
    until_ready(pool)
    assert len(before & set(pool.process_ids())) == 1
    assert len(pool.process_ids()) == 2
    assert pool.state()["lost"] == lost + 1


@pytest.mark.parametrize("job", ["die", "leave"])
def test_a_worker_that_dies_is_replaced_and_its_job_is_answered(pool: Pool, job: str) -> None:
    until_ready(pool)
    arguments = {"body": b"first"} if job == "die" else {}
    with pytest.raises(WorkerLostError):
        pool.submit(job, **arguments).result(WAIT)
    until_ready(pool)
    assert pool.submit("echo", body=b"again").result(WAIT) == b"again"


def test_workers_that_died_while_nothing_was_asked_cost_no_job(pool: Pool) -> None:
    until_ready(pool)
    killed = pool.process_ids()
    for process in killed:
        os.kill(process, signal.SIGKILL)
    until(lambda: not any(one in killed for one in pool.process_ids()))
    assert pool.submit("echo", body=b"next").result(WAIT) == b"next"


def test_a_job_that_has_cost_two_workers_is_not_tried_again(pool: Pool) -> None:
    until_ready(pool)
    for _ in range(2):
        with pytest.raises(WorkerLostError):
            pool.submit("die", body=b"poison").result(WAIT)
        until_ready(pool)
    with pytest.raises(SuspectError):
        pool.submit("die", body=b"poison")
    assert pool.submit("echo", body=b"poison").result(WAIT) == b"poison"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of a process like this")
def test_a_job_that_wants_too_much_memory_fails_and_its_worker_goes_on(pool: Pool) -> None:
    until_ready(pool)
    lost = pool.state()["lost"]
    with pytest.raises(MemoryError):
        pool.submit("eat", size=2_000_000_000).result(WAIT)
    assert pool.submit("eat", size=100_000_000).result(WAIT) == b"100000000"
    assert pool.state()["lost"] == lost


def test_what_opencv_says_without_memory_is_taken_as_that(pool: Pool) -> None:
    with pytest.raises(MemoryError):
        pool.submit("starve").result(WAIT)


def test_beyond_the_queue_it_is_said_at_once(pool: Pool) -> None:
    until_ready(pool)
    taken = [pool.submit("wait", seconds=0.2) for _ in range(4)]
    began = time.perf_counter()
    with pytest.raises(BusyError):
        pool.submit("echo", body=b"one too many")
    assert time.perf_counter() - began < 0.02
    assert pool.state()["waiting"] <= 4
    assert [one.result(WAIT) for one in taken] == [b"waited"] * 4
    assert pool.submit("echo", body=b"now").result(WAIT) == b"now"


def test_who_no_longer_waits_costs_no_worker(pool: Pool) -> None:
    until_ready(pool)
    running = [pool.submit("wait", seconds=0.2) for _ in range(2)]
    until(lambda: pool.state()["busy"] == 2)
    waiting = pool.submit("wait", seconds=30)
    assert waiting.cancel()
    assert [one.result(WAIT) for one in running] == [b"waited"] * 2
    assert pool.submit("echo", body=b"soon").result(0.8) == b"soon"


def test_a_handler_that_can_not_be_opened_is_told_at_the_start() -> None:
    factory = Factory("stand_in_handler", "StandInHandler", {"model": False})
    with pytest.raises(ModelError, match="There is no model"):
        Pool(factory, PoolSettings()).start()
    with pytest.raises(JobFailedError, match="ModuleNotFoundError"):
        Pool(Factory("no_such_module", "Desk"), PoolSettings()).start()


def test_when_the_pool_ends_so_do_its_workers_and_all_that_waits_is_answered() -> None:
    with Pool(DESK, PoolSettings(workers=1, queue=4, seconds=60)) as pool:
        processes = pool.process_ids()
        jobs = [pool.submit("wait", seconds=50) for _ in range(3)]
        until(lambda: pool.state()["busy"] == 1)
        began = time.monotonic()
    assert time.monotonic() - began < 2
    assert not any(map(is_alive, processes))
    for job in jobs:
        with pytest.raises(WorkerLostError):
            job.result(WAIT)
    with pytest.raises(BusyError):
        pool.submit("echo", body=b"too late")
