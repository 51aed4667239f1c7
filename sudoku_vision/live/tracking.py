"""Tracking: follows one grid from frame to frame without drifting away from it.

A grid that was found is kept as a *template* (:mod:`~sudoku_vision.live.template`). Every later frame is
compared with the template itself, never with the frame before, so errors don't add up:

* optical flow of the 100 crossings, on reduced frames, gives a rough position of the board;
* the frame is straightened by that guess, and optical flow from the template to it corrects the guess, to a
  fraction of a pixel;
* the homography is fitted to all keypoints except outliers (RANSAC), so that a hand over the grid or a shadow
  does not carry it away.

The bend of a page stays as it was found: the crossings of the lattice move with the board.

The flow is that of B. Lucas and T. Kanade, "An iterative image registration technique", 1981, in pyramids as
by J.-Y. Bouguet, 2000.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import (
    Homography,
    fit_homography,
    fit_homography_robustly,
    is_clockwise,
    is_convex,
    is_in_front,
    project,
    side_lengths,
)
from sudoku_vision.live.template import (
    MIN_POINTS,
    TEMPLATE_CORNERS,
    TEMPLATE_CROSSINGS,
    Template,
    cell_similarities,
    make_template,
    similarity,
    straighten_board,
)
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.results import Lattice

REDUCED_SIDE = 480  # longer side, in pixels, of the reduced frame on which the rough motion is found
MIN_KEYPOINT_SHARE = 0.3  # share of the keypoints that must be found again: with fewer, the grid is lost
MIN_SIMILARITY = 0.35
"""Correlation of the board with its template; below it, something else is there, however well it fits."""

_ITERATIONS, _STEP = 12, 0.02
"""The search for a point ends after so many steps, or when a step is shorter than this, in pixels."""
_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, _ITERATIONS, _STEP)

_ROUGH_FLOW = 17, 3
"""Side of the window in which points are searched, in pixels, and how often it is doubled.

