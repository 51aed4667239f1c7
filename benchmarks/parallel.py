"""How much quicker several processes are: a command over many pictures with 1 job and with N, in turn.

    python benchmarks/parallel.py [--jobs N] [--runs N] [COMMAND...] FOLDER

Runs ``sudoku-vision solve FOLDER -o (a folder)``, or another COMMAND such as ``evaluate``, with ``--jobs 1``
and ``--jobs N`` in turn, whole processes with all that they start. Tells for each the wall time and that of
the processor, and their ratios.

The ratio of wall times is worth something on an idle machine alone. That of processor times says, on any
machine, what sharing the work out costs: N divided by it is what N idle cores could reach at best.
"""

from __future__ import annotations

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


@dataclass(frozen=True)
class Run:
    """Seconds that a command took: on the wall, and of the processor with all that it started."""

    wall: float
    processor: float


def run(command: Sequence[str], folder: str, jobs: int) -> Run:
    """Run a command over a folder with so many jobs."""
    with tempfile.TemporaryDirectory() as out:
        call = [sys.executable, "-m", "sudoku_vision", *command, folder, "--jobs", str(jobs)]
        call += ["-o", out] if command[0] == "solve" else []
        before, begun = os.times(), time.perf_counter()
        subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        wall = time.perf_counter() - begun
        _wait_for_orphans()
        after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return Run(wall, processor)


def _adopt_orphans() -> None:
    """Become the parent of what a command leaves behind, so that its processor time is counted, too."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _wait_for_orphans() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


_PR_SET_CHILD_SUBREAPER = 36
"""Of prctl(2): workers are forked by a process that ends just after the command."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line a run and the ratios of medians."""
    parser = argparse.ArgumentParser(description="How much quicker several processes are.")
    parser.add_argument("command", nargs="*", default=["solve"], help="a command, and options of it")
    parser.add_argument("folder", help="pictures")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="runs of each")
    chosen = parser.parse_args(arguments)
    _adopt_orphans()
    runs: dict[int, list[Run]] = {1: [], chosen.jobs: []}
    for _ in range(chosen.runs):
        for jobs, done in runs.items():
            done.append(run(chosen.command, chosen.folder, jobs))
            print(f"{jobs} jobs: {done[-1].wall:6.1f} s wall, {done[-1].processor:6.1f} s of the processor")
    wall, processor = (
        [statistics.median(getattr(one, what) for one in done) for done in runs.values()]
        for what in ("wall", "processor")
    )
    print(
        f"wall: {wall[0] / wall[1]:.2f} times as quick; processor: {processor[1] / processor[0]:.2f} of it,"
    )
    print(f"so at best {chosen.jobs * processor[0] / processor[1]:.2f} times on {chosen.jobs} idle cores")


if __name__ == "__main__":
    main()
