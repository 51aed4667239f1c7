"""Give every frame of a film, or the newest frame of a camera or stream."""

import itertools
import threading
import time
from dataclasses import replace

from sudoku_vision.live.sources.source import CapturedFrame, Source

HANG_AFTER = 12.0
"""Maximum time for reading a frame, in seconds. The limit is so long because drivers of Linux report errors
only after ten seconds."""
REOPEN_PAUSES = (0.2, 0.5, 1.0)  # seconds before each try to open a lost source; the last pause is repeated
SILENT_AFTER = 2.0  # if reading a frame takes more seconds than this, a message says that no picture comes
CLOSE_TIMEOUT = 2.0  # close() waits at most this many seconds for the end of the reading thread


class EveryFrame:
    """Gives the frames of *source* one after another, to the end of the film.

    If a camera or an endless stream stops, :meth:`next` raises :class:`~sudoku_vision.errors.CameraError`.
    """

    message = ""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.ended = False

    def next(self, timeout: float = 0.0) -> CapturedFrame | None:  # noqa: ARG002
        """Return the next frame, or None after the last frame. *timeout* has no effect."""
        frame = self._source.read()
        self.ended = frame is None
        if self.ended and not self._source.ends:
            raise self._source.address.lost_error()
        return frame

    def close(self) -> None:
        """Close the source."""
        self._source.close()


class LatestFrame:
    """Gives the newest frame of *source*; a film plays at its normal speed.

    Frames that come while the caller is busy are left out. While a camera is unplugged, the feed tries to
    open it again, and ``message`` says what to do.
    """

    def __init__(self, source: Source) -> None:
        """Begin to read *source* in a thread."""
        self.source = source
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._frame: CapturedFrame | None = None
        self._is_lost = self._is_over = False
        self._error: Exception | None = None
        self._reading_since: float | None = None
        self._began = 0.0
        self._thread = threading.Thread(target=self._run, name=f"frames of {source.name}", daemon=True)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether no more frames come, and :meth:`next` has returned the last frame."""
        with self._news:
            return self._is_over and self._frame is None

    @property
    def message(self) -> str:
        """Why no frames come, and what to do about it; "" while frames come."""
        reading, address = self._reading, self.source.address
        with self._news:
            if self._frame is not None or self._is_over:
                return ""
        if reading > SILENT_AFTER:
            return str(address.silent_error(reading))
        return str(address.lost_error()) if self._is_lost else ""

    def next(self, timeout: float = 1.0) -> CapturedFrame | None:
        """Wait up to *timeout* seconds for a new frame. Return the frame, or None if no frame came.

        Raises :class:`~sudoku_vision.errors.CameraError` if the source hangs, or the error of the last read.
        """
        with self._news:
            self._news.wait_for(lambda: self._frame is not None or self._is_over, timeout)
            if self._frame is not None:
                frame, self._frame = self._frame, None
                return frame
            if self._error is not None:
                raise self._error
            if self._reading > HANG_AFTER:
                raise self.source.address.silent_error(self._reading)
            return None

    def close(self) -> None:
        """Stop reading and close the source, so that other programs can use the camera."""
        self._stop.set()
        self._thread.join(CLOSE_TIMEOUT)

    @property
    def _reading(self) -> float:
        """Seconds since the thread began to read the current frame; 0 if it reads no frame."""
        since = self._reading_since
        return 0.0 if since is None else time.monotonic() - since

    def _run(self) -> None:
        """Read frames until the feed ends, and close the source. No other thread may use the source."""
        try:
            while not self._stop.is_set() and self._step():
                pass
        except Exception as error:
            self._error = error
        finally:
            self.source.close()
            with self._news:
                self._is_over = True
                self._news.notify_all()

    def _step(self) -> bool:
        """Read and store the next frame, and return whether more frames can come."""
        self._reading_since = time.monotonic()
        frame = self.source.read()
        self._reading_since = None
        if frame is None:
            return not self.source.ends and self._regain()
        if self.source.ends:
            frame = self._in_time(frame)
        with self._news:
            self._frame, self._is_lost = frame, False
            self._news.notify_all()
        return True

    def _in_time(self, frame: CapturedFrame) -> CapturedFrame:
        """Wait until a film at normal speed shows *frame*. Return it as if it was captured then."""
        if frame.number == 0:
            self._began = time.monotonic()
        self._stop.wait(max(0.0, self._began + frame.seconds - time.monotonic()))
        return replace(frame, captured_at=time.monotonic())

    def _regain(self) -> bool:
        """Try to open a lost source until it is open. Return False if the feed is closed meanwhile."""
        self._is_lost = True
        pauses = itertools.chain(REOPEN_PAUSES, itertools.repeat(REOPEN_PAUSES[-1]))
        while not self._stop.wait(next(pauses)):
            if self.source.reopen():
                return True
        return False
