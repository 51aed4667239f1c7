"""Finds the grids in a film, follows them, reads them over many frames, and keeps sure answers.

Tracking is fast, so it is done in every frame. Searching for grids and reading them take longer, so they run
in the background (the argument *jobs* of :class:`Tracker`).

* A grid is read in many frames, and the scores are added up, until the reading is sure.
* A sure answer is kept. The grid is still read about once a second: this shows whether the puzzle is the
  same, and finds new entries.
* If the cells of a grid suddenly look different, another puzzle lies there: the old answer disappears.
* A grid that is no longer recognised is *coasting*: for about a second, it is moved along with its
  surroundings. After that, its reading is stored for some seconds. If a grid that looks the same is detected,
  it gets this reading.
* Sometimes a grid is detected in the place of a coasting grid. If both look the same, the coasting grid gets
  the position of the detected grid. If they look different, the detected grid replaces the coasting grid.
* A detected grid can also replace a grid that is recognised, but whose answer is not sure. Two conditions
  must hold: the positions differ by more than :data:`MAX_OFFSET`, and the share of visible lines is at least
  as large in the detected grid as in the other grid.
"""

import itertools
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.blas import one_blas_thread
from sudoku_vision.errors import checked_number
from sudoku_vision.live.accumulation import MANY_FRAMES, AccumulatedReading, TrackState, read_frame
from sudoku_vision.live.occlusion import board_colours, cell_contents, occluded_cells, with_cells
from sudoku_vision.live.tracking import (
    SWAPPED_SIMILARITY,
    Track,
    TrackingFrame,
    best_turn,
    coast_track,
    continue_track,
    start_track,
)
from sudoku_vision.parallel import SerialExecutor
from sudoku_vision.pipeline import is_reported
from sudoku_vision.values import Floats, Image, Value
from sudoku_vision.vision.digits.model_files import ModelLike, classifier_of
from sudoku_vision.vision.freed_memory import keep_freed_memory
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.load import Source, frame_pixels
from sudoku_vision.vision.locate import quick_locate
from sudoku_vision.vision.results import Lattice, Photo, Reading

LONG_AGO = -1e9  # a time before all frames, in seconds
MAX_COASTING = 1.0
"""For this many seconds, a grid that is not recognised is still shown. It moves with its surroundings."""
VERIFY_PAUSE = 1.0
"""Seconds between two readings of a grid whose answer is sure. New entries are found after about this time,
which is soon enough."""
CONFIRM_PAUSE = 0.25
"""Seconds from a reading with a new entry to the next reading. The next reading must confirm the entry. If
the edge of a hand was misread as an entry, the hand has moved by then."""
RETRY_PAUSE = 0.25
"""Seconds between two readings of a grid whose answer is still not sure after :data:`MANY_FRAMES` frames."""
SAME_SIMILARITY = 0.6
"""Two boards show the same puzzle if their similarity is at least this. Each cell of one board is correlated
with the same cell of the other. The similarity is the median over cells with ink (:func:`best_turn`)."""
MAX_OFFSET = 0.3
"""A detected grid can replace a grid that is recognised but not sure. This is done only if the middles of the
two grids are further apart than this, in cells."""

MIN_FACTOR = 0.2
"""In each frame, factor * (measured crossings - drawn crossings) is added to the drawn crossings. MIN_FACTOR
is the factor if this difference is close to 0. MIN_FACTOR averages the noise of about nine frames."""
UNSMOOTHED_STEP = 0.6
"""In :func:`smooth`, the factor is MIN_FACTOR + distance / UNSMOOTHED_STEP, and at most 1. The distance from
the drawn to the measured crossings is the root mean square over all crossings, in pixels. Noise alone gives
less than 0.5."""


FrameState = TrackState | Literal["looking"]
"""State of a frame: the state of its best grid, or ``looking`` if no grid is tracked."""

_BLANK = np.zeros((9, 9), np.int8)
_UNREAD = Reading(_BLANK, _BLANK, solution=None, solutions=0, confidence=0.0)


