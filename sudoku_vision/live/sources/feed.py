"""Feed: one captured frame, and the face that every supply of frames has."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol

from sudoku_vision.results import Image

FeedState = Literal["live", "lost", "ended"]
"""Frames come; they don't, and the source is opened again and again; there will be no more."""

DEFAULT_RATE = 30.0
"""Frames a second where a source doesn't know: what nearly all cameras give."""
HIGHEST_RATE = 500.0
"""Frames a second above which a container names its clock's ticks (1000, 90000), not its frames."""


@dataclass(frozen=True, eq=False)
class CapturedFrame:
    """One frame of a source.

    ``pixels``: (H, W, 3) uint8 BGR. ``number``: counts the source's frames from 0, the dropped ones, too.
    ``seconds``: since the first frame, in a film by its own time stamps. ``captured_at``:
    ``time.monotonic()`` when the frame was there, from which latency is measured.
    """

    pixels: Image
    number: int
    seconds: float
    captured_at: float = 0.0


class FrameFeed(Protocol):
    """Frames one after another, every one of a film or the newest of a camera."""

    @property
    def state(self) -> FeedState:
        """Whether frames come, don't come for a while, or never will again."""

    @property
    def message(self) -> str:
        """What is wrong while they don't come and what to do about it, in plain words; else empty."""

    def next(self, timeout: float) -> CapturedFrame | None:
        """Return a frame that was not given before; None if there is none within *timeout* seconds.

        Raises a :class:`~sudoku_vision.errors.SudokuVisionError` where the source is lost for good.
        """

    def close(self) -> None:
        """Let go of the source."""


def plausible_rate(rate: float) -> float:
    """Return *rate* in frames a second as a source tells it, or :data:`DEFAULT_RATE` where that can't be."""
    return rate if math.isfinite(rate) and 0 < rate <= HIGHEST_RATE else DEFAULT_RATE
