"""Paper: its colour all over each cell, from a coarse view in which ink is thin.

A running median, reflected at the edges, so that a neighbour of another shade does not leak in, and a
shadow's edge is followed.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from sudoku_vision.results import Floats, Image
from sudoku_vision.vision.rectify.running_median import SIDE, running_median

COARSE = 10
"""Side of a cell, in coarse pixels, where the paper is estimated: fine enough to follow a shadow's edge."""
_EVERY = slice(None)
"""All pixels of a side."""
_RIM = (COARSE - SIDE) // 2
"""Coarse pixels on each side of a cell that may show its lines."""
_RIMMED = np.pad(np.arange(SIDE), _RIM, mode="edge")
_HELD = (SIDE * _RIMMED[:, None] + _RIMMED).ravel()
"""Which pixel of the inside stands at each of a coarse cell: at its rim the outermost ones do."""


def coarse_view(cells: Image) -> Image:
    """Return a coarse view of the inside of straightened cells, (81, 8, 8, 3) uint8: it shows their paper.

    *cells*: (81, S, S, 3) uint8 BGR. Ink is thin in it, and the grid lines at the edges are left out.
    """
    size = cells.shape[1]
    rows = cells.reshape(81 * size, size, 3)
    coarse = cv2.resize(rows, (COARSE, 81 * COARSE), interpolation=cv2.INTER_AREA)
    inside = coarse.reshape(81, COARSE, COARSE, 3)[:, _RIM:-_RIM, _RIM:-_RIM]
    return np.ascontiguousarray(inside, np.uint8)


def paper_of(inside: Image) -> Floats:
    """Return the paper of each cell, (81, 10, 10, 3) float32, from the coarse view of its inside."""
    planes = inside.reshape(81, SIDE**2, 3).transpose(0, 2, 1).reshape(243, SIDE**2)
    middle = running_median(planes).reshape(81, 3, SIDE**2)
    return middle.take(_HELD, axis=2).transpose(0, 2, 1).astype(np.float32).reshape(81, COARSE, COARSE, 3)


@lru_cache(maxsize=4)
def _linear_weights(size: int) -> Floats:
    """Return weights (size, 10) of linear interpolation from coarse pixels to fine ones, held at the ends."""
    place = np.clip((np.arange(size) + 0.5) * COARSE / size - 0.5, 0, COARSE - 1)
    return np.asarray(np.maximum(0, 1 - np.abs(place[:, None] - np.arange(COARSE))), np.float32)


@lru_cache(maxsize=4)
def _row_weights(size: int, channels: int) -> Floats:
    """Return the same for rows of several channels, (10 * C, size, C): one multiplication for all of them."""
    along = np.kron(_linear_weights(size).T, np.eye(channels, dtype=np.float32))
    return np.asarray(along.reshape(-1, size, channels), np.float32)


def magnify(coarse: Floats, size: int, part: slice = _EVERY) -> Floats:
    """Carry (81, 10, 10, C) to (81, size, size, C) by linear interpolation, or to a *part* both ways."""
    channels = coarse.shape[3]
    weights, along = _linear_weights(size)[part], _row_weights(size, channels)[:, part]
    side = len(weights)
    down = np.matmul(weights, coarse.reshape(81, COARSE, COARSE * channels))
    full: Floats = down.reshape(81 * side, -1) @ along.reshape(-1, side * channels)
    return full.reshape(81, side, side, channels)
