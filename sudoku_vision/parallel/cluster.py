"""The executor of a cluster: the workers of a ``dask.distributed`` scheduler do its tasks."""

import asyncio
import contextlib
import importlib
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

from sudoku_vision import __version__
from sudoku_vision.errors import ClusterError, TaskLostError, UsageError, import_extra

P = ParamSpec("P")
T = TypeVar("T")

CONNECT_SECONDS = 10.0  # longest wait for an answer of the scheduler, or for a worker, in seconds
WATCH_SECONDS = 1.0  # time between two checks whether the cluster still has a worker, in seconds

_SETTINGS = {
    "distributed.admin.large-graph-warning-threshold": "2 GiB",  # pages in a task can have 100 megabytes
    "distributed.comm.timeouts.connect": f"{CONNECT_SECONDS:g}s",
}
"""Settings of the library ``distributed`` that differ from its defaults."""

AHEAD = 8
"""For each thread, this many tasks are submitted before a result is taken. Results are taken in order.
With so many tasks, the other threads are not idle while one task is slow."""


class ClusterExecutor(Executor):
    """Does tasks on the workers of a cluster.

    If a worker is lost, another one does its tasks. If a task kills one worker after another, its future
    raises :class:`TaskLostError`. If there is no worker for :data:`CONNECT_SECONDS`, all futures raise
    :class:`ClusterError`. A task has no time limit, and can't be stopped after it has begun.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        self.ahead = AHEAD * max(1, sum(client.nthreads().values()))
        """The number of submitted tasks that keeps all workers busy."""
        self._gone = ClusterError(
            f"The scheduler at {address} is gone, and the work with it.", "Start it, and run this again."
        )
        self._ended = False
        self._submitted: dict[Future[Any], Any] = {}  # maps our futures to futures of ``distributed``
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call of *fn*; raises :class:`ClusterError` if no worker is left."""
        if self._ended:
            raise self._gone
        try:
            inner = self._client.submit(_do, fn, args, kwargs, pure=False)
        except Exception as error:
            raise self._gone from error
        future: Future[T] = Future()
        self._submitted[future] = inner
        future.add_done_callback(self._forget)
        self._client.loop.add_callback(self._pass_on, inner, future)
        return future

    def _watch(self) -> None:
        """Give up all tasks if there is no worker for :data:`CONNECT_SECONDS`. Runs in its own thread."""
        seen = time.monotonic()
        with contextlib.suppress(Exception):  # if the scheduler has ended, ``distributed`` reports it
            while time.monotonic() < seen + CONNECT_SECONDS:
                time.sleep(WATCH_SECONDS)
                seen = time.monotonic() if self._client.nthreads() else seen
            self._gone, self._ended = _no_workers(self._address), True
            self._client.cancel(list(self._submitted.values()))

    def _forget(self, future: Future[Any]) -> None:
        """Stop the task if the caller cancelled its *future*."""
        inner = self._submitted.pop(future)
        if future.cancelled():
            inner.cancel()

    async def _pass_on(self, inner: Any, future: Future[T]) -> None:
        """Copy the result or error of *inner*, a future of ``distributed``, to the caller's *future*.

        The executor of ``distributed`` could do this. But after a result has come, that executor asks once
        more for the state of the task. If a worker was lost in the meantime, that executor reports an error
        instead of the result.
        """
        error: BaseException | None = None
        try:
            result = await self._client.gather(inner, asynchronous=True)
        except (Exception, asyncio.CancelledError) as raised:
            error = self._gone if inner.cancelled() else raised
        if not future.set_running_or_notify_cancel():
            return
        if error is None:
            future.set_result(result)
        elif type(error).__name__ == "KilledWorker":
            what = "It ended one worker of the cluster after the other, and was given up."
            future.set_exception(TaskLostError(what, "Leave it out, or make it smaller."))
        else:
            future.set_exception(error)


@contextlib.contextmanager
def open_cluster(address: str, announce: Callable[[str], object]) -> Iterator[Executor]:
    """Open the executor of the scheduler at *address*. Call *announce* with a text about its workers.

    :func:`~sudoku_vision.parallel.open_executor` explains the errors.
    """
    library = import_extra("distributed", "cluster", "A cluster needs dask.distributed")
    with _quiet(), _connected(library, address) as client:
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            raise _no_workers(address) from None
        _check_versions(client, address)
        threads = list(client.nthreads().values())
        workers = f"{len(threads)} worker{'s' * (len(threads) != 1)}"
        announce(f"{address}: {workers}, {sum(threads)} thread{'s' * (sum(threads) != 1)}.")
        yield ClusterExecutor(client, address)


@contextlib.contextmanager
def _connected(library: Any, address: str) -> Iterator[Any]:
    try:
        place = library.comm.get_address_host_port(address)
    except ValueError:
        what = f"{address!r} is not the address of a scheduler."
        raise UsageError(what, "Name one as in: tcp://HOST:8786.") from None
    try:
        # ``distributed`` would try again and again, and is hard to stop. So first check that a program
        # listens at the address, and that this program begins by sending a byte, like a scheduler.
        with socket.create_connection(place, CONNECT_SECONDS) as connection:
            if not address.startswith("tls:") and not connection.recv(1):
                raise OSError("what listens there is no scheduler")
        client = library.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except OSError as error:
        reason = error.strerror or str(error).splitlines()[0]
        raise ClusterError(
            f"No scheduler answers at {address} ({reason}).",
            "Start one with 'dask scheduler', and give the address that it prints: tcp://HOST:8786.",
        ) from None
    try:
        yield client
    finally:
        client.close(timeout=CONNECT_SECONDS)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Within this block, ``distributed`` uses :data:`_SETTINGS`, and logs no lost connections.

    Our own errors report lost connections. ``distributed`` must be imported already.
    """
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "distributed.core")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        with importlib.import_module("dask.config").set(_SETTINGS):
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _check_versions(client: Any, address: str) -> None:
    """Raise :class:`ClusterError` unless all workers have our versions of this program and of Python."""
    ours = versions()
    for worker, theirs in client.run(versions, on_error="return").items():
        if theirs == ours:
            continue
        if isinstance(theirs, Exception):
            have = f"can't load sudoku_vision ({theirs})"
        else:
            have = f"has sudoku_vision {theirs[0]} on Python {theirs[1]}, here it is {ours[0]} on {ours[1]}"
        raise ClusterError(
            f"The worker {worker} of {address} {have}.", f"Install sudoku-vision {ours[0]} there."
        )


def versions() -> tuple[str, str]:
    """Return the versions of this program and of Python, which all workers must have, too."""
    return __version__, f"{sys.version_info.major}.{sys.version_info.minor}"


def _no_workers(address: str) -> ClusterError:
    what = f"The scheduler at {address} has no workers."
    return ClusterError(what, f"Start one, and run this again: dask worker {address} --nthreads 1")


# The code below runs in a worker of the cluster.


def _do(function: Callable[..., T], arguments: tuple[Any, ...], named: dict[str, Any]) -> T:
    """Do a task, and limit OpenCV to one thread from the second task on."""
    result = function(*arguments, **named)
    if "cv2" in sys.modules:  # the first task loads OpenCV, so the limit begins with the second task
        sys.modules["cv2"].setNumThreads(1)
    return result
