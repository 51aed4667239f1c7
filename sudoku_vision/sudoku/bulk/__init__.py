"""Solve many boards: with compiled code in threads if numba is installed, otherwise in processes.

A handful of boards is solved in the calling process by Python code,
:func:`~sudoku_vision.sudoku.solver.solve`, because starting threads or processes takes longer. With numba
(the extra ``bulk``), each of ``jobs`` threads runs compiled code (:mod:`kernel`), without the GIL. The
compiled code solves 32 boards side by side. Without numba, Python code runs in several processes.

All these methods return the results in the order of the boards, and hold only a few batches in memory. If a
board has several solutions, different methods may return different solutions. :mod:`lists` reads boards from
files.
"""

from __future__ import annotations

import functools
import math
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import (
    BoardError,
    TaskLostError,
    UsageError,
    checked_choice,
    checked_number,
    install,
    missing_extra,
)
from sudoku_vision.parallel import available_cores, open_executor
from sudoku_vision.sudoku.board import BoardLike, check_several, parse_board
from sudoku_vision.sudoku.bulk.lists import NO_BOARD, Values, marks_to_values
from sudoku_vision.sudoku.rules import CLASSIC, UNITS, rules_for
from sudoku_vision.sudoku.solver import MESSAGES, Solution, SolutionStatus, solve

if TYPE_CHECKING:
    from sudoku_vision.sudoku.bulk.kernel import Solve

Way = Literal["auto", "kernel", "processes", "pure"]
"""A method of solving boards: compiled code ("kernel"), Python code in several processes ("processes"),
Python code in this process ("pure"), or the quickest of these that is possible ("auto")."""

STATUSES: tuple[SolutionStatus, ...] = ("none", "one", "many", "gave_up", "clash", "malformed")
"""The possible results of a board. The index of a result here is its code in :attr:`Solved.statuses`."""
CODES = {status: code for code, status in enumerate(STATUSES)}

KERNEL_GUESSES = 5_000
"""After this many guesses, the compiled code gives up a board, and Python code solves it. Python code also
tests every candidate of the board (:func:`~sudoku_vision.sudoku.solver.backtracking.search` explains that).
The hardest known puzzles take less than 1,000 guesses."""
KERNEL_AT_ONCE_FROM = 2_000  # for a larger batch, compiled code is loaded first, which takes 0.5 s
PURE_SECONDS = 0.5  # after Python code has solved small batches for this total time, compiled code is loaded
BATCH = 4_096  # number of boards in a batch for the compiled code, or for a worker of a cluster
SHARE = 128  # number of boards in a batch for a process; small, so that no process ends long after the others
_AS_TYPED = 100  # a batch with fewer boards is solved before more are read: a person may be typing the boards
_T = TypeVar("_T")


@dataclass(frozen=True, eq=False)
class Solved:
    """The results of N boards.

    ``statuses`` (N,) uint8 are indices of :data:`STATUSES`. ``solutions`` and ``seconds`` (N, 81) uint8 are a
    first and a second solution of each board. A solution that was not found is 81 zeros.
    """

    statuses: NDArray[np.uint8]
    solutions: Values
    seconds: Values

    @classmethod
    def blank(cls, count: int) -> Solved:
        """Return results for *count* boards, filled with zeros."""
        return cls(*(np.zeros(shape, np.uint8) for shape in (count, (count, 81), (count, 81))))


@dataclass(frozen=True)
class _Engine:
    """A function ``solve``, and the ``executor`` that runs it on batches of ``portion`` boards.

    To keep all workers busy, ``ahead`` batches are submitted before the first result is awaited.
    """

    executor: Executor
    solve: Callable[[Values], Solved]
    portion: int
    ahead: int


