"""Follows one grid from frame to frame without drifting away from it.

When a grid is detected, its straightened picture becomes a *template*.
In each later frame, the position is measured with this template, so that errors don't add up:

* The optical flow of the 100 crossings since the last frame gives a rough position. This flow is measured on
  reduced frames.
* The frame is straightened with the rough position. The optical flow of the template's keypoints to this
  picture corrects the position to a fraction of a pixel.
* Hands and shadows make outliers. So the homography is computed from all other keypoints (RANSAC).

The bend of a page is measured only when its grid is detected. Later, a homography moves the crossings.
Optical flow is from B. Lucas and T. Kanade, "An iterative image registration technique", 1981. Its use on
pyramids (pictures that are halved repeatedly) is from J.-Y. Bouguet, 2000.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import (
    CROSSINGS,
    Homography,
    fit_homography,
    fit_homography_robustly,
    is_clockwise,
    is_convex,
    is_in_front,
    project,
    sampled,
    side_lengths,
)
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.results import Lattice

CELL = 24  # side of a cell of a template, in pixels: enough to locate lines to a twentieth of a cell
MARGIN = 12  # width of the paper around a template's board, in pixels; so outer lines can have keypoints
SIDE = 9 * CELL + 2 * MARGIN  # side of a template, in pixels
TEMPLATE_CROSSINGS: Floats = (MARGIN + CELL * CROSSINGS).astype(np.float32)
"""Crossings (100, 2) of a flat board, in pixels of a template."""
TEMPLATE_CORNERS: Floats = TEMPLATE_CROSSINGS[[0, 9, 99, 90]]
"""Corners (4, 2) of a flat board, in pixels of a template, clockwise from the top left."""

_MAX_KEYPOINTS = 200  # largest number of keypoints in a template: two or three in each cell
MIN_POINTS = 8  # a motion is computed from at least this many points: four define it, four confirm it
_MIN_QUALITY = 0.02  # minimum strength of a keypoint, as a share of the strongest one; low for faint print
_MIN_DISTANCE = 7  # minimum distance between keypoints, in pixels, so that not all are on one digit
_KEYPOINT_BLOCK = 5
"""The strength of a keypoint is measured in a square with this side, in pixels.

The square has room for a stroke of a digit and for the paper beside it.
"""

_LIGHT_WINDOW = 2 * CELL + 1
"""The light at a pixel is the mean grey level of a window with this side, in pixels. The window is narrower
than shadows and wider than digits."""
_CONTRAST_WINDOW = 4 * CELL + 1  # side of the window for contrast, in pixels; each window contains some lines
_GREY, _CONTRAST = 128, 48.0
"""Mean and standard deviation of a template's grey levels, after light and contrast were evened out."""
_NOISE = 4.0  # grey levels added to the measured contrast, so that noise on blank paper is not amplified
_CELL_EDGE = CELL // 6  # at each edge of a cell, this many pixels are not compared: they can show lines
_MAX_BLANK_SPREAD = 14.0  # a cell is blank if the standard deviation of its grey levels is below this
_MIN_INKED_SPREAD = 24.0  # a cell has ink if the standard deviation of its grey levels is above this


@dataclass(frozen=True, eq=False)
class Template:
    """A straightened board with even light and contrast."""

    image: Image  # (SIDE, SIDE) uint8
    keypoints: Floats  # corners of ink that can be found again in later frames, (N, 2) in pixels of the image
    crossings: Floats  # crossings of the lattice (bent, as the page is), (100, 2) in pixels of the image
    inked: NDArray[np.bool_]  # whether each cell has ink, (81,)


def straighten_board(grey: Image, to_frame: Homography) -> Image:
    """Return a straightened picture (SIDE, SIDE) uint8 of a board, with even light and contrast.

    *grey*: the frame (H, W) uint8. *to_frame* maps the board's template to the frame.
    """
    difference = sampled(grey, to_frame, (SIDE, SIDE)).astype(np.float32)
    difference -= cv2.blur(difference, (_LIGHT_WINDOW, _LIGHT_WINDOW))
    spread = cv2.blur(difference * difference, (_CONTRAST_WINDOW, _CONTRAST_WINDOW))
    evened = _GREY + _CONTRAST * difference / (np.sqrt(np.maximum(spread, 0)) + _NOISE)
    return np.asarray(np.clip(evened, 0, 255), np.uint8)


def similarity(image: Image, other: Image) -> float:
    """Return the correlation, -1 to 1, of two straightened boards. It uses every second row and column."""
    a, b = image[::2, ::2].astype(np.float32), other[::2, ::2].astype(np.float32)
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / (np.sqrt((a * a).sum() * (b * b).sum()) + 1e-6))


def cell_similarities(image: Image, other: Image) -> Floats:
    """Return how similar each cell is on two straightened boards: correlations (81,), -1 to 1.

    If a cell is blank on both boards, its correlation is 1.
    """
    one, two = _cell_insides(image), _cell_insides(other)
    spread_one, spread_two = one.std(axis=1), two.std(axis=1)
    product = (one * two).mean(axis=1)
    blank = np.maximum(spread_one, spread_two) < _MAX_BLANK_SPREAD
    correlation = product / np.maximum(spread_one * spread_two, _MAX_BLANK_SPREAD**2 / 2)
    return np.where(blank, 1.0, correlation).astype(np.float32)


