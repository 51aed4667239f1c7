"""What a cluster costs: speed with 1 and 2 workers, the client's memory, and how far one scheduler goes.

    python benchmarks/cluster.py [--count N] [PHOTO...]

Starts a scheduler and workers of one thread on loopback (needs the extra ``cluster``), and tells

* photos a second, wall and processor, with 1 worker and with 2: *N* photos, of the files given in turn, read
  from their bytes;
* what the client and the scheduler spend on a task of so many bytes, in milliseconds of processor: tasks that
  do next to nothing, so that all there is to see is the way there and back.

Processor times hold on a busy machine, too. The scheduler is one process on one core: a task that takes a
worker T, and the scheduler S, keeps T/S workers busy at most.
"""

from __future__ import annotations

from sudoku_vision.blas import start_with_one_thread

start_with_one_thread()  # before NumPy is loaded

import argparse
import contextlib
import importlib
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudoku_vision.parallel import map_in_order, open_executor

START_SECONDS = 60.0
SIZES = (1_000, 60_000, 600_000, 3_000_000)
"""Bytes of a task: hardly any, a VGA photo, one of 2 and one of 12 megapixels."""
RESULT = 6_000
"""Bytes of an answer: about those of a page with one grid."""


def read(data: bytes) -> str:
    """Read a photo from its bytes."""
    from sudoku_vision.pipeline import read_photo

    return read_photo(data).status


def nothing(data: bytes) -> bytes:
    """Return as much as a page with one grid has."""
    return bytes(min(len(data), RESULT))


@dataclass(frozen=True)
class Processes:
    """The processes of a cluster, this one among them."""

    address: str
    scheduler: Any
    workers: Sequence[Any]
    client: Any

    def seconds(self) -> tuple[float, float, float]:
        """Return what client, scheduler and workers have had of the processor so far."""
        client, scheduler = (spent(one) for one in (self.client, self.scheduler))
        return client, scheduler, sum(spent(one) for one in self.workers)


def spent(process: Any) -> float:
    """Return what a process has had of the processor so far, in seconds."""
    times = process.cpu_times()
    return float(times.user + times.system)


@contextlib.contextmanager
def loopback(workers: int) -> Iterator[Processes]:
    """Run a scheduler and so many workers."""
    psutil: Any = importlib.import_module("psutil")  # comes with distributed, and has no types

    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        told = Path(folder) / "scheduler.json"

        def start(module: str, *options: str) -> Any:
            call = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *options]
            process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return psutil.Process(process.pid)

        scheduler = start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told)
        )
        end = time.monotonic() + START_SECONDS
        while not told.exists() and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.2)
        address = json.loads(told.read_text())["address"]
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", folder)
        running = [start("dask_worker", address, *options) for _ in range(workers)]
        yield Processes(address, scheduler, running, psutil.Process())


def measure_photos(paths: Sequence[Path], count: int) -> None:
    """Print photos a second with 1 worker and with 2, and what each part spends on one."""
    photos = [path.read_bytes() for path in paths]
    print(f"{count} photos of {sum(map(len, photos)) / len(photos) / 1000:.0f} kB")
    print("workers  wall s  photos/s   processor ms a photo: client  scheduler  workers")
    for workers in (1, 2):
        with loopback(workers) as running:
            wait_for(running, workers)
            with open_executor(cluster=running.address) as executor:
                warm = itertools.islice(itertools.cycle(photos), 8 * workers)
                for _ in map_in_order(executor, read, warm):
                    pass
                before, begun = running.seconds(), time.perf_counter()
                chosen = itertools.islice(itertools.cycle(photos), count)
                for outcome in map_in_order(executor, read, chosen):
                    outcome.unwrap()
                wall = time.perf_counter() - begun
                each = [1000 * (b - a) / count for a, b in zip(before, running.seconds(), strict=True)]
        parts = "".join(f"{one:11.2f}" for one in each)
        print(f"{workers:7}{wall:8.1f}{count / wall:10.1f}{'':24}{parts}", flush=True)


def wait_for(running: Processes, workers: int) -> None:
    """Wait until the scheduler knows all workers."""
    from distributed import Client

    with Client(running.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(workers, timeout=START_SECONDS)


def measure_way() -> None:
    """Print what a task costs on its way, by its bytes."""
    with loopback(1) as running:
        wait_for(running, 1)
        with open_executor(cluster=running.address) as executor:
            for _ in map_in_order(executor, nothing, itertools.repeat(b"", 20)):
                pass  # until the worker has loaded what it needs
            print("bytes of a task   processor ms: client  scheduler  worker   tasks/s of the scheduler")
            for size in SIZES:
                count = max(50, min(1000, 300_000_000 // size))
                before = running.seconds()
                for outcome in map_in_order(executor, nothing, (bytes(size) for _ in range(count))):
                    outcome.unwrap()
                each = [1000 * (b - a) / count for a, b in zip(before, running.seconds(), strict=True)]
                parts = "".join(f"{one:10.2f}" for one in each)
                print(f"{size:15,}{'':14}{parts}{1000 / each[1]:16.0f}", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description="What a cluster costs, on loopback.")
    parser.add_argument("photos", nargs="*", type=Path, metavar="PHOTO", help="files that are read")
    parser.add_argument("--count", type=int, default=160, metavar="N", help="photos that are read")
    chosen = parser.parse_args(arguments)
    if chosen.photos:
        measure_photos(chosen.photos, chosen.count)
    measure_way()


if __name__ == "__main__":
    main()
