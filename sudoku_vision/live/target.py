"""Target: a grid that is tracked, what is read of it, when to read it again, and when it is replaced."""

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
LONG_AGO = -1e9  # a time, in seconds, before all others
MAX_COASTING = 1.0  # seconds for which a grid that is not recognised is moved along with its surroundings
VERIFY_PAUSE = 1.0
"""Seconds between two readings of a grid that is sure: soon enough for a person who writes digits."""
CONFIRM_PAUSE = 0.25
"""Seconds until a cell that seems to have been written into is read again: a hand has moved on by then."""
RETRY_PAUSE = 0.25  # seconds between two readings of a grid that is still not sure after many frames
SAME_SIMILARITY = 0.6  # smallest correlation of the inked cells at which two boards count as the same
MAX_OFFSET = 0.3  # largest distance of the middles of two lattices, in cells, if both can be right

MIN_FACTOR = 0.2
"""Share of a tiny step that drawn crossings follow in one frame: it averages the noise of nine frames."""
UNSMOOTHED_STEP = 0.6
"""The share of a step that is followed grows by its length divided by this number of pixels.

The length is the root mean square over a grid; steps from noise are shorter than half a pixel.
"""


@dataclass(eq=False)
class Target:
    """A grid that is tracked: where it is, what is read of it, and where it was last drawn.

    ``line_score``: how much of the grid's lines was seen when it was found. ``smoothed`` (10, 10, 2): its
    crossings as they are drawn. ``seen_at`` and ``read_at``: times in seconds when it was last recognised and
    read. ``job``: a reading that is under way. ``colours``: the colours of the board without anything over
    it, None until the reading is sure. ``occluded`` (81,): whether something covers a cell.
    """

    number: int
    track: Track
    reading: AccumulatedReading
    line_score: float
    seen_at: float
    smoothed: Floats
    read_at: float = LONG_AGO
    job: Future[AccumulatedReading] | None = None
    colours: Floats | None = None
    occluded: NDArray[np.bool_] = field(default_factory=_NOTHING_OCCLUDED.copy)
    _contents: NDArray[np.int_] | None = None

    def advance(self, frame: TrackingFrame, time: float) -> bool:
        """Track the grid in the next *frame*, and return whether it is still there.

        The grid is gone if another puzzle lies in its place, or if it has not been recognised for too long.
        """
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
        """Return whether the grid should be read again in the frame of this *time*, in seconds."""
        pause = RETRY_PAUSE if self.reading.frames >= MANY_FRAMES else 0.0
        if self.reading.sure:
            pause = VERIFY_PAUSE if self.reading.unconfirmed is None else CONFIRM_PAUSE
        return self.job is None and not self.track.coasting and time - self.read_at >= pause

    def detect_occlusion(self, pixels: Image) -> None:
        """Find the cells that something covers in a frame (H, W, 3) uint8 BGR, if the reading is sure."""
        result = self.reading.result
        if not self.reading.sure or result is None:
            self.colours, self._contents, self.occluded = None, None, _NOTHING_OCCLUDED
            return
        seen = board_colours(pixels, self.track.to_frame)
        contents = np.rot90(cell_contents(result), -self.reading.turn).reshape(81)
        known = seen if self.colours is None else self.colours
        if self._contents is not None:  # a cell with another content has new ink, and is not covered
            known = with_cells(known, contents != self._contents, seen)
        self.occluded, self.colours = occluded_cells(seen, known)
        self._contents = contents

    @property
    def is_reported(self) -> bool:
        """Whether the grid is reported: a table that is no sudoku, even after many frames, is left out."""
        result = self.reading.result
        if result is None or self.reading.frames < MANY_FRAMES:
            return True
        return is_reported(replace(result.lattice, score=self.line_score), result)

    def to_tracked_grid(self) -> TrackedGrid:
        """Return what is known about the grid in this frame, in the puzzle's own turn."""
        lattice = replace(self.track.lattice, crossings=self.smoothed).turned(self.reading.turn)
        result = self.reading.result
        shown = None if result is None else replace(result, lattice=lattice)
        occluded = np.flatnonzero(np.rot90(self.occluded.reshape(9, 9), self.reading.turn))
        return TrackedGrid(self.number, self.reading.state, lattice, shown, frozenset(occluded.tolist()))


def is_replaced(target: Target, detected: Track, similarity: float, line_score: float) -> bool:
    """Return whether a grid that was *detected* takes the place of the *target*.

    *similarity*: how alike the two look, -1 to 1. *line_score*: how much of the detected grid's lines was
    seen.
    """
    if target.track.coasting:
        return similarity < SWAPPED_SIMILARITY
    better_seen = not target.reading.sure and line_score >= target.line_score
    apart = float(np.linalg.norm(detected.middle - target.track.middle))
    return better_seen and apart > MAX_OFFSET * target.track.lattice.cell_size


def smooth(previous: Floats, measured: Floats) -> Floats:
    """Return where to draw crossings (10, 10, 2), in pixels, that are *measured* in this frame.

    *previous* is the result for the frame before. Digits must neither tremble with the noise of the camera
    nor lag behind. So longer steps are followed faster, as in the "1 euro filter", whose cutoff frequency
    grows with speed (G. Casiez, N. Roussel, D. Vogel, 2012).
    """
    step = measured - previous
    length = float(np.sqrt((step * step).sum(axis=2).mean()))
    factor = min(1.0, MIN_FACTOR + length / UNSMOOTHED_STEP)
    return np.asarray(previous + np.float32(factor) * step, np.float32)
