"""Remove the light and the paper of each cell, and keep the strength of its ink.

The difference between a pixel and its paper is projected onto the colour of the cell's own ink. So dark ink
on light paper, light ink on dark paper, coloured ink and ink in shaded cells all give the same result. The
strength is scaled by one factor for the whole page, so that noise in an empty cell is not made stronger.
"""

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY
from sudoku_vision.ranks import quantile
from sudoku_vision.values import Floats, Image

RIM = 0.15  # share of a cell, on each side, where ink isn't measured: lines may reach that far
THINNED = 2  # ink is measured at every second pixel in both directions, in a quarter of the time
_TOP = 30
"""The full ink of a cell is the ink that one in this many pixels reaches.

About this share of the pixels lies in the middle of strokes. Noise reaches such a level in fewer pixels.
"""
_PAGE_PULL = 0.15  # weight of the page's ink colour when the ink colour of a cell is found
_MIN_INK = 0.05  # lower limit for full ink, as a contrast to paper; noise has less
_STRONGEST, _NOISE = 0.999, 1.3
"""If this quantile of the ink is low, all cells are called blank, so that noise isn't read as marks.

It is low in two cases: it is less than half of the smallest full ink, or less than _NOISE times the same
quantile of the pixels that are lighter than paper. A single digit fills a thousandth of the pixels. On 285
real grids the ratio was 1.57 or more, in noise at most 1.2.
"""
DARKEST = 40.0
"""Lower limit for the brightness by which ink is divided: a grey level, or the length of a BGR colour.

Below it is noise.
"""
_STRONG_CELLS = 10
"""The full ink of a page is that of the cell with this rank.

A puzzle has at least 17 clues, so this cell has a digit.
"""
_FEW_CELLS, _FEW_SHARE = 3, 0.5
"""The full ink of a page is at least this share of the full ink of the third strongest cell.

This matters if few cells have ink.
"""
_DARKER: Floats = np.full(3, -1 / np.sqrt(3), np.float32)
"""The direction from paper to ink for a cell without any ink: darker in all three channels."""

COARSE = 10  # side of a cell in coarse pixels: fine enough for the edge of a shadow on the paper
SIDE = 8  # side of the inside of a cell, in coarse pixels
WINDOW = 9  # side of the window of the running median, in coarse pixels
_RIM = (COARSE - SIDE) // 2  # width, in coarse pixels, of a cell's rim, where its lines may be
_RIMMED = np.pad(np.arange(SIDE), _RIM, mode="edge")
_NEAREST_INSIDE = (SIDE * _RIMMED[:, None] + _RIMMED).ravel()
"""For each pixel of a coarse cell (100), the index of the nearest pixel of the cell's inside (64)."""


def even(cells: Image, coarse: Image | None = None) -> Floats:
    """Turn the colours (81, S, S, 3) uint8 BGR of cells into ink (81, S, S) float32.

    *coarse* is what :func:`coarse_view` returns for the cells; if it is None, it is computed.

    * The paper of a cell is a running median over a coarse view of its inside, reflected at the edges. So the
      shade of a neighbour doesn't matter, and the edge of a shadow is followed.
    * The ink colour of a cell is its mean difference from the paper. Large differences get more weight, and
      the ink colour of the page is added with a small weight. The ink colour also shows whether ink is darker
      or lighter than paper.
    * Ink is the difference from the paper, projected on the ink colour. It is divided by the brightness of
      paper or ink, whichever is brighter, so that it doesn't depend on the light. Then it is divided by the
      full ink of the page.
    """
    size = cells.shape[1]
    paper = paper_of(coarse_view(cells) if coarse is None else coarse)
    rim = round(RIM * size)
    thinned = slice(rim, -rim, THINNED)
    inner = (cells[:, thinned, thinned] - magnify(paper, size, thinned)).reshape(81, -1, 3)
    direction = _ink_direction(inner)
    direction /= _brightness(inner, direction, _mean_colour(paper))[:, None]
    ink = _along(cells, direction)
    ink -= magnify(_along(paper, direction)[..., None], size)[..., 0]
    inner_ink = ink[:, thinned, thinned]
    lightest = quantile(-inner_ink, _STRONGEST)
    if quantile(inner_ink, _STRONGEST) < max(_MIN_INK / 2, _NOISE * lightest):
        return np.zeros_like(ink)
    ranked = np.sort(_top(inner_ink.reshape(81, -1)))
    ink /= max(_MIN_INK, float(ranked[-_STRONG_CELLS]), _FEW_SHARE * float(ranked[-_FEW_CELLS]))
    return ink


def _mean_colour(cells: Floats) -> Floats:
    """Return the mean colour (81, 3) of cells (81, S, S, 3), ten times as fast as NumPy's ``mean``."""
    flat = cells.reshape(81, -1, 3)
    return np.full(flat.shape[1], 1 / flat.shape[1], np.float32) @ flat


def _along(colours: NDArray[Any], direction: Floats) -> Floats:
    """Return the projection (81, S, S) of *colours* (81, S, S, 3) on the *direction* (81, 3) of each cell."""
    flat = colours.reshape(81, -1, 3).astype(np.float32, copy=False)
    reach: Floats = np.matmul(flat, direction[:, :, None])
    return reach.reshape(colours.shape[:3])


def _ink_direction(inner: Floats) -> Floats:
    """Return the ink colours: unit vectors (81, 3) that point from paper to ink.

    *inner* (81, N, 3) holds the differences of the pixels inside the cells from their paper.
    """
    strength = np.sqrt((inner * inner) @ np.ones(3, np.float32))
    pull = np.matmul(strength[:, None], inner)[:, 0] / inner.shape[1]
    size = np.linalg.norm(pull, axis=1)
    page = pull[np.argsort(size)[-2 * _STRONG_CELLS :]].mean(axis=0)
    pull = pull + _PAGE_PULL * page
    length = np.linalg.norm(pull, axis=1, keepdims=True)
    return np.where(length > TINY, pull / np.maximum(length, TINY), _DARKER).astype(np.float32)