For the crossings in reduced frames: up to about 60 pixels, an eighth of the frame, in one frame.
"""
_FINE_FLOW = 13, 1  # the same for keypoints on straightened boards, which are off by less than half a cell
_ROUGH_TOLERANCE = 0.7  # pixels of the reduced frame; a crossing that is farther off the motion is an outlier
_FINE_TOLERANCE = 1.5  # the same for keypoints, in pixels of the template
_MIN_ROUGH_SHARE = 0.3  # share of the crossings that must agree on a motion; else the grid is taken as still
_MIN_COASTING_SHARE = 0.5
"""The same for a grid that only moves along with its surroundings, since nothing corrects it afterwards."""
_MAX_CORRECTIONS = 3  # corrections of the rough guess; mostly one is enough
_AT_REST = 0.7  # a correction below this, in pixels of the template, needs no other
SWAPPED_SIMILARITY = 0.32
"""Correlation of the inked cells; below it, another puzzle lies there. Others have 0.25, fast motion 0.4."""
UNCHANGED_SHARE = 0.25
"""Share of the inked cells that look the same under a hand; with another puzzle, a tenth does."""
_UNCHANGED_SIMILARITY = 0.6  # correlation from which a cell looks the same
_MIN_CELL = 6.0  # side of a cell, in pixels of the frame; smaller ones can't be tracked
_MAX_SIDE_RATIO = 8  # longest side of a board over its shortest: beyond, it is no plausible view of a square


@dataclass(frozen=True, eq=False)
class TrackingFrame:
    """A frame for tracking: ``grey`` (H, W) uint8, and ``reduced`` by ``scale`` for rough motion."""

    grey: Image

    @classmethod
    def of(cls, pixels: Image) -> "TrackingFrame":
        """Prepare a frame (H, W, 3) uint8 BGR."""
        return cls(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8))

    @cached_property
    def reduced(self) -> Image:
        """The frame at :data:`REDUCED_SIDE`: halved as often as possible, which is quickest, then resized."""
        size = tuple(max(1, round(self.scale * side)) for side in self.grey.shape[::-1])
        grey = self.grey
        while grey.shape[1] >= 2 * size[0] and grey.shape[0] >= 2 * size[1] > 0:
            half = grey.shape[1] // 2, grey.shape[0] // 2
            grey = np.asarray(cv2.resize(grey, half, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_LINEAR), np.uint8)

    @property
    def scale(self) -> float:
        """Pixels of the reduced frame to one of the frame."""
        return min(1.0, REDUCED_SIDE / float(max(self.grey.shape)))


@dataclass(frozen=True, eq=False)
class Track:
    """A board where it lies in one frame.

    ``to_frame`` (3, 3) maps the template to the ``frame``. ``keypoint_share``: the share of keypoints that
    were found again; 0 for a board that is coasting. ``similarities`` (81,): the correlation of the inside of
    each cell with the template's, -1 to 1, and 1 where both are blank.
    """

    template: Template
    to_frame: Homography
    frame: TrackingFrame
    keypoint_share: float
    similarities: Floats

    @property
    def coasting(self) -> bool:
        """Whether it was not recognised in this frame, and only moved along with its surroundings."""
        return self.keypoint_share == 0

    @property
    def is_same_board(self) -> bool:
        """Whether it is still the same board, and not another puzzle in its place."""
        inked = self.similarities[self.template.inked]
        if not len(inked) or np.median(inked) >= SWAPPED_SIMILARITY:
            return True
        return bool(np.mean(inked > _UNCHANGED_SIMILARITY) >= UNCHANGED_SHARE)

    @property
    def lattice(self) -> Lattice:
        """The crossings in this frame."""
        crossings = project(self.template.crossings, self.to_frame).reshape(10, 10, 2)
        return Lattice(crossings, score=self.keypoint_share)

    @property
    def middle(self) -> Floats:
        """The mean of the crossings in this frame, (2,)."""
        return np.asarray(self.lattice.crossings.mean(axis=(0, 1)), np.float32)

    def lies_on(self, other: "Track") -> bool:
        """Return whether the middle of this board lies on the *other*."""
        place = project(self.middle, np.linalg.inv(other.to_frame).astype(np.float64))
        low, high = other.template.crossings.min(axis=0), other.template.crossings.max(axis=0)
        return bool(((place > low) & (place < high)).all())


def start_track(frame: TrackingFrame, lattice: Lattice) -> Track | None:
    """Begin to track the grid at *lattice* in a frame; None if it has too few keypoints."""
    crossings = lattice.crossings.reshape(100, 2).astype(np.float32)
    to_frame = fit_homography(TEMPLATE_CROSSINGS, crossings)
    if to_frame is None or not _is_plausible(to_frame):
        return None
    template = make_template(frame.grey, to_frame, crossings)
    return None if template is None else Track(template, to_frame, frame, 1.0, np.ones(81, np.float32))


def continue_track(track: Track, frame: TrackingFrame) -> Track | None:
    """Find the board of *track* in the next frame; None if it is lost."""
    moved = _moved_along(track, frame, _MIN_ROUGH_SHARE)
    to_frame = track.to_frame if moved is None else moved
    share = 0.0
    for _ in range(_MAX_CORRECTIONS):
        corrected = _correct(track.template, to_frame, frame)
        if corrected is None:
            return None
        to_frame, share, shift = corrected
        if shift < _AT_REST:
            break
    if share < MIN_KEYPOINT_SHARE or not _is_plausible(to_frame):
        return None
    board = straighten_board(frame.grey, to_frame)
    if similarity(board, track.template.image) < MIN_SIMILARITY:
        return None
    similarities = cell_similarities(board, track.template.image)
    return replace(track, to_frame=to_frame, frame=frame, keypoint_share=share, similarities=similarities)


def coast_track(track: Track, frame: TrackingFrame) -> Track | None:
    """Move a board along with its surroundings while it can't be recognised because of blur or a hand.

    None if the surroundings have no common motion either.
    """
    to_frame = _moved_along(track, frame, _MIN_COASTING_SHARE)
    if to_frame is None or not _is_plausible(to_frame):
        return None
    return replace(track, to_frame=to_frame, frame=frame, keypoint_share=0.0)


def _moved_along(track: Track, frame: TrackingFrame, min_share: float) -> Homography | None:
    """Return where a board went, by the flow of its crossings; None unless *min_share* of them agree."""
    before = project(TEMPLATE_CROSSINGS, track.to_frame) * track.frame.scale
    after, found = _measure_flow(track.frame.reduced, frame.reduced, before, _ROUGH_FLOW)
    start, end = before[found] / track.frame.scale, after[found] / frame.scale
    motion, agreeing = _common_motion(start, end, _ROUGH_TOLERANCE / frame.scale)
    if motion is None or agreeing < min_share * len(TEMPLATE_CROSSINGS):
        return None
    return np.asarray(motion @ track.to_frame, np.float64)


def _correct(
    template: Template, to_frame: Homography, frame: TrackingFrame
) -> tuple[Homography, float, float] | None:
    """Return a better homography, the share of keypoints that confirm it, and how far it moved the corners.

    The last is in pixels of the template. None if no motion can be seen.
    """
    board = straighten_board(frame.grey, to_frame)
    start = template.keypoints
    end, found = _measure_flow(template.image, board, start, _FINE_FLOW)
    step, agreeing = _common_motion(start[found], end[found], _FINE_TOLERANCE)
    if step is None:
        return None
    shift = float(np.abs(project(TEMPLATE_CORNERS, step) - TEMPLATE_CORNERS).max())
    return np.asarray(to_frame @ step, np.float64), agreeing / len(start), shift


def _is_plausible(to_frame: Homography) -> bool:
    """Return whether a board can lie so: in front of the camera, not mirrored, neither tiny nor a sliver."""
    if not np.isfinite(to_frame).all() or not is_in_front(TEMPLATE_CORNERS, to_frame):
        return False
    corners = project(TEMPLATE_CORNERS, to_frame)
    sides = side_lengths(corners)
    return bool(
        is_convex(corners)
        and is_clockwise(corners)
        and sides.min() > 9 * _MIN_CELL
        and sides.max() < _MAX_SIDE_RATIO * sides.min()
    )


def _measure_flow(
    before: Image, after: Image, points: Floats, reach: tuple[int, int]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return where *points* (N, 2) of a grey picture lie in another, (N, 2), and which were found, (N,)."""
    start = points.reshape(-1, 1, 2)
    side, levels = reach
    end, found, _ = cv2.calcOpticalFlowPyrLK(
        before, after, start, start.copy(), winSize=(side, side), maxLevel=levels, criteria=_CRITERIA
    )
    return np.asarray(end, np.float32).reshape(-1, 2), np.asarray(found).ravel() == 1


def _common_motion(start: Floats, end: Floats, tolerance: float) -> tuple[Homography | None, int]:
    """Return the homography by which most points (N, 2) move, and how many agree within *tolerance*.

    *tolerance* is in pixels of *end*. The homography is None if the points don't determine one.
    """
    if len(start) < MIN_POINTS:
        return None, 0
    found = fit_homography_robustly(start, end, tolerance)
    return (None, 0) if found is None else (found[0], int(found[1].sum()))
