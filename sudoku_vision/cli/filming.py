"""The work of ``sudoku-vision live``: what is seen in a film goes to a screen, a film, and other programs.

Without a window, every frame is worked out to the end before the next, and of a film none is left out: the
same film gives the same lines. In a window the newest frame counts, and what takes long is done beside it.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from sudoku_vision.cli.model import named_model
from sudoku_vision.cli.show import complain, progress, show_page
from sudoku_vision.cli.solving import NOT_SOLVED, NOTHING_OPENED, SOLVED
from sudoku_vision.display import TextStyle, style_for
from sudoku_vision.errors import UsageError
from sudoku_vision.live.record import Recording, check_recording
from sudoku_vision.live.report import frame_report
from sudoku_vision.live.session import FrameListener, Session, SessionFrame
from sudoku_vision.live.sources import (
    EveryFrame,
    LatestFrame,
    Source,
    list_cameras,
    open_source,
)
from sudoku_vision.live.sources.address import Address
from sudoku_vision.live.tracked_grid import TrackedGrid
from sudoku_vision.live.window import Window
from sudoku_vision.live.window_session import FeedOpener, run_in_window
from sudoku_vision.results import PageResult, board_text

_SIZE = re.compile(r"([1-9]\d{1,4})\s*[x×]\s*([1-9]\d{1,4})", re.IGNORECASE)
"""A resolution as people type it."""


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

    def tell(self, made: SessionFrame) -> None:
        """Tell of one frame; frames are told in order."""
        self._states |= {grid.state for grid in made.grids}
        self.solved = "sure" in self._states
        if self._as_json:
            report = frame_report(made.frame.number, made.frame.seconds, made.grids)
            print(json.dumps(report), flush=True)  # noqa: T201
        else:
            self._show_new(made.frame.seconds, made.grids)

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

    def _show_new(self, seconds: float, grids: Sequence[TrackedGrid]) -> None:
        """Print the puzzles that are sure now and were not told of before."""
        for grid in grids:
            if grid.state != "sure" or grid.result is None or board_text(grid.result.puzzle) in self._told:
                continue
            self._told.add(board_text(grid.result.puzzle))
            name = f"{self._name}, {seconds:.1f} s"
            show_page(PageResult(name, 1, "solved", "", (grid.result,), seconds), text_style=self._text_style)


def watch_film(wishes: Wishes) -> int:
    """Look at a film, tell, show and record what is seen, and give the exit status.

    Raises :class:`~sudoku_vision.errors.CameraError` if the source can't be opened or breaks off,
    :class:`~sudoku_vision.errors.WindowError` if there is no screen, and
    :class:`~sudoku_vision.errors.SaveError` if the film can't be written.
    """
    with _stopped_as_by_ctrl_c():
        return _watch(wishes)


def _watch(wishes: Wishes) -> int:
    """Look at a film, in a window where a person has the keys, or without one."""
    with contextlib.ExitStack() as stack:
        window = None if wishes.headless else stack.enter_context(Window())
        source = stack.enter_context(_opened(wishes))
        clock = None if window is None and source.ends else time.monotonic
        telling = _telling(source.name, wishes)
        recording = stack.enter_context(Recording(wishes.record, source.rate, clock))
        recording.begin(source.size)
        if window is None:
            step = stack.enter_context(progress(_frames_to_come(source, wishes.seconds), "solving"))
            _watch_headless(source, wishes, [telling.tell, recording.add_frame, lambda _: step()])
        else:
            _watch_in_window(window, source, wishes, [telling.tell, recording.add_frame])
    return telling.conclude()


def _watch_headless(source: Source, wishes: Wishes, listeners: Sequence[FrameListener]) -> None:
    feed = EveryFrame(source) if source.ends else LatestFrame(source)
    with Session(
        feed,
        named_model(wishes.model),
        annotate=wishes.record is not None,
        on_frame=_all_of(listeners),
        on_message=complain,
    ) as session:
        session.run(wishes.seconds)


def _watch_in_window(
    window: Window, source: Source, wishes: Wishes, listeners: Sequence[FrameListener]
) -> None:
    """Begin with *source*; the key c goes on to the other cameras, and back to the first, opened anew."""
    first = [source]

    def open_first() -> LatestFrame:
        return LatestFrame(first.pop() if first else _opened(wishes))

    def opener(number: int) -> FeedOpener:
        return lambda: LatestFrame(_opened(replace(wishes, source=number)))

    others = [] if isinstance(wishes.source, str) else _other_cameras(wishes.source)
    run_in_window(
        [open_first, *map(opener, others)],
        named_model(wishes.model),
        window,
        seconds=wishes.seconds,
        on_frame=_all_of(listeners),
    )


def _all_of(listeners: Sequence[FrameListener]) -> FrameListener:
    def tell(made: SessionFrame) -> None:
        for listener in listeners:
            listener(made)

    return tell


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
