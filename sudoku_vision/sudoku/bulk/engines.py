"""The engines of bulk solving: the pure core here or in processes, the compiled kernel in threads, a cluster.

Each takes batches of boards and hands out the parts of each, to come; all come to the same.
"""

from __future__ import annotations

import functools
import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import TaskLostError
from sudoku_vision.sudoku.solver import UNITS, solve

if TYPE_CHECKING:
    from sudoku_vision.sudoku.bulk.kernel import Solve

Values = NDArray[np.uint8]
"""Boards (N, 81) uint8, 0 for blank."""

SolveBatch = Callable[["Values"], "Solved"]
"""Solves a batch of boards; a function at the top of a module, for it travels to workers."""

STATUSES = ("none", "one", "many", "gave_up", "clash", "malformed")
"""What the codes in :attr:`Solved.statuses` mean; the kernel knows the first four."""

CODES = {status: code for code, status in enumerate(STATUSES)}
"""The code of each status."""

KERNEL_GUESSES = 5_000
"""Guesses after which the kernel leaves a board to the pure core, that finds a corner that can't be filled.

The hardest known puzzles take fewer than 1,000.
"""

SHARE = 128
"""Boards that a process gets at once: some hundredths of a second of work, so that all end together."""

CLUSTER_SHARE = 4_096
"""Boards that a worker of a cluster gets at once: work that is worth the way there, a megabyte in all."""


@dataclass(frozen=True, eq=False)
class Solved:
    """What became of N boards.

    ``statuses`` (N,) uint8 are places in :data:`STATUSES`. ``solutions`` and ``seconds`` (N, 81) uint8 hold
    the solution and, where there are several, another one; zeros where there is none.
    """

    statuses: NDArray[np.uint8]
    solutions: Values
    seconds: Values

    @classmethod
    def blank(cls, count: int) -> Solved:
        """Make room for so many boards, all without a solution yet."""
        return cls(
            np.zeros(count, np.uint8), np.zeros((count, 81), np.uint8), np.zeros((count, 81), np.uint8)
        )


class Part(Protocol):
    """Boards that are solved, or will be: a future, or what stands for one."""

    def done(self) -> bool:
        """Tell whether they are solved."""

    def result(self) -> Solved:
        """Wait until they are solved, and return what became of them."""


class Engine(Protocol):
    """What solves batches of boards."""

    ahead: int
    """Batches in hand that keep it busy."""

    def submit(self, values: Values) -> list[Part]:
        """Begin to solve the boards *values* (N, 81) uint8, in one part or several."""

    def close(self) -> None:
        """Let go of threads and processes; what is not begun is dropped."""


class Here:
    """The pure core in this process; a batch is solved when it is handed over."""

    ahead = 1

    def submit(self, values: Values) -> list[Part]:
        """Solve *values*."""
        return [ready(solve_purely(values))]

    def close(self) -> None:
        """Let go of nothing: nothing is held."""


class Shared:
    """Batches shared out by an executor: to the pure core in processes, or to the workers of a cluster."""

    def __init__(self, opened: AbstractContextManager[Executor], solve_share: SolveBatch, size: int) -> None:
        """Open an executor and let its workers solve shares of *size* boards by *solve_share*."""
        self._opened = opened
        self._executor = opened.__enter__()
        self._solve, self.size = solve_share, size
        self.ahead: int = getattr(self._executor, "ahead", 1)

    def submit(self, values: Values) -> list[Part]:
        """Queue *values*."""
        shares = (values[at : at + self.size] for at in range(0, len(values), self.size))
        return [_Share(share, self._executor.submit(self._solve, share)) for share in shares]

    def close(self) -> None:
        """Send the processes away."""
        self._opened.__exit__(None, None, None)


@dataclass(frozen=True, eq=False)
class _Share:
    """Boards that a worker solves; where it is lost, they are solved here."""

    values: Values
    future: Future[Solved]

    def done(self) -> bool:
        return self.future.done()

    def result(self) -> Solved:
        try:
            return self.future.result()
        except TaskLostError:
            return solve_purely(self.values)


class KernelThreads:
    """The compiled kernel in threads, several batches at a time."""

    def __init__(self, jobs: int, announce: Callable[[str], object]) -> None:
        """Load the kernel, or compile it and say so; raises ImportError where there is no numba."""
        self._solve = _load_kernel(announce)
        self._pool = ThreadPoolExecutor(jobs, "sudoku")
        self.ahead = 2 * jobs
        self._stopped = threading.Event()

    def submit(self, values: Values) -> list[Part]:
        """Queue *values*; raises ValueError if they are none, for the kernel itself trusts them."""
        if values.dtype != np.uint8 or values.shape[1:] != (81,) or (values.size and values.max() > 9):
            raise ValueError(
                f"boards must be (N, 81) uint8 and hold 0 to 9, got {values.shape} {values.dtype}"
            )
        return [self._pool.submit(_solve_compiled, self._solve, values, self._stopped)]

    def close(self) -> None:
        """End the threads; the batches under way are done within a moment."""
        self._stopped.set()
        self._pool.shutdown(cancel_futures=True)


