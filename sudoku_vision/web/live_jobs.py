"""Live jobs: what a worker does with the frames of cameras, each followed by a tracker of its own.

As in the window, searching and reading run beside the frames, in one thread: a frame is answered with what is
known by then, where the grids are in that very frame. A frame lives no longer than the work on it.
"""

import time
from collections import OrderedDict
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from sudoku_vision.live.draw import AnnotationOptions, Annotator
from sudoku_vision.live.tracked_grid import TrackedGrid, frame_state
from sudoku_vision.live.tracker import Tracker
from sudoku_vision.output.overlay.shapes import shape_dicts
from sudoku_vision.results import Image, board_text
from sudoku_vision.sudoku.verdicts import check
from sudoku_vision.texts import ENGLISH
from sudoku_vision.vision.digits import CellClassifier
from sudoku_vision.vision.load import load_photo
from sudoku_vision.web.settings import LiveMode
from sudoku_vision.web.view import crossings_list, names_of

FRAME_MEGAPIXELS = 13.0  # largest frame: browsers send a megapixel, and a phone's camera has twelve at most

_OPTIONS: dict[LiveMode, AnnotationOptions] = {
    "answers": AnnotationOptions(),
    "hint": AnnotationOptions(hint=True),
    "check": AnnotationOptions(check=True),
}


class LiveJobs:
    """Follows the grids in the frames of several cameras, each a *session* with a name of its own."""

    def __init__(self, model: CellClassifier, sessions: int) -> None:
        """*model* reads cells; of more than *sessions* the oldest go."""
        self._model, self._most = model, sessions
        self._jobs = ThreadPoolExecutor(1, thread_name_prefix="sudoku-vision-live")
        self._sessions: OrderedDict[str, _Session] = OrderedDict()

    def frame(
        self, session: str, body: bytes, mode: LiveMode = "answers", language: str = ENGLISH
    ) -> dict[str, Any]:
        """Answer one frame, the bytes of a JPEG, of a *session*, which begins with its first one.

        Raises :class:`~sudoku_vision.errors.OpenError` for a frame that can't be opened.
        """
        pixels = load_photo(body, name="frame", max_megapixels=FRAME_MEGAPIXELS).pixels
        return self._session(session).answer(pixels, time.monotonic(), _OPTIONS[mode], language)

    def end(self, session: str) -> None:
        """Forget a session; there need be none."""
        self._sessions.pop(session, None)

    def _session(self, name: str) -> "_Session":
        """Return a session by its name, begun where there is none; the oldest go."""
        found = self._sessions.pop(name, None) or _Session(self._model, self._jobs)
        self._sessions[name] = found  # the last one is the newest
        while len(self._sessions) > self._most:
            self._sessions.popitem(last=False)
        return found


class _Session:
    """One camera: its tracker, and how its puzzles are drawn."""

    def __init__(self, model: CellClassifier, jobs: Executor) -> None:
        self._tracker = Tracker(model, jobs)
        self._annotator = Annotator(jobs)
        self._number = 0

    def answer(self, pixels: Image, now: float, options: AnnotationOptions, language: str) -> dict[str, Any]:
        """Return what is known of the next frame, (H, W, 3) uint8 BGR, for JSON."""
        started = time.perf_counter()
        grids = self._tracker.update(pixels, now)
        told = [self._told(pixels, grid, options, language) for grid in grids]
        number, self._number = self._number, self._number + 1
        return {
            "frame": number,
            "size": [pixels.shape[1], pixels.shape[0]],
            "state": frame_state(grids),
            "grids": told,
            "seconds": round(time.perf_counter() - started, 4),
        }

    def _told(
        self, pixels: Image, grid: TrackedGrid, options: AnnotationOptions, language: str
    ) -> dict[str, Any]:
        """Tell of one grid; only of one that is sure the solution is told."""
        # First, since a hint that is found from here on is for the next frame.
        of_mode = self._told_of_mode(grid, options, language)
        shapes, words = self._annotator.shapes(pixels, grid, options)
        result = grid.result
        solution = None if result is None or grid.state != "sure" else result.solution
        played = {} if result is None else result.rules.to_dict()
        return {
            "number": grid.number,
            "state": grid.state,
            "status": None if result is None else result.status,
            "puzzle": None if result is None else board_text(result.puzzle),
            "written": None if result is None else board_text(result.written),
            "solution": None if solution is None else board_text(solution),
            "crossings": crossings_list(grid.lattice if result is None else result.lattice),
            "shapes": shape_dicts(shapes),
            "words": list(words),
            **played,
            **of_mode,
        }

    def _told_of_mode(self, grid: TrackedGrid, options: AnnotationOptions, language: str) -> dict[str, Any]:
        """Tell the hint once it is found, or the verdicts, for pages with words of their own."""
        if grid.state != "sure" or grid.result is None:
            return {}
        if options.check:
            checked = check(grid.result)
            counts = {name: len(getattr(checked, name)) for name in ("right", "wrong", "unclear")}
            return {"check": counts | {"left": checked.left}}
        found = self._annotator.hint(grid) if options.hint else None
        if found is None or not found.done():
            return {}
        step = found.result()
        if step is None:
            return {"hint": None}
        return {"hint": step.to_dict(language) | names_of(step, language)}
