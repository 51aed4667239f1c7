"""Window session: the loop with a window, in which a person sees the answers and has the keys.

Searching and reading run beside the frames; each frame shows what is known by then, where the grid is now.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

import numpy as np

from sudoku_vision.errors import SaveError, SudokuVisionError
from sudoku_vision.live.captions import write_lines
from sudoku_vision.live.draw import Annotator
from sudoku_vision.live.session import FRAME_TIMEOUT, FrameListener, Session, SessionFrame
from sudoku_vision.live.sources import CapturedFrame, FrameFeed
from sudoku_vision.live.tracker import Tracker
from sudoku_vision.output.save import save
from sudoku_vision.results import Image
from sudoku_vision.vision.digits import CellClassifier

HELP = (
    "q quit   space freeze   s save   r read afresh   h hint   k check   a answers   c camera   d debug   "
    "t timings"
)
"""The keys, in a line."""

QUIT_KEYS = ("q", "escape")

SILENCE = 1.0
"""Seconds without a frame after which the person is told."""
NOTICE = 2.5
"""Seconds for which a notice is shown."""

_BLANK_SIZE = (480, 640, 3)
"""Of the picture shown until the first frame comes."""

FeedOpener = Callable[[], FrameFeed]
"""Opens a feed; raises a :class:`~sudoku_vision.errors.SudokuVisionError` where it can't be."""


class Screen(Protocol):
    """Where pictures are shown and keys are pressed, as :class:`~sudoku_vision.live.window.Window`."""

    @property
    def closed(self) -> bool:
        """Whether a person has closed it."""

    def show(self, pixels: Image) -> None:
        """Show a picture (H, W, 3) uint8 BGR."""

    def key(self) -> str:
        """Return the key pressed since the last call: a character, or ``escape``; empty if there was none."""


def run_in_window(
    feeds: Sequence[FeedOpener],
    model: CellClassifier,
    screen: Screen,
    *,
    folder: Path | None = None,
    seconds: float | None = None,
    on_frame: FrameListener | None = None,
) -> None:
    """Show what the first of *feeds* sees, until it ends or a person ends it.

    The key c goes on to the next of *feeds* that can be opened. Pictures are saved into *folder*, or else the
    folder at hand. The session ends after *seconds* of a source, where that is given. *on_frame* is called
    with every frame shown. Raises the :class:`~sudoku_vision.errors.SudokuVisionError` of a first source that
    can't be opened, and of any that is lost for good.
    """
    if not feeds:
        raise ValueError("run_in_window needs at least one feed, got none")
    jobs = ThreadPoolExecutor(1, thread_name_prefix="sudoku-vision-read")
    try:
        with WindowSession(feeds, model, screen, jobs, folder=folder or Path(), on_frame=on_frame) as session:
            session.run(seconds)
    finally:
        jobs.shutdown(wait=True, cancel_futures=True)


