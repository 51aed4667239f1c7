"""Latest frame: a thread that reads a source and keeps only its newest frame.

Working on a frame may take longer than the camera needs for the next. Whoever asks is given the newest and
never one that waited in a queue, so what is shown lags behind by one frame at most.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from sudoku_vision.live.sources.errors import lost_error, silent_error
from sudoku_vision.live.sources.feed import CapturedFrame, FeedState
from sudoku_vision.live.sources.source import Source

HANG_AFTER = 12.0
"""Seconds in one read after which a source hangs; the drivers of Linux give up by themselves after ten."""
REOPEN_PAUSES = (0.2, 0.5, 1.0)
"""Seconds between tries to open a lost source again; the last for all that follow."""
SILENT_AFTER = 2.0
"""Seconds in one read after which people are told that no picture comes."""
CLOSE_TIMEOUT = 2.0
"""Seconds that closing waits for the thread; one that hangs in a driver is left to itself."""


class LatestFrame:
    """The newest frame of *source*, whenever asked for; a film runs at its own speed, as if it were live.

    >>> with LatestFrame(open_source(0)) as latest:  # doctest: +SKIP
    ...     while not latest.ended:
    ...         frame = latest.next(0.1)
    ...         if frame is not None: show(frame.pixels)
    ...         elif latest.state == "lost": say(latest.message)

    A camera that is unplugged is waited for, and goes on once it is plugged in again: ``state`` is ``lost``
    meanwhile, and ``message`` says what to do. It owns *source* and closes it.
    """

    def __init__(
        self,
        source: Source,
        *,
        patience: float | None = None,
        hang: float = HANG_AFTER,
        pauses: Sequence[float] = REOPEN_PAUSES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to read *source*; one that is lost for *patience* seconds is given up, by default never."""
        self.source = source
        self._patience = patience
        self._hang = hang
        self._pauses = pauses
        self._clock = clock
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._frame: CapturedFrame | None = None
        self._state: FeedState = "live"
        self._error: Exception | None = None
        self._dropped = 0
        self._reading_since: float | None = None
        self._lost_since = 0.0
        self._began = 0.0
        self._thread = threading.Thread(target=self._run, name=f"frames of {source.name}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> FeedState:
        """``live``, ``lost`` or ``ended``; it is not ``ended`` before the last frame is given."""
        with self._news:
            if self._waiting:
                return "live"
            return "lost" if self._state == "live" and self._reading > SILENT_AFTER else self._state

    @property
    def ended(self) -> bool:
        """Whether no further frame will come."""
        return self.state == "ended"

    @property
    def message(self) -> str:
        """What is wrong and what to do about it, in plain words; empty while frames come."""
        if self.state != "lost":
            return ""
        reading, address = self._reading, self.source.address
        return str(silent_error(address, reading) if reading > SILENT_AFTER else lost_error(address))

    @property
    def dropped(self) -> int:
        """Frames that were replaced by a newer one before anyone asked."""
        with self._news:
            return self._dropped

    def next(self, timeout: float = 1.0) -> CapturedFrame | None:
        """Return the newest frame that has not been given yet, waiting for one for at most *timeout* seconds.

        None if none came, at once if none will come: ``state`` tells which.

        Raises :class:`~sudoku_vision.errors.CameraError` for a source that hangs or that was lost for too
        long, and whatever went wrong in reading it.
        """
        with self._news:
            self._news.wait_for(lambda: self._waiting or self._state == "ended", timeout)
            if self._frame is not None:
                frame, self._frame = self._frame, None
                return frame
            self._raise_error()
            return None

    def close(self) -> None:
        """Stop reading and give the camera back."""
        self._stop.set()
        if self._thread is not threading.current_thread():
            self._thread.join(CLOSE_TIMEOUT)
        with self._news:
            self._state, self._frame = "ended", None
            self._news.notify_all()

    def __enter__(self) -> LatestFrame:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _waiting(self) -> bool:
        return self._frame is not None

    @property
    def _reading(self) -> float:
        """Seconds that the read that is under way has taken so far."""
        since = self._reading_since
        return 0.0 if since is None else self._clock() - since

    def _raise_error(self) -> None:
        """Raise what keeps frames from coming, if it is more than a moment's pause."""
        if self._error is not None:
            raise self._error
        lost = self._clock() - self._lost_since if self._state == "lost" else 0.0
        if self._patience is not None and lost > self._patience:
            raise lost_error(self.source.address)
        if self._reading > self._hang:
            raise silent_error(self.source.address, self._reading)

    def _run(self) -> None:
        """Read until the end; only this thread touches the source, so it is closed here, too."""
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
        """Read one frame in exchange for the last, and tell whether there may be more."""
        self._reading_since = self._clock()
        frame = self.source.read()
        self._reading_since = None
        if frame is None:
            return not self.source.ends and self._regain()
        self._put(frame if not self.source.ends else self._in_time(frame))
        return True

    def _put(self, frame: CapturedFrame) -> None:
        with self._news:
            self._dropped += self._frame is not None
            self._frame, self._state = frame, "live"
            self._news.notify_all()

    def _in_time(self, frame: CapturedFrame) -> CapturedFrame:
        """Wait until a film that began with the first frame would show this one."""
        if frame.number == 0:
            self._began = self._clock()
        self._stop.wait(max(0.0, self._began + frame.seconds - self._clock()))
        return replace(frame, captured_at=self._clock())

    def _regain(self) -> bool:
        """Open a lost source again, with pauses, and tell whether that went well before :meth:`close`."""
        with self._news:
            if self._state != "lost":
                self._state, self._lost_since = "lost", self._clock()
        for pause in itertools.chain(self._pauses, itertools.repeat(self._pauses[-1])):
            if self._stop.wait(pause):
                return False
            if self.source.reopen():
                return True
        raise AssertionError("there is always another try")