def _solve_compiled(kernel: Solve, values: Values, stopped: threading.Event) -> Solved:
    """Solve *values* with the kernel; what it gives up is left as it is once *stopped* is set."""
    from sudoku_vision.sudoku.bulk.kernel import GAVE_UP, NONE

    solved = Solved.blank(len(values))
    values = np.require(values, np.uint8, ["C", "W"])  # one signature, so one compilation
    kernel(values, KERNEL_GUESSES, solved.solutions, solved.seconds, solved.statuses)
    for at in np.flatnonzero(solved.statuses == GAVE_UP):
        if stopped.is_set():
            break
        _solve_one(values[at], solved, int(at))
    unsolved = np.flatnonzero(solved.statuses == NONE)
    solved.statuses[unsolved[clashing(values[unsolved])]] = CODES["clash"]
    return solved


def solve_anywhere(values: Values) -> Solved:
    """Solve *values* (N, 81) uint8 by the kernel, or by the pure core where there is no kernel: a task."""
    kernel = _kernel_or_none()
    return solve_purely(values) if kernel is None else _solve_compiled(kernel, values, threading.Event())


@functools.lru_cache(maxsize=1)
def _kernel_or_none() -> Solve | None:
    """Return the kernel, None where it can't be had."""
    try:
        return _load_kernel(lambda _: None)
    except Exception:  # as for threads: nothing may keep anyone from an answer
        return None


def kernel_is_loaded() -> bool:
    """Say whether the kernel was loaded before in this process, and waits for no one any more."""
    kernel = sys.modules.get("sudoku_vision.sudoku.bulk.kernel")
    return kernel is not None and kernel.compiled_solve.cache_info().currsize > 0


def solve_purely(values: Values, patience: float = math.inf) -> Solved:
    """Solve *values* (N, 81) uint8 one by one with the pure core.

    When *patience*, in seconds, is at its end, those solved so far come back.
    """
    solved = Solved.blank(len(values))
    end = time.perf_counter() + patience
    for at, board in enumerate(values):
        if time.perf_counter() > end:
            return Solved(solved.statuses[:at], solved.solutions[:at], solved.seconds[:at])
        _solve_one(board, solved, at)
    return solved


def _solve_one(board: Values, solved: Solved, at: int) -> None:
    """Solve a *board* (81,) with the pure core, and note at place *at* what became of it."""
    solution = solve(board)
    solved.statuses[at] = CODES[solution.status]
    for place, found in ((solved.solutions, solution.solution), (solved.seconds, solution.second)):
        place[at] = 0 if found is None else found.reshape(81)


def clashing(values: Values) -> NDArray[np.bool_]:
    """Say which of the boards (N, 81) have a digit twice in a unit: (N,) bool."""
    marks = np.left_shift(1, values, dtype=np.int16) & ~1
    units = marks[:, np.array(UNITS)]
    clash: NDArray[np.bool_] = (units.sum(2) != np.bitwise_or.reduce(units, axis=2)).any(1)
    return clash


def ready(solved: Solved) -> Future[Solved]:
    """Wrap what is solved already, as an engine would hand it out."""
    future: Future[Solved] = Future()
    future.set_result(solved)
    return future


def joined(parts: Sequence[Solved]) -> Solved:
    """Join several to one, in their order."""
    if len(parts) < 2:
        return parts[0] if parts else Solved.blank(0)
    return Solved(
        np.concatenate([part.statuses for part in parts]),
        np.concatenate([part.solutions for part in parts]),
        np.concatenate([part.seconds for part in parts]),
    )


def _load_kernel(announce: Callable[[str], object]) -> Solve:
    """Return the kernel, ready to run; compiled and kept on disk if it isn't yet.

    Where nothing can be kept, or what was kept is damaged, it is compiled for this run alone.
    """
    from sudoku_vision.sudoku.bulk import kernel

    try:
        with kernel.compiling(lambda: announce("compiling the solver, once: this takes some seconds.")):
            return _run_in(kernel.compiled_solve(cached=True))
    except Exception as error:  # numba passes on whatever reading, unpickling or writing its files brings up
        again = f"compiling the solver for this run alone: its code can't be kept ({first_line(error)})."
        with kernel.compiling(lambda: announce(again)):
            return _run_in(kernel.compiled_solve(cached=False))


def first_line(error: Exception) -> str:
    """Return what an error says, without the report that numba adds to it."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _run_in(solve: Solve) -> Solve:
    """Call the kernel once, on no board, so that it is compiled."""
    nothing = Solved.blank(0)
    solve(nothing.solutions, KERNEL_GUESSES, nothing.solutions, nothing.seconds, nothing.statuses)
    return solve
