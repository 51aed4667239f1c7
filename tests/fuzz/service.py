"""Service: requests to a running service. It must answer each, and never with an internal error.

The requests are those of ``tests/web/hostile_requests.py``.
"""

import json
import re
import subprocess
import sys
import time
import urllib.request
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import urlsplit

from . import seeds
from .kinds import Case
from .trials import HANG_SECONDS, Trial

WEB = Path(__file__).resolve().parents[1] / "web"
sys.path += [str(WEB.parent), str(WEB)]  # the requests are drawn there, as for the tests of the service

from hostile_requests import Hostile, Material, answer_to, hostile  # noqa: E402

_STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
_REFUSALS_OF_SERVERS = {503, 504}
"""Statuses from 500 on that are no failures: too busy, too slow."""


class ServiceTrials(AbstractContextManager["ServiceTrials"]):
    """Sends requests to a service in a process of its own; use it in a ``with`` statement."""

    def __init__(self, folder: Path) -> None:
        """Start a service that logs into *folder*."""
        self._log = (folder / "service.log").open("w+b")
        self._process = subprocess.Popen(
            [sys.executable, str(WEB / "serve_alone.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self._process.stdout is not None
        self._address = self._process.stdout.readline().split()[0]
        photo = seeds.pictures()["plain.jpg"]
        request = urllib.request.Request(f"{self._address}/api/solve", photo)
        with urllib.request.urlopen(request, timeout=HANG_SECONDS) as answer:
            state = json.load(answer)["view"]["grids"][0]["state"]
        self._material = Material(urlsplit(self._address).netloc, photo, state)

    def attempt(self, seed: int) -> Trial:
        """Draw the request of a seed and send it."""
        sent = hostile(seed, self._material)
        return self.send(Case("request", seed, f"{sent.kind}.http", b"".join(sent.pieces)), sent)

    def send(self, case: Case, sent: Hostile | None = None) -> Trial:
        """Send the bytes of a case; *sent* gives the pieces in which to send them."""
        sent = sent or Hostile(case.name.partition(".")[0], (case.data,))
        begun = time.monotonic()
        try:
            answer = answer_to(self._address, sent, HANG_SECONDS)
        except TimeoutError:
            return Trial(case, "failed", f"no answer in {HANG_SECONDS:g} seconds", HANG_SECONDS)
        seconds = time.monotonic() - begun
        statuses = [int(status) for status in _STATUS.findall(answer)]
        failed = {status for status in statuses if status >= 500} - _REFUSALS_OF_SERVERS
        if failed or b"Traceback" in answer or self._process.poll() is not None:
            return Trial(case, "failed", f"answered {answer[:500]!r}", seconds)
        return Trial(case, "done" if 200 in statuses else "refused", "", seconds)

    def close(self) -> str:
        """Stop the service; return its log if that contains an internal error."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.seek(0)
        log = self._log.read().decode(errors="replace")
        self._log.close()
        return log if "Traceback" in log or "internal" in log else ""

    def __exit__(self, *_: object) -> None:
        self.close()
