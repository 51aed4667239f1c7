"""A worker process: started anew (spawned), handed one job at a time, killed when it takes too long.

A program of our own may have it forked from one that has loaded all it needs (:func:`forked_from`).

What runs in the process is at the end of this module. It imports nothing but the standard library, so that
the number of threads is settled before NumPy is loaded.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sudoku_vision.blas import SETTINGS as THREAD_SETTINGS
from sudoku_vision.errors import SudokuVisionError, is_out_of_memory

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

    StartingContext = SpawnContext | ForkServerContext


class WorkerLostError(Exception):
    """Raised where a worker died over a job, or could not be started."""


class JobFailedError(Exception):
    """Raised where a job failed by a mistake in the program; the message names the place, never the data."""


@dataclass(frozen=True)
class Factory:
    """What makes the object whose methods are the jobs: a callable of a *module*, called with *arguments*.

    It is named and not handed over, for a process that takes it over would load its module too early.
    """

    module: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def make(self) -> Any:
        """Return the object."""
        return getattr(importlib.import_module(self.module), self.name)(**self.arguments)


class WorkerProcess:
    """One process that does jobs, seen from the one that hands them to it."""

    def __init__(
        self,
        factory: Factory,
        memory: int = 0,
        *,
        niceness: int | None = None,
        context: StartingContext | None = None,
    ) -> None:
        """Let the object of *factory* do the jobs, in at most *memory* bytes, 0 for no limit.

        *niceness*: how far it stands back behind other processes, :data:`NICENESS` where not said.
        *context*: how it is started, spawned where not said.
        """
        context = context or multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._theirs: Connection | None = theirs
        self._process = context.Process(
            target=_work,
            args=(theirs, factory, memory, NICENESS if niceness is None else niceness),
            daemon=True,
            name="sudoku-vision worker",
        )
        self._begun = False

    @property
    def id(self) -> int | None:
        """Return the id of the process while it runs."""
        return self._process.pid if self._begun and self._process.is_alive() else None

    def start(self, seconds: float) -> None:
        """Start the process and wait until it is ready.

        Raises what the factory raised if that is a :class:`SudokuVisionError`, else :class:`WorkerLostError`.
        """
        with _unheard_interrupts(), _unknown_main():
            self._process.start()
        self._begun = True
        if self._theirs is not None:
            self._theirs.close()  # so that the end of the process ends what we read
            self._theirs = None
        self._answer(seconds)

    def call(self, name: str, arguments: Mapping[str, Any], seconds: float) -> bytes:
        """Return what the method *name* answers.

        Raises what the method raised, :class:`TimeoutError` after *seconds*, then the process has to be
        killed, and :class:`WorkerLostError` if it died.
        """
        try:
            self._ours.send((name, dict(arguments)))
        except OSError:
            raise WorkerLostError from None
        return self._answer(seconds)

    def kill(self) -> None:
        """End the process at once, and wait for its end."""
        if self._begun:
            with contextlib.suppress(OSError, ValueError):
                self._process.kill()
                self._process.join(KILL_SECONDS)
        with contextlib.suppress(OSError):
            self._ours.close()

    def _answer(self, seconds: float) -> bytes:
        """Return the next answer of the process, or raise what stands for it."""
        end = time.monotonic() + seconds
        try:
            while self._ours not in wait(
                [self._ours, self._process.sentinel], max(0.0, end - time.monotonic())
            ):
                if not self._process.is_alive():
                    raise WorkerLostError
                if time.monotonic() >= end:
                    raise TimeoutError
            answer = self._ours.recv()
        except (EOFError, OSError, ValueError) as error:
            if isinstance(error, TimeoutError):  # it is an OSError, too
                raise
            raise WorkerLostError from None
        if isinstance(answer, bytes):
            return answer
        raise _rebuilt(answer)


KILL_SECONDS = 5.0
"""Until the system has ended a killed process, at most."""


START_SECONDS = 60.0
"""A worker that isn't ready by then never will be; 1 to 2 seconds are usual."""