class BulkSolver(ExitStack):
    """Solves boards in batches (arrays); the threads or processes run until the solver is closed.

    >>> import numpy as np
    >>> with BulkSolver(jobs=1) as solver:
    ...     for name, solved in solver.stream([("a blank board", np.zeros((1, 81), np.uint8))]):
    ...         print(name, solved.statuses.tolist())
    a blank board [2]
    """

    def __init__(
        self,
        *,
        jobs: int | None = None,
        engine: Way = "auto",
        cluster: str | None = None,
        announce: Callable[[str], object] | None = None,
    ) -> None:
        """Choose how boards are solved; :func:`solve_many` explains the arguments and errors.

        *cluster*: the address of a dask scheduler. If it is given, workers of this cluster solve the boards.
        """
        super().__init__()
        engine = checked_choice(engine, "engine", get_args(Way))
        self._jobs = available_cores() if jobs is None else checked_number(jobs, "The number of jobs", 1)
        self._announce = announce or _announce
        self._engine: _Engine | None = None
        if cluster is not None:
            opened = self.enter_context(open_executor(cluster=cluster, announce=self._announce))
            self._engine = _Engine(opened, solve_anywhere, BATCH, getattr(opened, "ahead", 1))
        elif engine == "kernel":
            try:
                self._engine = self._kernel()
            except ImportError as error:
                raise missing_extra(f"The kernel needs numba ({error}).", "bulk") from None
        elif engine != "auto":
            self._engine = self._pure(self._jobs if engine == "processes" else 1)
        self._pure_seconds = PURE_SECONDS

    @property
    def portion(self) -> int:
        """The number of boards that a batch should have."""
        if self._engine is not None:
            return self._engine.portion
        return BATCH if find_spec("numba") else SHARE

    def stream(self, batches: Iterable[tuple[_T, Values]]) -> Iterator[tuple[_T, Solved]]:
        """Solve *batches*, pairs of a tag (any object) and boards (N, 81) uint8 with 0 to 9 in each cell.

        Yields the tag and the results of each batch, in order. Raises ValueError if an array has another
        shape, type or value.
        """
        waiting: deque[tuple[_T, Values, Future[Solved]]] = deque()
        for tag, values in batches:
            waiting.append((tag, values, self._submit(values)))
            ahead = self._engine.ahead if self._engine else 1
            while waiting and (len(values) < _AS_TYPED or len(waiting) > ahead or waiting[0][2].done()):
                yield _taken(*waiting.popleft())
        while waiting:
            yield _taken(*waiting.popleft())

    def _submit(self, values: Values) -> Future[Solved]:
        """Start to solve a batch. Small batches are solved in this process until PURE_SECONDS are used up."""
        if values.dtype != np.uint8 or values.shape[1:] != (81,) or (values.size and values.max() > 9):
            raise ValueError(
                f"boards must be (N, 81) uint8 and hold 0 to 9, got {values.shape} {values.dtype}"
            )
        if self._engine is None and len(values) <= KERNEL_AT_ONCE_FROM and not kernel_is_loaded():
            begun = time.perf_counter()
            with suppress(TimeoutError):
                future: Future[Solved] = Future()
                future.set_result(solve_purely(values, self._pure_seconds))
                self._pure_seconds -= time.perf_counter() - begun
                return future
        self._engine = self._engine or self._best()
        return self._engine.executor.submit(self._engine.solve, values)

    def _best(self) -> _Engine:
        """Return an engine with compiled code. If it can't run, announce why, and return a Python engine."""
        try:
            return self._kernel()
        except Exception as error:  # numba may be installed and still fail; then Python code solves boards
            missing = isinstance(error, ModuleNotFoundError)
            what = "is not installed" if missing else f"can't be used ({first_line(error)})"
            where = f"in {self._jobs} processes" if self._jobs > 1 else "without it"
            self._announce(f"numba {what}, so this is solved {where}. Forty times faster: {install('bulk')}.")
            return self._pure(self._jobs)

    def _kernel(self) -> _Engine:
        """Return an engine with compiled code; raises ImportError if numba is not installed."""
        kernel, stopped = load_kernel(self._announce), threading.Event()
        threads = ThreadPoolExecutor(self._jobs, "sudoku")
        self.callback(threads.shutdown, cancel_futures=True)
        self.callback(stopped.set)  # callbacks run in reverse order: batches are stopped before the shutdown
        return _Engine(threads, functools.partial(solve_compiled, kernel, stopped), BATCH, 2 * self._jobs)

    def _pure(self, jobs: int) -> _Engine:
        opened = self.enter_context(open_executor(jobs, task_seconds=None))
        return _Engine(opened, solve_purely, SHARE, getattr(opened, "ahead", 1))


def _taken(tag: _T, values: Values, future: Future[Solved]) -> tuple[_T, Solved]:
    """Return *tag* and the results of a batch. If its worker process died, solve the batch here."""
    try:
        return tag, future.result()
    except TaskLostError:
        return tag, solve_purely(values)


