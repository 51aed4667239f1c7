"""The command ``serve`` as a process of its own, as a person starts it."""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

START = 60.0
"""Seconds until it must have named its address: 2 are usual, a busy machine takes longer."""
END = 30.0
"""Seconds until it must have ended."""
HOMES = ("HOME", "XDG_CONFIG_HOME", "APPDATA")
"""Where the application looks for a place of its own."""


@dataclass(frozen=True)
class RunningService:
    """A service that runs: its process, the address that it named (with its token), and what it wrote."""

    process: subprocess.Popen[bytes]
    address: str
    log: Path

    @property
    def origin(self) -> str:
        """Scheme, host and port, without a slash at the end."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def port(self) -> int:
        port = urlsplit(self.address).port
        assert port is not None
        return port

    def stop(self) -> None:
        """End it, as Ctrl-C does; nobody listens at its port when this returns."""
        self.process.terminate()
        self.process.wait(END)


@contextlib.contextmanager
def running_service(
    *arguments: str, port: int = 0, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> Iterator[RunningService]:
    """Run ``sudoku-vision serve`` within; at its end it must have complained of nothing.

    It has one worker unless *arguments* say otherwise, a home of its own, the variables of *environment*
    beside, and runs in *folder*.
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
            yield RunningService(process, _address_told(process, log), log)
        finally:
            process.terminate()
            try:
                process.wait(END)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        complaint = log.read_text()
        assert not re.search("Traceback|ASGI|error", complaint, re.IGNORECASE), complaint


def _address_told(process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the process has named the page's address."""
    end = time.monotonic() + START
    while time.monotonic() < end and process.poll() is None:
        logged = log.read_text()
        found = re.search(r"https?://\S+", logged)
        if found and "Ctrl-C" in logged:
            return found[0]
        time.sleep(0.02)
    raise AssertionError(f"the service did not start:\n{log.read_text()}")
