"""The work of ``sudoku-vision live``: what is seen in a film goes to a screen, a film, and other programs.

Without a window, every frame of a film is worked out to the end before the next: the same film gives the same
lines. Of a camera or a stream the newest frame counts, and what takes long is done beside the frames.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from sudoku_vision.cli.model import named_model
from sudoku_vision.cli.show import complain, progress, show_page
from sudoku_vision.cli.solving import NOT_SOLVED, NOTHING_OPENED, SOLVED
from sudoku_vision.display import TextStyle, style_for
from sudoku_vision.errors import UsageError
from sudoku_vision.live.draw import Annotator
from sudoku_vision.live.record import Recorder, check_recording
from sudoku_vision.live.report import frame_report
from sudoku_vision.live.session import Shown, run_live
from sudoku_vision.live.sources import (
    CapturedFrame,
    EveryFrame,
    LatestFrame,
    Source,
    list_cameras,
    open_source,
)
from sudoku_vision.live.sources.address import Address
from sudoku_vision.live.tracker import Seen, Watcher
from sudoku_vision.live.window import Window
from sudoku_vision.results import Image, PageResult, board_text

_SIZE = re.compile(r"([1-9]\d{1,4})\s*[x×]\s*([1-9]\d{1,4})", re.IGNORECASE)
"""A resolution as people type it."""

LONGEST_PAUSE = 3.0
"""Seconds that a recorded film stands still at most, while a camera is lost or the window frozen."""


@dataclass(frozen=True)
class Wishes:
    """What the command line asks for; ``source`` is a camera's number, or a file or address."""

    source: int | str = 0
    size: tuple[int, int] | None = None
    mirror: bool = False
    record: str | None = None
    headless: bool = False
    as_json: bool = False
    seconds: float | None = None
    model: Path | None = None
    plain: bool = False


def read_wishes(
    *,
    camera: int | None = None,
    source: str | None = None,
    size: str | None = None,
    record: str | None = None,
    **others: object,
) -> Wishes:
    """Read what was typed; *others* are as in :class:`Wishes`.

    Raises :class:`~sudoku_vision.errors.UsageError` for what can't be, and
    :class:`~sudoku_vision.errors.SaveError` where the film can't be written.
    """
    if camera is not None and source is not None:
        raise UsageError("--camera and --source can't both be.", "Choose one.")
    if record is not None:
        film = None if source is None else Address.of(source)
        check_recording(record, str(film.location) if film and film.kind == "file" else "")
    return Wishes(
        source=source if source is not None else camera or 0,
        size=None if size is None else _read_size(size),
        record=record,
        **others,  # type: ignore[arg-type]
    )


def _read_size(text: str) -> tuple[int, int]:
    """Width and height in pixels."""
    typed = _SIZE.fullmatch(text.strip())
    if typed is None:
        raise UsageError(f"--size {text}: this is no resolution.", "Give width and height, as in 1280x720.")
    return int(typed[1]), int(typed[2])


class Telling:
    """Tells what is seen in a film: a line a frame for programs, each puzzle once for people."""

    def __init__(self, name: str, *, as_json: bool, text_style: TextStyle) -> None:
        self.solved = False
        """Whether the answer of a puzzle was shown."""
        self._name, self._as_json, self._text_style = name, as_json, text_style
        self._told: set[str] = set()
        self._states: set[str] = set()

    def tell(self, grab: CapturedFrame, seen: Sequence[Seen]) -> None:
        """Tell of one frame; frames are told in order."""
        self._states |= {grid.state for grid in seen}
        self.solved = "sure" in self._states
        if self._as_json:
            print(json.dumps(frame_report(grab.number, grab.seconds, seen)), flush=True)  # noqa: T201
        else:
            self._show_new(grab.seconds, seen)

    def conclude(self) -> int:
        """Say what came of it where no puzzle was solved, and give the exit status."""
        if self.solved:
            return SOLVED
        if "unsolvable" in self._states:
            complain(f"{self._name}: what was read has not exactly one solution.")
        elif "reading" in self._states:
            complain(f"{self._name}: a sudoku was seen, but not clearly enough. Hold it nearer and still.")
        else:
            complain(f"{self._name}: no sudoku was seen.")
        return NOT_SOLVED

    def _show_new(self, seconds: float, seen: Sequence[Seen]) -> None:
        """Print the puzzles that are sure now and were not told of before."""
        for grid in seen:
            if grid.state != "sure" or grid.grid is None or board_text(grid.grid.puzzle) in self._told:
                continue
            self._told.add(board_text(grid.grid.puzzle))
            name = f"{self._name}, {seconds:.1f} s"
            show_page(PageResult(name, 1, "solved", "", (grid.grid,), seconds), text_style=self._text_style)


