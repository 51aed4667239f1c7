"""Line evidence: where each of a grid's 180 pieces of line is seen, and how deep it is.

A piece is what lies between two neighbouring crossings. It is looked for near its place on the flat view,
along with the other pieces of its line, so that a digit beside it doesn't divert it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array
from sudoku_vision.locate.flatten import CELL, MARGIN, SIDE, Pyramid, flatten
from sudoku_vision.locate.profiles import line_profiles
from sudoku_vision.locate.surface import GridSurface, pieces_inside

BOX = 3
"""Every third line runs round the boxes."""
USUAL = 0.3
"""Share of the pieces that may be fainter than the usual depth: more than that have no digit near."""
LEAST_USUAL = 1.0
"""Grey levels: the usual depth is never taken for less, so that a blank picture doesn't magnify its noise."""
CLIP = 2.0
"""In usual depths: how much more than a usual line a dark place may count for, whatever its depth."""
TOLL = 0.1
"""What a line loses by a step aside of one flat-view pixel from piece to piece, in typical strengths."""
NEIGHBOURHOOD = 5
"""Pieces, up to two on either side, whose depths say how deep a line is round about."""
LEAST_STEP = 8.0
"""Grey levels by which two neighbouring cells differ at least, for the step to be seen."""
STEP_NEAR, STEP_WIDTH, STEP_AROUND = 1, 2, 5
"""Pixels of the flat view: how far off its place a step may lie, how wide it is, how far it is looked for."""
STEP_ALONE = 2.0
"""How many times larger than anything beside it a step must be: noise steps everywhere."""
FAINTER_NEIGHBOURS = 1
"""How many of these may be fainter than what the line is said to reach: one may be blurred or covered."""


@dataclass(frozen=True, eq=False)
class LineEvidence:
    """What was seen of each piece of line: ``offset`` in cells and ``strength`` in grey levels, (2, 10, 9).

    The first index is 0 for row lines (offset in v) and 1 for column lines (offset in u), then the line, then
    the piece along it. ``inside`` is 1 where a piece lies in the picture, 0 on its very edge, -1 beyond.
    ``steps`` tells where, line or not, the cells on both sides differ in shade; None where nobody asked.
    """

    offset: Array
    strength: Array
    inside: NDArray[np.int8]
    steps: NDArray[np.bool_] | None = None

    def of_boxes(self) -> LineEvidence:
        """Return the evidence with the strength of all lines but those round the boxes set to zero."""
        strength = np.zeros_like(self.strength)
        strength[:, ::BOX] = self.strength[:, ::BOX]
        return replace(self, strength=strength)

    def levelled(self) -> LineEvidence:
        """Return the evidence with no piece stronger than its line is round about: a digit stands alone."""
        return replace(self, strength=np.minimum(self.strength, CLIP * usual_depth(self.strength)))


def measure_lines(
    pyramid: Pyramid, surface: GridSurface, reach: float, sign: int, drawn: int = 1
) -> LineEvidence:
    """Return what is seen of the lines within *reach* cells of a surface.

    Lines are darker than the cells for a *sign* of 1, lighter for -1; one of *drawn* is expected, as for
    :func:`find_lines`.
    """
    profiles = look_at_lines(pyramid, surface, sign)
    return find_lines(profiles, reach, pieces_inside(surface, pyramid.size), drawn)


def look_at_lines(pyramid: Pyramid, surface: GridSurface, sign: int) -> Array:
    """Return the line profiles of a surface's flat view, (2, 9, SIDE); *sign* is -1 for lighter lines."""
    return line_profiles(sign * flatten(pyramid, surface))


