"""Tracking: follows one grid from frame to frame without drifting away from it.

A grid that was found is kept as a *template* (:mod:`~sudoku_vision.live.template`). Every later frame is
compared with the template itself, never with the frame before, so errors don't add up:

* optical flow of the 100 crossings, on reduced frames, gives a rough position of the board;
* the frame is straightened by that guess, and optical flow from the template to it corrects the guess, down
  to a fraction of a pixel;
* the homography is fitted to all keypoints except outliers (RANSAC), so that a hand over the grid or a shadow
  does not pull the board away from its place.

How a page is bent is measured only when its grid is found: later all crossings move with the board.

The method for the flow is from B. Lucas and T. Kanade, "An iterative image registration technique", 1981; how
it is applied to pyramids of pictures is from J.-Y. Bouguet, 2000.
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
"""Smallest correlation of a board with its template. Below it, something else lies there, even if many
keypoints fit."""

_ITERATIONS, _STEP = 12, 0.02
"""The search for a point ends after this number of steps, or when a step is shorter than this many pixels."""
_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, _ITERATIONS, _STEP)

_ROUGH_FLOW = 17, 3
"""How crossings are searched in reduced frames: the window's side in pixels, and how often it is doubled.

Crossings are found if they move by up to about 60 pixels, an eighth of the frame, between two frames.
"""
_FINE_FLOW = 13, 1  # window and doublings for keypoints on straightened boards, off by less than half a cell
_ROUGH_TOLERANCE = 0.7  # largest error of a crossing in the common motion, in pixels of the reduced frame
_FINE_TOLERANCE = 1.5  # largest error of a keypoint in the common motion, in pixels of the template
_MIN_ROUGH_SHARE = 0.3  # share of the crossings that must agree on a motion; else no motion is assumed
_MIN_COASTING_SHARE = 0.5
"""Share of the crossings that must agree while a grid only moves along with its surroundings.

It is larger because nothing corrects such a motion afterwards.
"""
_MAX_CORRECTIONS = 3  # limit for the corrections of the rough guess in a frame; mostly one is enough
_AT_REST = 0.7  # if a correction is smaller than this, in pixels of the template, no further one is needed
SWAPPED_SIMILARITY = 0.32
"""Median correlation of the inked cells with the template, below which another puzzle lies there.

Other puzzles have 0.25, the same puzzle in fast motion has 0.4.
"""
UNCHANGED_SHARE = 0.25
"""If at least this share of the inked cells looks the same, it is the same puzzle, partly under a hand.

