"""Line evidence: where each of a grid's 180 pieces of line is seen, and how deep it is.

A piece is what lies between two neighbouring crossings. It is looked for near its place on the flat view,
along with the other pieces of its line, so that a digit beside it doesn't divert it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array
from sudoku_vision.locate.flatten import CELL, MARGIN, SIDE
from sudoku_vision.ranks import median, quantile

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
_STRAIGHT = 1e-6  # grey levels: a bend that is less has no top
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


def find_lines(profiles: Array, reach: float, inside: NDArray[np.int8], drawn: int = 1) -> LineEvidence:
    """Return what *profiles* of the flat view show of each piece of line, within *reach* cells of its place.

    One of *drawn* lines is expected: 3 where only those round the boxes are. What is far deeper than most of
    them counts for little more than they do: digits are black, however faint the lines.
    """
    radius = max(1, round(reach * CELL))
    seen = _windows(profiles, radius)
    usual = quantile(seen.max(axis=1).reshape(9, 2, 10)[:, :, ::drawn], USUAL)
    best = _smoothest_track(seen / (1 + np.maximum(seen, 0) / (CLIP * max(usual, LEAST_USUAL))))
    top, found = _top_of_parabola(seen, best)
    strength = np.where(inside > 0, _by_line(found), 0)
    return LineEvidence((_by_line(top) - radius) / CELL, strength, inside)


def _windows(profiles: Array, radius: int) -> Array:
    """Return what *profiles* (2, 9, SIDE) show within *radius* pixels of each piece of line, (9, W, 20).

    The first index is the piece along a line, the last one the line: ten row lines, then ten column lines. So
    all lines are followed at once.
    """
    seen = profiles[:, :, _window_places(radius)]  # (2, 9, W, 10)
    return np.asarray(seen.transpose(1, 2, 0, 3).reshape(9, 2 * radius + 1, 20))


@lru_cache
def _window_places(radius: int) -> NDArray[np.intp]:
    """Return the places on the flat view within *radius* pixels of each of ten lines, (W, 10)."""
    lines = MARGIN + CELL * np.arange(10)
    return np.asarray(np.clip(np.arange(-radius, radius + 1)[:, None] + lines, 0, SIDE - 1), np.intp)


def _by_line(values: Array) -> Array:
    """Return values (9, 20) of pieces of line as they are handed out, (2, 10, 9)."""
    return np.ascontiguousarray(values.T).reshape(2, 10, 9)


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
    """Return the way of each line through the windows of its pieces, (9, W, 20) to (9, 20).

    Dynamic programming: the track of the greatest strength, less a toll for every step aside, so that a digit
    or another line nearby does not divert it.
    """
    step = np.arange(seen.shape[1])
    toll = TOLL * median(seen.max(axis=1)) * (step[:, None] - step) ** 2
    totals = [seen[0]]
    for piece in range(1, 9):
        totals.append(seen[piece] + (totals[-1][:, None] - toll[..., None]).max(axis=0))
    best = np.empty((9, seen.shape[2]), np.int64)
    best[8] = totals[8].argmax(axis=0)
    for piece in range(8, 0, -1):
        best[piece - 1] = (totals[piece - 1] - toll[:, best[piece]]).argmax(axis=0)
    return best


def _top_of_parabola(seen: Array, best: NDArray[np.int64]) -> tuple[Array, Array]:
    """Return the places of the tops of parabolas through the best values and their neighbours, (9, 20).

    And the best values themselves, (9, 20), of windows *seen* (9, W, 20).
    """
    size, lines = seen.shape[1:]
    flat = seen.ravel()
    inner = np.minimum(np.maximum(best, 1), size - 2)
    at = (np.arange(9)[:, None] * size + inner) * lines + np.arange(lines)
    left, top, right = flat[at - lines], flat[at], flat[at + lines]
    bend = left - 2 * top + right
    curved = np.abs(bend) > _STRAIGHT
    shift = np.where(curved, 0.5 * (left - right) / np.where(curved, bend, 1), 0.0)
    place = np.where(best == inner, best + np.minimum(np.maximum(shift, -0.5), 0.5), best)
    return place, flat[at + (best - inner) * lines]