def _announce(message: str) -> None:
    print(f"sudoku_vision: {message}", file=sys.stderr, flush=True)  # noqa: T201 (standard error is for people)


def solve_many(
    boards: Iterable[BoardLike],
    *,
    jobs: int | None = None,
    engine: Way = "auto",
    announce: Callable[[str], object] | None = None,
) -> Iterator[Solution]:
    """Solve any number of boards, each as :func:`solve` does; yield the solutions in the order of the boards.

    *boards*: boards that :func:`solve` takes, in a list or from a generator. The generator may be endless. An
    array (N, 81) or (N, 9, 9) is quickest. For a malformed board, the ``Solution`` says what is wrong, and
    the other boards are still solved. The solutions have no statistics. *jobs*: the number of threads or
    processes, by default one for each processor. *engine*: the method of solving (:data:`Way`). *announce*
    is called with a sentence if the user has to wait; by default the sentence is printed on standard error.

    Raises :class:`UsageError` for wrong *jobs* or an unknown *engine*, and :class:`MissingExtraError` if
    *engine* is "kernel" and numba is not installed.

    >>> [solution.status for solution in solve_many(["8" + "." * 80, "88" + "." * 79])]
    ['many', 'clash']
    """
    solver = BulkSolver(jobs=jobs, engine=engine, announce=announce)
    return _solutions(solver, _checked(boards))


def _checked(boards: Iterable[BoardLike]) -> Iterable[BoardLike]:
    """Return *boards*; an array of texts or objects becomes a list. Raise UsageError for a single board."""
    check_several(boards)
    if not isinstance(boards, np.ndarray):
        return boards
    if boards.dtype.kind not in "iufb":
        return list(boards)
    if boards.shape[1:] not in ((81,), (9, 9)):
        what = f"Boards have shape (N, 81) or (N, 9, 9), these have {boards.shape}."
        raise UsageError(what, "Put a single board into a list.")
    return boards


def _solutions(solver: BulkSolver, boards: Iterable[BoardLike]) -> Iterator[Solution]:
    with solver:
        batches = ((batch, _values(batch)) for batch in _batches(boards, solver.portion))
        for batch, solved in solver.stream(batches):
            yield from _unpacked(batch, solved)


def _batches(boards: Iterable[BoardLike], most: int) -> Iterator[Sequence[BoardLike]]:
    """Yield batches of at most *most* boards. If *boards* is a generator, small batches come first.

    So the first answers come soon, even if the generator is slow.
    """
    if isinstance(boards, (np.ndarray, Sequence)):
        whole: Any = boards
        yield from (whole[start : start + most] for start in range(0, len(whole), most))
        return
    source, size = iter(boards), 1
    while batch := list(islice(source, size)):
        yield batch
        size = min(2 * size, most)


def _values(boards: Sequence[BoardLike]) -> Values:
    """Return the values (N, 81) of N boards. A board that is malformed or not classic becomes NO_BOARD."""
    values = _values_at_once(boards)
    if values is None:
        values = np.tile(NO_BOARD, (len(boards), 1))
        for at, board in enumerate(boards):
            with suppress(BoardError):
                if rules_for(None, board) == CLASSIC:
                    values[at] = parse_board(board)
    return values


def _values_at_once(boards: Sequence[BoardLike]) -> Values | None:
    """Return the values (N, 81) of an array of digits 0 to 9, or of texts of 81 characters.

    If *boards* are neither, return None.
    """
    if isinstance(boards, np.ndarray):
        if boards.dtype.kind not in "iu":
            return None
        if len(boards) and not 0 <= int(boards.min()) <= int(boards.max()) <= 9:
            return None
        return np.ascontiguousarray(boards.reshape(-1, 81), np.uint8)
    if not all(isinstance(board, str) and len(board) == 81 and board.isascii() for board in boards):
        return None
    values = marks_to_values(np.frombuffer("".join(boards).encode(), np.uint8).reshape(-1, 81))  # type: ignore[arg-type]
    return values if len(values) == 0 or values.max() <= 9 else None


