"""Tracker: finds the grids of a film, keeps hold of them, adds up what is read, and holds the answer.

Tracking is quick and done for every frame. Searching and reading take longer and are handed out as *jobs*,
whose results are worked in when they are there: the board has been tracked meanwhile.

* A grid that is found is read again and again, each frame adding to its scores, until the reading is sure.
* A sure reading is solved once and held; now and then a single frame makes sure that it still stands there.
* A grid whose cells look different from one frame to the next is another puzzle: its answer goes at once.
* A lost grid is moved along with its surroundings for about a second, and remembered for some more: what is
  found then and looks the same has its answer back without being read again.
* A grid that is detected where one is tracked puts it right: seen more sharply, its lattice is the better
  one, and what was read stays; where it contradicts one that makes no sense, it takes its place.
"""

from __future__ import annotations

from concurrent.futures import Executor, Future

from sudoku_vision.blas import one_blas_thread
from sudoku_vision.live.accumulation import AccumulatedReading, read_frame
from sudoku_vision.live.association import SAME_SIMILARITY, TargetUpdate, decide_update, lies_on
from sudoku_vision.live.target import LONG_AGO, Target, is_same_board
from sudoku_vision.live.template import best_turn
from sudoku_vision.live.tracked_grid import TrackedGrid
from sudoku_vision.live.tracking import Track, TrackingFrame, continue_track, start_track
from sudoku_vision.parallel import SerialExecutor
from sudoku_vision.results import Image, Lattice, Photo
from sudoku_vision.vision.digits import CellClassifier
from sudoku_vision.vision.freed_memory import keep_freed_memory
from sudoku_vision.vision.locate import quick_locate

SEARCH_PAUSE = 0.6
"""Seconds between searches for more grids while all that are known are tracked."""
COASTING_SEARCH_PAUSE = 0.1
"""Seconds between searches while one of the grids is coasting, and may be found elsewhere."""
REMEMBERED = 5.0
"""Seconds after which a lost puzzle is forgotten."""
MAX_GRIDS = 8
"""Grids that are tracked at most: more don't fit into a picture legibly, and each takes its time."""


