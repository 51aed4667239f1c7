"""Illumination: the light of each cell divided out, its ink told from its paper, whatever colour either has.

What is left over the paper is projected onto the colour of the cell's own ink, so dark on light, light on
dark, coloured ink and shaded cells all come out alike. Strength is scaled once for the whole page, so an
empty cell stays empty.
"""

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats, Image

_INNER = 0.15
"""Share of a cell on each side that is left out when its ink is measured: lines may reach that far."""
_THINNED = 2  # every second pixel, in both directions, is enough to measure ink, at a quarter of the time
_TOP = 30
"""Full ink is what one of so many pixels of a cell reaches: the middle of strokes, no single noisy one."""
_LEAST_TOP = 2  # the same in pixels, at least
_PAGE_PULL = 0.15  # how far the page's ink colour steers the ink colour of a cell, against the cell's own
_MIN_INK = 0.05  # least contrast to paper that counts as full ink: below it lies noise
_DARKEST = 40.0  # length of a BGR colour below which a cell is too dark for its ratios to mean anything
_STRONG_CELLS = 10  # the page's full ink is that of its tenth strongest cell: puzzles have 17 clues ..
_FEW_CELLS, _FEW_SHARE = 3, 0.5
"""... but at least half of that of the third strongest, for pages with fewer digits still."""
_PAGE_CELLS = 2 * _STRONG_CELLS  # the page's ink colour is the mean of that of so many of its strongest cells
_DARKER: Floats = np.full(3, -1 / np.sqrt(3), np.float32)
"""The ink colour of a cell in which nothing differs from paper: darker in all three channels."""
_NOTHING = 1e-6  # length of a colour below which it has no direction

SIDE = 8  # side of a square in pixels
WINDOW = 9  # side of the window in pixels
COARSE = 10
"""Side of a cell, in coarse pixels, where the paper is estimated: fine enough to follow a shadow's edge."""
_EVERY = slice(None)  # all pixels of a side
_RIM = (COARSE - SIDE) // 2  # coarse pixels on each side of a cell that may show its lines
_RIMMED = np.pad(np.arange(SIDE), _RIM, mode="edge")
_HELD = (SIDE * _RIMMED[:, None] + _RIMMED).ravel()
"""Which pixel of the inside stands at each of a coarse cell: at its rim the outermost ones do."""


def even(cells: Image, coarse: Image | None = None) -> Floats:
    """Turn colours into ink: (81, S, S, 3) uint8 BGR to (81, S, S) float32.

    *coarse* is their :func:`coarse_view`, where it is at hand.

    * The paper of a cell is a running median over a coarse view of its inside, reflected at the edges: so a
      neighbour of another shade does not leak in, and a shadow's edge is followed.
    * The ink colour of a cell is the mean difference from its paper, weighted by its own size, pulled
      slightly towards that of the page; its sign settles the polarity.
    * Ink is the projection on that colour, divided by the brighter of paper and ink (so it is a reflectance)
      and by the full ink of the page.
    """
    size = cells.shape[1]
    paper = paper_of(coarse_view(cells) if coarse is None else coarse)
    rim = round(_INNER * size)
    thinned = slice(rim, -rim, _THINNED)
    inner = (cells[:, thinned, thinned] - magnify(paper, size, thinned)).reshape(81, -1, 3)
    direction = _ink_direction(inner)
    direction /= _brightness(inner, direction, _mean_colour(paper))[:, None]
    ink = _along(cells, direction)
    ink -= magnify(_along(paper, direction)[..., None], size)[..., 0]
    ranked = np.sort(_top(ink[:, thinned, thinned].reshape(81, -1)))
    ink /= max(_MIN_INK, float(ranked[-_STRONG_CELLS]), _FEW_SHARE * float(ranked[-_FEW_CELLS]))
    return ink


def _mean_colour(cells: Floats) -> Floats:
    """Return the mean colour of cells (81, S, S, 3), (81, 3); as a product ten times as quick as ``mean``."""
    flat = cells.reshape(81, -1, 3)
    mean: Floats = np.full(flat.shape[1], 1 / flat.shape[1], np.float32) @ flat
    return mean


def _along(colours: NDArray[Any], direction: Floats) -> Floats:
    """Return how far *colours* (81, S, S, 3) reach along a *direction* (81, 3) of each cell, (81, S, S)."""
    flat = colours.reshape(81, -1, 3).astype(np.float32, copy=False)
    reach: Floats = np.matmul(flat, direction[:, :, None])
    return reach.reshape(colours.shape[:3])


def _ink_direction(inner: Floats) -> Floats:
    """Return unit vectors (81, 3) from paper to ink, from the differences (81, N, 3) inside the cells."""
    strength = np.sqrt((inner * inner) @ np.ones(3, np.float32))
    pull = np.matmul(strength[:, None], inner)[:, 0] / inner.shape[1]
    size = np.linalg.norm(pull, axis=1)
    strong = np.argsort(size)[-_PAGE_CELLS:]
    page = pull[strong].mean(axis=0)
    pull = pull + _PAGE_PULL * page
    length = np.linalg.norm(pull, axis=1, keepdims=True)
    return np.where(length > _NOTHING, pull / np.maximum(length, _NOTHING), _DARKER).astype(np.float32)


def _brightness(inner: Floats, direction: Floats, paper: Floats) -> NDArray[np.float32]:
    """Return the brighter of paper and ink, (81,): the lengths of their BGR colours."""
    along = np.matmul(inner, direction[:, :, None])[..., 0]
    ink = paper + _top(along)[:, None] * direction
    level = np.maximum(np.linalg.norm(paper, axis=1), np.linalg.norm(ink, axis=1))
    return np.asarray(np.maximum(level, _DARKEST), np.float32)


def _top(ink: Floats) -> Floats:
    """Return the full ink of each cell, (81,), from the ink of its pixels (81, N)."""
    place = max(_LEAST_TOP, ink.shape[1] // _TOP)
    full: Floats = np.partition(ink, -place, axis=1)[:, -place]
    return full


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