@dataclass(frozen=True, eq=False)
class TrackedGrid(Value):
    """A grid in one frame.

    ``number`` stays the same while the grid is tracked. ``lattice`` has the crossings in this frame.
    ``result`` is the upright grid that was read so far, with its lattice in this frame; None before the first
    reading. Its solution may be shown only if ``state`` is ``sure``. ``occluded``: the cells of the upright
    puzzle (0..80) that something covers in this frame.
    """

    number: int
    state: TrackState
    lattice: Lattice
    result: Grid | None
    occluded: frozenset[int] = frozenset()


def frame_state(grids: Sequence[TrackedGrid]) -> FrameState:
    """Return the state of the best grid in a frame: sure is best, then reading, then unsolvable."""
    best_first: tuple[TrackState, ...] = ("sure", "reading", "unsolvable")
    return min((grid.state for grid in grids), key=best_first.index, default="looking")


def frame_report(number: int, seconds: float, grids: Sequence[TrackedGrid]) -> dict[str, Any]:
    """Return one frame as a JSON object: its *number* from 0, its time in *seconds*, and its grids.

    Each grid has the keys of :meth:`~sudoku_vision.vision.grid.Grid.to_dict`, its ``number`` and its
    ``state``. Before a grid is read, its status is ``unreadable``, because this status allows missing digits.
    """
    return {
        "frame": number,
        "seconds": round(seconds, 4),
        "state": frame_state(grids),
        "grids": [
            {"number": grid.number, "state": grid.state}
            | (grid.result or Grid("unreadable", grid.lattice, _UNREAD)).to_dict()
            for grid in grids
        ],
    }


@dataclass(eq=False)
class Target:
    """A grid that is tracked."""

    number: int
    track: Track  # its place in the last frame
    reading: AccumulatedReading
    line_score: float  # share of its lines that was visible when it was detected
    seen_at: float  # when it was last recognised, in seconds
    smoothed: Floats  # its crossings as they are drawn, (10, 10, 2) in pixels
    read_at: float = LONG_AGO  # when it was last read, in seconds
    job: Future[AccumulatedReading] | None = None  # the reading that is running now
    uncovered: tuple[Floats, NDArray[np.int_]] | None = None
    """The colours of the uncovered board, and the contents of its cells; None until the reading is sure."""

    def advance(self, frame: TrackingFrame, time: float) -> bool:
        """Track the grid in the next *frame*. Return False if it is lost, or if another puzzle is there."""
        track = continue_track(self.track, frame)
        if track is not None and track.is_same_board:
            self.seen_at = time
        elif track is None and time - self.seen_at <= MAX_COASTING:
            track = coast_track(self.track, frame)
        else:
            track = None
        if track is None:
            return False
        self.track = track
        self.smoothed = smooth(self.smoothed, track.lattice.crossings)
        return True

    def wants_reading(self, time: float) -> bool:
        """Return whether the grid should be read again at this *time*, in seconds."""
        pause = RETRY_PAUSE if self.reading.frames >= MANY_FRAMES else 0.0
        if self.reading.sure:
            pause = VERIFY_PAUSE if self.reading.unconfirmed is None else CONFIRM_PAUSE
        return self.job is None and not self.track.coasting and time - self.read_at >= pause

    @property
    def is_reported(self) -> bool:
        """Whether the grid is reported: always in the first frames, later only if it looks like a sudoku."""
        result = self.reading.result
        if result is None or self.reading.frames < MANY_FRAMES:
            return True
        return is_reported(replace(result.lattice, score=self.line_score), result)

    def to_tracked_grid(self, pixels: Image) -> TrackedGrid:
        """Return the grid in this frame, upright."""
        lattice = replace(self.track.lattice, crossings=self.smoothed).turned(self.reading.turn)
        result = self.reading.result
        shown = None if result is None else replace(result, lattice=lattice)
        return TrackedGrid(self.number, self.reading.state, lattice, shown, self._occluded(pixels))

    def _occluded(self, pixels: Image) -> frozenset[int]:
        """Return the cells of the upright puzzle that something covers; none if the puzzle isn't solved."""
        result, turn = self.reading.result, self.reading.turn
        if not self.reading.sure or result is None:
            self.uncovered = None
            return frozenset()
        seen = board_colours(pixels, self.track.to_frame)
        contents = np.rot90(cell_contents(result), -turn).reshape(81)
        known, before = self.uncovered or (seen, contents)
        # A cell whose entry changed has new ink and is not covered.
        occluded, colours = occluded_cells(seen, with_cells(known, contents != before, seen))
        self.uncovered = colours, contents
        return frozenset(np.flatnonzero(np.rot90(occluded.reshape(9, 9), turn)).tolist())


