"""Follow a grid from frame to frame, without drifting away from it.

A grid that was found is kept as a *pattern*: the small straightened picture of its board, and the points in
it that can be recognised. Every later frame is compared with that pattern itself, never with the frame
before, so errors don't add up:

* optical flow of the 100 crossings, on reduced frames, says roughly where the board went;
* the frame is straightened by that guess, and optical flow from the pattern to it, seen as flat boards of the
  same size, says what the guess missed, to a fraction of a pixel (B. Lucas and T. Kanade, "An iterative image
  registration technique", 1981, in pyramids as by J.-Y. Bouguet, 2000);
* the homography is fitted to all points, those that moved otherwise left out (RANSAC), so that a hand over
  the grid or a shadow does not carry it away.

The bend of a page is kept as it was found: the crossings of the lattice move with the board they lie on.
"""

from __future__ import annotations

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
    side_lengths,
)
from sudoku_vision.results import Floats, Image, Lattice

CELL = 24
"""Side of a cell of a pattern, in pixels: enough to place a line within a twentieth of one."""
MARGIN = 12
"""Paper kept around the board of a pattern, in pixels: its border lines are landmarks, too."""
SIDE = 9 * CELL + 2 * MARGIN
"""Side of a pattern, in pixels."""

REDUCED_SIDE = 480
"""Longer side of the reduced frame on which the rough motion is found, in pixels."""

LEAST_SHARE = 0.3
"""Share of the landmarks that must be found again: less, and the grid is lost."""
LEAST_LIKENESS = 0.35
"""Correlation of the board with its pattern below which something else is there, however well it fits."""

_LANDMARKS = 200
_FEWEST = 8
_ROUGH_SHARE, _CARRIED_SHARE = 0.3, 0.5
_ROUNDS = 3
_AT_REST = 0.7
"""A correction below this, in pixels of the pattern, needs no other."""
_STRAY = 1.5
"""Points off the common motion by more than this, in pixels of the pattern, don't belong to the board."""
_JUST_SO = 0.6
"""Likeness from which a cell shows what it did."""
_SMALLEST_CELL = 6.0
"""Cells smaller than this, in pixels of the frame, can't be followed."""

_CROSSINGS: Floats = (MARGIN + CELL * CROSSINGS).astype(np.float32)
_CORNERS = _CROSSINGS[[0, 9, 99, 90]]


@dataclass(frozen=True, eq=False)
class Sight:
    """A frame as it is compared: ``grey`` (H, W) uint8, and ``reduced`` by ``scale`` for rough motion."""

    grey: Image

    @classmethod
    def of(cls, pixels: Image) -> Sight:
        """See a frame (H, W, 3) BGR."""
        return cls(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8))

    @cached_property
    def reduced(self) -> Image:
        """The frame at :data:`REDUCED_SIDE`."""
        size = tuple(max(1, round(self.scale * side)) for side in self.grey.shape[::-1])
        return np.asarray(cv2.resize(self.grey, size, interpolation=cv2.INTER_AREA), np.uint8)

    @property
    def scale(self) -> float:
        """Pixels of the reduced frame to one of the frame."""
        return min(1.0, REDUCED_SIDE / float(max(self.grey.shape)))


@dataclass(frozen=True, eq=False)
class Pattern:
    """What a board looks like, straightened and its light evened out: ``board`` (SIDE, SIDE) uint8.

    ``landmarks`` (N, 2) are points of it that can be recognised; ``crossings`` (100, 2) those of the lattice,
    where the bend of the page puts them. ``inked`` (81,): the cells with something in them.
    """

    board: Image
    landmarks: Floats
    crossings: Floats
    inked: NDArray[np.bool_]

    @cached_property
    def detail(self) -> float:
        """How sharp the board was seen, as :func:`sharpness` measures it."""
        return _detail(self.board)


@dataclass(frozen=True, eq=False)
class Track:
    """A board where it lies in one frame.

    ``to_frame`` (3, 3) maps the pattern to the frame; ``sight`` is that frame. ``share``: of the landmarks
    that were found again. ``likeness`` (81,): how the inside of each cell correlates with the pattern's, -1
    to 1, and 1 where both are blank.
    """

    pattern: Pattern
    to_frame: Homography
    sight: Sight
    share: float
    likeness: Floats

    @property
    def alike(self) -> float:
        """How much the inked cells look as in the pattern, -1 to 1, in the median."""
        inked = self.likeness[self.pattern.inked]
        return float(np.median(inked)) if len(inked) else 1.0

    @property
    def kept(self) -> float:
        """The share of the inked cells that look just as in the pattern: those that nothing covers."""
        inked = self.likeness[self.pattern.inked]
        return float(np.mean(inked > _JUST_SO)) if len(inked) else 1.0

    @property
    def lattice(self) -> Lattice:
        """The crossings in this frame."""
        return Lattice(project(self.pattern.crossings, self.to_frame).reshape(10, 10, 2), score=self.share)


