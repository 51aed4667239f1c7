"""Any number of boards, batch by batch, in their order, by the engine that pays best."""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import islice
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from sudoku_vision.errors import BoardError, TaskLostError, UsageError, install, missing_extra
from sudoku_vision.parallel import available_cores, open_executor
from sudoku_vision.sudoku.board import BoardLike, parse_board
from sudoku_vision.sudoku.bulk.engines import (
    NO_BOARD,
    STATUSES,
    Solved,
    Values,
    first_line,
    kernel_is_loaded,
    load_kernel,
    solve_anywhere,
    solve_compiled,
    solve_purely,
)
from sudoku_vision.sudoku.bulk.lists import marks_to_values
from sudoku_vision.sudoku.solver import MESSAGES, Solution, solve

Way = Literal["auto", "kernel", "processes", "pure"]
"""How to solve: as it pays best; by the compiled kernel; by the pure core in processes, or right here."""

KERNEL_AT_ONCE_FROM = 2_000
"""Boards in a batch for which the kernel is loaded at once, which takes half a second."""
PURE_SECONDS = 0.5
"""Seconds that the pure core may take for smaller batches, all together, before the kernel is loaded, too."""
_AS_TYPED = 100  # boards in a batch whose answers are waited for, as a person does who types them
BATCH = 4_096
"""Boards handed out at once: some milliseconds of work for the kernel, its lanes busy nearly all the time;
and work for a worker of a cluster that is worth the way there, a megabyte in all."""
SHARE = 128
"""Boards that a process gets at once: some hundredths of a second of work, so that all end together."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class _Engine:
    """Who solves batches, by what, of how many boards, and how many batches in hand keep it busy."""

    executor: Executor
    solve: Callable[[Values], Solved]
    portion: int
    ahead: int


class BulkSolver(ExitStack):
    """Solves batches of boards as arrays, in order, and holds the threads or processes meanwhile.

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
        """Settle how to solve; arguments and errors are those of ``solve_many``.

        With *cluster*, the workers of that scheduler solve.
        """
        super().__init__()
        if jobs is not None and jobs < 1:
            raise UsageError(f"{jobs} jobs can't solve anything.", "Give 1 or more.")
        if engine not in get_args(Way):
            raise UsageError(f"There is no engine {engine!r}.", f"Choose one of {', '.join(get_args(Way))}.")
        self._jobs = jobs or available_cores()
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
        """Boards that a batch should hold: work for some moments, so that answers come steadily."""
        if self._engine is not None:
            return self._engine.portion
        return BATCH if find_spec("numba") else SHARE

    def stream(self, batches: Iterable[tuple[_T, Values]]) -> Iterator[tuple[_T, Solved]]:
        """Solve batches (N, 81) uint8, 0 to 9 in each cell; each comes back with what was given beside it.

        Batches are drawn only as fast as they are taken. Raises ValueError for what are no such boards.
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
        """Have a batch solved; right here as long as there is patience with the pure core."""
        if values.dtype != np.uint8 or values.shape[1:] != (81,) or (values.size and values.max() > 9):
            raise ValueError(
                f"boards must be (N, 81) uint8 and hold 0 to 9, got {values.shape} {values.dtype}"
            )
        if self._engine is None and len(values) <= KERNEL_AT_ONCE_FROM and not kernel_is_loaded():
            begun = time.perf_counter()
            solved = solve_purely(values, self._pure_seconds)
            self._pure_seconds -= time.perf_counter() - begun
            left = values[len(solved.statuses) :]
            if len(left):
                self._engine = self._best()
                solved = solved.followed_by(self._engine.solve(left))
            future: Future[Solved] = Future()
            future.set_result(solved)
            return future
        self._engine = self._engine or self._best()
        return self._engine.executor.submit(self._engine.solve, values)

    def _best(self) -> _Engine:
        """Return the quickest engine that there is, with a hint if it could be quicker."""
        try:
            return self._kernel()
        except Exception as error:  # a numba that can't run here must not keep anyone from an answer
            missing = isinstance(error, ModuleNotFoundError)
            what = "is not installed" if missing else f"can't be used ({first_line(error)})"
            where = f"in {self._jobs} processes" if self._jobs > 1 else "without it"
            self._announce(f"numba {what}, so this is solved {where}. Forty times faster: {install('bulk')}.")
            return self._pure(self._jobs)

    def _kernel(self) -> _Engine:
        """Return the compiled kernel in threads; raises ImportError where there is no numba."""
        kernel, stopped = load_kernel(self._announce), threading.Event()
        threads = ThreadPoolExecutor(self._jobs, "sudoku")
        self.callback(threads.shutdown, cancel_futures=True)
        self.callback(stopped.set)  # first, so that the batches under way end within a moment
        return _Engine(threads, partial(solve_compiled, kernel, stopped), BATCH, 2 * self._jobs)

    def _pure(self, jobs: int) -> _Engine:
        """Return the pure core in processes, which start with the first batch, or right here."""
        opened = self.enter_context(open_executor(jobs, task_seconds=None))
        return _Engine(opened, solve_purely, SHARE, getattr(opened, "ahead", 1))


def _taken(tag: _T, values: Values, future: Future[Solved]) -> tuple[_T, Solved]:
    """Wait for a batch; where its worker is lost, it is solved here."""
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
    """Solve any number of boards, each as ``solve`` would; yields in their order.

    *boards*: what ``solve`` takes, from a list or from a generator without end; an (N, 81) or (N, 9, 9) array
    is quickest. A malformed board gets its own ``Solution`` and stops nothing. Statistics are not kept.
    *jobs*: threads or processes, as many as processors where not said. *engine* picks the way to solve;
    *announce* is told, in a sentence, what makes a person wait (standard error where not given).

    Raises :class:`UsageError` if *jobs* or *engine* can't be, and :class:`MissingExtraError` if the kernel is
    asked for where there is no numba.

    >>> [solution.status for solution in solve_many(["8" + "." * 80, "88" + "." * 79])]
    ['many', 'clash']
    """
    solver = BulkSolver(jobs=jobs, engine=engine, announce=announce)
    return _solutions(solver, _checked(boards))


def _checked(boards: Iterable[BoardLike]) -> Iterable[BoardLike]:
    """Return *boards*, unless they are one board."""
    if isinstance(boards, (str, bytes)):
        raise UsageError("Several boards are expected, this is one text.", "Put it into a list.")
    if not isinstance(boards, np.ndarray):
        return boards
    if boards.dtype.kind not in "iufb":
        return list(boards)
    if boards.shape[1:] not in ((81,), (9, 9)):
        what = f"Boards have shape (N, 81) or (N, 9, 9), these have {boards.shape}."
        raise UsageError(what, "Put a single board into a list.")
    return boards


def _solutions(solver: BulkSolver, boards: Iterable[BoardLike]) -> Iterator[Solution]:
    """Parse, solve and unpack batch by batch."""
    with solver:
        batches = ((batch, _values(batch)) for batch in _batches(boards, solver.portion))
        for batch, solved in solver.stream(batches):
            yield from _unpacked(batch, solved)


def _batches(boards: Iterable[BoardLike], most: int) -> Iterator[Sequence[BoardLike]]:
    """Yield the boards, at most so many at once; from a generator few at first, to answer soon."""
    if isinstance(boards, (np.ndarray, Sequence)):
        whole: Any = boards
        yield from (whole[start : start + most] for start in range(0, len(whole), most))
        return
    source, size = iter(boards), 1
    while batch := list(islice(source, size)):
        yield batch
        size = min(2 * size, most)


def _values(boards: Sequence[BoardLike]) -> Values:
    """Return the values (N, 81) of boards, those of :data:`NO_BOARD` of what is malformed."""
    values = _values_at_once(boards)
    if values is None:
        values = np.tile(NO_BOARD, (len(boards), 1))
        for at, board in enumerate(boards):
            with suppress(BoardError):
                values[at] = parse_board(board)
    return values


def _values_at_once(boards: Sequence[BoardLike]) -> Values | None:
    """Return the values (N, 81) of a batch of well-formed boards of one kind; None if it isn't plain."""
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
    """Return the boards of a batch as one :class:`Solution` each."""
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
