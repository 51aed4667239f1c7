"""Scheduling: batches of boards go to the engine that pays best, and come back in their order."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from types import TracebackType
from typing import Literal, TypeVar, get_args

from sudoku_vision.errors import MissingExtraError, UsageError
from sudoku_vision.parallel import available_cores, open_executor
from sudoku_vision.sudoku.bulk.engines import (
    CLUSTER_SHARE,
    SHARE,
    Engine,
    Here,
    KernelThreads,
    Part,
    Shared,
    Solved,
    Values,
    first_line,
    joined,
    kernel_is_loaded,
    ready,
    solve_anywhere,
    solve_purely,
)

Way = Literal["auto", "kernel", "processes", "pure"]
"""How to solve: as it pays best; by the compiled kernel; by the pure core in processes, or right here."""

KERNEL_AT_ONCE_FROM = 2_000
"""Boards in a batch for which the kernel is loaded at once, which takes half a second."""

PURE_SECONDS = 0.5
"""Seconds that the pure core may take for smaller batches, all together, before the kernel is loaded, too."""

_AS_TYPED = 100
"""Boards in a batch whose answers are waited for, as a person does who types them."""

BATCH = 4_096
"""Boards handed out at once: some milliseconds of work for the kernel, its lanes busy nearly all the time."""

_T = TypeVar("_T")


class BulkSolver:
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

        With *cluster*, the workers of that scheduler solve, as :func:`~sudoku_vision.parallel.open_executor`
        has it.
        """
        if jobs is not None and jobs < 1:
            raise UsageError(f"{jobs} jobs can't solve anything.", "Give 1 or more.")
        if engine not in get_args(Way):
            raise UsageError(f"There is no engine {engine!r}.", f"Choose one of {', '.join(get_args(Way))}.")
        self._jobs = jobs or available_cores()
        self._announce = announce or _announce
        self._engine: Engine | None = None
        if cluster is not None:
            opened = open_executor(cluster=cluster, announce=self._announce)
            self._engine = Shared(opened, solve_anywhere, CLUSTER_SHARE)
        elif engine != "auto":
            self._engine = self._start(engine)
        self._pure_seconds = PURE_SECONDS

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
        if isinstance(self._engine, Shared):
            return self._engine.size
        kernel = isinstance(self._engine, KernelThreads) or (self._engine is None and find_spec("numba"))
        return BATCH if kernel else SHARE

    def stream(self, batches: Iterable[tuple[_T, Values]]) -> Iterator[tuple[_T, Solved]]:
        """Solve batches (N, 81) uint8, 0 to 9 in each cell; each comes back with what was given beside it.

        Batches are drawn only as fast as they are solved and taken; what is done is handed on before the next
        one is waited for.
        """
        waiting: deque[tuple[_T, list[Part]]] = deque()
        for tag, values in batches:
            waiting.append((tag, self._submit(values)))
            while waiting and (
                len(values) < _AS_TYPED
                or len(waiting) > self._ahead
                or all(part.done() for part in waiting[0][1])
            ):
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())

    def _submit(self, values: Values) -> list[Part]:
        """Have a batch solved, in one part, or in two where patience with the pure core ends within it."""
        if self._engine is None and len(values) <= KERNEL_AT_ONCE_FROM and not kernel_is_loaded():
            begun = time.perf_counter()
            first = solve_purely(values, self._pure_seconds)
            self._pure_seconds -= time.perf_counter() - begun
            values = values[len(first.statuses) :]
            if not len(values):
                return [ready(first)]
            self._engine = self._best()
            return [ready(first), *self._engine.submit(values)]
        self._engine = self._engine or self._best()
        return self._engine.submit(values)

    @property
    def _ahead(self) -> int:
        """Batches in hand that keep the engine busy."""
        return self._engine.ahead if self._engine is not None else 1

    def _best(self) -> Engine:
        """Return the quickest engine that there is, with a hint if it could be quicker."""
        try:
            return KernelThreads(self._jobs, self._announce)
        except Exception as error:  # a numba that can't run here must not keep anyone from an answer
            missing = isinstance(error, ModuleNotFoundError)
            what = "is not installed" if missing else f"can't be used ({first_line(error)})"
            where = f"in {self._jobs} processes" if self._jobs > 1 else "without it"
            self._announce(f"numba {what}, so this is solved {where}. A hundred times faster: {_INSTALL}.")
            return self._processes() if self._jobs > 1 else Here()

    def _start(self, way: Way) -> Engine:
        """Return the engine that was asked for."""
        if way == "pure":
            return Here()
        if way == "processes":
            return self._processes()
        try:
            return KernelThreads(self._jobs, self._announce)
        except ImportError as error:
            raise MissingExtraError(
                f"The kernel needs numba ({error}).", f"Install it: {_INSTALL}."
            ) from None

    def _processes(self) -> Engine:
        """Return the pure core in processes, which start with the first batch."""
        opened = open_executor(self._jobs, task_seconds=None)
        return Shared(opened, solve_purely, SHARE)


_INSTALL = 'pip install "sudoku-vision[bulk]"'


def _result(tag: _T, parts: list[Part]) -> tuple[_T, Solved]:
    return tag, joined([part.result() for part in parts])


def _announce(message: str) -> None:
    print(f"sudoku_vision: {message}", file=sys.stderr, flush=True)  # noqa: T201 (standard error is for people)
