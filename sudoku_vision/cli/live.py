"""The work of ``sudoku-vision live``: what is seen in a film goes to a screen, a film, and other programs.

Without a window, every frame is worked out to the end before the next, and of a film none is left out: the
same film gives the same lines. In a window the newest frame counts, and what takes long is done beside it.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sudoku_vision.cli.interrupts import stopped_as_by_ctrl_c
from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputPage
from sudoku_vision.cli.progress import ProgressBar, progress
from sudoku_vision.cli.runs.model import named_model
from sudoku_vision.cli.text import page_lines
from sudoku_vision.errors import ExitCode, UsageError
from sudoku_vision.live.encoders import encoder_note
from sudoku_vision.live.record import Recording, check_recording
from sudoku_vision.live.session import FrameListener, Session, SessionFrame
from sudoku_vision.live.sources import (
    EveryFrame,
    LatestFrame,
    Source,
    list_cameras,
    open_source,
)
from sudoku_vision.live.sources.address import Address
from sudoku_vision.live.tracked_grid import TrackedGrid, frame_report
from sudoku_vision.live.window import Window
from sudoku_vision.live.window_session import FeedOpener, run_in_window
from sudoku_vision.results import PageResult, board_text
from sudoku_vision.sudoku.display import TextStyle, print_lines, style_for

_SIZE = re.compile(r"([1-9]\d{1,4})\s*[x×]\s*([1-9]\d{1,4})", re.IGNORECASE)
"""A resolution as people type it."""


@dataclass(frozen=True)
class LiveSettings:
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

    @classmethod
    def of(
        cls,
        *,
        camera: int | None = None,
        source: str | None = None,
        size: str | None = None,
        record: str | None = None,
        headless: bool = False,
        mirror: bool = False,
        seconds: float | None = None,
        options: Options,
    ) -> LiveSettings:
        """Read what was typed.

        Raises :class:`~sudoku_vision.errors.UsageError` for what can't be, and
        :class:`~sudoku_vision.errors.SaveError` where the film can't be written.
        """
        if camera is not None and source is not None:
            raise UsageError("--camera and --source can't both be.", "Choose one.")
        if record is not None:
            film = None if source is None else Address.of(source)
            check_recording(record, str(film.location) if film and film.kind == "file" else "")
        return cls(
            source=source if source is not None else camera or 0,
            size=None if size is None else _read_size(size),
            record=record,
            headless=headless,
            mirror=mirror,
            seconds=seconds,
            as_json=options.as_json,
            model=options.model,
            plain=options.plain,
        )


def _read_size(text: str) -> tuple[int, int]:
    """Width and height in pixels."""
    typed = _SIZE.fullmatch(text.strip())
    if typed is None:
        raise UsageError(f"--size {text}: this is no resolution.", "Give width and height, as in 1280x720.")
    return int(typed[1]), int(typed[2])


class FrameReporter:
    """Tells what is seen in a film: a line a frame for programs, each puzzle once for people."""

    def __init__(self, name: str, *, as_json: bool, text_style: TextStyle) -> None:
        self.solved = False
        """Whether the answer of a puzzle was shown."""
        self.bar = ProgressBar()
        """What shows how far it is, if anything."""
        self._name, self._as_json, self._text_style = name, as_json, text_style
        self._told: set[str] = set()
        self._states: set[str] = set()

    def report(self, made: SessionFrame) -> None:
        """Tell of one frame; frames are told in order."""
        self._states |= {grid.state for grid in made.grids}
        self.solved = "sure" in self._states
        if self._as_json:
            report = frame_report(made.frame.number, made.frame.seconds, made.grids)
            with self.bar.cleared():
                print(json.dumps(report), flush=True)  # noqa: T201
        else:
            self._show_new(made.frame.seconds, made.grids)

    def conclude(self) -> ExitCode:
        """Say what came of it where no puzzle was solved, and give the exit status."""
        if self.solved:
            return ExitCode.DONE
        if "unsolvable" in self._states:
            complain(f"{self._name}: what was read has not exactly one solution.")
        elif "reading" in self._states:
            complain(f"{self._name}: a sudoku was seen, but not clearly enough. Hold it nearer and still.")
        else:
            complain(f"{self._name}: no sudoku was seen.")
        return ExitCode.SOME_NOT

    def _show_new(self, seconds: float, grids: Sequence[TrackedGrid]) -> None:
        """Print the puzzles that are sure now and were not told of before."""
        for grid in grids:
            if grid.state != "sure" or grid.result is None or board_text(grid.result.puzzle) in self._told:
                continue
            self._told.add(board_text(grid.result.puzzle))
            name = f"{self._name}, {seconds:.1f} s"
            page = PageResult(name, 1, "solved", "", (grid.result,), seconds)
            lines = page_lines(InputPage(name, "", name, reading=page), self._text_style)
            with self.bar.cleared():
                print_lines(lines, self._text_style)


def run_film(settings: LiveSettings) -> ExitCode:
    """Look at a film, tell, show and record what is seen, and give the exit status.

    Raises :class:`~sudoku_vision.errors.CameraError` if the source can't be opened or breaks off,
    :class:`~sudoku_vision.errors.WindowError` if there is no screen, and
    :class:`~sudoku_vision.errors.SaveError` if the film can't be written.
    """
    with stopped_as_by_ctrl_c():
        return _run(settings)


def _run(settings: LiveSettings) -> ExitCode:
    """Look at a film, in a window where a person has the keys, or without one."""
    with contextlib.ExitStack() as stack:
        window = None if settings.headless else stack.enter_context(Window())
        source = stack.enter_context(_opened(settings))
        clock = None if window is None and source.ends else time.monotonic
        reporter = _reporter(source.name, settings)
        note = "" if settings.record is None else encoder_note(settings.record)
        if note:
            complain(note)
        recording = stack.enter_context(Recording(settings.record, source.rate, clock))
        recording.begin(source.size)
        if window is None:
            frames = _frames_to_come(source, settings.seconds)
            bar = reporter.bar = stack.enter_context(progress(frames, "solving"))
            _run_headless(source, settings, [reporter.report, recording.add_frame, lambda _: bar.advance()])
        else:
            _run_in_window(window, source, settings, [reporter.report, recording.add_frame])
    return reporter.conclude()


def _run_headless(source: Source, settings: LiveSettings, listeners: Sequence[FrameListener]) -> None:
    feed = EveryFrame(source) if source.ends else LatestFrame(source)
    with Session(
        feed,
        named_model(settings.model),
        annotate=settings.record is not None,
        on_frame=_all_of(listeners),
        on_message=complain,
    ) as session:
        session.run(settings.seconds)


def _run_in_window(
    window: Window, source: Source, settings: LiveSettings, listeners: Sequence[FrameListener]
) -> None:
    """Begin with *source*; the key c goes on to the other cameras, and back to the first, opened anew."""
    first = [source]

    def open_first() -> LatestFrame:
        return LatestFrame(first.pop() if first else _opened(settings))

    def opener(number: int) -> FeedOpener:
        return lambda: LatestFrame(_opened(replace(settings, source=number)))

    others = [] if isinstance(settings.source, str) else _other_cameras(settings.source)
    run_in_window(
        [open_first, *map(opener, others)],
        named_model(settings.model),
        window,
        seconds=settings.seconds,
        on_frame=_all_of(listeners),
    )


def _all_of(listeners: Sequence[FrameListener]) -> FrameListener:
    def tell(made: SessionFrame) -> None:
        for listener in listeners:
            listener(made)

    return tell


def show_cameras(*, as_json: bool) -> ExitCode:
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
    return ExitCode.DONE if found else ExitCode.NOTHING_OPENED


def _opened(settings: LiveSettings) -> Source:
    return open_source(settings.source, size=settings.size, mirror=settings.mirror)


def _other_cameras(number: int) -> list[int]:
    return [camera.number for camera in list_cameras() if camera.number != number]


def _reporter(name: str, settings: LiveSettings) -> FrameReporter:
    return FrameReporter(
        name, as_json=settings.as_json, text_style=style_for(sys.stdout, plain=settings.plain)
    )


def _frames_to_come(source: Source, seconds: float | None) -> int:
    """How many frames there will be, 0 if that isn't known."""
    count = source.count or 0
    return count if seconds is None else min(count, math.ceil(seconds * source.rate))
