"""Solve many boards at once: compiled and in threads where numba is installed, else in processes.

* A handful of boards is solved right here by the pure core: nothing else would have started by then, unless
  the kernel is loaded already.
* With numba (the extra ``bulk``), :mod:`sudoku_vision.bulk.kernel` solves 32 boards side by side in each of
  ``jobs`` threads, without the GIL. It is compiled once and kept on disk.
* Without, the pure core works in ``jobs`` processes.

All three give the same answers, in the order of the boards, and hold only a few batches at a time. Which two
of a board's many solutions are shown may differ.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from importlib.util import find_spec
from itertools import islice
from types import TracebackType
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from sudoku_vision.board import BoardLike, parse_board
from sudoku_vision.bulk.engines import (
    SHARE,
    STATUSES,
    Engine,
    Here,
    KernelThreads,
    Processes,
    Solved,
    Values,
    first_line,
    joined,
    kernel_is_loaded,
    ready,
    solve_purely,
)
from sudoku_vision.bulk.lists import marks_to_values
from sudoku_vision.errors import BoardError, MissingExtraError, UsageError
from sudoku_vision.solver import MESSAGES, Solution, solve

Way = Literal["auto", "kernel", "processes", "pure"]
"""How to solve: as it pays best; by the compiled kernel; by the pure core in processes, or right here."""

FEW = 2_000
"""Boards in a batch for which the kernel is loaded at once, which takes half a second."""

PATIENCE = 0.5
"""Seconds that the pure core may take for smaller batches, all together, before the kernel is loaded, too."""

_SMALL = 100
"""Boards in a batch whose answers are waited for, as a person does who types them."""

BATCH = 4_096
"""Boards handed out at once: some milliseconds of work for the kernel, its lanes busy nearly all the time."""

_T = TypeVar("_T")


def solve_many(
    boards: Iterable[BoardLike],
    *,
    jobs: int | None = None,
    engine: Way = "auto",
    announce: Callable[[str], object] | None = None,
) -> Iterator[Solution]:
    """Solve any number of boards, each as :func:`~sudoku_vision.solver.solve` would; yields in their order.

    *boards*: lines of 81 characters, (9, 9) arrays or what else ``solve`` takes, from a list or from a
    generator without end: only some batches are held at a time. An (N, 81) or (N, 9, 9) array is quickest. A
    malformed board gets its own ``Solution`` and stops nothing. Statistics are not kept.

    *jobs*: threads or processes, as many as processors where not said. *engine* picks the way to solve;
    *announce* is told, in a sentence, what makes a person wait (standard error where not given).

    Raises :class:`UsageError` if *jobs* or *engine* can't be, and :class:`MissingExtraError` if the kernel is
    asked for where there is no numba.

    >>> [solution.status for solution in solve_many(["8" + "." * 80, "88" + "." * 79])]
    ['many', 'clash']
    """
    solver = BulkSolver(jobs=jobs, engine=engine, announce=announce)
    return _solutions(solver, _checked(boards))


class BulkSolver:
    """Solves batches of boards as arrays, in order, and holds the threads or processes meanwhile.

    >>> with BulkSolver(jobs=1) as solver:
    ...     for name, solved in solver.stream([("a blank board", np.zeros((1, 81), np.uint8))]):
    ...         print(name, STATUSES[solved.statuses[0]])
    a blank board many
    """

    def __init__(
        self,
        *,
        jobs: int | None = None,
        engine: Way = "auto",
        announce: Callable[[str], object] | None = None,
    ) -> None:
        """Settle how to solve; the arguments are those of :func:`solve_many`, and so are the errors."""
        if jobs is not None and jobs < 1:
            raise UsageError(f"{jobs} jobs can't solve anything.", "Give 1 or more.")
        if engine not in get_args(Way):
            raise UsageError(f"There is no engine {engine!r}.", f"Choose one of {', '.join(get_args(Way))}.")
        self._jobs = jobs or _processors()
        self._announce = announce or _announce
        self._engine: Engine | None = None if engine == "auto" else self._start(engine)
        self._patience = PATIENCE

    def __enter__(self) -> BulkSolver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._engine is not None:
            self._engine.close()

    @property
    def portion(self) -> int:
        """Boards that a batch should hold: work for some moments, so that answers come steadily."""
        kernel = isinstance(self._engine, KernelThreads) or (self._engine is None and find_spec("numba"))
        return BATCH if kernel else SHARE * self._jobs

    def stream(self, batches: Iterable[tuple[_T, Values]]) -> Iterator[tuple[_T, Solved]]:
        """Solve batches (N, 81) uint8, 0 to 9 in each cell; each comes back with what was given beside it.

        Batches are drawn only as fast as they are solved and taken; what is done is handed on before the next
        one is waited for.
        """
        waiting: deque[tuple[_T, list[Future[Solved]]]] = deque()
        for tag, values in batches:
            waiting.append((tag, self._submit(values)))
            while waiting and (
                len(values) < _SMALL
                or len(waiting) > 2 * self._jobs
                or all(future.done() for future in waiting[0][1])
            ):
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())

    def _submit(self, values: Values) -> list[Future[Solved]]:
        """Have a batch solved, in one part, or in two where patience with the pure core ends within it."""
        if self._engine is None and len(values) <= FEW and not kernel_is_loaded():
            begun = time.perf_counter()
            first = solve_purely(values, self._patience)
            self._patience -= time.perf_counter() - begun
            values = values[len(first.statuses) :]
            if not len(values):
                return [ready(first)]
            self._engine = self._best()
            return [ready(first), self._engine.submit(values)]
        self._engine = self._engine or self._best()
        return [self._engine.submit(values)]

    def _best(self) -> Engine:
        """The quickest engine that there is, with a hint if it could be quicker."""
        try:
            return KernelThreads(self._jobs, self._announce)
        except Exception as error:  # a numba that can't run here must not keep anyone from an answer
            missing = isinstance(error, ModuleNotFoundError)
            what = "is not installed" if missing else f"can't be used ({first_line(error)})"
            where = f"in {self._jobs} processes" if self._jobs > 1 else "without it"
            self._announce(f"numba {what}, so this is solved {where}. A hundred times faster: {_INSTALL}.")
            return Processes(self._jobs) if self._jobs > 1 else Here()

    def _start(self, way: Way) -> Engine:
        """The engine that was asked for."""
        if way == "pure":
            return Here()
        if way == "processes":
            return Processes(self._jobs)
        try:
            return KernelThreads(self._jobs, self._announce)
        except ImportError as error:
            raise MissingExtraError(
                f"The kernel needs numba ({error}).", f"Install it: {_INSTALL}."
            ) from None


_INSTALL = 'pip install "sudoku-vision[bulk]"'


def _result(tag: _T, parts: list[Future[Solved]]) -> tuple[_T, Solved]:
    return tag, joined([part.result() for part in parts])


def _processors() -> int:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _announce(message: str) -> None:
    print(f"sudoku_vision: {message}", file=sys.stderr, flush=True)  # noqa: T201 (standard error is for people)


def _checked(boards: Iterable[BoardLike]) -> Iterable[BoardLike]:
    """*boards*, unless they are one board."""
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
        for (values, known), solved in solver.stream(map(_parsed, _batches(boards, solver.portion))):
            unpacked = _unpacked(values, solved)
            yield from (solution or next(unpacked) for solution in known)


_Batch = tuple[tuple[Values, Sequence["Solution | None"]], Values]


def _batches(boards: Iterable[BoardLike], most: int) -> Iterator[Sequence[BoardLike]]:
    """The boards, at most so many at once; from a generator few at first, so that answers begin at once."""
    if isinstance(boards, (np.ndarray, Sequence)):
        whole: Any = boards
        yield from (whole[start : start + most] for start in range(0, len(whole), most))
        return
    source, size = iter(boards), 1
    while batch := list(islice(source, size)):
        yield batch
        size = min(2 * size, most)


def _parsed(boards: Sequence[BoardLike]) -> _Batch:
    """The values of the boards that are well formed, and for each None or that it is malformed."""
    values = _values_at_once(boards)
    if values is not None:
        return (values, [None] * len(boards)), values
    parsed = [_parsed_alone(board) for board in boards]
    values = np.array([board for board in parsed if board], np.uint8).reshape(-1, 81)
    known = [None if good else solve(board) for good, board in zip(parsed, boards, strict=True)]
    return (values, known), values


def _parsed_alone(board: BoardLike) -> tuple[int, ...] | None:
    """The 81 values of a board, None if it is malformed."""
    try:
        return parse_board(board)
    except BoardError:
        return None


def _values_at_once(boards: Sequence[BoardLike]) -> Values | None:
    """The values (N, 81) of a batch whose boards are all well formed and alike; None if that isn't plain."""
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


def _unpacked(values: Values, solved: Solved) -> Iterator[Solution]:
    """The boards of a batch as one :class:`Solution` each."""
    solutions = solved.solutions.astype(np.int8).reshape(-1, 9, 9)
    seconds = solved.seconds.astype(np.int8).reshape(-1, 9, 9)
    for at, code in enumerate(solved.statuses.tolist()):
        status = STATUSES[code]
        if status == "one":
            yield Solution("one", solutions[at].copy())
        elif status == "many":
            yield Solution("many", solutions[at].copy(), seconds[at].copy(), message=MESSAGES["many"])
        elif status == "none":
            yield Solution("none", message=MESSAGES["none"])
        else:
            yield solve(values[at])
