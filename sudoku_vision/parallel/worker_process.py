"""A worker process: it does one call at a time, and is killed if a call takes too long.

Calls and answers are pickled and sent through a pipe. The process is spawned, or forked from a process that
has loaded everything (:func:`forked_from`). This module imports neither NumPy nor OpenCV: the worker process
must set their numbers of threads before it loads them.
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

START_SECONDS = 60.0  # longest time for the start of a process, in seconds; usually it takes 1 to 2
KILL_SECONDS = 5.0  # longest wait for the end of a killed process, in seconds

OPENCV_THREADS = "OPENCV_FOR_THREADS_NUM"
"""When OpenCV is loaded, it reads its number of threads from this environment variable."""

_DIED = "The process that worked on it died: it took too much memory, or a library failed."
_LEAVE_OUT = "Leave it out, or make it smaller."
_CLOSE_OTHERS = "Close other programs, or use --jobs 1."


class WorkerProcess:
    """A process that does calls. The first call starts it. After its death, the next call starts it again.

    Only one thread at a time may use :meth:`call`. Meanwhile, any thread may use :meth:`close`. A worker
    process can't start another process. So a ``WorkerProcess`` that is used inside a worker process does its
    calls in that same process, within the time limit of the outer call. There, it must not have an opener.
    """

    def __init__(
        self, opener: Callable[[], Any] | None = None, *, memory: int = 0, preloaded: str | None = None
    ) -> None:
        """Prepare the worker; no process is started yet.

        *opener* is called once in each process that is started. Its result, for example a loaded model, is
        the first argument of every call. *memory*: the number of bytes that the process may use, 0 for no
        limit. *preloaded*: a module for :func:`forked_from`.
        """
        self._opener, self._memory = opener, memory
        self._context = multiprocessing.get_context("spawn") if preloaded is None else forked_from(preloaded)
        # Held while a process starts. close() waits for this lock, so no process starts after close().
        self._lock = threading.Lock()
        self._closed = False
        self._owner = os.getpid()  # only this process may end the worker; processes forked from it may not
        self._process: SpawnProcess | ForkServerProcess | None = None
        self._pipe: Connection | None = None
        self.lost = 0  # number of processes that have died or were killed during a call

    @property
    def id(self) -> int | None:
        """The id of the process that does the calls; None if no process is running."""
        process = self._process
        if self._pipe is None or process is None or self._owner != os.getpid() or not process.is_alive():
            return None
        return process.pid

    def start(self) -> None:
        """Start the process, unless it is running, and wait until it is ready.

        Raises the errors of the opener, and :class:`TaskLostError` if the process can't start or is closed.
        """
        if self.id is not None:
            return
        self._end()
        ours, theirs = self._context.Pipe()
        opener = None if self._opener is None else pickle.dumps((self._opener, (), {}))
        arguments = (theirs, opener, self._memory)
        process = self._context.Process(
            target=_work, args=arguments, daemon=True, name="sudoku-vision worker"
        )
        with self._lock:
            if self._closed:
                raise TaskLostError(_DIED, _LEAVE_OUT)
            try:
                with _without_interrupts():
                    process.start()
            except OSError as error:
                raise TaskLostError("No process could be started for it.", _CLOSE_OTHERS) from error
            self._owner, self._process = os.getpid(), process
        theirs.close()  # now only the worker holds this end of the pipe: if it dies, the pipe closes
        try:
            with _killed_after(START_SECONDS, process):
                succeeded, value = ours.recv()
            if not succeeded:
                raise value
        except BaseException:
            self._end()
            raise
        self._pipe = ours

    def call(self, function: Callable[..., Any], /, *args: Any, seconds: float | None, **kwargs: Any) -> Any:
        """Call *function* in the process, and return its result. Function, arguments and result are pickled.

        If the process dies, the call is tried once more, because something else may have killed it. Raises
        the errors of *function*, with a note that names the lines of code. Raises :class:`TaskTimeoutError`
        after *seconds* (None for no limit), and :class:`TaskLostError` if two processes die, or if no process
        can be started.
        """
        if is_within_worker():
            assert self._opener is None
            return function(*args, **kwargs)
        job = pickle.dumps((function, args, kwargs), pickle.HIGHEST_PROTOCOL)
        try:
            succeeded, value = self._answer_to(job, seconds)
        except TaskLostError:
            succeeded, value = self._answer_to(job, seconds)
        if not succeeded:
            raise value
        return value

    def _answer_to(self, job: bytes, seconds: float | None) -> tuple[bool, Any]:
        """Send the pickled call *job*. Return whether it succeeded, and its result or error.

        *seconds*: the time limit of the call; None for no limit.
        """
        self.start()
        process, pipe = self._process, self._pipe
        if process is None or pipe is None:  # another thread has closed the worker
            raise TaskLostError(_DIED, _LEAVE_OUT)
        try:
            with _killed_after(seconds, process):
                pipe.send_bytes(job)
                answer: tuple[bool, Any] = pipe.recv()
                return answer
        except BaseException:  # even Ctrl-C: otherwise, the next call would receive this call's answer
            self._end()
            self.lost += 1
            raise

    def close(self) -> None:
        """End the process immediately, even during a call. After that, no process can be started."""
        with self._lock:
            self._closed = True
        self._end()

    def _end(self) -> None:
        """Kill the process, and wait until it has ended."""
        pipe, self._pipe = self._pipe, None
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            with contextlib.suppress(OSError, ValueError):
                process.kill()
                process.join(KILL_SECONDS)
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def is_within_worker() -> bool:
    """Return whether this process is a worker process, which can't start another process."""
    return multiprocessing.current_process().daemon