def is_within_worker() -> bool:
    """Tell whether this is a worker itself, which may start no process and is killed when it is too slow."""
    return multiprocessing.current_process().daemon


def forked_from(module: str) -> StartingContext:
    """Return how to start processes that have *module* loaded: forked, on Linux, from one that loads it once.

    That process is started at once, and loads while this one goes on; it ends with this one. *module* settles
    the threads (:func:`settle_threads`) before it loads anything else. Only for a program of our own, for the
    standard library has one such process a program, and only where no other *module* was named before. The
    libraries of other systems don't bear a fork: there, workers are spawned as ever.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    forkserver.set_forkserver_preload([module])
    with _unheard_interrupts(), _unknown_main():
        forkserver.ensure_running()
    return multiprocessing.get_context("forkserver")


_starting = threading.Lock()


@contextlib.contextmanager
def _unknown_main() -> Iterator[None]:
    """Start a process within that doesn't run the program's main script again, as spawned ones do.

    A worker needs nothing of it, and a script of a few lines that reads a PDF has no guard against that.
    """
    with _starting:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


@contextlib.contextmanager
def _unheard_interrupts() -> Iterator[None]:
    """Let a process that is started within never hear Ctrl-C, from its beginning: who started it ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # else it starts within, and lets interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass(frozen=True)
class _Failure:
    """What a job raised, as plain values: errors with several arguments can't be handed over as they are."""

    kind: type[BaseException]
    text: str
    values: dict[str, Any] = field(default_factory=dict)


def _failure(error: BaseException) -> _Failure:
    if is_out_of_memory(error):
        return _Failure(MemoryError, "")
    if isinstance(error, SudokuVisionError):
        return _Failure(type(error), str(error), dict(vars(error)))
    place = traceback.extract_tb(error.__traceback__)[-1]
    return _Failure(JobFailedError, f"{type(error).__name__} at {place.filename}:{place.lineno}")


def _rebuilt(failure: _Failure) -> BaseException:
    error = failure.kind.__new__(failure.kind, failure.text)
    error.args = (failure.text,)
    vars(error).update(failure.values)
    return error


OPENCV_THREADS = "OPENCV_FOR_THREADS_NUM"
"""The variable of the environment by which OpenCV, when it is loaded, is told how many threads it has."""

NICENESS = 5
"""How far a worker stands back: whoever hands it jobs answers at once, on a busy machine, too."""


def settle_threads() -> None:
    """Let BLAS and OpenCV have one thread in this process, which has loaded neither."""
    os.environ.update(dict.fromkeys((*THREAD_SETTINGS, OPENCV_THREADS), "1"))


# What follows runs in the worker process.


def _work(connection: Connection, factory: Factory, memory: int, niceness: int) -> None:
    """Do one job after another until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settle_threads()
    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        desk = factory.make()
        _bound_memory(memory)
    except BaseException as error:
        _send(connection, _failure(error))
        return
    _send(connection, b"ready")
    with contextlib.suppress(EOFError, OSError):
        while True:
            name, arguments = connection.recv()
            _send(connection, _done(desk, name, arguments))
            del arguments


def _end_with_parent() -> None:
    """End this process, whatever it does, when the one that started it is gone: its answer is of no use."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _done(desk: Any, name: str, arguments: dict[str, Any]) -> bytes | _Failure:
    """Return what a job answers, or how it failed."""
    try:
        answer = getattr(desk, name)(**arguments)
        return answer if isinstance(answer, bytes) else bytes(answer)
    except Exception as error:
        return _failure(error)


def _send(connection: Connection, answer: bytes | _Failure) -> None:
    with contextlib.suppress(OSError):  # nobody is there any more
        connection.send(answer)


def _bound_memory(memory: int) -> None:
    """Hold this process to so many bytes of data, where the system can."""
    if not memory or sys.platform != "linux":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
