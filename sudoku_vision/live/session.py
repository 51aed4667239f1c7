"""The loop of ``sudoku-vision live``: take the newest frame, watch it, draw it, show it, mind the keys.

Finding and reading run beside the frames; each frame shows what is known by then, where the grid is now.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

import numpy as np

from sudoku_vision.digits import CellClassifier
from sudoku_vision.errors import SaveError, SudokuVisionError
from sudoku_vision.live.draw import Annotator, View, write_lines
from sudoku_vision.live.sources import CapturedFrame, FrameFeed
from sudoku_vision.live.tracker import Seen, Watcher
from sudoku_vision.results import Image
from sudoku_vision.save import save

HELP = "q quit   space freeze   s save   r read afresh   h hint   a answers   c camera   d debug   t timings"
"""The keys, in a line."""

QUIT_KEYS = ("q", "escape")

WAIT = 0.05
"""Seconds to wait for a frame before the keys are minded again."""
SILENCE = 1.0
"""Seconds without a frame after which the person is told."""
NOTICE = 2.5
"""Seconds for which a notice is shown."""
STEADINESS = 0.9
"""Share that earlier frames keep in the times shown: what changes with every frame can't be read."""

_BLANK_SIZE = (480, 640, 3)
"""Of the picture shown until the first frame comes."""


class Screen(Protocol):
    """Where pictures are shown and keys are pressed, as :class:`~sudoku_vision.live.window.Window`."""

    @property
    def closed(self) -> bool:
        """Whether a person has closed it."""

    def show(self, pixels: Image) -> None:
        """Show a picture (H, W, 3) uint8 BGR."""

    def key(self) -> str:
        """The key pressed since the last call: a character, or ``escape``; empty if there was none."""


@dataclass(frozen=True, eq=False)
class Shown:
    """What was made of one frame: the ``grab``, the grids ``seen`` in it, and the annotated ``picture``.

    The picture is without the lines for the person before the screen, which come into the window alone.
    """

    grab: CapturedFrame
    seen: tuple[Seen, ...]
    picture: Image


def run_live(
    sources: Sequence[Callable[[], FrameFeed]],
    model: CellClassifier,
    screen: Screen,
    *,
    folder: Path | None = None,
    seconds: float | None = None,
    tell: Callable[[Shown], None] | None = None,
) -> None:
    """Show what the first of *sources* sees, until it ends or a person ends it.

    Each of *sources* opens one when it is called; the key c goes on to the next that can be opened. Pictures
    are saved into *folder*, or else the folder at hand. The loop ends after *seconds* of a source, where that
    is given. *tell* is called with every frame shown. Raises the
    :class:`~sudoku_vision.errors.SudokuVisionError` of a first source that can't be opened, and of any that
    is lost for good.
    """
    if not sources:
        raise ValueError("run_live needs at least one source, got none")
    jobs = ThreadPoolExecutor(1, thread_name_prefix="sudoku-vision-read")
    try:
        session = _Session(sources, model, screen, jobs, folder or Path())
        try:
            session.run(seconds, tell)
        finally:
            session.close()
    finally:
        jobs.shutdown(wait=True, cancel_futures=True)


