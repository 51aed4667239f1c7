"""Line evidence: where each of a grid's 180 pieces of line is seen, and how deep it is.

A piece is what lies between two neighbouring crossings. It is looked for near its place on the flat view,
along with the other pieces of its line, so that a digit beside it doesn't divert it.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY, Array
from sudoku_vision.vision.locate.flatten import CELL, MARGIN, SIDE
from sudoku_vision.vision.ranks import median, quantile

BOX = 3  # every third line runs round the boxes
USUAL = 0.3  # share of the pieces that may be fainter than the usual depth: more than that have no digit near
LEAST_USUAL = 1.0
"""Grey levels: the usual depth is never taken for less, so that a blank picture doesn't magnify its noise."""
CLIP = 2.0  # in usual depths: how much more than a usual line a dark place may count for, whatever its depth
TOLL = 0.1
"""What a line loses by a step aside of one flat-view pixel from piece to piece, in typical strengths."""
NEIGHBOURHOOD = 5
"""Pieces, up to two on either side, whose depths say how deep a line is round about: all but one reach it."""


@dataclass(frozen=True, eq=False)
class LineEvidence:
    """What was seen of each piece of line: ``offset`` in cells and ``strength`` in grey levels, (2, 10, 9).

    The first index is 0 for row lines (offset in v) and 1 for column lines (offset in u), then the line, then
    the piece along it. ``inside`` is 1 where a piece lies in the picture, 0 on its very edge, -1 beyond.
    """

    offset: Array
    strength: Array
    inside: NDArray[np.int8]

    def levelled(self) -> "LineEvidence":
        """Return the evidence with no piece stronger than its line is round about: a digit stands alone.

        A digit beside a piece may be far deeper, or stand where no line is drawn at all.
        """
        beside = NEIGHBOURHOOD // 2
        padded = np.pad(self.strength, ((0, 0), (0, 0), (beside, beside)), mode="reflect")
        near = np.lib.stride_tricks.sliding_window_view(padded, NEIGHBOURHOOD, axis=2)
        usual = np.maximum(np.sort(near, axis=3)[..., 1], LEAST_USUAL)
        return replace(self, strength=np.minimum(self.strength, CLIP * usual))


def find_lines(profiles: Array, reach: float, inside: NDArray[np.int8]) -> LineEvidence:
    """Return what *profiles* of the flat view show of each piece of line, within *reach* cells of its place.

    What is far deeper than most of them counts for little more than they do: digits are black, however faint
    the lines.
    """
    radius = max(1, round(reach * CELL))
    seen = profiles.take(_window_places(radius))
    deepest = seen.max(axis=1)
    clip = CLIP * max(quantile(deepest, USUAL), LEAST_USUAL)
    best = _smoothest_track(_clipped(seen, clip), _clipped(deepest, clip))
    top, found = _top_of_parabola(seen, best)
    strength = np.where(inside > 0, _by_line(found), 0)
    return LineEvidence((_by_line(top) - radius) / CELL, strength, inside)


def _clipped(depth: Array, most: float) -> Array:
    """Return what *depth* counts for: nearly itself while it is small, and never as much as *most*."""
    return depth / (1 + np.maximum(depth, 0) / most)


@lru_cache
def _window_places(radius: int) -> NDArray[np.intp]:
    """Return which numbers of profiles (2, 9, SIDE) lie within *radius* pixels of each piece, (9, W, 20).

    The first index is the piece along a line, the last one the line: ten row lines, then ten column lines. So
    all lines are followed at once.
    """
    lines = MARGIN + CELL * np.arange(10)
    places = np.clip(np.arange(-radius, radius + 1)[:, None] + lines, 0, SIDE - 1)  # (W, 10)
    profile = SIDE * np.arange(18).reshape(2, 9, 1, 1)
    return np.asarray((profile + places).transpose(1, 2, 0, 3).reshape(9, 2 * radius + 1, 20), np.intp)


def _by_line(values: Array) -> Array:
    """Return values (9, 20) of pieces of line as they are handed out, (2, 10, 9)."""
    return np.ascontiguousarray(values.T).reshape(2, 10, 9)


def _smoothest_track(seen: Array, deepest: Array) -> NDArray[np.int64]:
    """Return the way of each line through the windows of its pieces, (9, W, 20) to (9, 20).

    *deepest* (9, 20) is the most that each window shows. Dynamic programming: the track of the greatest
    strength, less a toll for every step aside, so that a digit or another line nearby does not divert it. It
    goes from both ends of a line to its middle at once, and back.
    """
    step = np.arange(seen.shape[1])
    toll = TOLL * median(deepest) * (step[:, None] - step) ** 2
    inwards = np.concatenate([seen[:5], seen[:3:-1]], axis=2)  # (5, W, 40): the middle piece comes from both
    totals = [inwards[0]]
    for piece in inwards[1:]:
        totals.append(piece + (totals[-1][:, None] - toll[..., None]).max(axis=0))
    halves = totals.pop()
    middle = (halves[:, :20] + halves[:, 20:] - seen[4]).argmax(axis=0)
    outwards = [np.concatenate([middle, middle])]
    for total in reversed(totals):
        outwards.append((total - toll.take(outwards[-1], axis=1)).argmax(axis=0))
    ways = np.array(outwards)
    return np.concatenate([ways[:0:-1, :20], ways[:, 20:]])


def _top_of_parabola(seen: Array, best: NDArray[np.int64]) -> tuple[Array, Array]:
    """Return the places of the tops of parabolas through the best values and their neighbours, (9, 20).

    And the best values themselves, (9, 20), of windows *seen* (9, W, 20).
    """
    size, lines = seen.shape[1:]
    flat = seen.ravel()
    inner = np.minimum(np.maximum(best, 1), size - 2)
    at = (np.arange(9)[:, None] * size + inner) * lines + np.arange(lines)
    left, top, right = flat.take(at - lines), flat.take(at), flat.take(at + lines)
    bend = left - 2 * top + right
    curved = np.abs(bend) > TINY
    shift = np.where(curved, 0.5 * (left - right) / np.where(curved, bend, 1), 0.0)
    place = np.where(best == inner, best + np.minimum(np.maximum(shift, -0.5), 0.5), best)
    return place, flat.take(at + (best - inner) * lines)
