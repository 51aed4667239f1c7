"""Run ``sudoku-vision serve``, measure its processor time and memory, and send requests to it.

Used by ``benchmarks/web.py`` and by tests.
"""

import contextlib
import http.client
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import psutil
from numpy.typing import NDArray

Floats = NDArray[np.float64]

START_SECONDS = 120.0  # longest wait until the service prints its address; usually, 2 seconds are enough
END_SECONDS = 30.0  # longest wait until the service has ended
ANSWER_SECONDS = 60.0  # seconds after which a request without an answer counts as lost

HOMES = ("HOME", "XDG_CONFIG_HOME", "APPDATA")
"""Environment variables that decide in which folder the service stores its own files."""


@dataclass(frozen=True)
class RunningService:
    """A running service: its process, its address (with the token), and the file with its output."""

    process: subprocess.Popen[bytes]
    address: str
    log: Path

    @property
    def origin(self) -> str:
        """Scheme, host and port of the service's address, without a slash at the end."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def port(self) -> int:
        """The port at which the service listens."""
        port = urlsplit(self.address).port
        assert port is not None
        return port

    def stop(self) -> None:
        """End the service as Ctrl-C does, and wait for its end. Then nothing listens at its port."""
        self.process.terminate()
        self.process.wait(END_SECONDS)

    def taken(self) -> Floats:
        """Return the processor time so far (2,), in seconds: of the server, and of all workers it has had."""
        own = psutil.Process(self.process.pid).cpu_times()
        workers = sum(self._of_workers(lambda worker: sum(worker.cpu_times()[:2])))
        return np.array([own.user + own.system, own.children_user + own.children_system + workers])

    def held(self) -> Floats:
        """Return the memory in use (2,), in megabytes: of the server, and of its largest worker."""

        def resident(process: psutil.Process) -> float:
            return float(process.memory_info().rss) / 1e6

        workers = max(self._of_workers(resident), default=0.0)
        return np.array([resident(psutil.Process(self.process.pid)), workers])

    def _of_workers(self, measure: Callable[[psutil.Process], float]) -> list[float]:
        """Return *measure*(process) for each child of the server process: workers, and a helper of Python."""
        found = []
        for worker in psutil.Process(self.process.pid).children():
            with contextlib.suppress(psutil.NoSuchProcess):  # the worker has just ended
                found.append(measure(worker))
        return found


@contextlib.contextmanager
def running_service(
    *arguments: str, port: int = 0, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> Iterator[RunningService]:
    """Run ``sudoku-vision serve`` until the block ends; raise AssertionError if it printed an error.

    The service has one worker unless *arguments* say otherwise. It runs in *folder*, with an empty home
    folder and the additional variables in *environment*.
    """
    command = [sys.executable, "-m", "sudoku_vision", "serve", "--no-open", "--workers", "1"]
    with tempfile.TemporaryDirectory() as beside:
        log = Path(beside) / "log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*command, "--port", str(port), *arguments],
                stdout=out,
                stderr=out,
                cwd=folder,
                env={**os.environ, **dict.fromkeys(HOMES, beside), **(environment or {})},
                start_new_session=True,
            )
        try:
            yield RunningService(process, _printed_address(process, log), log)
        finally:
            process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        complaint = log.read_text()
        assert not re.search("Traceback|ASGI|error", complaint, re.IGNORECASE), complaint


def _printed_address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the service has printed the address of its page. Return the address."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        logged = log.read_text()
        found = re.search(r"https?://\S+", logged)
        if found and "Ctrl-C" in logged:
            return found[0]
        time.sleep(0.02)
    raise AssertionError(f"the service did not start:\n{log.read_text()}")


@dataclass(frozen=True)
class Answer:
    """The answer to a request. ``status``: 0 without an answer. ``seconds``: time until its last byte."""

    status: int
    seconds: float
    retry_after: str | None = None

    @property
    def is_refusal(self) -> bool:
        """Whether the service was busy, and said when to try again."""
        return self.status == 503 and self.retry_after is not None


class Client(contextlib.AbstractContextManager["Client"]):
    """A connection to the service. If the connection is lost, it is opened again."""

    def __init__(self, service: RunningService) -> None:
        """Prepare a connection. The first request opens it."""
        self._connection = http.client.HTTPConnection(urlsplit(service.origin).netloc, timeout=ANSWER_SECONDS)

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def solve(self, photo: bytes) -> Answer:
        """Send a picture as the body of a request, and ask for a compressed answer, as browsers do."""
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
