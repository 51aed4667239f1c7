"""``sudoku-vision live``: solves the pictures of a camera or film, and shows, records or prints the answers.

Without a window, each frame is finished before the next frame is taken. So the same film always gives the
same lines. A window always shows the newest frame; slow work runs in parallel.
"""

import contextlib
import json
import math
import re
import time
from collections.abc import Callable

from sudoku_vision.cli.inputs import Input
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputPage, page_lines
from sudoku_vision.cli.reporter import Reporter, complain
from sudoku_vision.cli.run import named_model
from sudoku_vision.errors import ExitCode, UsageError
from sudoku_vision.live.record import Recorder, check_recording
from sudoku_vision.live.session import FeedOpener, Session, SessionFrame
from sudoku_vision.live.sources.address import Address
from sudoku_vision.live.sources.feeds import EveryFrame, LatestFrame
from sudoku_vision.live.sources.source import Source, list_cameras
from sudoku_vision.live.tracker import frame_report
from sudoku_vision.live.window import Window
from sudoku_vision.page import Page
from sudoku_vision.sudoku.board import board_text


def run_live(options: Options) -> ExitCode:
    """Solve the sudokus in front of a camera or in a film, and return the exit status."""
    typed = re.fullmatch(r"\s*([1-9]\d{1,4})\s*[x×]\s*([1-9]\d{1,4})\s*", options.size or "", re.IGNORECASE)
    if options.size is not None and typed is None:
        what = f"--size {options.size}: this is no resolution."
        raise UsageError(what, "Give width and height, as in 1280x720.")
    size = (int(typed[1]), int(typed[2])) if typed else None
    address = Address.of(options.source)

    def opened(where: int | str = options.source) -> Source:
        return Source(where, size=size, mirror=options.mirror)

    if options.record is not None:
        source_file = str(address.location) if address.kind == "file" else ""
        if note := check_recording(options.record, source_file):
            complain(note)
    with contextlib.ExitStack() as stack:
        window = None if options.headless else stack.enter_context(Window())
        source = stack.enter_context(opened())
        clock = None if window is None and source.ends else time.monotonic
        reporter = _FrameReporter(source.name, options)
        film = None
        if options.record is not None:
            film = stack.enter_context(Recorder(options.record, source.size, source.rate, clock))
        if window is None:
            count = source.count or 0  # 0: the number of frames is unknown
            if options.seconds is not None:
                count = min(count, math.ceil(options.seconds * source.rate))
            stack.enter_context(reporter.progress(count, "solving"))
            session = Session(
                [lambda: EveryFrame(source) if source.ends else LatestFrame(source)],
                named_model(options.model),
                annotate=options.record is not None,
                on_message=complain,
            )
        else:
            session = Session(_camera_feeds(source, opened), named_model(options.model), window)
        with session:
            for made in session.frames(options.seconds):
                reporter.report(made)
                if film is not None and made.picture is not None:
                    film.write(made.picture)
                reporter.bar.advance()
        if source.ends and source.damaged:
            complain(f"{source.name}: damaged frames that were left out: {source.damaged}.")
    reporter.add_written(options.record if film is not None and film.frames else None)
    return reporter.conclude()


class _FrameReporter(Reporter):
    """Prints the puzzles in front of a camera or in a film.

    With ``--json``, it prints one line for each frame. As text, it prints each puzzle once.
    """

    def __init__(self, name: str, options: Options) -> None:
        super().__init__("puzzle", as_json=options.as_json, language=options.text_language)
        self._name = name
        self._shown: set[str] = set()
        self._states: set[str] = set()

    def report(self, made: SessionFrame) -> None:
        """Print the puzzles in a frame. As text, print only sure puzzles that were not printed before."""
        self._states |= {grid.state for grid in made.grids}
        if self.as_json:
            self.print_json(frame_report(made.frame.number, made.frame.seconds, made.grids))
            return
        for grid in made.grids:
            if grid.state != "sure" or grid.result is None or board_text(grid.result.puzzle) in self._shown:
                continue
            self._shown.add(board_text(grid.result.puzzle))
            name = f"{self._name}, {made.frame.seconds:.1f} s"
            page = Page(name, 1, "solved", "", (grid.result,), made.frame.seconds)
            self.print(page_lines(InputPage(Input(name), reading=page), self.style, doubts=False))

    def conclude(self) -> ExitCode:
        """Return the exit status. If no puzzle was solved, say why."""
        if "sure" in self._states:
            return ExitCode.DONE
        if "unsolvable" in self._states:
            complain(f"{self._name}: what was read has not exactly one solution.")
        elif "reading" in self._states:
            complain(f"{self._name}: a sudoku was seen, but not clearly enough. Hold it nearer and still.")
        else:
            complain(f"{self._name}: no sudoku was seen.")
        return ExitCode.SOME_NOT


def _camera_feeds(source: Source, opened: Callable[..., Source]) -> list[FeedOpener]:
    """Return functions that open feeds of frames: one for *source*, then one for each other camera."""
    first, address = [source], source.address
    cameras = list_cameras() if address.kind == "camera" else []
    others = [one.number for one in cameras if one.number != address.location]
    return [
        lambda: LatestFrame(first.pop() if first else opened()),
        *(lambda number=number: LatestFrame(opened(number)) for number in others),
    ]


def show_cameras(options: Options) -> ExitCode:
    """Print a line for each camera of this machine, and return the exit status."""
    found = list_cameras(sizes=True)
    for camera in found:
        width, height = camera.size or (None, None)
        if options.as_json:
            data = {"number": camera.number, "name": camera.name, "width": width, "height": height}
            print(json.dumps({**data, "problem": camera.problem}))  # noqa: T201
        else:
            size = f"{width}x{height}" if camera.size else ""
            print("  ".join(filter(None, (str(camera.number), camera.name, size, camera.problem))))  # noqa: T201
    if not found:
        complain(
            "there is no camera here. Plug one in, or name a film or a stream: live --source FILE_OR_URL"
        )
    return ExitCode.DONE if found else ExitCode.NOTHING_OPENED