def best_turn(template: Template, other: Template) -> tuple[int, float]:
    """Return the number of counter-clockwise quarter turns that make *template* most similar to *other*.

    The second result is the similarity, from -1 to 1. Each cell of *template* is correlated with the same
    cell of *other*. The similarity is the median over the cells that have ink in *other*.
    """
    similarities = [
        float(np.median(cell_similarities(_turned(template.image, turn), other.image)[other.inked]))
        for turn in range(4)
    ]
    best = int(np.argmax(similarities))
    return best, similarities[best]


def _turned(image: Image, quarter_turns: int) -> Image:
    """Return a straightened board, turned counter-clockwise about its centre.

    The centre of the board is the centre of a pixel, so the part that is turned has an odd number of rows and
    columns. The picture has an even number, so its first row and first column are not turned.
    """
    turned = image.copy()
    turned[1:, 1:] = np.rot90(image[1:, 1:], quarter_turns)
    return turned


def _cell_insides(image: Image) -> Floats:
    """Return the grey levels of the N inner pixels of each cell, (81, N) float32, minus the cell's mean."""
    cells = image[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(9, CELL, 9, CELL).transpose(0, 2, 1, 3)
    inner = cells[:, :, _CELL_EDGE:-_CELL_EDGE, _CELL_EDGE:-_CELL_EDGE].reshape(81, -1).astype(np.float32)
    return np.asarray(inner - inner.mean(axis=1, keepdims=True), np.float32)


REDUCED_SIDE = 480  # longer side of the frame on which the rough position is found, in pixels
MIN_KEYPOINT_SHARE = 0.3  # if a smaller share of the keypoints is found again, the board is not recognised
MIN_SIMILARITY = 0.35  # if the correlation of a board with its template is lower, the board is not recognised

_ITERATIONS, _STEP = 12, 0.02
"""The search for a point ends after _ITERATIONS steps, or after a step that is shorter than _STEP pixels."""
_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, _ITERATIONS, _STEP)

_ROUGH_FLOW = 17, 3
"""Two settings for the optical flow of crossings in reduced frames: the side of the search window in pixels,
and how many times the pictures are halved in size. Each halving doubles the reach of the search. A crossing
is found if it has moved by at most about 60 pixels between two frames."""
_FINE_FLOW = 13, 1
"""The same two settings as in :data:`_ROUGH_FLOW`, but for keypoints in straightened boards. There, keypoints
move by less than half a cell."""
_ROUGH_TOLERANCE = 0.7  # largest error of a crossing that fits a motion, in pixels of a reduced frame
_FINE_TOLERANCE = 1.5  # largest error of a keypoint that fits a motion, in pixels of the template
_MIN_ROUGH_SHARE = 0.3  # if a smaller share of the crossings agrees on a motion, there is no rough position
_MIN_COASTING_SHARE = 0.5
"""Like :data:`_MIN_ROUGH_SHARE`, but for a board that is not recognised. The share is higher, because no
template corrects the motion of this board."""
_MAX_CORRECTIONS = 3  # largest number of corrections of the rough position in a frame; usually one is enough
_AT_REST = 0.7
"""Corrections end after a correction that moves all corners by less than this, in pixels of the template."""
SWAPPED_SIMILARITY = 0.32
"""Each cell with ink is correlated with the same cell of the template. If the median of these correlations is
lower than this, perhaps another puzzle lies there. The median is about 0.25 for another puzzle, and 0.4 for
the same puzzle in fast motion."""
UNCHANGED_SHARE = 0.25
"""If at least this share of the cells with ink looks the same as in the template, it is the same puzzle, and
a hand covers the other cells. In another puzzle, only a tenth of the cells looks the same."""
_UNCHANGED_SIMILARITY = 0.6  # a cell looks the same if its correlation with the template is above this
_MIN_CELL = 6.0  # the sides of cells must be longer than this, in pixels of the frame
_MAX_SIDE_RATIO = 8  # largest ratio of a board's longest side to its shortest side


@dataclass(frozen=True, eq=False)
class TrackingFrame:
    """A frame for tracking: ``grey`` (H, W) uint8, and a smaller copy, ``reduced``."""

    grey: Image

    @classmethod
    def of(cls, pixels: Image) -> "TrackingFrame":
        """Return a frame for tracking; *pixels* are (H, W, 3) uint8 BGR."""
        return cls(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8))

    @cached_property
    def reduced(self) -> Image:
        """The grey frame, scaled by :attr:`scale`. To save time, a large frame is first halved repeatedly."""
        size = tuple(max(1, round(self.scale * side)) for side in self.grey.shape[::-1])
        grey = self.grey
        while grey.shape[1] >= 2 * size[0] and grey.shape[0] >= 2 * size[1] > 0:
            half = grey.shape[1] // 2, grey.shape[0] // 2
            grey = np.asarray(cv2.resize(grey, half, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_LINEAR), np.uint8)

    @property
    def scale(self) -> float:
        """The factor, at most 1, that reduces the longer side of the frame to :data:`REDUCED_SIDE` pixels."""
        return min(1.0, REDUCED_SIDE / float(max(self.grey.shape)))


