"""Cameras that film for the service, as the page does, and count what they are told.

Used by ``benchmarks/web.py``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from web_pictures import FilmFrame
from web_service import ANSWER_SECONDS, Running
from websockets.sync.client import connect

RATE = 30.0
"""Frames a second of a camera."""


@dataclass
class Seen:
    """What one camera was told: seconds of each answer, and counts of frames."""

    waits: list[float] = field(default_factory=list)
    sure: int = 0
    wrong: int = 0
    failed: int = 0


def filmed(service: Running, films: Sequence[Sequence[FilmFrame]], seconds: float) -> list[Seen]:
    """Let a camera film each of *films*, all at once."""
    with ThreadPoolExecutor(len(films)) as threads:
        return list(threads.map(lambda film: one_camera(service, film, seconds), films))


def one_camera(service: Running, film: Sequence[FilmFrame], seconds: float) -> Seen:
    """Send the newest frame whenever the last one was answered, as the page does."""
    seen = Seen()
    address = f"ws://{service.host}:{service.port}/api/live"
    with connect(address, compression=None, max_size=None, proxy=None) as socket:
        started, last = time.perf_counter(), -1
        while (now := time.perf_counter() - started) < seconds:
            number = int(now * RATE)
            if number == last:
                time.sleep(max(0.0, started + (last + 1) / RATE - time.perf_counter()))
                continue
            last, frame = number, film[number % len(film)]
            sent = time.perf_counter()
            socket.send(frame.jpeg)
            told = json.loads(socket.recv(ANSWER_SECONDS))
            seen.waits.append(time.perf_counter() - sent)
            seen.failed += "error" in told
            seen.sure += told.get("state") == "sure"
            seen.wrong += bool(frame.wrong(told.get("grids", [])))
    return seen