def begin(sight: Sight, lattice: Lattice) -> Track | None:
    """Start to follow the grid at *lattice* in a frame; None if there is nothing in it to hold on to."""
    crossings = lattice.crossings.reshape(100, 2).astype(np.float32)
    to_frame = fit_homography(_CROSSINGS, crossings)
    if to_frame is None or not _plausible(to_frame):
        return None
    board = _straightened(sight.grey, to_frame)
    found = cv2.goodFeaturesToTrack(board, _LANDMARKS, 0.02, 7, blockSize=5)
    landmarks = (
        np.zeros((0, 2), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 2)
    )
    if len(landmarks) < _FEWEST:
        return None
    flat = project(crossings, np.linalg.inv(to_frame).astype(np.float64))
    pattern = Pattern(board, landmarks, flat, _insides(board).std(axis=1) > _INKED_SPREAD)
    return Track(pattern, to_frame, sight, 1.0, np.ones(81, np.float32))


def follow(track: Track, sight: Sight) -> Track | None:
    """Find the board of *track* in the next frame; None where it is lost."""
    to_frame = _roughly(track, sight)
    share = 0.0
    for _ in range(_ROUNDS):
        found = _corrected(track.pattern, to_frame, sight)
        if found is None:
            return None
        to_frame, share, shift = found
        if shift < _AT_REST:
            break
    if share < LEAST_SHARE or not _plausible(to_frame):
        return None
    board = _straightened(sight.grey, to_frame)
    if _correlation(board, track.pattern.board) < LEAST_LIKENESS:
        return None
    likeness = cell_likeness(board, track.pattern.board)
    return replace(track, to_frame=to_frame, sight=sight, share=share, likeness=likeness)


def carry(track: Track, sight: Sight) -> Track | None:
    """Move a board that can't be recognised along with what is seen around its crossings.

    That bridges a blurred moment or a hand. None where its surroundings have no common motion either.
    """
    motion, share = _motion(track, sight)
    if motion is None or share < _CARRIED_SHARE:
        return None
    to_frame = np.asarray(motion @ track.to_frame, np.float64)
    return replace(track, to_frame=to_frame, sight=sight, share=0.0) if _plausible(to_frame) else None


def sharpness(track: Track) -> float:
    """How sharp a board is seen: the strength of its finest detail, for comparing frames of one board."""
    return _detail(_straightened(track.sight.grey, track.to_frame))


def turn_of(track: Track, pattern: Pattern) -> tuple[int, float]:
    """By how many quarter turns a board looks most like a *pattern*, and how much it does then, -1 to 1."""
    likeness = [
        float(np.median(cell_likeness(np.rot90(track.pattern.board, turn), pattern.board)[pattern.inked]))
        for turn in range(4)
    ]
    best = int(np.argmax(likeness))
    return best, likeness[best]


def cell_likeness(board: Image, other: Image) -> Floats:
    """How the inside of each cell of two patterns correlates, (81,) -1 to 1; 1 where both are blank."""
    one, two = _insides(board), _insides(other)
    spread_one, spread_two = one.std(axis=1), two.std(axis=1)
    product = (one * two).mean(axis=1)
    blank = np.maximum(spread_one, spread_two) < _BLANK_SPREAD
    correlation = product / np.maximum(spread_one * spread_two, _BLANK_SPREAD**2 / 2)
    return np.where(blank, 1.0, correlation).astype(np.float32)


_BLANK_SPREAD = 14.0
"""Grey levels, after the light is evened out, by which the inside of a blank cell varies at most."""
_INKED_SPREAD = 24.0
"""The same, by which it varies at least where something is printed or written in it."""


