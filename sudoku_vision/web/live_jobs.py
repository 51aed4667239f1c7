"""Live jobs: what a worker does with the frames of cameras, each followed by a tracker of its own.

As in the window, searching and reading run beside the frames, in one thread: the answer to a frame has what
is known by then, at the place of the grids in that very frame. No frame is kept after the work on it.
"""

import time
from collections import OrderedDict
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from sudoku_vision.live.draw import AnnotationOptions, Annotator
from sudoku_vision.live.tracked_grid import TrackedGrid, frame_state
from sudoku_vision.live.tracker import Tracker
from sudoku_vision.output.overlay.shapes import Fade
from sudoku_vision.sudoku.board import board_text
from sudoku_vision.texts import ENGLISH
from sudoku_vision.values import Image
from sudoku_vision.vision.digits import CellClassifier
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.verdicts import check
from sudoku_vision.web.settings import LiveMode
from sudoku_vision.web.view import cover_dicts, crossings_list, names_of, shape_dicts

FRAME_MEGAPIXELS = 13.0  # largest frame: browsers send a megapixel, and a phone's camera has twelve at most

_OPTIONS: dict[LiveMode, AnnotationOptions] = {
    "answers": AnnotationOptions(),
    "hint": AnnotationOptions(hint=True),
    "check": AnnotationOptions(check=True),
}


class LiveJobs:
    """Follows the grids in the frames of several cameras, each with a name of its own."""

    def __init__(self, model: CellClassifier, cameras: int) -> None:
        """*model* reads cells; of more than *cameras* the oldest are dropped."""
        self._model, self._limit = model, cameras
        self._jobs = ThreadPoolExecutor(1, thread_name_prefix="sudoku-vision-live")
        self._cameras: OrderedDict[str, _Camera] = OrderedDict()  # the one seen last is at the end

    def frame(
        self, camera: str, body: bytes, mode: LiveMode = "answers", language: str = ENGLISH
    ) -> dict[str, Any]:
        """Return the answer to one frame, the bytes of a JPEG. The first one of a *camera* begins it.

        Raises :class:`~sudoku_vision.errors.OpenError` for a frame that can't be opened.
        """
        pixels = load_photo(body, name="frame", max_megapixels=FRAME_MEGAPIXELS).pixels
        found = self._cameras.pop(camera, None) or _Camera(self._model, self._jobs)
        self._cameras[camera] = found
        while len(self._cameras) > self._limit:
            self._cameras.popitem(last=False)
        return found.answer(pixels, time.monotonic(), _OPTIONS[mode], language)

    def forget(self, camera: str) -> None:
        """Forget a camera, if it is known."""
        self._cameras.pop(camera, None)


class _Camera:
    """One camera: its tracker, and how its puzzles are drawn."""

    def __init__(self, model: CellClassifier, jobs: Executor) -> None:
        self._tracker = Tracker(model, jobs)
        self._annotator = Annotator(jobs)
        self._number = 0

    def answer(self, pixels: Image, now: float, options: AnnotationOptions, language: str) -> dict[str, Any]:
        """Return what is known of the next frame, (H, W, 3) uint8 BGR, for JSON."""
        started = time.perf_counter()
        grids = self._tracker.update(pixels, now)
        values = [self._grid(pixels, grid, options, language) for grid in grids]
        number, self._number = self._number, self._number + 1
        return {
            "frame": number,
            "size": [pixels.shape[1], pixels.shape[0]],
            "state": frame_state(grids),
            "grids": values,
            "seconds": round(time.perf_counter() - started, 4),
        }

    def _grid(
        self, pixels: Image, grid: TrackedGrid, options: AnnotationOptions, language: str
    ) -> dict[str, Any]:
        """Return what is known of one grid; only a sure one has a solution."""
        # First, since a hint that is found from here on is for the next frame.
        of_mode = self._values_of_mode(grid, options, language)
        shapes, words = self._annotator.shapes(pixels, grid, options)
        result = grid.result
        solution = None if result is None or grid.state != "sure" else result.solution
        lattice, photo = grid.lattice if result is None else result.lattice, Photo(pixels)
        faded = {shape.cell for shape in shapes if isinstance(shape, Fade)}
        return {
            "number": grid.number,
            "state": grid.state,
            "status": None if result is None else result.status,
            "puzzle": None if result is None else board_text(result.puzzle),
            "written": None if result is None else board_text(result.written),
            "solution": None if solution is None else board_text(solution),
            "crossings": crossings_list(lattice),
            "shapes": shape_dicts(shapes, lattice, photo.size),
            "covers": cover_dicts(photo, lattice, faded),
            "words": list(words),
            **({} if result is None else result.rules.to_dict()),
            **of_mode,
        }

    def _values_of_mode(self, grid: TrackedGrid, options: AnnotationOptions, language: str) -> dict[str, Any]:
        """Return the hint once it is found, or the counts of verdicts, for pages with words of their own."""
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
        return {"hint": None if step is None else step.to_dict(language) | names_of(step, language)}
