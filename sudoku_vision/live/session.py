"""Session: the loop of ``sudoku-vision live``, which takes frames, tracks the grids in them and draws them.

:class:`Session` runs by itself; :class:`~sudoku_vision.live.window_session.WindowSession` is the same loop
with a window and a person before it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass

from sudoku_vision.live.draw import AnnotationOptions, Annotator
from sudoku_vision.live.sources import CapturedFrame, FrameFeed
from sudoku_vision.live.tracked_grid import TrackedGrid
from sudoku_vision.live.tracker import Tracker
from sudoku_vision.results import Image
from sudoku_vision.vision.digits import CellClassifier

FRAME_TIMEOUT = 0.05
"""Seconds to wait for a frame before keys are minded again: a person feels a tenth."""

AVERAGE_KEPT = 0.9
"""Share that earlier frames keep in averages of times: what changes with every frame can't be read."""


@dataclass(frozen=True, eq=False)
class SessionFrame:
    """What was made of one ``frame``: the ``grids`` in it, and the annotated ``picture`` if it is wanted.

    The picture is without the lines for the person before the screen, which come into the window alone.
    """

    frame: CapturedFrame
    grids: tuple[TrackedGrid, ...]
    picture: Image | None


FrameListener = Callable[[SessionFrame], None]
"""Is called with every frame that was worked out, in order; what it raises ends the session."""


class Session:
    """Takes frames from a *feed*, which it owns, until it ends."""

    def __init__(
        self,
        feed: FrameFeed,
        model: CellClassifier,
        *,
        jobs: Executor | None = None,
        annotate: bool = True,
        on_frame: FrameListener | None = None,
        on_message: Callable[[str], None] | None = None,
    ) -> None:
        """*jobs* runs what takes long beside the frames; without, each frame is worked out to its end.

        *annotate*: whether pictures are drawn. *on_message* is called with what is wrong, once, while no
        frames come.
        """
        self.feed, self.model = feed, model
        self.jobs = jobs
        self.tracker = Tracker(model, jobs)
        self.annotator = Annotator(jobs)
        self.options = AnnotationOptions()
        self.timings = StageTimings()
        self._annotate = annotate
        self._on_frame, self._on_message = on_frame, on_message
        self._message = ""

    def run(self, seconds: float | None = None) -> None:
        """Work out frame after frame, those of the first *seconds* of the source alone where that is given.

        Raises the :class:`~sudoku_vision.errors.SudokuVisionError` of a source that is lost for good.
        """
        while self.goes_on():
            frame = self.next_frame()
            if frame is None and self.ended:
                return
            if frame is None:
                self.idle()
                continue
            over = seconds is not None and frame.seconds >= seconds
            if over and not self.shows_last:
                return
            self._work_out(frame)
            if over:
                return

    def close(self) -> None:
        """Let go of the source."""
        self.feed.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def annotated(self, frame: CapturedFrame, grids: tuple[TrackedGrid, ...]) -> Image:
        """Draw what is known of a frame as it is wanted now."""
        return self.annotator.annotate(frame.pixels, grids, self.options)

    # What a session with a window does otherwise.

    shows_last = False
    """Whether the frame at which the time is over is worked out, too: a recorded film ends before it."""

    @property
    def ended(self) -> bool:
        """Whether no further frame will come."""
        return self.feed.state == "ended"

    def goes_on(self) -> bool:
        """Tell whether the session goes on; called before each frame."""
        return True

    def next_frame(self) -> CapturedFrame | None:
        """Return the next frame to work on; None if there is none for the moment."""
        with self.timings.stage("wait"):
            return self.feed.next(FRAME_TIMEOUT)

    def idle(self) -> None:
        """Pass the time while no frame comes, and tell why it doesn't."""
        message = self.feed.message
        if self._on_message is not None and message not in ("", self._message):
            self._on_message(message)
        self._message = message

    def present(self, made: SessionFrame) -> None:
        """Show what was made of a frame."""

    def _work_out(self, frame: CapturedFrame) -> None:
        """Track and draw one frame, show it and tell of it."""
        self.timings.tick()
        with self.timings.stage("track"):
            grids = self.tracker.update(frame.pixels, frame.seconds)
        with self.timings.stage("draw"):
            picture = self.annotated(frame, grids) if self._annotate else None
        made = SessionFrame(frame, grids, picture)
        self.present(made)
        if self._on_frame is not None:
            self._on_frame(made)


class StageTimings:
    """Moving averages, in seconds, of the times that the stages of a frame take, and between two frames."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._stages: dict[str, float] = {}
        self._ticked: float | None = None

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Take the time of what is done within, for the stage *name*."""
        start = time.perf_counter()
        yield
        self.note(name, time.perf_counter() - start)

    def note(self, name: str, seconds: float) -> None:
        """Note that *name* took so long."""
        before = self._stages.get(name, seconds)
        self._stages[name] = AVERAGE_KEPT * before + (1 - AVERAGE_KEPT) * seconds

    def tick(self) -> None:
        """Note that a frame has come."""
        now = time.perf_counter()
        if self._ticked is not None:
            self.note("frame", now - self._ticked)
        self._ticked = now

    def line(self) -> str:
        """Return all in a line, stages in milliseconds."""
        between = self._stages.get("frame")
        stages = [f"{name} {1000 * took:.1f}" for name, took in self._stages.items() if name != "frame"]
        return f"{1 / between if between else 0:.0f} frames/s   {'   '.join(stages)} ms"
