"""The main loop of ``sudoku-vision live``. It takes frames, tracks grids and draws answers.

If there is a window, grids are searched for and read in a thread, so that frames and keys don't wait. Each
frame shows the answers that are known at this moment, at the place of the grid in this frame.
"""

import contextlib
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from sudoku_vision.errors import SaveError, SudokuVisionError
from sudoku_vision.live.draw import AnnotationOptions, Annotator, write_lines
from sudoku_vision.live.sources.feeds import EveryFrame, LatestFrame
from sudoku_vision.live.sources.source import CapturedFrame
from sudoku_vision.live.tracker import TrackedGrid, Tracker
from sudoku_vision.live.window import Window
from sudoku_vision.output.save import save
from sudoku_vision.values import Image
from sudoku_vision.vision.digits import CellClassifier

HELP = (
    "q quit   space freeze   s save   r read again   h hint   k check   a answers   c camera   d debug   "
    "t timings"
)
"""The line at the bottom of the window."""

FRAME_TIMEOUT = 0.05
"""Wait at most this many seconds for a frame, and then check keys. The limit is so short because people
notice a delay of 0.1 seconds."""
SILENCE = 1.0  # after this many seconds without a frame, the window says why no frame comes
NOTICE = 2.5  # a notice, such as the name of a saved file, is shown for this many seconds
AVERAGE_KEPT = 0.9  # weight of earlier frames in moving averages; it is large, so that numbers change slowly


@dataclass(frozen=True, eq=False)
class SessionFrame:
    """A ``frame``, its ``grids``, and the ``picture`` with answers; ``picture`` is None if none is drawn.

    The picture has no lines about keys, and no notices. Only the window shows them.
    """

    frame: CapturedFrame
    grids: tuple[TrackedGrid, ...]
    picture: Image | None


FeedOpener = Callable[[], EveryFrame | LatestFrame]
"""A function that opens a camera or film, or raises :class:`~sudoku_vision.errors.SudokuVisionError`."""


