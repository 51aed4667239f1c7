"""What solves a batch of boards: the pure core, or the compiled kernel; both come to the same."""

from __future__ import annotations

import functools
import math
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.sudoku.rules import UNITS
from sudoku_vision.sudoku.solver import SolutionStatus, solve

if TYPE_CHECKING:
    from sudoku_vision.sudoku.bulk.kernel import Solve

Values = NDArray[np.uint8]  # boards (N, 81) uint8, 0 for blank

STATUSES: tuple[SolutionStatus, ...] = ("none", "one", "many", "gave_up", "clash", "malformed")
"""What the codes in :attr:`Solved.statuses` mean; the kernel knows the first four."""
CODES = {status: code for code, status in enumerate(STATUSES)}  # the code of each status
NO_BOARD: Values = np.ones(81, np.uint8)
"""Stands for what is no board: its digits clash, which is found at once."""
KERNEL_GUESSES = 5_000
"""Guesses after which the kernel leaves a board to the pure core, that finds a corner that can't be filled.

The hardest known puzzles take fewer than 1,000.
"""


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
        return cls(*(np.zeros(shape, np.uint8) for shape in (count, (count, 81), (count, 81))))

    def followed_by(self, others: Solved) -> Solved:
        """Return these boards and *others* behind them."""
        mine, theirs = vars(self).values(), vars(others).values()
        return Solved(*(np.concatenate(pair) for pair in zip(mine, theirs, strict=True)))


def solve_compiled(kernel: Solve, stopped: threading.Event, values: Values) -> Solved:
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
    return solve_purely(values) if kernel is None else solve_compiled(kernel, threading.Event(), values)


@functools.lru_cache(maxsize=1)
def _kernel_or_none() -> Solve | None:
    """Return the kernel, None where it can't be had."""
    try:
        return load_kernel(lambda _: None)
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


def load_kernel(announce: Callable[[str], object]) -> Solve:
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