def _brightness(inner: Floats, direction: Floats, paper: Floats) -> Floats:
    """Return for each cell the brightness of its paper or its ink, whichever is brighter: (81,).

    The brightness is the length of a BGR colour. *inner* (81, N, 3) holds the differences of pixels from
    their paper, *direction* (81, 3) the ink colours, *paper* (81, 3) the colours of paper.
    """
    along = np.matmul(inner, direction[:, :, None])[..., 0]
    ink = paper + _top(along)[:, None] * direction
    level = np.maximum(np.linalg.norm(paper, axis=1), np.linalg.norm(ink, axis=1))
    return np.asarray(np.maximum(level, DARKEST), np.float32)


def _top(ink: Floats) -> Floats:
    """Return the full ink (81,) of each cell: a high quantile of the *ink* (81, N) of its pixels."""
    place = max(1, ink.shape[1] // _TOP)
    return np.partition(ink, -place, axis=1)[:, -place]


def coarse_view(cells: Image) -> Image:
    """Return a coarse view (81, 8, 8, 3) uint8 of the inside of cells (81, S, S, 3) uint8 BGR.

    The view shows mostly paper: strokes are thin in it, and the grid lines at the edges are left out.
    """
    size = cells.shape[1]
    rows = cells.reshape(81 * size, size, 3)
    coarse = cv2.resize(rows, (COARSE, 81 * COARSE), interpolation=cv2.INTER_AREA)
    inside = coarse.reshape(81, COARSE, COARSE, 3)[:, _RIM:-_RIM, _RIM:-_RIM]
    return np.ascontiguousarray(inside, np.uint8)


def paper_of(inside: Image) -> Floats:
    """Return the paper (81, 10, 10, 3) float32 of each cell, from the coarse view of its inside."""
    planes = inside.reshape(81, SIDE**2, 3).transpose(0, 2, 1).reshape(243, SIDE**2)
    middle = running_median(planes).reshape(81, 3, SIDE**2)
    papers = middle.take(_NEAREST_INSIDE, axis=2).transpose(0, 2, 1).astype(np.float32)
    return papers.reshape(81, COARSE, COARSE, 3)


@lru_cache(maxsize=4)
def _linear_weights(size: int) -> Floats:
    """Return weights (size, 10) by which the 10 coarse pixels of a side give *size* fine pixels.

    Interpolation is linear; beyond the centres of the outermost coarse pixels it is constant.
    """
    place = np.clip((np.arange(size) + 0.5) * COARSE / size - 0.5, 0, COARSE - 1)
    return np.asarray(np.maximum(0, 1 - np.abs(place[:, None] - np.arange(COARSE))), np.float32)


@lru_cache(maxsize=4)
def _row_weights(size: int, channels: int) -> Floats:
    """Return the weights (10 * C, size, C) of :func:`_linear_weights` for pixels with C *channels*."""
    along = np.kron(_linear_weights(size).T, np.eye(channels, dtype=np.float32))
    return np.asarray(along.reshape(-1, size, channels), np.float32)


def magnify(coarse: Floats, size: int, part: slice = slice(None)) -> Floats:
    """Enlarge coarse cells (81, 10, 10, C) to (81, size, size, C) by linear interpolation.

    *part* says which rows and columns of the result are returned.
    """
    channels = coarse.shape[3]
    weights, along = _linear_weights(size)[part], _row_weights(size, channels)[:, part]
    side = len(weights)
    down = np.matmul(weights, coarse.reshape(81, COARSE, COARSE * channels))
    full: Floats = down.reshape(81 * side, -1) @ along.reshape(-1, side * channels)
    return full.reshape(81, side, side, channels)


def running_median(squares: Image) -> Image:
    """Return the median in a window around each pixel of *squares* (N, 64) uint8, reflected at their edges.

    The pixels of each square are added, from the darkest to the brightest, to all windows in which they lie.
    The median of a window is the pixel that makes it more than half full. ``cv2.medianBlur`` gives the same
    result, but takes several times as long for squares that are as small as the window.
    """
    keys = squares.astype(np.uint16) << 6  # the low six bits are for the place of the pixel, 0..63
    keys |= np.arange(SIDE**2, dtype=np.uint16)
    keys.sort(axis=1)
    order = np.ascontiguousarray((keys & 63).T).astype(np.intp)
    full = _COUNTS.take(order[:_MIN_RANK], axis=0).sum(axis=0, dtype=np.uint8)
    rank = np.full(squares.shape, _MIN_RANK, np.uint8)
    for pixel in order[_MIN_RANK:-_MIN_RANK]:
        full += _COUNTS.take(pixel, axis=0, mode="clip")
        rank += (full <= WINDOW**2 // 2).view(np.uint8)
    return np.take_along_axis((keys >> 6).astype(np.uint8), rank, axis=1)


def _counts_in_windows() -> Image:
    """Return how often each pixel is in the window around each pixel of its square, reflected: (64, 64)."""
    extended = np.pad(np.arange(SIDE), WINDOW // 2, mode="symmetric")
    windows = np.lib.stride_tricks.sliding_window_view(extended, WINDOW)
    along = np.stack([np.bincount(window, minlength=SIDE) for window in windows], axis=1)
    return np.kron(along, along).astype(np.uint8)


_COUNTS = _counts_in_windows()
_MIN_RANK = int(WINDOW**2 // 2 // _COUNTS.max())
"""Number of the darkest and of the brightest pixels of a square that can't be a median, and are skipped."""
