"""Clusters of this machine: the same answers as without one, and a lost worker loses nothing."""

import asyncio
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import Mock

import pytest
import stand_in_tasks as tasks
from conftest import PUZZLE, Run

from sudoku_vision.errors import ClusterError, ImproperError, MissingExtraError, TaskLostError, UsageError
from sudoku_vision.parallel import cluster as cluster_room
from sudoku_vision.parallel import map_in_order, open_executor
from sudoku_vision.parallel.cluster import ClusterExecutor

needs_distributed = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)
WAIT = 30.0  # seconds that a test waits for something that takes less than one
START = 60.0  # seconds that a scheduler or a worker may take to begin; one is usual


class LoopbackCluster:
    """A scheduler at ``address`` and the processes of its ``workers``; their messages go into *folder*."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.workers = folder, list[subprocess.Popen[bytes]]()
        options = ("--host", "127.0.0.1", "--port", "0", "--no-show")
        self.scheduler = self._started("scheduler", *options, "--scheduler-file", str(folder / "told.json"))

    @cached_property
    def address(self) -> str:
        end = time.monotonic() + START
        while time.monotonic() < end and self.scheduler.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                return str(json.loads((self.folder / "told.json").read_text(encoding="utf-8"))["address"])
            time.sleep(0.02)
        raise RuntimeError(f"the scheduler did not start: see its log in {self.folder}")

    def _started(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",  # workers that one task may cost
        }
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *options]
        with (self.folder / f"{kind}.log").open("ab") as words:
            return subprocess.Popen(command, env=environment, stdout=words, stderr=words)

    def have(self, count: int) -> None:
        """Start workers, each of one thread, until so many are alive."""
        while sum(worker.poll() is None for worker in self.workers) < count:
            options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder))
            self.workers.append(self._started("worker", self.address, *options))

    def stop(self) -> None:
        """End all processes."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackCluster]:
    from distributed import Client

    running = LoopbackCluster(tmp_path_factory.mktemp("cluster"))
    try:
        running.have(2)
        with Client(running.address) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(2, timeout=WAIT)
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def executor(running: LoopbackCluster) -> Iterator[Executor]:
    with open_executor(cluster=running.address) as executor:
        yield executor


@needs_distributed
def test_answers_and_errors_are_those_without_a_cluster_and_each_task_is_done(tmp_path: Path) -> None:
    """Here the scheduler and its workers are threads of this process, which start at once."""
    from distributed import LocalCluster

    items = ["one", "fail", "refuse", "two"]
    local: dict[str, object] = {"processes": False, "n_workers": 2, "threads_per_worker": 1}
    local |= {"protocol": "tcp", "host": "127.0.0.1", "dashboard_address": None}
    with open_executor(1) as here:
        expected = list(map_in_order(here, tasks.act, items))
    with (
        LocalCluster(**local) as cluster,  # type: ignore[no-untyped-call]
        open_executor(cluster=cluster.scheduler_address) as executor,
    ):
        found = list(map_in_order(executor, tasks.act, items))
        for _, future in map_in_order(executor, tasks.note, [str(tmp_path / "notes")] * 40):
            future.result()
    assert (tmp_path / "notes").read_text() == 40 * "done\n"
    assert [item for item, _ in found] == items
    for (_, one), (_, other) in zip(found, expected, strict=True):
        error, same = one.exception(), other.exception()
        assert type(error) is type(same) and str(error) == str(same)
        assert error is not None or one.result() == other.result()
    refuse = found[2][1].exception()
    assert isinstance(refuse, ImproperError)
    assert (refuse.status, refuse.remedy) == ("many", "Look again.")


