"""Stretch: bring a rough guess of a grid closer to the lines seen, each direction moved as a whole.

A guess may have caught a frame round the grid with one of its sides, or the inner edge of its border.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.geometry import TINY, Array, Homography
from sudoku_vision.vision.locate.flatten import CELL, MARGIN, SIDE
from sudoku_vision.vision.ranks import quantile

WORTH_MOVING = 1.15  # how many times as much line a stretched guess must show to be taken
FULL_DEPTH = 0.95  # quantile of all profiles at which a line has its full depth: deeper digits count no more
WIDENED = 3
"""Pixels of the flat view to which a ridge of line is widened, so that places between pixels lose nothing."""
_SHIFTS = np.arange(-(CELL // 2) + 1, CELL // 2) / CELL  # cells: just under half a cell to either side
_STARTS = np.repeat(_SHIFTS, len(_SHIFTS))
_ENDS = 9 + np.tile(_SHIFTS, len(_SHIFTS))
_STAY = len(_STARTS) // 2
_LINES = _STARTS[:, None] + (_ENDS - _STARTS)[:, None] * np.arange(10) / 9
_COMBS = np.clip(np.rint(MARGIN + CELL * _LINES).astype(int), 0, SIDE - 1).T.copy()
"""Places of the ten lines of each comb, (10, N)."""


@dataclass(frozen=True, eq=False)
class Comb:
    """Ten even lines each way, moved and stretched to where most line is seen near a proposal.

    ``stretching`` (3, 3) brings the proposal there, in lattice units. ``contrast`` (2,) is how much line lies
    on them, row lines first, over what lies anywhere: 1 where they are nowhere but everywhere, as in noise.
    """

    stretching: Homography
    contrast: tuple[float, float]


def best_comb(profiles: Array) -> Comb:
    """Return the comb of ten lines each way that shows the most line near a rough guess.

    *profiles* are those of ``line_profiles``. Each direction is moved and
    stretched, at most by half a cell at either end. Among all such moves the one with the most line wins,
    unless staying is nearly as good.
    """
    deep = quantile(profiles, FULL_DEPTH)
    ridge = np.clip(profiles, 0, max(deep, TINY)).mean(axis=1)
    wide = cv2.dilate(ridge, np.ones((1, WIDENED), np.uint8))
    down, across = (_best_stretch(line) for line in wide)
    stretching = np.array([[across[1], 0, across[0]], [0, down[1], down[0]], [0, 0, 1]])
    return Comb(stretching, (down[2], across[2]))


def _best_stretch(ridge: Array) -> tuple[float, float, float]:
    """Return start and step, in cells, of the ten even lines on which most of *ridge* (SIDE,) lies.

    And how much lies on them, on the average, as a multiple of what lies anywhere.
    """
    seen = ridge.take(_COMBS).sum(axis=0)
    best = int(seen.argmax())
    contrast = float(seen[best] / 10 / max(float(ridge.mean()), TINY))
    if seen[best] < WORTH_MOVING * seen[_STAY]:
        best = _STAY
    return float(_STARTS[best]), float((_ENDS[best] - _STARTS[best]) / 9), contrast
