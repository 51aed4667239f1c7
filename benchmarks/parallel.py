"""Measure how much faster a command is with several processes, and how fast several commands would be.

    python benchmarks/parallel.py [--jobs N] [--runs N] [COMMAND...] FOLDER

Three ways take turns: ``sudoku-vision solve FOLDER -o (a folder)``, or another COMMAND such as ``check``,
with ``--jobs 1``; the same with ``--jobs N``; and N commands with ``--jobs 1`` at the same time, each with a
part of the pictures. It prints the wall time and the processor time of all processes, and the ratios of
medians.

The N commands share nothing, so they show what the machine can give at that moment. They are less than N
times as fast if two cores are threads of one core, or if other programs use the memory.
"""

import argparse
import contextlib
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sudoku_vision.parallel.worker_process import OPENCV_THREADS


@dataclass(frozen=True)
class Run:
    """Wall time and processor time of commands with all their processes, in seconds."""

    wall: float
    processor: float


def run(command: Sequence[str], shares: Sequence[Sequence[Path]], jobs: int) -> Run:
    """Run a command for each of *shares*, which are files or folders, all at the same time."""
    alone = {OPENCV_THREADS: "1"} if len(shares) > 1 else {}  # as in worker processes
    with tempfile.TemporaryDirectory() as out:
        before, begun = os.times(), time.perf_counter()
        started = [
            subprocess.Popen(
                _call(command, share, jobs, Path(out) / str(index)),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=os.environ | alone,
            )
            for index, share in enumerate(shares)
        ]
        for process in started:
            process.wait()
        wall = time.perf_counter() - begun
        _wait_for_orphans()
        after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return Run(wall, processor)


def _call(command: Sequence[str], share: Sequence[Path], jobs: int, out: Path) -> list[str]:
    call = [sys.executable, "-m", "sudoku_vision", *command, *map(str, share), "--jobs", str(jobs)]
    return [*call, "-o", str(out)] if command[0] == "solve" else call


def _adopt_orphans() -> None:
    """Become the parent of processes that outlive a command: then their processor time is counted."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _wait_for_orphans() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


_PR_SET_CHILD_SUBREAPER = 36
"""An option of prctl(2)."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line for each run and the ratios of medians."""
    parser = argparse.ArgumentParser(description="How much quicker several processes are.")
    parser.add_argument("command", nargs="*", default=["solve"], help="a command, and options of it")
    parser.add_argument("folder", type=Path, help="pictures")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="runs of each")
    chosen = parser.parse_args(arguments)
    _adopt_orphans()
    jobs: int = chosen.jobs
    pictures = sorted(path for path in chosen.folder.iterdir() if path.suffix != ".dat")
    ways = {
        "1 job": ([[chosen.folder]], 1),
        f"{jobs} jobs": ([[chosen.folder]], jobs),
        f"{jobs} commands": ([pictures[first::jobs] for first in range(jobs)], 1),
    }
    runs: dict[str, list[Run]] = {way: [] for way in ways}
    for _ in range(chosen.runs):
        for way, (shares, each) in ways.items():
            runs[way].append(run(chosen.command, shares, each))
            took = runs[way][-1]
            print(f"{way:<12}{took.wall:6.1f} s wall, {took.processor:6.1f} s of the processor", flush=True)
    one, *others = ((way, statistics.median(took.wall for took in done)) for way, done in runs.items())
    for way, wall in others:
        print(f"{way}: {one[1] / wall:.2f} times as quick as {one[0]}")


if __name__ == "__main__":
    main()