@dataclass(frozen=True, eq=False)
class Track:
    """The position of a board in one frame."""

    template: Template
    to_frame: Homography  # maps the template to the frame
    frame: TrackingFrame
    keypoint_share: float  # share of keypoints that were found again; 0 if the board is coasting
    similarities: Floats  # correlations of the cells with the template, (81,), -1 to 1; 1 if both are blank

    @property
    def coasting(self) -> bool:
        """Whether the board was not recognised in this frame, and was only moved with its surroundings."""
        return self.keypoint_share == 0

    @property
    def is_same_board(self) -> bool:
        """Whether this is still the same puzzle: enough cells with ink are similar to the template."""
        inked = self.similarities[self.template.inked]
        if not len(inked) or np.median(inked) >= SWAPPED_SIMILARITY:
            return True
        return bool(np.mean(inked > _UNCHANGED_SIMILARITY) >= UNCHANGED_SHARE)

    @property
    def lattice(self) -> Lattice:
        """The lattice of the board in this frame; its score is ``keypoint_share``."""
        crossings = project(self.template.crossings, self.to_frame).reshape(10, 10, 2)
        return Lattice(crossings, score=self.keypoint_share)

    @property
    def middle(self) -> Floats:
        """The mean (x, y) of the crossings in this frame, in pixels."""
        return np.asarray(self.lattice.crossings.mean(axis=(0, 1)), np.float32)

    def lies_on(self, other: "Track") -> bool:
        """Return whether the middle of this board lies on the *other* board."""
        place = project(self.middle, np.linalg.inv(other.to_frame).astype(np.float64))
        low, high = other.template.crossings.min(axis=0), other.template.crossings.max(axis=0)
        return bool(((place > low) & (place < high)).all())


def start_track(frame: TrackingFrame, lattice: Lattice) -> Track | None:
    """Return the track of a grid, with a new template.

    Return None if there are too few keypoints, or if the shape of the grid is impossible.
    """
    crossings = lattice.crossings.reshape(100, 2).astype(np.float32)
    to_frame = fit_homography(TEMPLATE_CROSSINGS, crossings)
    if to_frame is None or not _is_plausible(to_frame):
        return None
    image = straighten_board(frame.grey, to_frame)
    found = cv2.goodFeaturesToTrack(
        image, _MAX_KEYPOINTS, _MIN_QUALITY, _MIN_DISTANCE, blockSize=_KEYPOINT_BLOCK
    )
    if found is None or len(found) < MIN_POINTS:
        return None
    keypoints = np.asarray(found, np.float32).reshape(-1, 2)
    flat = project(crossings, np.linalg.inv(to_frame).astype(np.float64))
    template = Template(image, keypoints, flat, _cell_insides(image).std(axis=1) > _MIN_INKED_SPREAD)
    return Track(template, to_frame, frame, 1.0, np.ones(81, np.float32))


def continue_track(track: Track, frame: TrackingFrame) -> Track | None:
    """Return the track of the same board in the next *frame*; None if it is not recognised there."""
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
    """Return the track of a board that is not recognised, moved along with its surroundings.

    This helps if the frame is blurred or a hand covers the board. Returns None if the surroundings have no
    common motion.
    """
    to_frame = _moved_along(track, frame, _MIN_COASTING_SHARE)
    if to_frame is None or not _is_plausible(to_frame):
        return None
    return replace(track, to_frame=to_frame, frame=frame, keypoint_share=0.0)


def _moved_along(track: Track, frame: TrackingFrame, min_share: float) -> Homography | None:
    """Return a rough homography from the template to *frame*.

    Return None if fewer than *min_share* of the 100 crossings have the same motion.
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
    """Return a corrected homography, the share of keypoints that agree, and the size of the correction.

    This size is the largest shift of a corner along an axis, in pixels of the template. Returns None if the
    keypoints have no common motion.
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
    """Return False for an impossible position of a board: behind the camera, mirrored, tiny or narrow."""
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
    """Return where *points* (N, 2) of the picture *before* are in *after*, and a mask (N,) of those found.

    The pictures are grey. *reach*: see :data:`_ROUGH_FLOW`.
    """
    start = points.reshape(-1, 1, 2)
    side, levels = reach
    end, found, _ = cv2.calcOpticalFlowPyrLK(
        before, after, start, start.copy(), winSize=(side, side), maxLevel=levels, criteria=_CRITERIA
    )
    return np.asarray(end, np.float32).reshape(-1, 2), np.asarray(found).ravel() == 1


def _common_motion(start: Floats, end: Floats, tolerance: float) -> tuple[Homography | None, int]:
    """Return the homography by which most points (N, 2) move from *start* to *end*, and how many agree.

    A point agrees if its error is at most *tolerance*, in pixels of *end*.
    """
    if len(start) < MIN_POINTS:
        return None, 0
    found = fit_homography_robustly(start, end, tolerance)
    return (None, 0) if found is None else (found[0], int(found[1].sum()))