def is_replaced(target: Target, detected: Track, similarity: float, line_score: float) -> bool:
    """Return whether a *detected* grid replaces the *target*, by the rules in the docstring of this module.

    *similarity*: correlation of the two boards, -1 to 1. *line_score*: share of the detected grid's lines
    that is visible.
    """
    if target.track.coasting:
        return similarity < SWAPPED_SIMILARITY
    better_seen = not target.reading.sure and line_score >= target.line_score
    apart = float(np.linalg.norm(detected.middle - target.track.middle))
    return better_seen and apart > MAX_OFFSET * target.track.lattice.cell_size


def smooth(previous: Floats, measured: Floats) -> Floats:
    """Return the smoothed crossings (10, 10, 2) of this frame, in pixels.

    *previous*: the smoothed crossings of the last frame. *measured*: the measured crossings of this frame.

    Drawn digits must not tremble with the noise of the camera, and must not lag behind a moving page.
    Therefore, longer steps are followed faster, as in the "1 euro filter" (G. Casiez, N. Roussel, D. Vogel,
    2012).
    """
    step = measured - previous
    length = float(np.sqrt((step * step).sum(axis=2).mean()))
    factor = min(1.0, MIN_FACTOR + length / UNSMOOTHED_STEP)
    return np.asarray(previous + np.float32(factor) * step, np.float32)


SEARCH_PAUSE = 0.6  # seconds between searches for more grids while all known grids are recognised
COASTING_SEARCH_PAUSE = 0.1  # seconds between searches while a grid is not recognised
FORGET_AFTER = 5.0  # after this many seconds, the reading of a lost grid is forgotten
MAX_GRIDS = 8  # maximum number of tracked grids; if a picture has more, they are too small to read


