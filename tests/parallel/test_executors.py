"""Every executor gives results in order, loses only the task of a lost worker, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest
import stand_in_tasks as tasks
from psutil import pid_exists

from sudoku_vision import parallel
from sudoku_vision.errors import ImproperError, TaskLostError, TaskTimeoutError, UsageError
from sudoku_vision.parallel import available_cores, map_in_order, open_executor
from sudoku_vision.parallel.process_pool import ProcessPool

WAIT = 20.0  # seconds that a test waits for something that takes less than one

PRELOADED = {"spawned": None, "forked": "sudoku_vision.cli.preloaded"}
"""What is preloaded where workers are forked; they are spawned where nothing is."""

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")
FORKED = pytest.param("forked", marks=LINUX)


@pytest.fixture(scope="module", params=["spawned", FORKED])
def processes(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with open_executor(2, task_seconds=2.0, preloaded=PRELOADED[request.param]) as executor:
        yield executor


@pytest.fixture(scope="module", params=[1, 2])
def executor(request: pytest.FixtureRequest, processes: Executor) -> Iterator[Executor]:
    if request.param == 2:
        yield processes
        return
    with open_executor(1) as here:
        yield here


def until_gone(process: int) -> None:
    end = time.monotonic() + WAIT
    while pid_exists(process):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_outcomes_come_in_the_order_of_the_items(executor: Executor) -> None:
    found = [(item, task.result()) for item, task in map_in_order(executor, tasks.double, range(40))]
    assert found == [(number, 2 * number) for number in range(40)]


def test_items_are_drawn_as_they_are_needed(executor: Executor) -> None:
    drawn, ahead = 0, getattr(executor, "ahead", 0)

    def endless() -> Iterator[int]:
        nonlocal drawn
        while True:
            drawn += 1
            yield drawn

    outcomes = map_in_order(executor, tasks.double, endless())
    for taken, (item, _) in enumerate(islice(outcomes, 30)):
        assert item == taken + 1
        assert drawn - taken <= ahead
    outcomes.close()


def test_what_a_task_raises_is_the_error_of_its_item(executor: Executor) -> None:
    items = ["one", "fail", "refuse", "unsendable", "starve", "two"]
    found, futures = zip(*map_in_order(executor, tasks.act, items), strict=True)
    assert list(found) == items
    assert [futures[0].result(), futures[5].result()] == ["done one", "done two"]
    fail, refuse, unsendable, starve = (future.exception() for future in futures[1:5])
    assert isinstance(fail, ValueError) and isinstance(starve, MemoryError)
    assert isinstance(refuse, ImproperError)
    assert (refuse.status, refuse.remedy) == ("many", "Look again.")
    assert "unsendable" in str(unsendable)
    assert "two solutions" in str(refuse)


def test_a_task_that_ends_its_worker_or_takes_too_long_is_lost_alone(processes: Executor) -> None:
    items = ["one", "die", "two", "leave", "three", "exit", "four", "hang", "five", "six"]
    outcomes = dict(map_in_order(processes, tasks.act, items))
    lost = {"die": TaskLostError, "leave": TaskLostError, "exit": TaskLostError, "hang": TaskTimeoutError}
    assert list(outcomes) == items
    assert all(outcomes[item].result() == f"done {item}" for item in items if item not in lost)
    for item, kind in lost.items():
        error = outcomes[item].exception()
        assert isinstance(error, kind) and error.remedy
        assert ("2 seconds" in str(error)) == (item == "hang")


def test_a_task_of_a_worker_killed_by_chance_is_done_by_the_next(processes: Executor, tmp_path: Path) -> None:
    assert processes.submit(tasks.die_once, str(tmp_path / "note")).result(WAIT) == "done"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process")
@pytest.mark.parametrize("size", [0, 3_000_000])
def test_a_worker_that_hangs_loses_its_task_in_time_and_is_replaced(size: int) -> None:
    """A large task doesn't fit into the pipe: handing it over waits for the worker."""
    pool = ProcessPool(1, seconds=0.2)
    try:
        pool.start()
        (stopped,) = pool.process_ids()
        os.kill(stopped, signal.SIGSTOP)
        with pytest.raises(TaskTimeoutError):
            pool.submit(tasks.length, bytes(size)).result(WAIT)
        while pool.process_ids() in ([], [stopped]):
            time.sleep(0.01)
    finally:
        pool.kill()


def test_a_worker_that_ends_while_it_is_idle_loses_nothing(processes: Executor) -> None:
    assert isinstance(processes, ProcessPool)
    processes.submit(tasks.double, 1).result(WAIT)
    for process in processes.process_ids():
        os.kill(process, signal.SIGKILL)
    while processes.process_ids():
        time.sleep(0.01)
    outcomes = map_in_order(processes, tasks.double, range(6))
    assert [future.result() for _, future in outcomes] == [0, 2, 4, 6, 8, 10]