class _Session:
    """What lasts from frame to frame, and what the keys change of it."""

    def __init__(
        self,
        sources: Sequence[Callable[[], FrameFeed]],
        model: CellClassifier,
        screen: Screen,
        jobs: Executor,
        folder: Path,
    ) -> None:
        self._sources, self._model, self._screen = sources, model, screen
        self._jobs, self._folder = jobs, folder
        self._place = 0
        self._source = sources[0]()
        self._watcher = Watcher(model, jobs)
        self._annotator = Annotator(jobs)
        self._times = Times()
        self._view = View()
        self._frozen, self._timings = False, False
        self._notice, self._notice_until = "", 0.0
        self._last: Shown | None = None
        self._heard_at = time.monotonic()
        self._keys: dict[str, Callable[[], None]] = {
            " ": self._freeze,
            "s": self._save,
            "r": self._read_afresh,
            "h": self._switch_hint,
            "a": self._switch_answers,
            "c": self._next_camera,
            "d": self._switch_debug,
            "t": self._switch_timings,
        }

    def run(self, seconds: float | None, tell: Callable[[Shown], None] | None) -> None:
        """Show frame after frame until the source or a person ends it, or after so many *seconds*."""
        while not self._screen.closed:
            key = self._screen.key()
            if key in QUIT_KEYS:
                return
            if key in self._keys:
                self._keys[key]()
            grab = self._grab()
            if grab is None:
                if self._source.state == "ended" and not self._frozen:
                    return
                self._show_again()
                continue
            self._last = self._made_of(grab)
            self._show(self._last.picture)
            self._times.note("latency", time.monotonic() - grab.captured_at)
            if tell is not None:
                tell(self._last)
            if seconds is not None and grab.seconds >= seconds:
                return

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()

    def _grab(self) -> CapturedFrame | None:
        """The next frame to work on, or None where the last one stays on the screen."""
        if self._frozen:
            time.sleep(WAIT)
            return None
        with self._times.stage("wait"):
            grab = self._source.next(WAIT)
        if grab is not None:
            self._heard_at = time.monotonic()
        return grab

    def _made_of(self, grab: CapturedFrame) -> Shown:
        """Watch and draw one frame."""
        self._times.tick()
        with self._times.stage("watch"):
            seen = self._watcher.see(grab.pixels, grab.seconds)
        with self._times.stage("draw"):
            picture = self._annotator.annotate(grab.pixels, seen, self._view)
        return Shown(grab, seen, picture)

    def _show(self, picture: Image) -> None:
        """Show an annotated picture with the lines for the person."""
        with self._times.stage("show"):
            self._screen.show(write_lines(picture.copy(), self._lines()))

    def _show_again(self) -> None:
        """Show the last frame again, as the keys want it by now."""
        if self._last is None:
            self._show(np.zeros(_BLANK_SIZE, np.uint8))
            return
        grab, seen = self._last.grab, self._last.seen
        self._last = replace(self._last, picture=self._annotator.annotate(grab.pixels, seen, self._view))
        self._show(self._last.picture)

    def _lines(self) -> list[str]:
        """What is written below the picture: timings, a notice, the keys."""
        lines = [self._times.line()] if self._timings else []
        if time.monotonic() < self._notice_until:
            lines.append(self._notice)
        elif self._frozen:
            lines.append("Frozen: space goes on.")
        elif time.monotonic() - self._heard_at > SILENCE:
            lines.append(self._source.message or "Waiting for a picture ...")
        return [*lines, HELP]

    def _say(self, notice: str) -> None:
        self._notice, self._notice_until = notice, time.monotonic() + NOTICE

    def _freeze(self) -> None:
        self._frozen = not self._frozen and self._last is not None
        self._heard_at = time.monotonic()

    def _save(self) -> None:
        """Save the picture as it is shown, but for the lines below."""
        if self._last is None:
            self._say("There is no picture to save yet.")
            return
        path = unused_name(self._folder, datetime.now())
        try:
            save(path, self._last.picture)
        except SaveError as error:
            self._say(str(error))
        else:
            self._say(f"Saved: {path}")

    def _read_afresh(self) -> None:
        self._watcher.forget()
        self._annotator = Annotator(self._jobs)
        self._say("Reading afresh.")

    def _switch_hint(self) -> None:
        self._view = replace(self._view, hint=not self._view.hint)

    def _switch_answers(self) -> None:
        """From a hint to all answers; else all answers off or on."""
        self._view = replace(self._view, answers=self._view.hint or not self._view.answers, hint=False)

    def _switch_debug(self) -> None:
        self._view = replace(self._view, debug=not self._view.debug)

    def _switch_timings(self) -> None:
        self._timings = not self._timings

    def _next_camera(self) -> None:
        """Go on to the next source that can be opened; stay with this one where there is no other."""
        notice = "There is no other camera."
        for step in range(1, len(self._sources)):
            place = (self._place + step) % len(self._sources)
            try:
                source = self._sources[place]()
            except SudokuVisionError as error:
                notice = error.message
                continue
            self._source.close()
            self._place, self._source = place, source
            self._watcher, self._frozen = Watcher(self._model, self._jobs), False
            self._heard_at = time.monotonic()
            return
        self._say(notice)


class Times:
    """How long the stages of a frame take, and how many frames come in a second, each a steady mean."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """*clock* gives the time in seconds."""
        self._clock = clock
        self._stages: dict[str, float] = {}
        self._between: float | None = None
        self._ticked: float | None = None

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Take the time of what is done within, for the stage *name*."""
        start = self._clock()
        yield
        self.note(name, self._clock() - start)

    def note(self, name: str, seconds: float) -> None:
        """Note that *name* took so long."""
        self._stages[name] = _steady(self._stages.get(name), seconds)

    def tick(self) -> None:
        """Note that a frame has come."""
        now = self._clock()
        if self._ticked is not None:
            self._between = _steady(self._between, now - self._ticked)
        self._ticked = now

    @property
    def rate(self) -> float:
        """FrameFeed in a second, 0 before there were two."""
        return 1 / self._between if self._between else 0.0

    def line(self) -> str:
        """All in a line, stages in milliseconds."""
        stages = "   ".join(f"{name} {1000 * seconds:.1f}" for name, seconds in self._stages.items())
        return f"{self.rate:.0f} frames/s   {stages} ms"


def unused_name(folder: Path, now: datetime) -> Path:
    """A name in *folder* for a picture saved *now*, which no file has yet."""
    stem = f"sudoku-{now:%Y-%m-%d-%H%M%S}"
    names = (f"{stem}{f'-{number}' if number else ''}.png" for number in range(1000))
    return next((folder / name for name in names if not (folder / name).exists()), folder / f"{stem}.png")


def _steady(before: float | None, now: float) -> float:
    return now if before is None else STEADINESS * before + (1 - STEADINESS) * now