def find_lines(profiles: Array, reach: float, inside: NDArray[np.int8], drawn: int = 1) -> LineEvidence:
    """Return what *profiles* of the flat view show of each piece of line, within *reach* cells of its place.

    One of *drawn* lines is expected: 3 where only those round the boxes are. What is far deeper than most of
    them counts for little more than they do: digits are black, however faint the lines.
    """
    radius = max(1, round(reach * CELL))
    lines = MARGIN + CELL * np.arange(10)
    window = lines[:, None] + np.arange(-radius, radius + 1)
    seen = profiles[:, :, np.clip(window, 0, SIDE - 1)]  # (2, 9 strips, 10 lines, window)
    seen = seen.transpose(0, 2, 1, 3)
    usual = float(np.quantile(seen[:, ::drawn].max(axis=3), USUAL))
    best = _smoothest_track(seen / (1 + np.maximum(seen, 0) / (CLIP * max(usual, LEAST_USUAL))))
    found = np.take_along_axis(seen, best[..., None], 3)[..., 0]
    strength = np.where(inside > 0, found, 0)
    offset = _top_of_parabola(seen, best) - radius
    return LineEvidence(offset / CELL, strength, inside)


def find_steps(profiles: Array) -> NDArray[np.bool_]:
    """Return at which pieces of line the shade changes from cell to cell, and not beside them, (2, 10, 9).

    *profiles* are those of :func:`~sudoku_vision.locate.profiles.step_profiles`. A line that is thinner than
    a pixel of the flat view is lost between a coloured cell and a white one.
    """
    places = np.clip(
        MARGIN + CELL * np.arange(10)[:, None] + np.arange(-STEP_AROUND, STEP_AROUND + 1), 0, SIDE - 1
    )
    seen = profiles[:, :, places].transpose(0, 2, 1, 3)
    away = np.abs(np.arange(-STEP_AROUND, STEP_AROUND + 1))
    here = seen[..., away <= STEP_NEAR].max(axis=3)
    beside = seen[..., away > STEP_NEAR + STEP_WIDTH].max(axis=3)
    return np.asarray((here > LEAST_STEP) & (here > STEP_ALONE * beside))


def usual_depth(strength: Array) -> Array:
    """Return how deep a line is round each of its pieces, (2, 10, 9).

    That is what all but one of a few neighbours reach. A digit beside a piece may be far deeper, or stand
    where no line is drawn at all.
    """
    beside = NEIGHBOURHOOD // 2
    padded = np.pad(strength, ((0, 0), (0, 0), (beside, beside)), mode="reflect")
    near = np.lib.stride_tricks.sliding_window_view(padded, NEIGHBOURHOOD, axis=2)
    return np.asarray(np.maximum(np.sort(near, axis=3)[..., FAINTER_NEIGHBOURS], LEAST_USUAL))


def _smoothest_track(seen: Array) -> NDArray[np.int64]:
    """Return the way of each line through the windows of its pieces, (2, 10, 9, W) to (2, 10, 9).

    Dynamic programming: the track of the greatest strength, less a toll for every step aside, so that a digit
    or another line nearby does not divert it.
    """
    size = seen.shape[3]
    step = np.arange(size)
    toll = TOLL * np.median(seen.max(axis=3)) * (step[:, None] - step) ** 2
    windows = seen.reshape(-1, 9, size)
    lines = np.arange(len(windows))
    total = windows[:, 0]
    came = np.zeros((9, len(windows), size), np.int64)
    for piece in range(1, 9):
        reached = total[:, None, :] - toll
        came[piece] = reached.argmax(axis=2)
        total = windows[:, piece] + reached.max(axis=2)
    best = np.zeros((len(windows), 9), np.int64)
    best[:, 8] = total.argmax(axis=1)
    for piece in range(8, 0, -1):
        best[:, piece - 1] = came[piece, lines, best[:, piece]]
    return best.reshape(seen.shape[:3])


def _top_of_parabola(seen: Array, best: NDArray[np.int64]) -> Array:
    """Return the place of the top of a parabola through the best value and its two neighbours."""
    inner = np.clip(best, 1, seen.shape[3] - 2)[..., None]
    left, top, right = (np.take_along_axis(seen, inner + step, 3)[..., 0] for step in (-1, 0, 1))
    bend = left - 2 * top + right
    shift = np.where(np.abs(bend) > 1e-6, 0.5 * (left - right) / np.where(bend == 0, 1, bend), 0.0)
    return np.where(best == inner[..., 0], best + np.clip(shift, -0.5, 0.5), best)