class Recording:
    """The film that is written, if one is wanted; it begins with the first frame, whose size it has."""

    def __init__(self, path: str | None, rate: float, clock: Callable[[], float] | None = None) -> None:
        """*rate* is in frames per second; *clock*, in seconds, has frames played as fast as they come."""
        self._path, self._rate, self._clock = path, rate, clock
        self._recorder: Recorder | None = None
        self._start = self._latest = 0.0

    @property
    def wanted(self) -> bool:
        """Whether there is a film to write."""
        return self._path is not None

    def begin(self, size: tuple[int, int]) -> None:
        """Open the film, if it is not yet, for pictures of *size* (width, height); raises as Recorder."""
        if self._path is not None and self._recorder is None:
            self._recorder = Recorder(self._path, size, self._rate)
            self._start = self._latest = self._clock() if self._clock else 0.0

    def add(self, picture: Image) -> None:
        """Add what was made of the frame that came now."""
        height, width = picture.shape[:2]
        self.begin((width, height))
        if self._recorder is None:
            return
        if self._clock is None:
            self._recorder.write(picture)
            return
        now = self._clock()
        self._start += max(0.0, now - self._latest - LONGEST_PAUSE)
        self._latest = now
        self._recorder.write_until(picture, now - self._start)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        if self._recorder is not None:
            self._recorder.close()


def watch_film(wishes: Wishes) -> int:
    """Look at a film, tell, show and record what is seen, and give the exit status.

    Raises :class:`~sudoku_vision.errors.CameraError` if the source can't be opened or breaks off,
    :class:`~sudoku_vision.errors.WindowError` if there is no screen, and
    :class:`~sudoku_vision.errors.SaveError` if the film can't be written.
    """
    with _stopped_as_by_ctrl_c():
        return _work_out(wishes) if wishes.headless else _show(wishes)


def _work_out(wishes: Wishes) -> int:
    """Look at a film without a window."""
    with _opened(wishes) as source:
        clock = None if source.ends else time.monotonic
        telling, annotator = _telling(source.name, wishes), Annotator()
        with (
            Recording(wishes.record, source.rate, clock) as recording,
            progress(_frames_to_come(source, wishes.seconds), "solving") as step,
        ):
            recording.begin(source.size)
            watcher = Watcher(named_model(wishes.model))
            for grab in _grabs(source, wishes.seconds):
                seen = watcher.see(grab.pixels, grab.seconds)
                telling.tell(grab, seen)
                if recording.wanted:
                    recording.add(annotator.annotate(grab.pixels, seen))
                step()
    return telling.conclude()


def _show(wishes: Wishes) -> int:
    """Look at a film in a window, where a person has the keys."""
    others = [] if isinstance(wishes.source, str) else _other_cameras(wishes.source)
    with Window() as window, _opened(wishes) as source:
        first = [source]

        def open_first() -> LatestFrame:
            return LatestFrame(first.pop() if first else _opened(wishes))

        def opener(number: int) -> Callable[[], LatestFrame]:
            return lambda: LatestFrame(_opened(replace(wishes, source=number)))

        telling = _telling(source.name, wishes)
        with Recording(wishes.record, source.rate, time.monotonic) as recording:
            recording.begin(source.size)

            def tell(shown: Shown) -> None:
                telling.tell(shown.grab, shown.seen)
                recording.add(shown.picture)

            run_live(
                [open_first, *map(opener, others)],
                named_model(wishes.model),
                window,
                seconds=wishes.seconds,
                tell=tell,
            )
    return telling.conclude()


def show_cameras(*, as_json: bool) -> int:
    """Print the cameras that are there, and give the exit status."""
    found = list_cameras()
    for camera in found:
        width, height = camera.size or (None, None)
        if as_json:
            told = {"number": camera.number, "name": camera.name, "width": width, "height": height}
            print(json.dumps({**told, "problem": camera.problem}))  # noqa: T201
        else:
            size = f"{width}x{height}" if camera.size else ""
            print("  ".join(filter(None, (str(camera.number), camera.name, size, camera.problem))))  # noqa: T201
    if not found:
        complain(
            "there is no camera here. Plug one in, or name a film or a stream: live --source FILE_OR_URL"
        )
    return SOLVED if found else NOTHING_OPENED


def _opened(wishes: Wishes) -> Source:
    return open_source(wishes.source, size=wishes.size, mirror=wishes.mirror)


def _other_cameras(number: int) -> list[int]:
    return [camera.number for camera in list_cameras() if camera.number != number]


def _telling(name: str, wishes: Wishes) -> Telling:
    return Telling(name, as_json=wishes.as_json, text_style=style_for(sys.stdout, plain=wishes.plain))


def _grabs(source: Source, seconds: float | None) -> Iterator[CapturedFrame]:
    """The frames of a film, or the newest ones of a camera; those of the first *seconds* alone, if given."""
    for grab in EveryFrame(source) if source.ends else _newest_frames(source):
        if seconds is not None and grab.seconds >= seconds:
            return
        yield grab


def _newest_frames(source: Source) -> Iterator[CapturedFrame]:
    """The newest frame again and again; a camera that is lost is said, and waited for."""
    with LatestFrame(source) as latest:
        said = ""
        while not latest.ended:
            grab = latest.next()
            if grab is not None:
                yield grab
            if latest.message not in ("", said):
                complain(latest.message)
            said = latest.message


def _frames_to_come(source: Source, seconds: float | None) -> int:
    """How many frames there will be, 0 if that isn't known."""
    count = source.count or 0
    return count if seconds is None else min(count, math.ceil(seconds * source.rate))


@contextlib.contextmanager
def _stopped_as_by_ctrl_c() -> Iterator[None]:
    """Let the signal by which servers stop a program act as Ctrl-C: a film that was begun is ended well."""

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
