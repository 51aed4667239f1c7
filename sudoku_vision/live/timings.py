"""Timings: how long the stages of a frame take, and how many frames come in a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

AVERAGE_KEPT = 0.9
"""Share that earlier frames keep in the averages: what changes with every frame can't be read."""


class StageTimings:
    """Moving averages of the times that the stages of a frame take."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """*clock* gives the time in seconds."""
        self._clock = clock
        self._stages: dict[str, float] = {}
        self._between: float | None = None
        self._ticked: float | None = None

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Take the time of what is done within, for the stage *name*."""
        start = self._clock()
        yield
        self.note(name, self._clock() - start)

    def note(self, name: str, seconds: float) -> None:
        """Note that *name* took so long."""
        self._stages[name] = _moving_average(self._stages.get(name), seconds)

    def tick(self) -> None:
        """Note that a frame has come."""
        now = self._clock()
        if self._ticked is not None:
            self._between = _moving_average(self._between, now - self._ticked)
        self._ticked = now

    @property
    def rate(self) -> float:
        """Frames in a second, 0 before there were two."""
        return 1 / self._between if self._between else 0.0

    def line(self) -> str:
        """Return all in a line, stages in milliseconds."""
        stages = "   ".join(f"{name} {1000 * seconds:.1f}" for name, seconds in self._stages.items())
        return f"{self.rate:.0f} frames/s   {stages} ms"


def _moving_average(before: float | None, now: float) -> float:
    return now if before is None else AVERAGE_KEPT * before + (1 - AVERAGE_KEPT) * now
