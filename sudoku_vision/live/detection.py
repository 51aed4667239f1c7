"""Detection: frames are searched for grids beside the tracking, one at a time."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from dataclasses import dataclass

from sudoku_vision.live.target import LONG_AGO
from sudoku_vision.live.tracking import TrackingFrame
from sudoku_vision.results import Image, Lattice, Photo
from sudoku_vision.vision.locate import quick_locate


@dataclass(frozen=True, eq=False)
class Detections:
    """The lattices that were found in a frame, which may no longer be the newest."""

    frame: TrackingFrame
    lattices: list[Lattice]


class Detector:
    """Searches frames for grids, as jobs of which at most one is under way."""

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._job: Future[Detections] | None = None
        self._searches = 0
        self._searched_at = LONG_AGO

    def search(self, pixels: Image, frame: TrackingFrame, time: float, *, pause: float) -> None:
        """Search a frame, unless a search is under way or began less than *pause* seconds ago, if any."""
        if self._job is not None or (pause and time - self._searched_at < pause):
            return
        self._searched_at = time
        number = self._searches
        self._searches += 1
        self._job = self._jobs.submit(lambda: Detections(frame, quick_locate(Photo(pixels), number)))

    def take(self) -> Detections | None:
        """Return what a search found, once; None while there is nothing new.

        What went wrong in the search is raised.
        """
        if self._job is None or not self._job.done():
            return None
        job, self._job = self._job, None
        return job.result()

    def hurry(self) -> None:
        """Let the next search begin at once."""
        self._searched_at = LONG_AGO

    def cancel(self) -> None:
        """Give up the search that is under way, and let the next begin at once."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.hurry()
