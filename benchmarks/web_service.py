"""Runs ``sudoku-vision serve``, measures its processor time and memory, and sends requests to it.

Used by ``benchmarks/web.py``.
"""

import contextlib
import http.client
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

import psutil

START_SECONDS = 120.0  # longest time until the service prints its address; usually this takes 2 seconds
END_SECONDS = 10.0
ANSWER_SECONDS = 60.0  # after so many seconds without an answer, a request counts as lost
REFUSED_PAUSE = 0.02  # after so many seconds, a refused client sends its next request


@dataclass(frozen=True)
class Taken:
    """Processor time of the server's process, and of all its workers, even if they have ended; in seconds."""

    server: float
    workers: float

    @property
    def whole(self) -> float:
        """The time of server and workers."""
        return self.server + self.workers

    def since(self, earlier: "Taken") -> "Taken":
        """Return the time since *earlier*."""
        return Taken(self.server - earlier.server, self.workers - earlier.workers)


@dataclass(frozen=True)
class Held:
    """Memory of the server's process and of its largest worker, in megabytes."""

    server: float
    worker: float


@dataclass(frozen=True)
class Running:
    """The process of a service and its address."""

    process: psutil.Process
    host: str
    port: int

    def taken(self) -> Taken:
        """Return the processor time so far."""
        own = self.process.cpu_times()
        running = self._of_workers(lambda worker: sum(worker.cpu_times()[:2]))
        return Taken(own.user + own.system, own.children_user + own.children_system + sum(running))

    def held(self) -> Held:
        """Return the memory now."""
        workers = self._of_workers(resident)
        return Held(resident(self.process), max(workers, default=0.0))

    def _of_workers(self, measure: Callable[[psutil.Process], float]) -> list[float]:
        """Measure the processes that the server has started: its workers, and a small process of Python."""
        found = []
        for worker in self.process.children():
            with contextlib.suppress(psutil.NoSuchProcess):  # it has just ended
                found.append(measure(worker))
        return found


def resident(process: psutil.Process) -> float:
    """Return the megabytes of memory of a process."""
    return float(process.memory_info().rss) / 1e6


@contextlib.contextmanager
def running(*options: str) -> Iterator[Running]:
    """Run ``sudoku-vision serve`` with *options* on a free port, until the block ends."""
    command = [sys.executable, "-m", "sudoku_vision", "serve", "--no-open", "--port", "0", *options]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        try:
            parts = urlsplit(_printed_address(process, log.fileno()))
            assert parts.hostname is not None and parts.port is not None
            yield Running(psutil.Process(process.pid), parts.hostname, parts.port)
        finally:
            process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        printed = os.pread(log.fileno(), 100_000, 0).decode()
    if "error" in printed.lower():
        print(f"the service complained:\n{printed}", file=sys.stderr)


def _printed_address(process: subprocess.Popen[bytes], log: int) -> str:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"http://\S+", os.pread(log, 100_000, 0).decode())
        if found:
            return found[0]
        time.sleep(0.02)
    raise SystemExit(f"the service did not start:\n{os.pread(log, 100_000, 0).decode()}")


@dataclass(frozen=True)
class Answer:
    """The answer to one request: its ``status``, 0 if it was lost, and the ``seconds`` to its last byte."""

    status: int
    seconds: float
    retry_after: str | None = None

    @property
    def is_refusal(self) -> bool:
        """Whether the service was busy, and said when to try again."""
        return self.status == 503 and self.retry_after is not None


class Client(contextlib.AbstractContextManager["Client"]):
    """A connection to the service; it is opened again if it is lost."""

    def __init__(self, service: Running) -> None:
        """The first request opens the connection."""
        self._connection = http.client.HTTPConnection(service.host, service.port, timeout=ANSWER_SECONDS)

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def solve(self, photo: bytes) -> Answer:
        """Send a picture as the body of a request, as browsers do; the answer is compressed."""
        headers = {"Accept-Encoding": "gzip", "Content-Type": "image/jpeg"}
        started = time.perf_counter()
        try:
            self._connection.request("POST", "/api/solve", photo, headers)
            response = self._connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            return Answer(0, time.perf_counter() - started)
        waited = time.perf_counter() - started
        return Answer(response.status, waited, response.headers.get("Retry-After"))


def until(end: float, service: Running, photos: Sequence[bytes]) -> list[Answer]:
    """Send *photos* one after another until the monotonic clock shows *end*."""
    answers: list[Answer] = []
    with Client(service) as client:
        while time.monotonic() < end:
            answers.append(client.solve(photos[len(answers) % len(photos)]))
            if answers[-1].status != 200:
                time.sleep(REFUSED_PAUSE)
    return answers


def at_once(count: int, work: Callable[[int], list[Answer]]) -> list[Answer]:
    """Call *work* in *count* threads at the same moment, with the thread's number; return all answers."""
    ready = threading.Barrier(count)

    def begin(number: int) -> list[Answer]:
        ready.wait()
        return work(number)

    with ThreadPoolExecutor(count) as threads:
        return [one for answers in threads.map(begin, range(count)) for one in answers]
