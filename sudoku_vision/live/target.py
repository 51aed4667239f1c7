"""A tracked grid with its reading: when it is read again, and when another grid replaces it."""

from concurrent.futures import Future
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.live.accumulation import MANY_FRAMES, AccumulatedReading
from sudoku_vision.live.occlusion import board_colours, cell_contents, occluded_cells, with_cells
from sudoku_vision.live.tracked_grid import TrackedGrid
from sudoku_vision.live.tracking import SWAPPED_SIMILARITY, Track, TrackingFrame, coast_track, continue_track
from sudoku_vision.pipeline import is_reported
from sudoku_vision.values import Floats, Image

_NOTHING_OCCLUDED = np.zeros(81, bool)
LONG_AGO = -1e9  # a time before all frames, in seconds
MAX_COASTING = 1.0
"""Seconds for which a grid that is not recognised is still shown, moved along with its surroundings."""
VERIFY_PAUSE = 1.0
"""Seconds between two readings of a grid that is sure; new entries are found soon enough."""
CONFIRM_PAUSE = 0.25
"""Seconds between a reading with a new entry and the next reading, which must confirm the entry. If the edge
of a hand was misread as an entry, the hand has moved by then."""
RETRY_PAUSE = 0.25  # seconds between two readings of a grid that is not sure after many frames
SAME_SIMILARITY = 0.6  # two boards are the same if the correlation of their cells with ink is at least this
MAX_OFFSET = 0.3  # two grids are the same only if their middles are at most this far apart, in cells

MIN_FACTOR = 0.2
"""In each frame, the drawn crossings move towards the measured crossings by a share of their distance. This
is the share for very short distances; it averages the noise of about nine frames."""
UNSMOOTHED_STEP = 0.6
"""For longer distances, distance / UNSMOOTHED_STEP is added to the share. The distance is the root mean
square over all crossings, in pixels. From noise alone, it is less than 0.5."""


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
    colours: Floats | None = None  # colours of the uncovered board; None until the reading is sure
    occluded: NDArray[np.bool_] = field(default_factory=_NOTHING_OCCLUDED.copy)  # covered cells, (81,)
    _contents: NDArray[np.int_] | None = None

    def advance(self, frame: TrackingFrame, time: float) -> bool:
        """Track the grid in the next *frame*; return False if another puzzle is there, or it is lost."""
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

    def detect_occlusion(self, pixels: Image) -> None:
        """If the reading is sure, set ``occluded`` to the cells that something covers in a frame."""
        result = self.reading.result
        if not self.reading.sure or result is None:
            self.colours, self._contents, self.occluded = None, None, _NOTHING_OCCLUDED
            return
        seen = board_colours(pixels, self.track.to_frame)
        contents = np.rot90(cell_contents(result), -self.reading.turn).reshape(81)
        known = seen if self.colours is None else self.colours
        if self._contents is not None:  # a cell whose entry changed has new ink and is not covered
            known = with_cells(known, contents != self._contents, seen)
        self.occluded, self.colours = occluded_cells(seen, known)
        self._contents = contents

    @property
    def is_reported(self) -> bool:
        """Whether the grid is reported. After many frames, it must look like a sudoku."""
        result = self.reading.result
        if result is None or self.reading.frames < MANY_FRAMES:
            return True
        return is_reported(replace(result.lattice, score=self.line_score), result)

    def to_tracked_grid(self) -> TrackedGrid:
        """Return the grid in this frame, upright."""
        lattice = replace(self.track.lattice, crossings=self.smoothed).turned(self.reading.turn)
        result = self.reading.result
        shown = None if result is None else replace(result, lattice=lattice)
        occluded = np.flatnonzero(np.rot90(self.occluded.reshape(9, 9), self.reading.turn))
        return TrackedGrid(self.number, self.reading.state, lattice, shown, frozenset(occluded.tolist()))


def is_replaced(target: Target, detected: Track, similarity: float, line_score: float) -> bool:
    """Return whether a grid that was *detected* replaces the *target*.

    *similarity* is the correlation of the two boards, -1 to 1; *line_score* the share of the detected grid's
    lines that is visible. A target that is not recognised is replaced by a grid that looks different. A
    target that is not sure is replaced by a grid in another position with at least as many visible lines.
    """
    if target.track.coasting:
        return similarity < SWAPPED_SIMILARITY
    better_seen = not target.reading.sure and line_score >= target.line_score
    apart = float(np.linalg.norm(detected.middle - target.track.middle))
    return better_seen and apart > MAX_OFFSET * target.track.lattice.cell_size


def smooth(previous: Floats, measured: Floats) -> Floats:
    """Return smoothed crossings (10, 10, 2), in pixels, for drawing.

    *measured* are the crossings in this frame, *previous* the result for the frame before. Drawn digits must
    not tremble with the noise of the camera, and must not lag behind a moving page. So long steps are
    followed faster, as in the "1 euro filter" (G. Casiez, N. Roussel, D. Vogel, 2012).
    """
    step = measured - previous
    length = float(np.sqrt((step * step).sum(axis=2).mean()))
    factor = min(1.0, MIN_FACTOR + length / UNSMOOTHED_STEP)
    return np.asarray(previous + np.float32(factor) * step, np.float32)
