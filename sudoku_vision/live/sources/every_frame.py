"""Every frame: the feed of a film that is worked out to the end, none of its frames left out."""

from __future__ import annotations

from collections.abc import Iterator

from sudoku_vision.live.sources.errors import lost_error
from sudoku_vision.live.sources.feed import CapturedFrame, FeedState
from sudoku_vision.live.sources.source import Source


class EveryFrame:
    """The frames of *source* one after another, to the end of the film; it owns *source* and closes it.

    A camera, or a stream without an end, has no last frame: when one stops,
    :class:`~sudoku_vision.errors.CameraError` is raised.
    """

    message = ""
    """There is nothing to wait for in a film."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._ended = False

    @property
    def state(self) -> FeedState:
        """``live``, or ``ended`` after the last frame."""
        return "ended" if self._ended else "live"

    def next(self, timeout: float = 0.0) -> CapturedFrame | None:  # noqa: ARG002 (a film never keeps one waiting)
        """Return the next frame; None after the last."""
        frame = None if self._ended else self._source.read()
        if frame is None and not self._ended:
            self._ended = True
            if not self._source.ends:
                raise lost_error(self._source.address)
        return frame

    def close(self) -> None:
        """Give the file back."""
        self._ended = True
        self._source.close()

    def __iter__(self) -> Iterator[CapturedFrame]:
        while (frame := self.next()) is not None:
            yield frame