ALONE = ("1", 1, os.nice(0))  # threads of a worker, and its rank


def test_a_second_process_is_started_for_a_second_task_alone_and_each_has_one_thread() -> None:
    with open_executor(2) as executor:
        assert isinstance(executor, ProcessPool)
        assert executor.process_ids() == []
        first = [executor.submit(tasks.process, None).result(WAIT) for _ in range(3)]
        assert len(set(first)) == 1
        assert len(executor.process_ids()) == 1
        assert executor.submit(tasks.settings, None).result(WAIT) == ALONE
    assert not any(pid_exists(process) for process in first)


def test_leaving_the_context_ends_what_is_under_way_at_once() -> None:
    begun = time.monotonic()
    with open_executor(2) as executor:
        assert isinstance(executor, ProcessPool)
        executor.submit(tasks.double, 1).result(WAIT)
        futures = [executor.submit(tasks.rest, 60.0) for _ in range(5)]
        while sum(future.running() for future in futures) < 2:
            time.sleep(0.01)
        ids = executor.process_ids()
    assert time.monotonic() - begun < WAIT
    assert not any(pid_exists(process) for process in ids)
    for future in futures:
        with pytest.raises((CancelledError, TaskLostError)):
            future.result(0)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
def test_a_task_that_takes_too_much_memory_fails_alone() -> None:
    with open_executor(2, task_memory=400_000_000) as executor:
        (_, large), (_, small) = map_in_order(executor, tasks.take, [500_000_000, 1000])
    assert isinstance(large.exception(), MemoryError)
    assert small.result() == 1000


def test_closing_the_generator_cancels_what_has_not_begun() -> None:
    class Deaf(Executor):
        """Never does anything."""

        futures: list[Future[int]] = []  # noqa: RUF012
        ahead = 3

        def submit(self, *_: object, **__: object) -> Future[int]:  # type: ignore[override]
            self.futures.append(Future())
            return self.futures[-1]

    executor = Deaf()
    outcomes = map_in_order(executor, tasks.double, range(9))
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(next, outcomes)
        while len(executor.futures) < 3:
            time.sleep(0.01)
        executor.futures[0].set_result(7)
        assert first.result(WAIT) == (0, executor.futures[0])
    outcomes.close()
    first_one, *others = (future.cancelled() for future in executor.futures)
    assert not first_one and all(others)


@LINUX
def test_workers_are_forked_from_one_process_with_one_thread_that_has_loaded_all() -> None:
    with open_executor(2, preloaded=PRELOADED["forked"]) as executor:
        found = {future.result() for _, future in map_in_order(executor, tasks.descent, [0.1] * 4)}
        assert executor.submit(tasks.settings, None).result(WAIT) == ALONE
    assert len(found) == 1
    parent, threads, loaded = found.pop() or (0, 0, False)
    assert parent != os.getpid()
    assert (threads, loaded) == (1, True)


INTERRUPTED = """
import multiprocessing.forkserver
import stand_in_tasks as tasks
from test_executors import PRELOADED
from sudoku_vision.parallel import map_in_order, open_executor

with open_executor(2, preloaded=PRELOADED[HOW]) as executor:
    executor.submit(tasks.double, 1).result()
    executor.submit(tasks.rest, 0.2)
    executor.submit(tasks.rest, 0.2).result()
    server = multiprocessing.forkserver._forkserver._forkserver_pid
    print(*executor.process_ids(), *filter(None, [server]), flush=True)
    for _ in map_in_order(executor, tasks.rest, [60.0] * 100):
        pass
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("how", ["spawned", FORKED])
@pytest.mark.parametrize("ending", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_program_that_is_ended_leaves_no_process_behind(ending: signal.Signals, how: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    program = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED.replace("HOW", repr(how))],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with program:
        assert program.stdout is not None
        ids = [int(word) for word in program.stdout.readline().split()]
        assert len(ids) == 2 + (how == "forked")
        time.sleep(0.1)
        if ending is signal.SIGINT:
            os.killpg(program.pid, ending)  # as a terminal does: the workers get it, too
        else:
            program.kill()
        program.wait(WAIT)
    for process in ids:
        until_gone(process)


def test_one_job_works_in_this_process_and_none_is_refused() -> None:
    with pytest.raises(UsageError, match="0 jobs"), open_executor(0):
        pass
    with open_executor(1) as here:
        assert here.submit(tasks.process, None).result() == os.getpid()


@pytest.mark.parametrize(
    ("said", "granted"), [("max 100000", None), ("150000 100000", 2), ("50000 100000", 1)]
)
def test_a_container_has_the_cores_that_it_is_granted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, granted: int | None
) -> None:
    monkeypatch.setattr(parallel, "_QUOTA", tmp_path / "cpu.max")
    everything = available_cores()
    (tmp_path / "cpu.max").write_text(said)
    assert available_cores() == (everything if granted is None else min(everything, granted))
