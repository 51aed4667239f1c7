"""Stretch: bring a rough guess of a grid closer to the lines seen, each direction moved as a whole.

A guess may have caught a frame round the grid with one of its sides, or the inner edge of its border.
"""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.geometry import Array, Homography
from sudoku_vision.locate.flatten import CELL, MARGIN, SIDE

WORTH_MOVING = 1.15
"""How many times as much line a stretched guess must show to be taken."""
FULL_DEPTH = 0.95
"""Quantile of all profiles at which a line has its full depth: deeper digits count no more."""
WIDENED = 3
"""Pixels of the flat view to which a ridge of line is widened, so that places between pixels lose nothing."""
_SHIFTS = np.arange(-(CELL // 2) + 1, CELL // 2) / CELL  # cells: just under half a cell to either side
_STARTS = np.repeat(_SHIFTS, len(_SHIFTS))
_ENDS = 9 + np.tile(_SHIFTS, len(_SHIFTS))
_STAY = len(_STARTS) // 2


def stretch(profiles: Array) -> Homography:
    """Return the (3, 3) map of lattice units that brings a rough guess closest to the lines seen.

    *profiles* are those of :func:`~sudoku_vision.locate.profiles.line_profiles`. Each direction is moved and
    stretched, at most by half a cell at either end. Among all such moves the one with the most line wins,
    unless staying is nearly as good.
    """
    deep = float(np.quantile(profiles, FULL_DEPTH))
    ridge = np.clip(profiles, 0, max(deep, 1e-6)).mean(axis=1)
    ridge = cv2.dilate(ridge, np.ones((1, WIDENED), np.uint8))
    down, across = (_best_stretch(line) for line in ridge)
    return np.array([[across[1], 0, across[0]], [0, down[1], down[0]], [0, 0, 1]])


def _best_stretch(ridge: Array) -> tuple[float, float]:
    """Return start and step, in cells, of the ten even lines on which most of *ridge* (SIDE,) lies."""
    lines = _STARTS[:, None] + (_ENDS - _STARTS)[:, None] * np.arange(10) / 9
    seen = ridge[np.clip(np.rint(MARGIN + CELL * lines).astype(int), 0, SIDE - 1)].sum(axis=1)
    best = int(seen.argmax())
    if seen[best] < WORTH_MOVING * seen[_STAY]:
        best = _STAY
    return float(_STARTS[best]), float((_ENDS[best] - _STARTS[best]) / 9)
