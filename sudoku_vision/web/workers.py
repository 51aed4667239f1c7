"""Workers: processes that do the jobs of requests and can be killed, and the queue before them.

Each worker has a thread in the server that feeds it. A job that takes too long costs its worker, which is
killed and replaced; so is one that dies. No job is tried twice, and one that has cost two workers is refused
from then on. What the jobs do is not known here: they are the methods of an object that is made anew in every
worker.
"""

from __future__ import annotations

import contextlib
import hashlib
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Self

from sudoku_vision.parallel.worker_process import (
    START_SECONDS,
    Factory,
    JobFailedError,
    WorkerLostError,
    WorkerProcess,
)

__all__ = [
    "BusyError",
    "Factory",
    "JobFailedError",
    "Pool",
    "PoolSettings",
    "SuspectError",
    "WorkerLostError",
]


class BusyError(Exception):
    """Raised where the queue is full, or a job waited too long in it."""


class SuspectError(Exception):
    """Raised for a job that has cost workers before and is not tried again."""


@dataclass(frozen=True)
class PoolSettings:
    """How many workers there are and what a job may take.

    ``queue``: jobs that may wait; ``seconds``: what a job may take, or wait; ``memory``: bytes of a worker,
    where the system can hold it to that, 0 for no limit.
    """

    workers: int = 1
    queue: int = 16
    seconds: float = 10.0
    memory: int = 0


@dataclass(frozen=True)
class _Job:
    """One call of a method, and where its result goes."""

    name: str
    arguments: Mapping[str, Any]
    result: Future[bytes]
    handed_in: float

    def digest(self) -> bytes:
        """Return what tells this job from others; nothing of a photo can be had back from it."""
        told = hashlib.sha256(self.name.encode())
        for value in self.arguments.values():
            told.update(value if isinstance(value, bytes) else repr(value).encode())
        return told.digest()


class Pool:
    """Workers and one bounded queue before them; used as a context that starts and ends them."""

    def __init__(self, factory: Factory, settings: PoolSettings) -> None:
        """Let the object of *factory* do the jobs, in as many processes as *settings* say."""
        self.settings = settings
        self._factory = factory
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._waiting = self._busy = self._ready = self._lost = 0
        self._first_ready = threading.Event()
        self._failure: Exception | None = None
        self._suspects = _Suspects()
        self._feeders: list[_Feeder] = []
        self._closing = threading.Event()

    def __enter__(self) -> Self:
        """Start the workers, and wait until the first is ready."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the workers."""
        self.close()

    def start(self) -> None:
        """Start the workers and wait until one is ready; a second call does nothing.

        Raises what the first worker failed with: a :class:`~sudoku_vision.errors.SudokuVisionError` of the
        factory, or :class:`WorkerLostError`.
        """
        if not self.started:
            self._feeders = [_Feeder(self, number) for number in range(self.settings.workers)]
            for feeder in self._feeders:
                feeder.start()
        try:
            self._first_ready.wait()
        except BaseException:  # Ctrl-C: what was begun is ended
            self.close()
            raise
        if self._failure is not None:
            failure = self._failure
            self.close()
            raise failure

    def close(self) -> None:
        """Kill the workers; jobs that wait or are in work fail with :class:`WorkerLostError`."""
        self._closing.set()
        for feeder in self._feeders:
            self._jobs.put(None)
            feeder.kill()
        for feeder in self._feeders:
            feeder.join()
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job is not None and job.result.set_running_or_notify_cancel():
                    job.result.set_exception(WorkerLostError())

    def submit(self, job: str, **arguments: Any) -> Future[bytes]:
        """Hand in a call of the method *job*, and return its result to come.

        The result may raise what the method raised, :class:`TimeoutError` or :class:`WorkerLostError`. Raises
        :class:`BusyError` at once where the queue is full, and :class:`SuspectError` for a job that is known
        to cost workers.
        """
        made = _Job(job, arguments, Future(), time.monotonic())
        if self._suspects.has(made):
            raise SuspectError
        with self._lock:
            idle = max(0, self._ready - self._busy)
            if self._closing.is_set() or self._waiting >= self.settings.queue + idle:
                raise BusyError
            self._waiting += 1
        self._jobs.put(made)
        return made.result

    def state(self) -> dict[str, Any]:
        """Return how the workers are: numbers of them, of jobs that wait, and of workers lost so far."""
        with self._lock:
            return {
                "workers": self.settings.workers,
                "ready": self._ready,
                "busy": self._busy,
                "lost": self._lost,
                "waiting": self._waiting,
                "room": self.settings.queue,
            }

    def process_ids(self) -> list[int]:
        """Return the ids of the processes that run now."""
        return [one for feeder in self._feeders if (one := feeder.process_id) is not None]

    def next_job(self, worker: WorkerProcess) -> _Job | None:
        """Return the next job that someone still waits for, for the feeders.

        None when all is to end, or when the *worker* has gone meanwhile: the job is then another one's.
        """
        while (job := self._jobs.get()) is not None:
            if worker.id is None:
                self._jobs.put(job)
                return None
            with self._lock:
                self._waiting -= 1
            if not job.result.set_running_or_notify_cancel():
                continue
            if time.monotonic() - job.handed_in > self.settings.seconds:
                job.result.set_exception(BusyError())
                continue
            return job
        return None

    def worker_failed(self, error: Exception) -> None:
        """Take note that a worker could not be started; for the feeders."""
        if not self._first_ready.is_set():
            self._failure = error
            self._first_ready.set()

    @contextlib.contextmanager
    def counted_ready(self) -> Any:
        """Count a worker as ready within; for the feeders."""
        with self._lock:
            self._ready += 1
        self._first_ready.set()
        try:
            yield
        finally:
            with self._lock:
                self._ready -= 1
                self._lost += not self._closing.is_set()

    @contextlib.contextmanager
    def counted_busy(self) -> Any:
        """Count a worker as busy within; for the feeders."""
        with self._lock:
            self._busy += 1
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1

    def blame(self, job: _Job) -> None:
        """Take note that a job has cost a worker; for the feeders."""
        self._suspects.blame(job)

    @property
    def started(self) -> bool:
        """Tell whether the workers were started."""
        return bool(self._feeders)

    @property
    def factory(self) -> Factory:
        """Return what makes the object whose methods are the jobs."""
        return self._factory

    @property
    def closing(self) -> threading.Event:
        """Return what is set when all is to end."""
        return self._closing


