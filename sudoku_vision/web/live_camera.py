"""Answers the frames of a camera in a worker.

A thread searches for grids and reads them while frames come. The answer to a frame contains what is known at
that moment, at the places of the grids in this frame. Frames are not stored.
"""

import time
from concurrent.futures import Executor
from typing import Any

from sudoku_vision.live.draw import AnnotationOptions, Annotator
from sudoku_vision.live.tracked_grid import TrackedGrid, frame_state
from sudoku_vision.live.tracker import Tracker
from sudoku_vision.output.overlay.shapes import Fade
from sudoku_vision.sudoku.board import board_text
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.texts import ENGLISH
from sudoku_vision.values import Image
from sudoku_vision.vision.digits import CellClassifier
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.verdicts import check
from sudoku_vision.web.settings import LiveMode
from sudoku_vision.web.view import cover_dicts, crossings_list, names_of, shape_dicts

FRAME_MEGAPIXELS = 13.0
"""Largest size of a frame. The page sends less than 1 megapixel; the cameras of phones give at most 12."""


class FollowedCamera:
    """A camera: its tracker, and the annotator that draws its puzzles."""

    def __init__(self, model: CellClassifier, jobs: Executor) -> None:
        """*jobs* is the thread that searches for grids, reads them and looks for hints."""
        self._tracker = Tracker(model, jobs)
        self._annotator = Annotator(jobs)
        self._number = 0

    def answer(self, frame: bytes, mode: LiveMode = "answers", language: str = ENGLISH) -> dict[str, Any]:
        """Return what is known about the grids in a *frame*, the bytes of a JPEG, as a JSON object.

        Raises :class:`~sudoku_vision.errors.OpenError` if the frame can't be opened.
        """
        pixels = load_photo(frame, name="frame", max_megapixels=FRAME_MEGAPIXELS).pixels
        started = time.perf_counter()
        grids = self._tracker.update(pixels, time.monotonic())
        options = AnnotationOptions(hint=mode == "hint", check=mode == "check")
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
        """Return what is known about a grid; the solution is there only if its state is ``sure``."""
        # These values are taken before the shapes. So a hint that is found in between comes with the next
        # frame.
        of_mode = self._values_of_mode(grid, options, language)
        shapes, words = self._annotator.shapes(pixels, grid, options)
        result = grid.result
        solution = None if result is None or grid.state != "sure" else result.solution
        lattice, photo = grid.lattice if result is None else result.lattice, Photo(pixels)
        faded = {shape.cell for shape in shapes if isinstance(shape, Fade)}
        rules = CLASSIC if result is None else result.rules
        return {
            "number": grid.number,
            "state": grid.state,
            "status": None if result is None else result.status,
            "puzzle": None if result is None else board_text(result.puzzle),
            "written": None if result is None else board_text(result.written),
            "solution": None if solution is None else board_text(solution),
            "crossings": crossings_list(lattice),
            "shapes": shape_dicts(shapes, lattice, photo.size),
            "covers": cover_dicts(photo, lattice, faded, rules),
            "words": list(words),
            **rules.to_dict(),
            **of_mode,
        }

    def _values_of_mode(self, grid: TrackedGrid, options: AnnotationOptions, language: str) -> dict[str, Any]:
        """Return the hint if it has been found, or how many entries have each verdict."""
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