In another puzzle, only a tenth of the cells looks the same.
"""
_UNCHANGED_SIMILARITY = 0.6  # smallest correlation with which a cell looks the same
_MIN_CELL = 6.0  # smallest side of a cell, in pixels of the frame, with which a grid can be tracked
_MAX_SIDE_RATIO = 8  # longest side of a board divided by its shortest; no plausible view of a square has more


@dataclass(frozen=True, eq=False)
class TrackingFrame:
    """A frame for tracking: ``grey`` (H, W) uint8, and a smaller copy, ``reduced``, for the rough motion."""

    grey: Image

    @classmethod
    def of(cls, pixels: Image) -> "TrackingFrame":
        """Prepare a frame (H, W, 3) uint8 BGR."""
        return cls(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8))

    @cached_property
    def reduced(self) -> Image:
        """The grey frame, scaled by :attr:`scale`.

        It is halved as often as possible, which is quickest, and then resized.
        """
        size = tuple(max(1, round(self.scale * side)) for side in self.grey.shape[::-1])
        grey = self.grey
        while grey.shape[1] >= 2 * size[0] and grey.shape[0] >= 2 * size[1] > 0:
            half = grey.shape[1] // 2, grey.shape[0] // 2
            grey = np.asarray(cv2.resize(grey, half, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_LINEAR), np.uint8)

    @property
    def scale(self) -> float:
        """The factor, at most 1, that makes the longer side of the frame :data:`REDUCED_SIDE` pixels."""
        return min(1.0, REDUCED_SIDE / float(max(self.grey.shape)))


@dataclass(frozen=True, eq=False)
class Track:
    """A board where it lies in one frame.

    ``to_frame`` (3, 3) maps the template to the ``frame``. ``keypoint_share`` is the share of keypoints that
    were found again; 0 while the board is coasting. ``similarities`` (81,) are the correlations of the
    insides of the cells with the same cells of the template, -1 to 1; 1 where both are blank.
    """

    template: Template
    to_frame: Homography
    frame: TrackingFrame
    keypoint_share: float
    similarities: Floats

    @property
    def coasting(self) -> bool:
        """Whether the board was not recognised in this frame, and only moved along with its surroundings."""
        return self.keypoint_share == 0

    @property
    def is_same_board(self) -> bool:
        """Whether the board is still the same, and not another puzzle in its place."""
        inked = self.similarities[self.template.inked]
        if not len(inked) or np.median(inked) >= SWAPPED_SIMILARITY:
            return True
        return bool(np.mean(inked > _UNCHANGED_SIMILARITY) >= UNCHANGED_SHARE)

    @property
    def lattice(self) -> Lattice:
        """The lattice of the board in this frame; its score is the share of keypoints that were found."""
        crossings = project(self.template.crossings, self.to_frame).reshape(10, 10, 2)
        return Lattice(crossings, score=self.keypoint_share)

    @property
    def middle(self) -> Floats:
        """The mean of the crossings in this frame, (2,)."""
        return np.asarray(self.lattice.crossings.mean(axis=(0, 1)), np.float32)

    def lies_on(self, other: "Track") -> bool:
        """Return whether the middle of this board lies on the *other* board."""
        place = project(self.middle, np.linalg.inv(other.to_frame).astype(np.float64))
        low, high = other.template.crossings.min(axis=0), other.template.crossings.max(axis=0)
        return bool(((place > low) & (place < high)).all())


def start_track(frame: TrackingFrame, lattice: Lattice) -> Track | None:
    """Begin to track the grid at *lattice* in a frame.

    Return None if the grid has too few keypoints, or if no board can lie like this.
    """
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

    Return None if the surroundings have no common motion either.
    """
    to_frame = _moved_along(track, frame, _MIN_COASTING_SHARE)
    if to_frame is None or not _is_plausible(to_frame):
        return None
    return replace(track, to_frame=to_frame, frame=frame, keypoint_share=0.0)


def _moved_along(track: Track, frame: TrackingFrame, min_share: float) -> Homography | None:
    """Return the homography from the template to *frame*, by the flow of the crossings since the last frame.

    Return None if less than *min_share* of the crossings agree on one motion.
    """
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

    The motion of the corners is in pixels of the template. Return None if the keypoints don't move alike.
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
    """Return whether a board can lie like this: before the camera, not mirrored, not tiny, not too narrow."""
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
    """Return where *points* of the grey picture *before* lie in the picture *after*, and which were found.

    Points have the shape (N, 2), which were found (N,). *reach*: the side of the search window in pixels, and
    how often it is doubled.
    """
    start = points.reshape(-1, 1, 2)
    side, levels = reach
    end, found, _ = cv2.calcOpticalFlowPyrLK(
        before, after, start, start.copy(), winSize=(side, side), maxLevel=levels, criteria=_CRITERIA
    )
    return np.asarray(end, np.float32).reshape(-1, 2), np.asarray(found).ravel() == 1


def _common_motion(start: Floats, end: Floats, tolerance: float) -> tuple[Homography | None, int]:
    """Return the homography by which most points (N, 2) move, and how many points agree with it.

    Points agree if they are off by at most *tolerance*, in pixels of *end*. The homography is None if the
    points don't determine it.
    """
    if len(start) < MIN_POINTS:
        return None, 0
    found = fit_homography_robustly(start, end, tolerance)
    return (None, 0) if found is None else (found[0], int(found[1].sum()))
