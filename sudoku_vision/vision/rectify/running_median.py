"""Running medians of many small squares, all at once."""

from __future__ import annotations

import numpy as np

from sudoku_vision.results import Image

SIDE = 8
"""Side of a square in pixels."""
WINDOW = 9
"""Side of the window in pixels."""


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
