"""The pool: worker processes on this machine, and a queue of tasks that wait for them."""

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from sudoku_vision.parallel.worker_process import WorkerProcess

P = ParamSpec("P")
T = TypeVar("T")

AHEAD = 8
"""For each process, this many tasks are submitted before a result is taken. Results are taken in order.
With so many tasks, the other processes are not idle while one task is slow."""
RESTART_PAUSE = 1.0  # pause between two attempts to start a process, in seconds


class BusyError(Exception):
    """The queue of a pool is full, a task has waited in the queue for too long, or the pool has ended."""


class ProcessPool(Executor):
    """Does tasks in worker processes on this machine. *processes* is their maximum number.

    A process is started when a task needs it. :meth:`start` starts all processes and keeps them ready. A task
    whose process dies is tried once more. If it fails again, or takes too long, only this task is lost: its
    future raises :class:`~sudoku_vision.errors.TaskLostError` or
    :class:`~sudoku_vision.errors.TaskTimeoutError`.
    """

    def __init__(
        self,
        processes: int,
        *,
        seconds: float | None,
        waiting: int | None = None,
        opener: Callable[[], Any] | None = None,
        memory: int = 0,
        preloaded: str | None = None,
    ) -> None:
        """Prepare the pool; no process is started yet.

        *seconds*: time limit of a task, None for no limit. *waiting*: how many tasks may wait in the queue,
        None for any number. Further tasks, and tasks that wait for more than *seconds*, are refused.
        :class:`~sudoku_vision.parallel.worker_process.WorkerProcess` explains the other arguments.
        """
        self.ahead = AHEAD * processes  # the number of submitted tasks that keeps all processes busy
        self._seconds, self._waiting = seconds, waiting
        self._workers = [WorkerProcess(opener, memory=memory, preloaded=preloaded) for _ in range(processes)]
        self._idle: queue.LifoQueue[WorkerProcess] = queue.LifoQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(processes, "sudoku-vision task")
        self._tasks: set[Future[Any]] = set()  # the tasks that wait or are running
        self._starting = threading.Lock()
        self._keeps_ready = False
        self._ended = threading.Event()

    def start(self) -> None:
        """Start all processes, and return when the first one is ready.

        From then on, lost processes are replaced. Raises an error if the first process can't be started. A
        second call does nothing.
        """
        with self._starting:
            if self._keeps_ready:
                return
            workers = [self._idle.get() for _ in self._workers]
            try:
                workers[0].start()
                self._keeps_ready = True
            finally:
                for worker in workers:
                    self._give_back(worker)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call of *fn*, a function at the top of a module, with arguments that can be pickled.

        Raises :class:`BusyError` if too many tasks wait, or if the pool has ended.
        """
        full = self._waiting is not None and len(self._tasks) >= self._waiting + len(self.process_ids())
        if full or self._ended.is_set():
            raise BusyError
        future = self._threads.submit(self._call, time.monotonic(), fn, args, kwargs)
        self._tasks.add(future)
        future.add_done_callback(self._tasks.discard)
        return future

    def kill(self) -> None:
        """End the processes immediately: waiting tasks are cancelled, and running tasks are lost."""
        self._ended.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(wait=True)

    def process_ids(self) -> list[int]:
        """Return the ids of the processes that are running now, idle or busy."""
        return [number for worker in self._workers if (number := worker.id) is not None]

    def state(self) -> dict[str, int]:
        """Return counts that show how busy the pool is."""
        tasks = list(self._tasks)  # a copy, because tasks end in other threads
        busy = sum(task.running() for task in tasks)
        return {
            "workers": len(self._workers),
            "ready": len(self.process_ids()),  # processes that are running
            "busy": busy,  # tasks that are running
            "lost": sum(worker.lost for worker in self._workers),  # processes that were lost so far
            "waiting": len(tasks) - busy,  # tasks that wait
        }

    def _call(self, submitted: float, function: Callable[..., T], args: Any, kwargs: Any) -> T:
        """Let an idle worker do a task. Raises BusyError if no worker becomes idle in time.

        *submitted* is the time at which the wait began.
        """
        end = None if self._waiting is None or self._seconds is None else submitted + self._seconds
        try:
            worker = self._idle.get(timeout=None if end is None else max(0.0, end - time.monotonic()))
        except queue.Empty:
            raise BusyError from None
        try:
            result: T = worker.call(function, *args, seconds=self._seconds, **kwargs)
            return result
        finally:
            self._give_back(worker)

    def _give_back(self, worker: WorkerProcess) -> None:
        """Make a worker available for the next task.

        If the pool keeps processes ready, a worker whose process isn't running is first started.
        """
        if self._keeps_ready and worker.id is None:
            threading.Thread(target=self._make_ready, args=(worker,), daemon=True).start()
        else:
            self._idle.put(worker)

    def _make_ready(self, worker: WorkerProcess) -> None:
        """Try to start a worker until this succeeds or the pool ends; then make it available."""
        while not self._ended.is_set():
            try:
                worker.start()
                break
            except Exception:
                self._ended.wait(RESTART_PAUSE)
        self._idle.put(worker)