class Tracker:
    """Knows the grids of a film; :meth:`update` takes its frames in order."""

    def __init__(self, model: CellClassifier, jobs: Executor | None = None) -> None:
        """*jobs* runs searching and reading beside the frames; without, they are done within them."""
        keep_freed_memory()
        self._model = model
        self._jobs = jobs or SerialExecutor()
        self._detector = _Detector(self._jobs)
        self._targets: list[Target] = []
        self._lost: list[Target] = []
        self._count = 0
        self._shape: tuple[int, ...] = ()

    @one_blas_thread()
    def update(self, pixels: Image, time: float) -> tuple[TrackedGrid, ...]:
        """Take the next frame, (H, W, 3) uint8 BGR, seen at *time* in seconds, and return what is in it.

        *pixels* must not be changed afterwards, since jobs may still look at them. A frame of another size
        comes from another camera: all is begun afresh. What goes wrong in a job is raised here, once.
        """
        if pixels.shape != self._shape:
            self.reset()
            self._shape = pixels.shape
        frame = TrackingFrame.of(pixels)
        self._lost = [lost for lost in self._lost if time - lost.seen_at < REMEMBERED]
        for target in list(self._targets):
            if not target.advance(frame, time):
                self._give_up(target)
        self._take_detections(frame, time)
        for target in self._targets:
            self._take_reading(target)
        self._detector.search(pixels, frame, time, pause=self._search_pause)
        self._take_detections(frame, time)
        for target in self._targets:
            self._read(target, pixels, time)
            self._take_reading(target)
            target.detect_occlusion(pixels)
        return tuple(target.to_tracked_grid() for target in self._targets if target.is_reported)

    def reset(self) -> None:
        """Begin afresh: what is in view is found and read anew."""
        self._detector.cancel()
        for target in self._targets:
            if target.job is not None:
                target.job.cancel()
        self._targets, self._lost = [], []

    @property
    def _search_pause(self) -> float:
        if not self._targets:
            return 0.0
        coasting = any(target.track.coasting for target in self._targets)
        return COASTING_SEARCH_PAUSE if coasting else SEARCH_PAUSE

    def _give_up(self, target: Target) -> None:
        """Let a grid go, but keep in mind what was read; look for it, or another, at once."""
        self._targets.remove(target)
        self._detector.hurry()
        if target.job is not None:
            target.job.cancel()
        if target.reading.frames:
            self._lost.append(target)

    def _take_detections(self, frame: TrackingFrame, time: float) -> None:
        """Work in what a search found in the frame that it was given."""
        found = self._detector.take()
        if found is None:
            return
        searched, lattices = found
        for lattice in lattices:
            track = start_track(searched, lattice)
            if track is not None and searched is not frame:
                track = continue_track(track, frame)
            if track is not None and is_same_board(track):  # another may have come since it was searched for
                self._associate(track, lattice.score, time)

    def _associate(self, detected: Track, line_score: float, time: float) -> None:
        """Put right the grids that are tracked where one was *detected*, or track that."""
        there = [target for target in self._targets if lies_on(detected, target.track)]
        for target in there:
            update, turn = decide_update(target, detected, line_score)
            if update is TargetUpdate.REPLACE:
                self._give_up(target)
            elif update is TargetUpdate.CORRECT:
                corrected = start_track(detected.frame, detected.lattice.turned(turn))
                if corrected is not None:
                    target.track, target.seen_at, target.line_score = corrected, time, line_score
        if not any(target in self._targets for target in there):
            self._add(detected, line_score, time)

    def _add(self, track: Track, line_score: float, time: float) -> None:
        """Begin to track a grid, which may be one that was lost."""
        if len(self._targets) < MAX_GRIDS:
            crossings = track.lattice.crossings
            target = Target(self._new_number(), track, AccumulatedReading(), line_score, time, crossings)
            self._reacquire(target)
            self._targets.append(target)

    def _reacquire(self, target: Target) -> None:
        """Give a new target, in place, what was read of a lost grid that looks the same in any turn."""
        for lost in reversed(self._lost):
            turn, similarity = best_turn(target.track.template, lost.track.template)
            lattice = target.track.lattice.turned(turn)
            track = start_track(target.track.frame, lattice) if similarity >= SAME_SIMILARITY else None
            if track is not None:
                self._lost.remove(lost)
                target.number, target.reading, target.track = lost.number, lost.reading, track
                target.smoothed, target.colours = lattice.crossings, lost.colours
                return

    def _new_number(self) -> int:
        self._count += 1
        return self._count

    def _read(self, target: Target, pixels: Image, time: float) -> None:
        """Have a grid read in this frame, if there is something to gain."""
        if target.wants_reading(time):
            target.read_at = time
            lattice, before = target.track.lattice, target.reading
            target.job = self._jobs.submit(read_frame, pixels, lattice, before, self._model)

    def _take_reading(self, target: Target) -> None:
        """Work in a reading that is done; a puzzle that was lost has its number again."""
        before = target.reading
        if not target.take_reading():
            return
        if before.sure and not target.reading.sure:
            target.number = self._new_number()
        same = [lost for lost in self._lost if lost.reading.is_same_puzzle(target.reading)]
        if same:
            target.number = same[0].number
            self._lost.remove(same[0])


_Detections = tuple[TrackingFrame, list[Lattice]]
"""The lattices that were found in a frame, which may no longer be the newest."""


class _Detector:
    """Searches frames for grids, as jobs of which at most one is under way."""

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._job: Future[_Detections] | None = None
        self._searches = 0
        self._searched_at = LONG_AGO

    def search(self, pixels: Image, frame: TrackingFrame, time: float, *, pause: float) -> None:
        """Search a frame, unless a search is under way or began less than *pause* seconds ago, if any."""
        if self._job is not None or (pause and time - self._searched_at < pause):
            return
        self._searched_at = time
        number = self._searches
        self._searches += 1
        self._job = self._jobs.submit(lambda: (frame, quick_locate(Photo(pixels), number)))

    def take(self) -> _Detections | None:
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