class Session(contextlib.AbstractContextManager["Session"]):
    """Takes frames from a feed until it ends or a person quits; use it in a ``with`` statement."""

    def __init__(
        self,
        feeds: Sequence[FeedOpener],
        model: CellClassifier,
        window: Window | None = None,
        *,
        annotate: bool = True,
        on_message: Callable[[str], object] | None = None,
    ) -> None:
        """Open the first of *feeds*. The key c changes to the next feed.

        *model* classifies the cells. With *annotate*, answers are drawn into a picture of each frame.
        *on_message* is called with each new message that says why frames stop. Without a *window*, the grids
        of a frame are read before the next frame is taken.
        """
        self._feeds, self._number = feeds, 0
        self._feed = feeds[0]()
        self._model, self._window = model, window
        self._jobs = None if window is None else ThreadPoolExecutor(1, "sudoku-vision-read")
        self._tracker, self._annotator = Tracker(model, self._jobs), Annotator(self._jobs)
        self._options, self._annotate = AnnotationOptions(), annotate
        self._on_message = on_message
        self._timings = StageTimings()
        self._frozen, self._show_timings = False, False
        self._message, self._notice, self._notice_until = "", "", 0.0
        self._last: SessionFrame | None = None
        self._last_frame_at = time.monotonic()

    def frames(self, seconds: float | None = None) -> Iterator[SessionFrame]:
        """Yield finished frames until the feed ends, the person quits, or a frame's time reaches *seconds*.

        Raises a :class:`~sudoku_vision.errors.SudokuVisionError` if a camera or stream can't be opened again.
        """
        while self._goes_on():
            frame = self._next_frame()
            if frame is not None and (seconds is None or frame.seconds < seconds):
                yield self._finished(frame)
            elif frame is not None or (self._feed.ended and not self._frozen):
                return
            else:
                self._idle()

    def __exit__(self, *_: object) -> None:
        self._feed.close()
        if self._jobs is not None:
            self._jobs.shutdown(wait=True, cancel_futures=True)

    def _goes_on(self) -> bool:
        """Act on the key that was pressed, and return whether the session continues."""
        if self._window is None:
            return True
        if self._window.closed:
            return False
        key = self._window.key()
        self._act_on(key)
        return key not in ("q", "escape")

    def _next_frame(self) -> CapturedFrame | None:
        """Return the next frame; None if no frame has come, or if the picture is frozen."""
        if self._frozen:
            time.sleep(FRAME_TIMEOUT)
            return None
        with self._timings.stage("wait"):
            frame = self._feed.next(FRAME_TIMEOUT)
        if frame is not None:
            before, self._last_frame_at = self._last_frame_at, time.monotonic()
            self._timings.note("frame", self._last_frame_at - before)
        return frame

    def _finished(self, frame: CapturedFrame) -> SessionFrame:
        with self._timings.stage("track"):
            grids = self._tracker.update(frame.pixels, frame.seconds)
        with self._timings.stage("draw"):
            picture = self._drawn(frame, grids) if self._annotate else None
        self._last = SessionFrame(frame, grids, picture)
        self._show(picture)
        self._timings.note("latency", time.monotonic() - frame.captured_at)
        return self._last

    def _idle(self) -> None:
        """Report why no frame comes, and show the last frame again, with the current options."""
        message = self._feed.message
        if self._on_message is not None and message not in ("", self._message):
            self._on_message(message)
        self._message = message
        if self._window is not None and self._last is not None:
            picture = self._drawn(self._last.frame, self._last.grids)
            self._last = replace(self._last, picture=picture)
            self._show(picture)
        else:
            self._show(np.zeros((480, 640, 3), np.uint8))

    def _drawn(self, frame: CapturedFrame, grids: Sequence[TrackedGrid]) -> Image:
        return self._annotator.annotate(frame.pixels, grids, self._options)

    def _show(self, picture: Image | None) -> None:
        if self._window is not None and picture is not None:
            with self._timings.stage("show"):
                self._window.show(write_lines(picture.copy(), self._lines()))

    def _lines(self) -> list[str]:
        lines = [self._timings.line()] if self._show_timings else []
        if time.monotonic() < self._notice_until:
            lines.append(self._notice)
        elif self._frozen:
            lines.append("Frozen: press space to go on.")
        elif time.monotonic() - self._last_frame_at > SILENCE:
            lines.append(self._feed.message or "Waiting for a picture ...")
        return [*lines, HELP]

    def _act_on(self, key: str) -> None:
        options = self._options
        match key:
            case " ":
                self._frozen = not self._frozen and self._last is not None
                self._last_frame_at = time.monotonic()
            case "s":
                self._save()
            case "r":
                self._tracker.reset()
                self._annotator = Annotator(self._jobs)
                self._notify("Reading again.")
            case "h":
                self._options = replace(options, hint=not options.hint, check=False)
            case "k":
                self._options = replace(options, check=not options.check, hint=False)
            case "a":  # after a hint or verdicts, show answers; otherwise switch them off or on
                answers = options.hint or options.check or not options.answers
                self._options = replace(options, answers=answers, hint=False, check=False)
            case "c":
                self._next_camera()
            case "d":
                self._options = replace(options, debug=not options.debug)
            case "t":
                self._show_timings = not self._show_timings

    def _notify(self, notice: str) -> None:
        self._notice, self._notice_until = notice, time.monotonic() + NOTICE

    def _save(self) -> None:
        if self._last is None or self._last.picture is None:
            self._notify("There is no picture to save yet.")
            return
        path = unused_name(datetime.now())
        try:
            save(path, self._last.picture)
        except SaveError as error:
            self._notify(str(error))
        else:
            self._notify(f"Saved: {path}")

    def _next_camera(self) -> None:
        """Change to the next feed that can be opened. If there is none, keep the current feed."""
        notice = "There is no other camera."
        for step in range(1, len(self._feeds)):
            number = (self._number + step) % len(self._feeds)
            try:
                feed = self._feeds[number]()
            except SudokuVisionError as error:
                notice = error.message
                continue
            self._feed.close()
            self._number, self._feed = number, feed
            self._tracker, self._frozen = Tracker(self._model, self._jobs), False
            self._last_frame_at = time.monotonic()
            return
        self._notify(notice)


def unused_name(now: datetime) -> Path:
    """Return a path in the current folder for a new picture, named after the time *now*."""
    stem = f"sudoku-{now:%Y-%m-%d-%H%M%S}"
    paths = (Path(f"{stem}{f'-{number}' if number else ''}.png") for number in itertools.count())
    return next(path for path in paths if not path.exists())


class StageTimings:
    """Moving averages of the time for each stage of a frame, in seconds.

    The stage ``frame`` is the time between two frames.
    """

    def __init__(self) -> None:
        self._stages: dict[str, float] = {}

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure how long the ``with`` block takes, as the time of the stage *name*."""
        start = time.perf_counter()
        yield
        self.note(name, time.perf_counter() - start)

    def note(self, name: str, seconds: float) -> None:
        """Update the average time of the stage *name*. *seconds*: its time in the newest frame."""
        before = self._stages.get(name, seconds)
        self._stages[name] = AVERAGE_KEPT * before + (1 - AVERAGE_KEPT) * seconds

    def line(self) -> str:
        """Return a text with the frames per second, and the time of each stage in milliseconds."""
        between = self._stages.get("frame")
        stages = [f"{name} {1000 * took:.1f}" for name, took in self._stages.items() if name != "frame"]
        return f"{1 / between if between else 0:.0f} frames/s   {'   '.join(stages)} ms"