class WindowSession(Session):
    """A session on a *screen*: what the keys change of it, and what the person is told."""

    shows_last = True

    def __init__(
        self,
        feeds: Sequence[FeedOpener],
        model: CellClassifier,
        screen: Screen,
        jobs: Executor,
        *,
        folder: Path,
        on_frame: FrameListener | None = None,
    ) -> None:
        """Open the first of *feeds*; the others as for :func:`run_in_window`."""
        super().__init__(feeds[0](), model, jobs=jobs, on_frame=on_frame)
        self._feeds, self._number = feeds, 0
        self._screen, self._folder = screen, folder
        self._frozen, self._show_timings = False, False
        self._notice, self._notice_until = "", 0.0
        self._last: SessionFrame | None = None
        self._last_frame_at = time.monotonic()

    @property
    def ended(self) -> bool:
        """Whether no further frame will come; a frozen picture stays until a person goes on."""
        return super().ended and not self._frozen

    def goes_on(self) -> bool:
        """Mind the keys, and tell whether the person wants to go on."""
        if self._screen.closed:
            return False
        key = self._screen.key()
        self._mind(key)
        return key not in QUIT_KEYS

    def _mind(self, key: str) -> None:
        """Do what a key is for."""
        options = self.options
        match key:
            case " ":
                self._frozen = not self._frozen and self._last is not None
                self._last_frame_at = time.monotonic()
            case "s":
                self._save()
            case "r":
                self.tracker.reset()
                self.annotator = Annotator(self.jobs)
                self._notify("Reading afresh.")
            case "h":
                self.options = replace(options, hint=not options.hint, check=False)
            case "k":
                self.options = replace(options, check=not options.check, hint=False)
            case "a":  # from a hint or verdicts to all answers; else all answers off or on
                answers = options.hint or options.check or not options.answers
                self.options = replace(options, answers=answers, hint=False, check=False)
            case "c":
                self._next_camera()
            case "d":
                self.options = replace(options, debug=not options.debug)
            case "t":
                self._show_timings = not self._show_timings

    def next_frame(self) -> CapturedFrame | None:
        """Return the next frame to work on, or None where the last one stays on the screen."""
        if self._frozen:
            time.sleep(FRAME_TIMEOUT)
            return None
        frame = super().next_frame()
        if frame is not None:
            self._last_frame_at = time.monotonic()
        return frame

    def idle(self) -> None:
        """Show the last frame again, as the keys want it by now."""
        if self._last is None:
            self._show(np.zeros(_BLANK_SIZE, np.uint8))
            return
        self._last = replace(self._last, picture=self.annotated(self._last.frame, self._last.grids))
        self._show(self._last.picture)

    def present(self, made: SessionFrame) -> None:
        """Show a frame as soon as it is worked out."""
        self._last = made
        self._show(made.picture)
        self.timings.note("latency", time.monotonic() - made.frame.captured_at)

    def _show(self, picture: Image | None) -> None:
        """Show an annotated picture with the lines for the person."""
        if picture is not None:
            with self.timings.stage("show"):
                self._screen.show(write_lines(picture.copy(), self._lines()))

    def _lines(self) -> list[str]:
        """Return what is written below the picture: timings, a notice, the keys."""
        lines = [self.timings.line()] if self._show_timings else []
        if time.monotonic() < self._notice_until:
            lines.append(self._notice)
        elif self._frozen:
            lines.append("Frozen: space goes on.")
        elif time.monotonic() - self._last_frame_at > SILENCE:
            lines.append(self.feed.message or "Waiting for a picture ...")
        return [*lines, HELP]

    def _notify(self, notice: str) -> None:
        self._notice, self._notice_until = notice, time.monotonic() + NOTICE

    def _save(self) -> None:
        """Save the picture as it is shown, but for the lines below."""
        if self._last is None or self._last.picture is None:
            self._notify("There is no picture to save yet.")
            return
        path = unused_name(self._folder, datetime.now())
        try:
            save(path, self._last.picture)
        except SaveError as error:
            self._notify(str(error))
        else:
            self._notify(f"Saved: {path}")

    def _next_camera(self) -> None:
        """Go on to the next feed that can be opened; stay with this one where there is no other."""
        notice = "There is no other camera."
        for step in range(1, len(self._feeds)):
            number = (self._number + step) % len(self._feeds)
            try:
                feed = self._feeds[number]()
            except SudokuVisionError as error:
                notice = error.message
                continue
            self.feed.close()
            self._number, self.feed = number, feed
            self.tracker, self._frozen = Tracker(self.model, self.jobs), False
            self._last_frame_at = time.monotonic()
            return
        self._notify(notice)


def unused_name(folder: Path, now: datetime) -> Path:
    """Return a name in *folder* for a picture saved *now*, which no file has yet."""
    stem = f"sudoku-{now:%Y-%m-%d-%H%M%S}"
    names = (f"{stem}{f'-{number}' if number else ''}.png" for number in range(1000))
    return next((folder / name for name in names if not (folder / name).exists()), folder / f"{stem}.png")
