"""The executor of this machine: worker processes, each fed by a thread and killed when it takes too long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from sudoku_vision.errors import TaskLostError, TaskTimeoutError
from sudoku_vision.parallel.tasks import DESK, packed, unpacked
from sudoku_vision.parallel.worker_process import START_SECONDS, WorkerLostError, WorkerProcess, forked_from

P = ParamSpec("P")
T = TypeVar("T")

NICENESS = 0
"""Workers stand back behind nobody: a person waits for them, and who feeds them has little to do."""

AHEAD = 8
"""Tasks in hand for each process: while the first is waited for, be it a slow one, the others are busy."""

DIED = "It made the process that worked on it die, by too much memory or a fault in a library."
_LEAVE_OUT = "Leave it out, or make it smaller."
_CLOSE_OTHERS = "Close other programs, or use --jobs 1."


class ProcessExecutor(Executor):
    """Does tasks in up to *jobs* worker processes of this machine.

    A process is started when a task waits and none is idle. One that dies over a task, or is killed as the
    task takes more than *task_seconds*, costs that task alone: its future raises
    :class:`~sudoku_vision.errors.TaskLostError` or :class:`~sudoku_vision.errors.TaskTimeoutError`. No task
    is tried twice.
    """

    def __init__(
        self, jobs: int, task_seconds: float, task_memory: int = 0, preloaded: str | None = None
    ) -> None:
        """Start nothing yet but, where a module is to be *preloaded*, what loads it.

        See :func:`~sudoku_vision.parallel.worker_process.forked_from`.
        """
        self.ahead = AHEAD * jobs
        """How many tasks in hand keep all processes busy."""
        self._threads = ThreadPoolExecutor(jobs, "sudoku-vision task")
        self._seconds, self._memory = task_seconds, task_memory
        self._context = None if preloaded is None else forked_from(preloaded)
        self._lock = threading.Lock()
        self._workers: set[WorkerProcess] = set()
        self._idle: list[WorkerProcess] = []
        self._closing = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand in a call of *fn*, a function at the top of a module, with arguments that can be pickled."""
        return self._threads.submit(self._call, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; with *wait*, end the processes when those that were handed in are done."""
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        if wait:
            self.kill()

    def kill(self) -> None:
        """End the processes at once: what waits is cancelled, what is under way is lost."""
        with self._lock:
            self._closing = True
            workers = tuple(self._workers)
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.kill()
        self._threads.shutdown(wait=True)

    def process_ids(self) -> list[int]:
        """Return the ids of the processes that run now."""
        return [one for worker in tuple(self._workers) if (one := worker.id) is not None]

    def _call(self, function: Callable[..., T], arguments: Any, named: Any) -> T:
        """Have a worker do a task; runs in a thread, which waits for it."""
        task = packed(function, arguments, named)
        worker = self._take()
        try:
            answer = worker.call("run", {"task": task}, self._seconds)
        except TimeoutError:
            self._drop(worker)
            what = f"It took more than {self._seconds:g} seconds, and was given up."
            raise TaskTimeoutError(what, _LEAVE_OUT) from None
        except WorkerLostError:
            self._drop(worker)
            raise TaskLostError(DIED, _LEAVE_OUT) from None
        except BaseException:  # what the task raised
            self._leave(worker)
            raise
        self._leave(worker)
        result: T = unpacked(answer)
        return result

    def _take(self) -> WorkerProcess:
        """Return a worker that waits for a task, or a new one; raises :class:`TaskLostError`."""
        while True:
            with self._lock:
                if self._closing:
                    raise TaskLostError(DIED, _LEAVE_OUT)
                worker = self._idle.pop() if self._idle else None
                if worker is None:
                    new = WorkerProcess(DESK, self._memory, niceness=NICENESS, context=self._context)
                    self._workers.add(new)
                    break
            if worker.id is not None:
                return worker
            self._drop(worker)  # it ended while it had nothing to do
        try:
            new.start(START_SECONDS)
        except Exception as error:
            self._drop(new)
            raise TaskLostError("No process could be started for it.", _CLOSE_OTHERS) from error
        return new

    def _leave(self, worker: WorkerProcess) -> None:
        """Let a worker wait for the next task."""
        with self._lock:
            self._idle.append(worker)

    def _drop(self, worker: WorkerProcess) -> None:
        """End a worker that is of no use any more."""
        worker.kill()
        with self._lock:
            self._workers.discard(worker)
