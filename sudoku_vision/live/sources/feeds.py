"""Feeds of frames: every frame of a film, or the newest one of a camera or stream."""

import contextlib
import itertools
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from sudoku_vision.live.sources.source import CapturedFrame, Source

FeedState = Literal["live", "lost", "ended"]
"""``live``: frames come. ``lost``: no frames come, and the feed tries again and again to open the source.
``ended``: no more frames will come."""

HANG_AFTER = 12.0
"""A source hangs if it takes more than this many seconds to read one frame.

The drivers of Linux give up by themselves after ten seconds.
"""
REOPEN_PAUSES = (0.2, 0.5, 1.0)  # seconds between tries to open a lost source; the last pause is repeated
SILENT_AFTER = 2.0  # if reading a frame takes more seconds than this, people are told that no picture comes
CLOSE_TIMEOUT = 2.0  # seconds that close() waits for the reading thread; a thread that hangs is abandoned


class EveryFrame:
    """The frames of *source* one after another, to the end of the film.

    The feed owns *source* and closes it. A camera, or a stream without an end, has no last frame: if its
    frames stop, :class:`~sudoku_vision.errors.CameraError` is raised.
    """

    message = ""  # always empty, since a film never keeps anyone waiting

    def __init__(self, source: Source) -> None:
        self._source = source
        self.state: FeedState = "live"

    def next(self, timeout: float = 0.0) -> CapturedFrame | None:  # noqa: ARG002
        """Return the next frame, or None after the last frame."""
        frame = None if self.state == "ended" else self._source.read()
        if frame is None and self.state == "live":
            self.state = "ended"
            if not self._source.ends:
                raise self._source.address.lost_error()
        return frame

    def close(self) -> None:
        """Close the source."""
        self.state = "ended"
        self._source.close()


class LatestFrame(contextlib.AbstractContextManager["LatestFrame"]):
    """The newest frame of *source* at any moment; a film runs at its own speed, as if it were live.

    Work on a frame may take longer than the camera needs for the next frame: frames that come meanwhile are
    left out, so the picture is never late by more than one frame. A camera that is unplugged goes on when it
    is plugged in again: meanwhile ``state`` is ``lost``, and ``message`` says what to do. The feed owns
    *source* and closes it.
    """

    def __init__(
        self, source: Source, *, hang: float = HANG_AFTER, pauses: Sequence[float] = REOPEN_PAUSES
    ) -> None:
        """Begin to read *source* in a thread.

        *hang* and *pauses*: other values for :data:`HANG_AFTER` and :data:`REOPEN_PAUSES`.
        """
        self.source = source
        self._hang = hang
        self._pauses = pauses
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._frame: CapturedFrame | None = None
        self._state: FeedState = "live"
        self._error: Exception | None = None
        self._reading_since: float | None = None
        self._began = 0.0
        self._thread = threading.Thread(target=self._run, name=f"frames of {source.name}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> FeedState:
        """``live``, ``lost`` or ``ended``; it becomes ``ended`` only after the last frame was returned."""
        with self._news:
            if self._frame is not None:
                return "live"
            return "lost" if self._state == "live" and self._reading > SILENT_AFTER else self._state

    @property
    def message(self) -> str:
        """What is wrong and what to do about it, in plain words; empty while frames come."""
        if self.state != "lost":
            return ""
        reading, address = self._reading, self.source.address
        return str(address.silent_error(reading) if reading > SILENT_AFTER else address.lost_error())

    def next(self, timeout: float = 1.0) -> CapturedFrame | None:
        """Wait up to *timeout* seconds for a new frame, and return the newest.

        Returns None if no new frame came, or if none will come: ``state`` tells which. Raises
        :class:`~sudoku_vision.errors.CameraError` if the source hangs, and the errors of reading it.
        """
        with self._news:
            self._news.wait_for(lambda: self._frame is not None or self._state == "ended", timeout)
            if self._frame is not None:
                frame, self._frame = self._frame, None
                return frame
            if self._error is not None:
                raise self._error
            if self._reading > self._hang:
                raise self.source.address.silent_error(self._reading)
            return None

    def close(self) -> None:
        """Stop reading and close the source, so that other programs can use the camera."""
        self._stop.set()
        if self._thread is not threading.current_thread():
            self._thread.join(CLOSE_TIMEOUT)
        with self._news:
            self._state, self._frame = "ended", None
            self._news.notify_all()

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _reading(self) -> float:
        """Seconds for which the feed has been waiting for the frame that it reads now; 0 if it reads none."""
        since = self._reading_since
        return 0.0 if since is None else time.monotonic() - since

    def _run(self) -> None:
        """Read frames until the end; only this thread uses the source, so this thread also closes it."""
        try:
            while not self._stop.is_set() and self._step():
                pass
        except Exception as error:
            self._error = error
        finally:
            self.source.close()
            with self._news:
                self._state = "ended"
                self._news.notify_all()

    def _step(self) -> bool:
        """Read a frame, which replaces the frame before, and return whether there may be more."""
        self._reading_since = time.monotonic()
        frame = self.source.read()
        self._reading_since = None
        if frame is None:
            return not self.source.ends and self._regain()
        if self.source.ends:
            frame = self._in_time(frame)
        with self._news:
            self._frame, self._state = frame, "live"
            self._news.notify_all()
        return True

    def _in_time(self, frame: CapturedFrame) -> CapturedFrame:
        """Wait until it is time to show a *frame* of a film, and return it with the time of this moment.

        The film plays at its own speed from its first frame on.
        """
        if frame.number == 0:
            self._began = time.monotonic()
        self._stop.wait(max(0.0, self._began + frame.seconds - time.monotonic()))
        return replace(frame, captured_at=time.monotonic())

    def _regain(self) -> bool:
        """Try to open a lost source, with pauses, until that succeeds; return False if the feed is closed."""
        with self._news:
            self._state = "lost"
        for pause in itertools.chain(self._pauses, itertools.repeat(self._pauses[-1])):
            if self._stop.wait(pause):
                return False
            if self.source.reopen():
                return True
        raise AssertionError("there is always another try")


FrameFeed = EveryFrame | LatestFrame
"""Frames one after another: every frame of a film, or the newest one of a camera."""