@needs_distributed
@pytest.mark.slow
def test_commands_say_the_same(run: Run, run_workshop: Run, running: LoopbackCluster, tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "sample_images" / "newspaper.jpg"
    (tmp_path / "labels.csv").write_text(f"id,file,tags,printed,all\n1,{sample.name},photo,{81 * '0'},\n")
    (tmp_path / sample.name).write_bytes(sample.read_bytes())
    puzzles = tmp_path / "list.txt"
    puzzles.write_text(f"11{79 * '0'}\nno board\n" + 9 * f"{PUZZLE}\n")
    for call in (
        ["puzzles", "--json", puzzles],
        ["generate", "--json", "--seed", "5", "--count", "3"],
        ["evaluate", "--json", tmp_path],
        ["solve", "--json", tmp_path / sample.name],
    ):
        do = run_workshop if call[0] == "evaluate" else run
        there = do(*call, "--cluster", running.address)
        here = do(*call)
        assert (there.status, timeless(there.out)) == (here.status, timeless(here.out)), call
        said = f"sudoku-vision: {running.address}: 2 workers, 2 threads.\n{here.err}"
        assert timeless(there.err) == timeless(said), call


def timeless(printed: str) -> str:
    """What was printed, without the seconds in it."""
    return re.sub(r'seconds": [\d.]+|[\d.]+ s(, [\d,]+ a second)?', "", printed)


@needs_distributed
@pytest.mark.slow
def test_other_versions_are_refused(running: LoopbackCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_room, "__version__", "9.9")
    with pytest.raises(ClusterError, match=r"it is 9\.9"), open_executor(cluster=running.address):
        pass


@needs_distributed
@pytest.mark.slow
def test_a_lost_worker_loses_nothing(running: LoopbackCluster, executor: Executor) -> None:
    seconds = [0.01 * (number % 4) for number in range(60)]
    done = []
    for _, future in map_in_order(executor, tasks.rest, seconds):
        done.append(future.result())
        if len(done) == 10:
            running.workers[0].kill()
            running.workers[0].wait()
    assert done == seconds


@needs_distributed
@pytest.mark.slow
def test_a_task_that_kills_workers_is_given_up(running: LoopbackCluster, executor: Executor) -> None:
    running.have(2)
    ((_, future),) = map_in_order(executor, tasks.act, ["leave"])
    error = future.exception()
    assert isinstance(error, TaskLostError) and error.remedy


@needs_distributed
@pytest.mark.slow
def test_a_lost_scheduler_ends_the_work_in_a_sentence(running: LoopbackCluster, executor: Executor) -> None:
    outcomes = map_in_order(executor, tasks.rest, [60.0] * 1000)
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(next, outcomes)
        time.sleep(0.2)
        running.scheduler.kill()
        assert isinstance(first.result(WAIT)[1].exception(), ClusterError)
    with pytest.raises(ClusterError, match="is gone"):
        for _, future in outcomes:
            future.result()
    with pytest.raises(ClusterError, match="No scheduler answers"), open_executor(cluster=running.address):
        pass


def test_when_no_worker_is_left_the_work_ends_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_room, "CONNECT_SECONDS", 0.05)
    monkeypatch.setattr(cluster_room, "WATCH_SECONDS", 0.01)
    client, begun = Mock(**{"nthreads.side_effect": [{"one": 1}, *[{}] * 1000]}), []
    client.gather.side_effect = CancelledError
    client.loop.add_callback.side_effect = lambda call, *arguments: begun.append(call(*arguments))
    client.cancel.side_effect = lambda _: [asyncio.run(one) for one in begun]
    executor = ClusterExecutor(client, "tcp://a:1")
    with pytest.raises(ClusterError, match="no workers"):
        executor.submit(tasks.double, 1).result(WAIT)


@needs_distributed
def test_a_listener_that_is_no_scheduler_is_reported_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_room, "CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(ClusterError, match="No scheduler answers"), open_executor(cluster=address):
            pass


@needs_distributed
def test_impossible_addresses_are_refused() -> None:
    for wrong in ("nonsense://host:1", "tcp://", "tcp://host", "tcp://host:port", "host", ""):
        with pytest.raises(UsageError, match="not the address"), open_executor(cluster=wrong):
            pass


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(MissingExtraError, match=r"pip install .\.\[cluster\]"),
        open_executor(cluster="tcp://a:1"),
    ):
        pass