def _insides(board: Image) -> Floats:
    """The insides of the cells of a pattern, each about its own mean: (81, N)."""
    edge = CELL // 6
    cells = board[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(9, CELL, 9, CELL).transpose(0, 2, 1, 3)
    inner = cells[:, :, edge:-edge, edge:-edge].reshape(81, -1).astype(np.float32)
    return np.asarray(inner - inner.mean(axis=1, keepdims=True), np.float32)


def _roughly(track: Track, sight: Sight) -> Homography:
    """Where the board went, by the flow of its crossings; where it was, if that says nothing."""
    motion, share = _motion(track, sight)
    if motion is None or share < _ROUGH_SHARE:
        return track.to_frame
    return np.asarray(motion @ track.to_frame, np.float64)


def _motion(track: Track, sight: Sight) -> tuple[Homography | None, float]:
    """The common motion of the crossings between two reduced frames, and the share of them that follow it."""
    before = project(_CROSSINGS, track.to_frame) * track.sight.scale
    after, seen = _flow(track.sight.reduced, sight.reduced, before, window=17, levels=3)
    start, end = before[seen] / track.sight.scale, after[seen] / sight.scale
    motion, agreeing = _common_motion(start, end, 0.7 / sight.scale)
    return motion, agreeing / 100


def _corrected(
    pattern: Pattern, to_frame: Homography, sight: Sight
) -> tuple[Homography, float, float] | None:
    """A better homography, the share of landmarks that bear it out, and how far it moved the corners.

    The last is in pixels of the pattern. None where no motion can be seen.
    """
    board = _straightened(sight.grey, to_frame)
    start = pattern.landmarks
    end, seen = _flow(pattern.board, board, start, window=13, levels=1)
    step, agreeing = _common_motion(start[seen], end[seen], _STRAY)
    if step is None:
        return None
    shift = float(np.abs(project(_CORNERS, step) - _CORNERS).max())
    return np.asarray(to_frame @ step, np.float64), agreeing / len(start), shift


def _detail(board: Image) -> float:
    """The spread of the finest detail of a board that is no noise: of single pixels there is only that."""
    return float(cv2.Laplacian(cv2.blur(board, (3, 3)), cv2.CV_32F).std())


def _common_motion(start: Floats, end: Floats, stray: float) -> tuple[Homography | None, int]:
    """The homography that most of the points (N, 2) move by, and how many go within *stray* of it."""
    if len(start) < _FEWEST:
        return None, 0
    found = fit_homography_robustly(start, end, stray)
    return (None, 0) if found is None else (found[0], int(found[1].sum()))


def _flow(
    before: Image, after: Image, points: Floats, *, window: int, levels: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Where *points* (N, 2) of one picture went in another, (N, 2), and which of them were found."""
    start = points.reshape(-1, 1, 2)
    went, found, _ = cv2.calcOpticalFlowPyrLK(
        before,
        after,
        start,
        start.copy(),
        winSize=(window, window),
        maxLevel=levels,
        criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 12, 0.02),
    )
    return np.asarray(went, np.float32).reshape(-1, 2), np.asarray(found).ravel() == 1


def _straightened(grey: Image, to_frame: Homography) -> Image:
    """The board in a frame, straightened, its light and contrast evened out: (SIDE, SIDE) uint8."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    board = cv2.warpPerspective(grey, to_frame, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    difference = board.astype(np.float32)
    difference -= cv2.blur(difference, (2 * CELL + 1, 2 * CELL + 1))
    spread = cv2.blur(difference * difference, (4 * CELL + 1, 4 * CELL + 1))
    evened = 128 + _CONTRAST * difference / (np.sqrt(np.maximum(spread, 0)) + _FAINT)
    return np.asarray(np.clip(evened, 0, 255), np.uint8)


_CONTRAST = 48.0
_FAINT = 4.0
"""Grey levels: contrast to stretch the board to, and below which it is not stretched much, being noise."""


def _correlation(one: Image, other: Image) -> float:
    """The correlation of two patterns, -1 to 1, on every other pixel."""
    a, b = one[::2, ::2].astype(np.float32), other[::2, ::2].astype(np.float32)
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / (np.sqrt((a * a).sum() * (b * b).sum()) + 1e-6))


def _plausible(to_frame: Homography) -> bool:
    """Whether a board could lie so: in front of the camera, not mirrored, neither tiny nor a sliver."""
    if not np.isfinite(to_frame).all():
        return False
    if not is_in_front(_CORNERS, to_frame):
        return False
    quad = project(_CORNERS, to_frame)
    sides = side_lengths(quad)
    return bool(
        is_convex(quad)
        and is_clockwise(quad)
        and sides.min() > 9 * _SMALLEST_CELL
        and sides.max() < 8 * sides.min()
    )
