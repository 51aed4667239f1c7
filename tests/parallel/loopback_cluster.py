"""A scheduler and its workers, as processes of this machine: what a cluster is made of, on loopback."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

START = 60.0
"""Seconds that a scheduler or a worker may take to begin; one is usual."""


@dataclass
class LoopbackCluster:
    """A scheduler at ``address`` and the processes of its ``workers``."""

    address: str
    scheduler: subprocess.Popen[bytes]
    folder: Path
    workers: list[subprocess.Popen[bytes]]

    def start_worker(self) -> None:
        """Start one more worker, of one thread; it is known to the scheduler a moment later."""
        number = len(self.workers)
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder)]
        self.workers.append(
            _started("dask_worker", [self.address, *options], self.folder / f"worker{number}")
        )

    def have(self, count: int) -> None:
        """Start workers until so many are alive."""
        while sum(worker.poll() is None for worker in self.workers) < count:
            self.start_worker()

    def stop(self) -> None:
        """End the workers."""
        for worker in self.workers:
            worker.kill()
            worker.wait()


@contextlib.contextmanager
def loopback_cluster(folder: Path, workers: int) -> Iterator[LoopbackCluster]:
    """Run a scheduler and *workers*, whose files and words go into *folder*."""
    told = folder / "scheduler.json"
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    scheduler = _started("dask_scheduler", [*options, "--scheduler-file", str(told)], folder / "scheduler")
    cluster = None
    try:
        address = _address_in(told, scheduler)
        cluster = LoopbackCluster(address, scheduler, folder, [])
        cluster.have(workers)
        yield cluster
    finally:
        if cluster is not None:
            cluster.stop()
        scheduler.kill()
        scheduler.wait()


def _started(module: str, options: list[str], log: Path) -> subprocess.Popen[bytes]:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",  # workers that one task may cost: 3 by default
    }
    command = [sys.executable, "-m", f"distributed.cli.{module}", *options]
    with log.with_suffix(".log").open("wb") as words:
        return subprocess.Popen(command, env=environment, stdout=words, stderr=words)


def _address_in(told: Path, scheduler: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + START
    while time.monotonic() < end and scheduler.poll() is None:
        with contextlib.suppress(OSError, ValueError):
            return str(json.loads(told.read_text(encoding="utf-8"))["address"])
        time.sleep(0.02)
    raise RuntimeError("the scheduler did not start: see its log beside " + str(told))
