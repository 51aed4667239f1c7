"""Service: requests to a running service. It must answer each, and never with an internal error.

The requests are those of ``tests/web/hostile_requests.py``.
"""

import time
from pathlib import Path

from hostile_requests import Hostile, HostileService, answer_to, hostile, is_failure, statuses_in

from . import seeds
from .kinds import Case
from .trials import HANG_SECONDS, Trial


class ServiceTrials(HostileService):
    """Sends requests to a service in a process of its own; use it in a ``with`` statement."""

    def __init__(self, folder: Path) -> None:
        """Start a service that logs into *folder*."""
        super().__init__(folder / "service.log")
        self._material = self.material(seeds.pictures()["plain.jpg"], HANG_SECONDS)

    def attempt(self, seed: int) -> Trial:
        """Draw the request of a seed and send it."""
        sent = hostile(seed, self._material)
        return self.send(Case("request", seed, f"{sent.kind}.http", b"".join(sent.pieces)), sent)

    def send(self, case: Case, sent: Hostile | None = None) -> Trial:
        """Send the bytes of a case; *sent* gives the pieces in which to send them."""
        sent = sent or Hostile(case.name.partition(".")[0], (case.data,))
        begun = time.monotonic()
        try:
            answer = answer_to(self.address, sent, HANG_SECONDS)
        except TimeoutError:
            return Trial(case, "failed", f"no answer in {HANG_SECONDS:g} seconds", HANG_SECONDS)
        seconds = time.monotonic() - begun
        if is_failure(answer) or self.process.poll() is not None:
            return Trial(case, "failed", f"answered {answer[:500]!r}", seconds)
        return Trial(case, "done" if 200 in statuses_in(answer) else "refused", "", seconds)