def _unpacked(boards: Sequence[BoardLike], solved: Solved) -> Iterator[Solution]:
    """Yield a :class:`Solution` for each board.

    A board whose status is not one, many or none is passed to :func:`solve`.
    """
    solutions, seconds = (
        found.astype(np.int8).reshape(-1, 9, 9) for found in (solved.solutions, solved.seconds)
    )
    for at, code in enumerate(solved.statuses.tolist()):
        status = STATUSES[code]
        if status == "one":
            yield Solution("one", solutions[at].copy())
        elif status == "many":
            yield Solution("many", solutions[at].copy(), seconds[at].copy(), message=MESSAGES["many"])
        elif status == "none":
            yield Solution("none", message=MESSAGES["none"])
        else:
            yield solve(boards[at])


def solve_compiled(kernel: Solve, stopped: threading.Event, values: Values) -> Solved:
    """Solve *values* (N, 81) uint8 with the compiled *kernel*.

    Python code then solves the boards that the kernel gave up. The Python code ends when *stopped* is set.
    """
    from sudoku_vision.sudoku.bulk.kernel import GAVE_UP, NONE

    solved = Solved.blank(len(values))
    values = np.require(values, np.uint8, ["C", "W"])  # for another type of array, numba would compile again
    kernel(values, KERNEL_GUESSES, solved.solutions, solved.seconds, solved.statuses)
    for at in np.flatnonzero(solved.statuses == GAVE_UP):
        if stopped.is_set():
            break
        _solve_one(values[at], solved, int(at))
    unsolved = np.flatnonzero(solved.statuses == NONE)
    solved.statuses[unsolved[clashing(values[unsolved])]] = CODES["clash"]
    return solved


def solve_anywhere(values: Values) -> Solved:
    """Solve *values* (N, 81) uint8 on a worker of a cluster, with compiled code if the worker can run it."""
    try:
        kernel = load_kernel(lambda _: None)
    except Exception:  # numba may be missing, or be installed and still fail
        return solve_purely(values)
    return solve_compiled(kernel, threading.Event(), values)


def kernel_is_loaded() -> bool:
    """Return whether this process has already loaded the kernel."""
    kernel = sys.modules.get("sudoku_vision.sudoku.bulk.kernel")
    return kernel is not None and kernel.compiled_solve.cache_info().currsize > 0


def solve_purely(values: Values, patience: float = math.inf) -> Solved:
    """Solve *values* (N, 81) uint8 with Python code; raises TimeoutError after *patience* seconds."""
    solved = Solved.blank(len(values))
    end = time.perf_counter() + patience
    for at, board in enumerate(values):
        if time.perf_counter() > end:
            raise TimeoutError
        _solve_one(board, solved, at)
    return solved


def _solve_one(board: Values, solved: Solved, at: int) -> None:
    solution = solve(board)
    solved.statuses[at] = CODES[solution.status]
    for place, found in ((solved.solutions, solution.solution), (solved.seconds, solution.second)):
        place[at] = 0 if found is None else found.reshape(81)


def clashing(values: Values) -> NDArray[np.bool_]:
    """Return for each board (N, 81) whether a digit stands twice in a row, column or box, (N,) bool."""
    marks = np.left_shift(1, values, dtype=np.int16) & ~1
    units = marks[:, np.array(UNITS)]
    clash: NDArray[np.bool_] = (units.sum(2) != np.bitwise_or.reduce(units, axis=2)).any(1)
    return clash


def load_kernel(announce: Callable[[str], object]) -> Solve:
    """Return the kernel. Its compiled code is kept on disk; the kernel is compiled if there is no such code.

    If the code can't be read or written, the kernel is compiled for this run alone. *announce* is called with
    a sentence before compiling.
    """
    from sudoku_vision.sudoku.bulk import kernel

    try:
        with kernel.compiling(lambda: announce("compiling the solver, once: this takes some seconds.")):
            return _compiled(kernel.compiled_solve(cached=True))
    except Exception as error:  # numba may raise any error while it reads, unpickles or writes its files
        again = f"compiling the solver for this run alone: its code can't be kept ({first_line(error)})."
        with kernel.compiling(lambda: announce(again)):
            return _compiled(kernel.compiled_solve(cached=False))


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, or the name of its class if it has no message."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _compiled(solve: Solve) -> Solve:
    """Call the kernel once with no boards, so that numba compiles the kernel; return the kernel."""
    nothing = Solved.blank(0)
    solve(nothing.solutions, KERNEL_GUESSES, nothing.solutions, nothing.seconds, nothing.statuses)
    return solve
