"""The pool: up to so many worker processes, and the queue before them."""

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
"""Tasks in hand for each process: while the first is waited for, be it a slow one, the others are busy."""

RESTART_PAUSE = 1.0  # seconds before a process that could not be started is tried again


class BusyError(Exception):
    """Raised where the queue of a pool is full, a task waited too long in it, or the pool has ended."""


class ProcessPool(Executor):
    """Does tasks in up to *processes* worker processes of this machine.

    A process is started when a task waits and none is idle; after :meth:`start` all of them are held ready.
    A task whose process dies is done once more by a new one. A second death, or too much time, costs that
    task alone: its future raises :class:`~sudoku_vision.errors.TaskLostError` or
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
        niceness: int = 0,
        preloaded: str | None = None,
    ) -> None:
        """Start no worker yet.

        *seconds*: what a task may take, None for no limit. *waiting*: how many may wait, each for so many
        seconds; further ones are refused. The rest is as for
        :class:`~sudoku_vision.parallel.worker_process.WorkerProcess`.
        """
        self.ahead = AHEAD * processes
        """How many tasks in hand keep all processes busy."""
        self._seconds, self._waiting = seconds, waiting
        self._workers = [
            WorkerProcess(opener, memory=memory, niceness=niceness, preloaded=preloaded)
            for _ in range(processes)
        ]
        self._idle: queue.LifoQueue[WorkerProcess] = queue.LifoQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(processes, "sudoku-vision task")
        self._lock = threading.Lock()
        self._in_hand = self._in_work = 0
        self._starting = threading.Lock()
        self._held_ready = False
        self._ended = threading.Event()

    def start(self) -> None:
        """Start all processes, and return when one is ready; from now on a lost one is replaced at once.

        Raises what starting the first one does; a second call does nothing.
        """
        with self._starting:
            if self._held_ready:
                return
            workers = [self._idle.get() for _ in self._workers]
            try:
                workers[0].start()
                self._held_ready = True
            finally:
                for worker in workers:
                    self._give_back(worker)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand in a call of *fn*, a function at the top of a module, with arguments that can be pickled.

        Raises :class:`BusyError` at once where too many wait, or the pool has ended.
        """
        with self._lock:
            full = self._waiting is not None and self._in_hand >= self._waiting + len(self.process_ids())
            if full or self._ended.is_set():
                raise BusyError
            self._in_hand += 1
        future = self._threads.submit(self._call, time.monotonic(), fn, args, kwargs)
        future.add_done_callback(self._count_out)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; with *wait*, end the processes when those that were handed in are done."""
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        if wait:
            self.kill()

    def kill(self) -> None:
        """End the processes at once: what waits is cancelled, what is under way is lost."""
        self._ended.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(wait=True)

    def process_ids(self) -> list[int]:
        """Return the ids of the processes that are ready or in work now."""
        return [number for worker in self._workers if (number := worker.id) is not None]

    def state(self) -> dict[str, int]:
        """Return how many workers there are, how many were lost so far, and how many tasks wait."""
        with self._lock:
            return {
                "workers": len(self._workers),
                "ready": len(self.process_ids()),
                "busy": self._in_work,
                "lost": sum(worker.lost for worker in self._workers),
                "waiting": self._in_hand - self._in_work,
            }

    def _call(self, handed_in: float, function: Callable[..., T], args: Any, kwargs: Any) -> T:
        """Have a worker do a task; runs in a thread, which waits for it."""
        late = None if self._waiting is None or self._seconds is None else handed_in + self._seconds
        try:
            worker = self._idle.get(timeout=None if late is None else max(0.0, late - time.monotonic()))
        except queue.Empty:
            raise BusyError from None
        try:
            self._count_in_work(+1)
            result: T = worker.call(function, *args, seconds=self._seconds, **kwargs)
            return result
        finally:
            self._count_in_work(-1)
            self._give_back(worker)

    def _give_back(self, worker: WorkerProcess) -> None:
        """Let a worker wait for the next task, started where it is to be held ready."""
        if self._held_ready and worker.id is None:
            threading.Thread(target=self._make_ready, args=(worker,), daemon=True).start()
        else:
            self._idle.put(worker)

    def _make_ready(self, worker: WorkerProcess) -> None:
        """Start a worker, as often as that takes, and let it wait for the next task."""
        while not self._ended.is_set():
            try:
                worker.start()
                break
            except Exception:
                self._ended.wait(RESTART_PAUSE)
        self._idle.put(worker)

    def _count_in_work(self, change: int) -> None:
        with self._lock:
            self._in_work += change

    def _count_out(self, _: Future[Any]) -> None:
        with self._lock:
            self._in_hand -= 1