class Tracker:
    """Follows and reads the grids of a film; :meth:`update` takes its frames in order.

    ::

        tracker, annotator = Tracker(), Annotator()
        for time, frame in frames:
            grids = tracker.update(frame, time)
            show(annotator.annotate(frame, grids))
    """

    def __init__(self, model: ModelLike = None, jobs: Executor | None = None) -> None:
        """*model* is the classifier of cells, in the forms that :func:`solve_photo` takes.

        *jobs* runs searches and readings in the background. Without it, :meth:`update` waits for them.
        """
        keep_freed_memory()
        self._model = classifier_of(model)
        self._jobs = jobs or SerialExecutor()
        self._search: Future[tuple[TrackingFrame, list[Lattice]]] | None = None
        self._searches = itertools.count()
        self._searched_at = LONG_AGO
        self._targets: list[Target] = []
        self._lost: list[Target] = []
        self._numbers = itertools.count(1)
        self._shape: tuple[int, ...] = ()

    @one_blas_thread()
    def update(self, pixels: Source, time: float) -> tuple[TrackedGrid, ...]:
        """Take the next frame, seen at *time* in seconds, and return its grids.

        *pixels* are an array (H, W, 3) uint8 BGR, or any other source that :func:`solve_photo` takes. The
        pixels must not be changed later, because searches and readings in the background may still use them.
        If two successive frames differ in size, another camera must be in use, so all grids are forgotten. If
        a search or reading fails, a later call raises the error once.
        """
        pixels, time = frame_pixels(pixels), checked_number(time, "The time of a frame", -inf, whole=False)
        if pixels.shape != self._shape:
            self.reset()
            self._shape = pixels.shape
        frame = TrackingFrame.of(pixels)
        self._lost = [lost for lost in self._lost if time - lost.seen_at < FORGET_AFTER]
        for target in list(self._targets):
            if not target.advance(frame, time):
                self._give_up(target)
        self._take_detections(frame, time)
        for target in self._targets:
            self._take_reading(target)
        self._begin_search(pixels, frame, time)
        self._take_detections(frame, time)
        for target in self._targets:
            if target.wants_reading(time):
                target.read_at = time
                lattice, before = target.track.lattice, target.reading
                target.job = self._jobs.submit(read_frame, pixels, lattice, before, self._model)
            self._take_reading(target)
        return tuple(target.to_tracked_grid(pixels) for target in self._targets if target.is_reported)

    def reset(self) -> None:
        """Forget all grids."""
        if self._search is not None:
            self._search.cancel()
        self._search, self._searched_at = None, LONG_AGO
        for target in self._targets:
            if target.job is not None:
                target.job.cancel()
        self._targets, self._lost = [], []

    def _begin_search(self, pixels: Image, frame: TrackingFrame, time: float) -> None:
        """Search a frame for grids, unless a search is running.

        While grids are tracked, a search is begun only after a pause since the beginning of the last search.
        """
        coasting = any(target.track.coasting for target in self._targets)
        pause = COASTING_SEARCH_PAUSE if coasting else SEARCH_PAUSE
        if self._search is not None or (self._targets and time - self._searched_at < pause):
            return
        self._searched_at, number = time, next(self._searches)
        self._search = self._jobs.submit(lambda: (frame, quick_locate(Photo(pixels), number)))

    def _give_up(self, target: Target) -> None:
        """Stop tracking a grid, and store its reading; the next search begins without a pause."""
        self._targets.remove(target)
        self._searched_at = LONG_AGO
        if target.job is not None:
            target.job.cancel()
        if target.reading.frames:
            self._lost.append(target)

    def _take_detections(self, frame: TrackingFrame, time: float) -> None:
        """If a search is finished, track its grids up to *frame*. If the search failed, raise its error."""
        if self._search is None or not self._search.done():
            return
        search, self._search = self._search, None
        searched, lattices = search.result()
        for lattice in lattices:
            track = start_track(searched, lattice)
            if track is not None and searched is not frame:
                track = continue_track(track, frame)
            if track is not None and track.is_same_board:  # otherwise another puzzle lies there now
                self._associate(track, lattice.score, time)

    def _associate(self, detected: Track, line_score: float, time: float) -> None:
        """Use a *detected* grid: correct or replace tracked grids at its place, or add it as a new grid."""
        there = [target for target in self._targets if detected.lies_on(target.track)]
        for target in there:
            turn, similarity = best_turn(detected.template, target.track.template)
            if is_replaced(target, detected, similarity, line_score):
                self._give_up(target)
            elif target.track.coasting and similarity >= SAME_SIMILARITY:
                corrected = start_track(detected.frame, detected.lattice.turned(turn))
                if corrected is not None:
                    target.track, target.seen_at, target.line_score = corrected, time, line_score
        if not any(target in self._targets for target in there):
            self._add(detected, line_score, time)

    def _add(self, track: Track, line_score: float, time: float) -> None:
        """Begin to track a grid, unless :data:`MAX_GRIDS` grids are tracked already.

        If the grid, perhaps turned, looks like a lost grid, it gets the number and the reading of that grid.
        """
        if len(self._targets) == MAX_GRIDS:
            return
        crossings = track.lattice.crossings
        target = Target(next(self._numbers), track, AccumulatedReading(), line_score, time, crossings)
        self._targets.append(target)
        for lost in reversed(self._lost):
            turn, similarity = best_turn(track.template, lost.track.template)
            lattice = track.lattice.turned(turn)
            turned = start_track(track.frame, lattice) if similarity >= SAME_SIMILARITY else None
            if turned is not None:
                self._lost.remove(lost)
                target.number, target.reading, target.track = lost.number, lost.reading, turned
                target.smoothed, target.uncovered = lattice.crossings, lost.uncovered
                return

    def _take_reading(self, target: Target) -> None:
        """If the job that reads *target* is finished, take its reading. If the job failed, raise its error.

        A sure reading becomes unsure only if a frame shows another puzzle (:func:`read_frame`). Then the grid
        gets a new number.
        """
        if target.job is None or not target.job.done():
            return
        job, target.job = target.job, None
        was_sure, target.reading = target.reading.sure, job.result()
        if was_sure and not target.reading.sure:
            target.number = next(self._numbers)