class _Feeder(threading.Thread):
    """The thread that feeds one worker and replaces it when it is lost."""

    def __init__(self, pool: Pool, number: int) -> None:
        super().__init__(name=f"worker-{number}", daemon=True)
        self._pool = pool
        self._process: WorkerProcess | None = None

    @property
    def process_id(self) -> int | None:
        process = self._process
        return None if process is None else process.id

    def run(self) -> None:
        """Start one worker after another until the pool closes."""
        pause = FIRST_PAUSE
        while not self._pool.closing.is_set():
            if self._serve():
                pause = FIRST_PAUSE
            else:
                self._pool.closing.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def kill(self) -> None:
        """End the worker at once."""
        process = self._process
        if process is not None:
            process.kill()

    def _serve(self) -> bool:
        """Start a worker and feed it until it is lost; tell whether it did start."""
        process = WorkerProcess(self._pool.factory, self._pool.settings.memory)
        self._process = process
        try:
            if self._pool.closing.is_set():
                return False
            process.start(START_SECONDS)
        except Exception as error:
            self._pool.worker_failed(error)
            process.kill()
            return False
        loss: _Loss | None = None
        with self._pool.counted_ready():
            try:
                loss = self._feed(process)
            finally:
                process.kill()
        if loss is not None:  # told when the worker is gone and counted as lost
            loss.job.result.set_exception(loss.error)
        return True

    def _feed(self, process: WorkerProcess) -> _Loss | None:
        """Hand jobs to a worker as long as it lives, and return the one that it was lost over."""
        while (job := self._pool.next_job(process)) is not None:
            with self._pool.counted_busy():
                try:
                    answer = process.call(job.name, job.arguments, self._pool.settings.seconds)
                except (TimeoutError, WorkerLostError) as error:
                    if not self._pool.closing.is_set():
                        self._pool.blame(job)
                    return _Loss(job, error)
                except Exception as error:
                    outcome: bytes | Exception = error
                else:
                    outcome = answer
            if isinstance(outcome, Exception):
                job.result.set_exception(outcome)
            else:
                job.result.set_result(outcome)
            del job, outcome  # photos are not kept until the next one comes
        return None


@dataclass(frozen=True)
class _Loss:
    """A job over which a worker was lost, and how."""

    job: _Job
    error: Exception


class _Suspects:
    """Remembers the latest jobs that cost workers, by digests."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: OrderedDict[bytes, int] = OrderedDict()

    def has(self, job: _Job) -> bool:
        """Tell whether a job has cost too many workers."""
        if not self._counts:  # as almost always: nothing has to be added up
            return False
        digest = job.digest()
        with self._lock:
            return self._counts.get(digest, 0) >= MAX_LOSSES

    def blame(self, job: _Job) -> None:
        """Count a worker lost to a job."""
        digest = job.digest()
        with self._lock:
            self._counts[digest] = self._counts.pop(digest, 0) + 1
            while len(self._counts) > MAX_SUSPECTS:
                self._counts.popitem(last=False)


MAX_LOSSES = 2
"""Workers that one job may cost: the first loss may be that of a machine with too much to do."""
MAX_SUSPECTS = 256
"""Jobs that are remembered for it."""
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
"""Seconds before a worker that could not be started is tried again, doubled each time."""
