"""A worker process: does one call at a time, and is killed when it takes too long.

What it is given and answers travels by pickle through a pipe that nobody else has. It is spawned, or forked
from a process that has loaded all it needs (:func:`forked_from`). This module imports nothing but the
standard library, so that the number of threads is settled in the process before NumPy is loaded there.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sudoku_vision.blas import SETTINGS as THREAD_SETTINGS
from sudoku_vision.errors import TaskLostError, TaskTimeoutError, is_out_of_memory

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, ForkServerProcess, SpawnContext, SpawnProcess

START_SECONDS = 60.0  # a process that isn't ready by then never will be; 1 to 2 seconds are usual
KILL_SECONDS = 5.0  # until the system has ended a killed process, at most

OPENCV_THREADS = "OPENCV_FOR_THREADS_NUM"
"""The variable of the environment by which OpenCV, when it is loaded, is told how many threads it has."""

_DIED = "It made the process that worked on it die, by too much memory or a fault in a library."
_LEAVE_OUT = "Leave it out, or make it smaller."
_CLOSE_OTHERS = "Close other programs, or use --jobs 1."


class WorkerProcess:
    """One process that does calls. It starts with the first one; after one that has cost it, it starts anew.

    One thread calls at a time; any may :meth:`close` it meanwhile. Within a worker process, which may start
    no other and is killed when it takes too long itself, calls are done right there.
    """

    def __init__(
        self,
        opener: Callable[[], Any] | None = None,
        *,
        memory: int = 0,
        niceness: int = 0,
        preloaded: str | None = None,
    ) -> None:
        """Start nothing yet.

        *opener* is called once in each process that is started; what it returns, such as a loaded model, is
        kept there and is the first argument of every call. *memory*: bytes that the process may take, 0 for
        no limit. *niceness*: how far it stands back behind others. *preloaded*: as for :func:`forked_from`.
        """
        self._opener, self._memory, self._niceness = opener, memory, niceness
        self._context = multiprocessing.get_context("spawn") if preloaded is None else forked_from(preloaded)
        self._lock = threading.Lock()  # held while a process begins: none begins after the end
        self._closed = False
        self._owner = os.getpid()  # what is forked from it can't have its process
        self._process: SpawnProcess | ForkServerProcess | None = None
        self._pipe: Connection | None = None
        self._opened_here: tuple[Any, ...] | None = None
        self.lost = 0
        """How many processes have died or were killed over a call so far."""

    @property
    def id(self) -> int | None:
        """Return the id of the process that is ready for calls, None where there is none."""
        if is_within_worker():
            return os.getpid()
        process = self._process
        if self._pipe is None or process is None or self._owner != os.getpid() or not process.is_alive():
            return None
        return process.pid

    def start(self) -> None:
        """Start the process, unless it runs, and wait until it is ready.

        Raises what the opener raises, or :class:`TaskLostError`.
        """
        if self.id is not None:
            return
        self._end()
        ours, theirs = self._context.Pipe()
        opener = None if self._opener is None else pickle.dumps((self._opener, (), {}))
        process = self._context.Process(
            target=_work,
            args=(theirs, opener, self._memory, self._niceness),
            daemon=True,
            name="sudoku-vision worker",
        )
        with self._lock:
            if self._closed:
                raise TaskLostError(_DIED, _LEAVE_OUT)
            try:
                with _unheard():
                    process.start()
            except OSError as error:
                raise TaskLostError("No process could be started for it.", _CLOSE_OTHERS) from error
            self._owner, self._process = os.getpid(), process
        theirs.close()  # so that the end of the process ends what we read
        try:
            with _killed_after(START_SECONDS, process):
                answer = ours.recv()
            _value_of(answer)
        except BaseException:
            self._end()
            raise
        self._pipe = ours

    def call(self, function: Callable[..., Any], /, *args: Any, seconds: float | None, **kwargs: Any) -> Any:
        """Return what *function* returns in the process; it and all values must be such as can be pickled.

        A call may be innocent of the death of its process, so it is done once more. Raises what *function*
        raises, with a note that names the places; :class:`TaskTimeoutError` after *seconds*, None for never;
        :class:`TaskLostError` where two processes die, or none can be started.
        """
        if is_within_worker():
            if self._opened_here is None:
                self._opened_here = () if self._opener is None else (self._opener(),)
            return function(*self._opened_here, *args, **kwargs)
        job = pickle.dumps((function, args, kwargs), pickle.HIGHEST_PROTOCOL)
        try:
            answer = self._answer_to(job, seconds)
        except TaskLostError:
            answer = self._answer_to(job, seconds)
        return _value_of(answer)

    def _answer_to(self, job: bytes, seconds: float | None) -> tuple[bool, Any]:
        """Hand over a pickled call, and return its answer; both together may take so many *seconds*."""
        self.start()
        process, pipe = self._process, self._pipe
        if process is None or pipe is None:  # closed meanwhile
            raise TaskLostError(_DIED, _LEAVE_OUT)
        try:
            with _killed_after(seconds, process):
                pipe.send_bytes(job)
                answer: tuple[bool, Any] = pipe.recv()
                return answer
        except BaseException:  # its answer, be it that we no longer wait, would be taken for that to the next
            self._end()
            self.lost += 1
            raise

    def close(self) -> None:
        """End the process at once, and start none any more."""
        with self._lock:
            self._closed = True
        self._end()

    def _end(self) -> None:
        """End the process at once, and wait for its end."""
        pipe, self._pipe = self._pipe, None
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            with contextlib.suppress(OSError, ValueError):
                process.kill()
                process.join(KILL_SECONDS)
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def run_in_process(
    function: Callable[..., Any], /, *args: Any, seconds: float, memory: int = 0, **kwargs: Any
) -> Any:
    """Return what *function* returns in a process of its own, as :meth:`WorkerProcess.call` does."""
    worker = WorkerProcess(memory=memory)
    try:
        return worker.call(function, *args, seconds=seconds, **kwargs)
    finally:
        worker.close()


def is_within_worker() -> bool:
    """Tell whether this is a worker itself, which may start no process and is killed when it is too slow."""
    return multiprocessing.current_process().daemon


def forked_from(module: str) -> SpawnContext | ForkServerContext:
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
    with _unheard():
        forkserver.ensure_running()
    return multiprocessing.get_context("forkserver")


def settle_threads() -> None:
    """Let BLAS and OpenCV have one thread in this process, which has loaded neither."""
    os.environ.update(dict.fromkeys((*THREAD_SETTINGS, OPENCV_THREADS), "1"))


def _value_of(answer: tuple[bool, Any]) -> Any:
    """Return what a call returned; raises what it raised."""
    succeeded, value = answer
    if not succeeded:
        raise value
    return value


@contextlib.contextmanager
def _killed_after(seconds: float | None, process: Any) -> Iterator[None]:
    """Kill a *process* with which we take longer than *seconds*, so that no pipe to it blocks.

    Raises :class:`TaskLostError` and :class:`TaskTimeoutError` in place of the errors of a broken pipe.
    """
    too_late = threading.Event()

    def kill() -> None:
        too_late.set()
        process.kill()

    timer = threading.Timer(threading.TIMEOUT_MAX if seconds is None else seconds, kill)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (EOFError, OSError):
        if too_late.is_set():
            raise TaskTimeoutError(
                f"It took more than {seconds:g} seconds, and was given up.", _LEAVE_OUT
            ) from None
        raise TaskLostError(_DIED, _LEAVE_OUT) from None
    finally:
        timer.cancel()
        timer.join()  # else it may kill the process over the next call


_starting = threading.Lock()


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    """Let a process that is started within never hear Ctrl-C, for who started it ends it, nor run the script.

    A spawned process runs the program's main script again, of which a worker needs nothing, and a script of a
    few lines that reads a PDF has no guard against that.
    """
    with _starting, contextlib.ExitStack() as after:
        after.callback(sys.modules.__setitem__, "__main__", sys.modules["__main__"])
        sys.modules["__main__"] = ModuleType("__main__")
        if hasattr(signal, "pthread_sigmask"):
            from multiprocessing import resource_tracker

            resource_tracker.ensure_running()  # else it starts within, and lets interrupts through again
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            after.callback(signal.pthread_sigmask, signal.SIG_SETMASK, before)
        yield


# What follows runs in the worker process.


def _work(connection: Connection, opener: bytes | None, memory: int, niceness: int) -> None:
    """Do one call after another until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settle_threads()
    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if memory and sys.platform == "linux":  # where the system can hold it to so many bytes of data
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    first: tuple[Any, ...] = ()
    if opener is not None:
        succeeded, value = _done(opener)
        if not succeeded:
            _send(connection, (False, value))
            return
        first = (value,)
    _send(connection, (True, None))
    with contextlib.suppress(EOFError, OSError):
        while True:
            _send(connection, _done(connection.recv_bytes(), *first))


def _end_with_parent() -> None:
    """End this process, whatever it does, when the one that started it is gone: its answer is of no use."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _done(job: bytes, *first: Any) -> tuple[bool, Any]:
    """Return whether a call succeeded, and what it returned or raised; *first* precedes its arguments."""
    try:
        function, args, kwargs = pickle.loads(job)
        return True, function(*first, *args, **kwargs)
    except Exception as error:
        return False, MemoryError() if is_out_of_memory(error) else _with_places(error)


def _with_places(error: Exception) -> Exception:
    """Return an error that can travel, with a note that names the places that it came through and no data."""
    places = (f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__))
    note = f"In a worker process: {', '.join(places)}"
    error.add_note(note)
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
        error.add_note(note)
    return error


def _send(connection: Connection, answer: tuple[bool, Any]) -> None:
    with contextlib.suppress(OSError):  # nobody is there any more
        try:
            connection.send(answer)
        except (pickle.PicklingError, AttributeError, TypeError) as error:  # a result that can't travel
            connection.send((False, _with_places(error)))
