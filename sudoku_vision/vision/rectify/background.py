"""Background: the colour of the paper all over each cell, from a coarse view in which ink is thin.

A running median, reflected at the edges, so that a neighbour of another shade does not leak in, and a
shadow's edge is followed.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from sudoku_vision.results import Floats, Image

SIDE = 8  # side of a square in pixels
WINDOW = 9  # side of the window in pixels
COARSE = 10
"""Side of a cell, in coarse pixels, where the paper is estimated: fine enough to follow a shadow's edge."""
_EVERY = slice(None)  # all pixels of a side
_RIM = (COARSE - SIDE) // 2  # coarse pixels on each side of a cell that may show its lines
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


def running_median(squares: Image) -> Image:
    """Return the median in a window about each pixel of *squares* (N, 64) uint8, reflected at their edges.

    The pixels of a square are taken in ascending order, by all windows of all squares at once: the median of
    a window is the pixel that makes more than half of it full. Where squares are as small as their windows,
    that takes a fraction of the time of ``cv2.medianBlur``, and gives the same.
    """
    keys = squares.astype(np.uint16) << 6  # the place of a pixel, 0..63, in the bits below its value
    keys |= np.arange(SIDE**2, dtype=np.uint16)
    keys.sort(axis=1)
    order = np.ascontiguousarray((keys & 63).T).astype(np.intp)
    full = _SEEN.take(order[:_FEWEST], axis=0).sum(axis=0, dtype=np.uint8)
    rank = np.full(squares.shape, _FEWEST, np.uint8)
    for pixel in order[_FEWEST:-_FEWEST]:
        full += _SEEN.take(pixel, axis=0, mode="clip")
        rank += (full <= WINDOW**2 // 2).view(np.uint8)
    return np.take_along_axis((keys >> 6).astype(np.uint8), rank, axis=1)


def _seen_in_windows() -> Image:
    """Return how often each pixel of a square is seen in the window about each, reflections too: (64, 64)."""
    extended = np.pad(np.arange(SIDE), WINDOW // 2, mode="symmetric")
    windows = np.lib.stride_tricks.sliding_window_view(extended, WINDOW)
    along = np.stack([np.bincount(window, minlength=SIDE) for window in windows], axis=1)
    return np.kron(along, along).astype(np.uint8)


_SEEN = _seen_in_windows()
_FEWEST = int(WINDOW**2 // 2 // _SEEN.max())
"""So many pixels never fill half of a window, nor do all but so many ever leave half of it empty."""