def forked_from(module: str) -> SpawnContext | ForkServerContext:
    """Return a context of :mod:`multiprocessing`. On Linux, its processes start with *module* loaded.

    On Linux, this call starts a server process that loads *module* once, and worker processes are forked from
    it. *module* must call :func:`settle_threads` before it imports anything else. A program can have only one
    such server. So only the command line of this project may call this function, always with the same
    *module*. On other systems, worker processes are spawned: there, system libraries don't work after a fork.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    forkserver.set_forkserver_preload([module])
    with _without_interrupts():
        forkserver.ensure_running()
    return multiprocessing.get_context("forkserver")


def settle_threads() -> None:
    """Limit BLAS and OpenCV to one thread in this process. Call this before they are loaded."""
    os.environ.update(dict.fromkeys((*THREAD_SETTINGS, OPENCV_THREADS), "1"))


@contextlib.contextmanager
def _killed_after(seconds: float | None, process: Any) -> Iterator[None]:
    """Kill a *process* if the block takes longer than *seconds*. The block must use the process's pipe.

    When the process ends, any use of its pipe raises an error. This error becomes
    :class:`TaskTimeoutError` if the process was killed here, and otherwise :class:`TaskLostError`.
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
        timer.join()  # otherwise the timer might kill the process during the next call


_starting = threading.Lock()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Make processes that start in this block ignore Ctrl-C, and prevent them from running the main script.

    After Ctrl-C, the parent process ends them. A spawned process would run the main script once more. A
    worker doesn't need this script, and many scripts lack the test ``__name__ == "__main__"``.
    """
    with _starting, contextlib.ExitStack() as after:
        after.callback(sys.modules.__setitem__, "__main__", sys.modules["__main__"])
        sys.modules["__main__"] = ModuleType("__main__")
        if hasattr(signal, "pthread_sigmask"):
            from multiprocessing import resource_tracker

            # Starting the tracker unblocks Ctrl-C. So the tracker is started before Ctrl-C is blocked.
            resource_tracker.ensure_running()
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            after.callback(signal.pthread_sigmask, signal.SIG_SETMASK, before)
        yield


# The code below runs in the worker process.


def _work(connection: Connection, opener: bytes | None, memory: int) -> None:
    """Call the opener, and then do one call after another until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settle_threads()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if memory and sys.platform == "linux":  # other systems don't enforce this limit
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    succeeded, value = (True, None) if opener is None else _done(opener)
    _send(connection, (succeeded, None if succeeded else value))
    first = () if opener is None else (value,)
    with contextlib.suppress(EOFError, OSError):
        while succeeded:
            _send(connection, _done(connection.recv_bytes(), *first))


def _end_with_parent() -> None:
    """End this process when its parent ends: then nobody needs its answers. Runs in its own thread."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _done(job: bytes, *first: Any) -> tuple[bool, Any]:
    """Do a pickled call, with *first* before its arguments. Return (True, result) or (False, error)."""
    try:
        function, args, kwargs = pickle.loads(job)
        return True, function(*first, *args, **kwargs)
    except Exception as error:
        return False, MemoryError() if is_out_of_memory(error) else _with_places(error)


def _with_places(error: Exception) -> Exception:
    """Return *error* with a note that names the lines of code where it was raised.

    The note has only names of files and numbers of lines, no values from the program. An
    error that can't be pickled becomes a RuntimeError with the same text.
    """
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
    with contextlib.suppress(OSError):  # if the parent has ended
        try:
            connection.send(answer)
        except (pickle.PicklingError, AttributeError, TypeError) as error:  # if the result can't be pickled
            connection.send((False, _with_places(error)))
