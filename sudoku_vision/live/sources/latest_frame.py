"""Newest: a thread that reads a source and keeps only its newest frame.

Working on a frame may take longer than the camera needs for the next. Whoever asks is given the newest and
never one that waited in a queue, so what is shown lags behind by one frame at most.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from sudoku_vision.live.sources import errors as trouble
from sudoku_vision.live.sources.source import Grab, Source

State = Literal["live", "lost", "ended"]
"""Frames come; they don't, and the source is opened again and again; there will be no more."""

HANG = 12.0
"""Seconds in one read after which a source hangs; the drivers of Linux give up by themselves after ten."""
PAUSES = (0.2, 0.5, 1.0)
"""Seconds between tries to open a lost source again; the last for all that follow."""
QUIET = 2.0
"""Seconds in one read after which people are told that no picture comes."""
LEAVE = 2.0
"""Seconds that closing waits for the thread; one that hangs in a driver is left to itself."""


class Newest:
    """The newest frame of *source*, whenever asked for; a film runs at its own speed, as if it were live.

    >>> with Newest(open_source(0)) as newest:  # doctest: +SKIP
    ...     while not newest.ended:
    ...         grab = newest.next(0.1)
    ...         if grab is not None: show(grab.pixels)
    ...         elif newest.state == "lost": say(newest.message)

    A camera that is unplugged is waited for, and goes on once it is plugged in again: ``state`` is ``lost``
    meanwhile, and ``message`` says what to do. It owns *source* and closes it.
    """

    def __init__(
        self,
        source: Source,
        *,
        patience: float | None = None,
        hang: float = HANG,
        pauses: Sequence[float] = PAUSES,
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
        self._grab: Grab | None = None
        self._state: State = "live"
        self._error: Exception | None = None
        self._dropped = 0
        self._reading_since: float | None = None
        self._lost_since = 0.0
        self._began = 0.0
        self._thread = threading.Thread(target=self._run, name=f"frames of {source.name}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> State:
        """``live``, ``lost`` or ``ended``; it is not ``ended`` before the last frame is given."""
        with self._news:
            if self._waiting:
                return "live"
            return "lost" if self._state == "live" and self._reading > QUIET else self._state

    @property
    def ended(self) -> bool:
        """Whether no further frame will come."""
        return self.state == "ended"

    @property
    def message(self) -> str:
        """What is wrong and what to do about it, in plain words; empty while frames come."""
        if self.state != "lost":
            return ""
        reading, place = self._reading, self.source.place
        return str(trouble.silent(place, reading) if reading > QUIET else trouble.lost(place))

    @property
    def dropped(self) -> int:
        """Frames that were replaced by a newer one before anyone asked."""
        with self._news:
            return self._dropped

    def next(self, timeout: float = 1.0) -> Grab | None:
        """The newest frame that has not been given yet, waiting for one for at most *timeout* seconds.

        None if none came, at once if none will come: ``state`` tells which.

        Raises :class:`~sudoku_vision.errors.CameraError` for a source that hangs or that was lost for too
        long, and whatever went wrong in reading it.
        """
        with self._news:
            self._news.wait_for(lambda: self._waiting or self._state == "ended", timeout)
            if self._grab is not None:
                grab, self._grab = self._grab, None
                return grab
            self._complain()
            return None

    def close(self) -> None:
        """Stop reading and give the camera back."""
        self._stop.set()
        if self._thread is not threading.current_thread():
            self._thread.join(LEAVE)
        with self._news:
            self._state, self._grab = "ended", None
            self._news.notify_all()

    def __enter__(self) -> Newest:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _waiting(self) -> bool:
        return self._grab is not None

    @property
    def _reading(self) -> float:
        """Seconds that the read that is under way has taken so far."""
        since = self._reading_since
        return 0.0 if since is None else self._clock() - since

    def _complain(self) -> None:
        """Raise what keeps frames from coming, if it is more than a moment's pause."""
        if self._error is not None:
            raise self._error
        lost = self._clock() - self._lost_since if self._state == "lost" else 0.0
        if self._patience is not None and lost > self._patience:
            raise trouble.lost(self.source.place)
        if self._reading > self._hang:
            raise trouble.silent(self.source.place, self._reading)

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
        """Read one frame and put it in the place of the last; whether there may be more."""
        self._reading_since = self._clock()
        grab = self.source.read()
        self._reading_since = None
        if grab is None:
            return not self.source.ends and self._regain()
        self._put(grab if not self.source.ends else self._in_time(grab))
        return True

    def _put(self, grab: Grab) -> None:
        with self._news:
            self._dropped += self._grab is not None
            self._grab, self._state = grab, "live"
            self._news.notify_all()

    def _in_time(self, grab: Grab) -> Grab:
        """Wait until a film that began with the first frame would show this one."""
        if grab.number == 0:
            self._began = self._clock()
        self._stop.wait(max(0.0, self._began + grab.seconds - self._clock()))
        return replace(grab, taken=self._clock())

    def _regain(self) -> bool:
        """Open a lost source again, with pauses; whether that went well before :meth:`close`."""
        with self._news:
            if self._state != "lost":
                self._state, self._lost_since = "lost", self._clock()
        for pause in itertools.chain(self._pauses, itertools.repeat(self._pauses[-1])):
            if self._stop.wait(pause):
                return False
            if self.source.reopen():
                return True
        raise AssertionError("there is always another try")
