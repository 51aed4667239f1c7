"""Give every frame of a film, or the newest frame of a camera or stream."""

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
"""If reading one frame takes more seconds than this, the source counts as hanging, and an error is raised.

It is longer than the ten seconds after which the drivers of Linux report an error by themselves.
"""
REOPEN_PAUSES = (0.2, 0.5, 1.0)  # seconds before each try to open a lost source; the last pause is repeated
SILENT_AFTER = 2.0  # if reading a frame takes more seconds than this, people are told that no picture comes
CLOSE_TIMEOUT = 2.0  # seconds that close() waits until the reading thread ends; then it is left running


class EveryFrame:
    """Gives the frames of *source* one after another, to the end of the film.

    The feed owns *source* and closes it. A camera, or a stream without an end, has no last frame. If its
    frames stop, :meth:`next` raises :class:`~sudoku_vision.errors.CameraError`.
    """

    message = ""  # always empty, since this feed never waits for a lost source

    def __init__(self, source: Source) -> None:
        self._source = source
        self.state: FeedState = "live"

    def next(self, timeout: float = 0.0) -> CapturedFrame | None:  # noqa: ARG002
        """Return the next frame, or None after the last frame; *timeout* has no effect."""
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
    """Gives the newest frame of *source*; a film plays at its normal speed, like a camera.

    If the caller needs more time for a frame than the camera, the frames that come in this time are left out.
    So the picture is never late by more than one frame. If a camera is unplugged, ``state`` is ``lost`` and
    ``message`` says what to do; when it is plugged in again, frames come again. The feed owns *source* and
    closes it.
    """

    def __init__(
        self, source: Source, *, hang: float = HANG_AFTER, pauses: Sequence[float] = REOPEN_PAUSES
    ) -> None:
        """Begin to read *source* in a thread.

        *hang* and *pauses* replace the times in :data:`HANG_AFTER` and :data:`REOPEN_PAUSES`.
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
        """The state of the feed; it becomes ``ended`` only after :meth:`next` has returned the last frame."""
        with self._news:
            if self._frame is not None:
                return "live"
            return "lost" if self._state == "live" and self._reading > SILENT_AFTER else self._state

    @property
    def message(self) -> str:
        """A message for people: why no frames come, and what to do about it; empty while frames come."""
        if self.state != "lost":
            return ""
        reading, address = self._reading, self.source.address
        return str(address.silent_error(reading) if reading > SILENT_AFTER else address.lost_error())

    def next(self, timeout: float = 1.0) -> CapturedFrame | None:
        """Wait up to *timeout* seconds for a new frame, and return the newest.

        Returns None if no new frame came in this time. If ``state`` is ``ended``, no frame will ever
        come. Raises :class:`~sudoku_vision.errors.CameraError` if the source hangs, and any error that was
        raised while the source was read.
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
        """Seconds since the thread began to read the current frame; 0 if it reads no frame at the moment."""
        since = self._reading_since
        return 0.0 if since is None else time.monotonic() - since

    def _run(self) -> None:
        """Read frames until the feed ends, then close the source.

        The source is closed in this thread, because only one thread may use it.
        """
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
        """Read the next frame, store it as the newest frame, and return whether more frames may come."""
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
        """Wait until it is time to show a *frame* of a film, so that the film plays at its normal speed.

        Return the frame with the present time as ``captured_at``.
        """
        if frame.number == 0:
            self._began = time.monotonic()
        self._stop.wait(max(0.0, self._began + frame.seconds - time.monotonic()))
        return replace(frame, captured_at=time.monotonic())

    def _regain(self) -> bool:
        """Try again and again, with pauses, to open a lost source.

        Return True when the source is open, and False if the feed is closed meanwhile.
        """
        with self._news:
            self._state = "lost"
        for pause in itertools.chain(self._pauses, itertools.repeat(self._pauses[-1])):
            if self._stop.wait(pause):
                return False
            if self.source.reopen():
                return True
        raise AssertionError("there is always another try")


FrameFeed = EveryFrame | LatestFrame
"""A feed of frames: it gives every frame of a film, or the newest frame of a camera."""
