"""Straighten a grid and even out its light: photo and lattice in, 81 cells of clean ink out.

The stages, each usable alone:

* :func:`straighten` samples the photo through the lattice: a homography fitted to the 100 crossings, plus a
  natural cubic spline for what it leaves over (the bend of the page), evaluated by one ``cv2.remap``;
* :func:`even` divides out the paper of each cell and projects what is left onto the colour of the cell's own
  ink, so dark on light, light on dark, coloured ink and shaded cells all come out alike; strength is scaled
  once for the whole page, so an empty cell stays empty;
* :func:`remove_lines` takes away what belongs to the lattice.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import CROSSINGS, fit_homography, project
from sudoku_vision.results import Floats, Image, Lattice, Photo

CELL = 40
"""Side of a rectified cell in pixels."""

# Sampling.
_SHRINK_FROM = 1.7
"""Photo pixels per rectified pixel from which the photo is averaged down first: else some are skipped."""
_SURROUNDINGS = 2.0
"""Rectified pixels round the grid that are averaged down with it, for sampling at its very edge."""
_MAP_STEP = 4
"""Rectified pixels from one that is worked out to the next: between them the sampling hardly bends."""
_LEAST_PART = 8
"""Pixels of a side below which a part is not averaged down: little would be left of it."""

# Paper.
_COARSE = 10
"""Side of a cell, in coarse pixels, where the paper is estimated: fine enough to follow a shadow's edge."""
_RIM = 1
"""Coarse pixels on each side of a cell that may show its lines."""
_PAPER_WINDOW = 9
"""Coarse pixels, side of the window of the median that finds the paper: ink fills less than half of it."""

# Ink.
_INNER = 0.15
"""Share of a cell on each side that is left out when its ink is measured: lines may reach that far."""
_THINNED = 2
"""Every second pixel, in both directions, is enough to measure ink, at a quarter of the time."""
_EVERY = slice(None)
_TOP = 30
"""Full ink is what one of so many pixels of a cell reaches: the middle of strokes, no single noisy one."""
_LEAST_TOP = 2
"""The same in pixels, at least."""
_PAGE_PULL = 0.15
"""How far the page's ink colour steers the ink colour of a cell, against the cell's own."""
_MIN_INK = 0.05
"""Least contrast to paper that counts as full ink: below it lies noise."""
_DARKEST = 40.0
"""Length of a BGR colour below which a cell is too dark for its ratios to mean anything."""
_STRONG_CELLS = 10
"""The page's full ink is that of its tenth strongest cell: puzzles have 17 clues ..."""
_FEW_CELLS, _FEW_SHARE = 3, 0.5
"""... but at least half of that of the third strongest, for pages with fewer digits still."""
_PAGE_CELLS = 2 * _STRONG_CELLS
"""The page's ink colour is the mean of that of so many of its strongest cells."""
_DARKER: Floats = np.full(3, -1 / np.sqrt(3), np.float32)
"""The ink colour of a cell in which nothing differs from paper: darker in all three channels."""
_NOTHING = 1e-6
"""Length of a colour below which it has no direction."""

# Lines, in shares of the cell's side but where said otherwise.
_LINE_BAND = 0.24
"""Depth from the cell's edge to which a line may reach."""
_WHOLE_LOW = 0.3
"""Of the pixels along a whole side, the share that may be blank where a line runs: it may be dotted."""
_NEAR_BAND = 0.14
"""Depth in which even a line along a piece of the side is taken away."""
_PIECES = 3
"""Pieces of a side: many follow a line that lies askew, few leave small ink near the edge alone."""
_PIECE_LOW = 0.4
"""The share that may be blank in such a piece: a line that lies askew leaves a row within it."""
_CORNER = 2
"""Pixels at either end of a side that don't tell its line: there it crosses others."""
_FADE = (0.0, 0.5)
"""What is kept of the outermost pixels of a cell, and of those next to them: remainders of lines."""


def rectify(photo: Photo, lattice: Lattice, size: int = CELL, pieces: int = _PIECES) -> Floats:
    """Cut the cells of one grid out of a photo, straightened, evened out and freed of grid lines.

    *pieces* as for :func:`remove_lines`.

    Returns (81, size, size) float32 in reading order of the lattice: 0 for paper, about 1 for the full ink of
    this page, slightly negative where the paper is lighter than its surroundings.
    """
    return remove_lines(even(straighten(photo, lattice, size)), pieces)


def straighten(photo: Photo, lattice: Lattice, size: int = CELL) -> Image:
    """Sample the photo through the lattice: (81, size, size, 3) uint8 BGR, in reading order.

    Where the photo is much finer than the wanted cells, the region of the grid is averaged down first, so
    that no pixel is skipped and a large photo stays cheap.
    """
    pixels, within = _region(photo.pixels, lattice, size)
    map_x, map_y = _sampling_maps(within, size)
    four = cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA)  # sampled in less than half the time of three channels
    straight = cv2.remap(four, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cells = np.ascontiguousarray(straight.reshape(9, size, 9, size, 4).transpose(0, 2, 1, 3, 4))
    three = cv2.cvtColor(cells.reshape(81 * size, size, 4), cv2.COLOR_BGRA2BGR)
    return np.asarray(three, np.uint8).reshape(81, size, size, 3)


def even(cells: Image, coarse: Image | None = None) -> Floats:
    """Turn colours into ink: (81, S, S, 3) uint8 BGR to (81, S, S) float32.

    *coarse* is their :func:`coarse_view`, where it is at hand.

    * The paper of a cell is a running median over a coarse view of its inside; reflected at the edges, so
      that a neighbour of another shade does not leak in, and a shadow's edge is followed.
    * The ink colour of a cell is the mean difference from its paper, weighted by its own size, pulled
      slightly towards that of the page; its sign settles the polarity.
    * Ink is the projection on that colour, divided by the brighter of paper and ink (so it is a reflectance)
      and by the full ink of the page.
    """
    size = cells.shape[1]
    paper = _paper(coarse_view(cells) if coarse is None else coarse)
    rim = round(_INNER * size)
    thinned = slice(rim, -rim, _THINNED)
    inner = (cells[:, thinned, thinned] - _magnify(paper, size, thinned)).reshape(81, -1, 3)
    direction = _ink_direction(inner)
    direction /= _brightness(inner, direction, _mean_colour(paper))[:, None]
    ink = _along(cells, direction)
    ink -= _magnify(_along(paper, direction)[..., None], size)[..., 0]
    ink /= _full_ink(ink[:, rim:-rim, rim:-rim])
    return ink


def coarse_view(cells: Image) -> Image:
    """Return a coarse view of the inside of straightened cells, (81, 8, 8, 3) uint8: it shows their paper.

    *cells*: (81, S, S, 3) uint8 BGR. Ink is thin in it, and the grid lines at the edges are left out.
    """
    size = cells.shape[1]
    rows = cells.reshape(81 * size, size, 3)
    coarse = cv2.resize(rows, (_COARSE, 81 * _COARSE), interpolation=cv2.INTER_AREA)
    inside = coarse.reshape(81, _COARSE, _COARSE, 3)[:, _RIM:-_RIM, _RIM:-_RIM]
    return np.ascontiguousarray(inside, np.uint8)


def remove_lines(cells: Floats, pieces: int = _PIECES) -> Floats:
    """Take the grid lines at the edges away from evened cells, (81, S, S) float32; returns a new array.

    A line runs along the whole side of the cell, a digit that comes near does not: what a low percentile
    along the side still shows is the line, and it is subtracted. Close to the edge the same is done for each
    of so many *pieces* of the side, which follows lines that lie askew. Pencil marks in a corner call for no
    more than two.
    """
    ink = cells.copy()
    size = cells.shape[1]
    for turn in range(4):
        band = np.rot90(ink, turn, axes=(1, 2))[:, : round(_LINE_BAND * size)]  # a view of the ink itself
        band[:] = _without_top_line(np.ascontiguousarray(band), pieces)
    fade = np.ones(size, np.float32)
    fade[[0, -1]], fade[[1, -2]] = _FADE
    ink *= fade[:, None] * fade
    return ink


def _region(pixels: Image, lattice: Lattice, size: int) -> tuple[Image, Lattice]:
    """Return the part of the photo that holds the grid, averaged down if fine, and the lattice in it."""
    crossings = lattice.crossings.astype(np.float32)
    step = lattice.cell_size / size
    ends = np.array(pixels.shape[1::-1])
    low = np.floor(crossings.min(axis=(0, 1)) - _SURROUNDINGS * step).astype(int)
    high = np.ceil(crossings.max(axis=(0, 1)) + _SURROUNDINGS * step).astype(int)
    left, top = np.clip(low, 0, ends - 1)
    right, bottom = np.clip(high, (left + 1, top + 1), ends)  # one pixel at least
    part = pixels[top:bottom, left:right]
    total = 1
    while step >= _SHRINK_FROM and min(part.shape[:2]) >= _LEAST_PART:
        # Means of 2x2 pixels are cheapest; the last factor is rounded so that the least step gives two.
        factor = 2 if step >= 2 * _SHRINK_FROM else int(step + (2 - _SHRINK_FROM))
        part = _averaged(part, factor)
        total, step = total * factor, step / factor
    offset = np.array([left, top], np.float32)
    return part, Lattice(np.asarray((crossings - offset + 0.5) / total - 0.5, np.float32))


def _averaged(part: Image, factor: int) -> Image:
    """Return the means of squares of factor x factor pixels; what is over at right and below is left out."""
    rows, columns = part.shape[0] // factor, part.shape[1] // factor
    whole = part[: rows * factor, : columns * factor]
    return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=4)
def _spline_weights(size: int) -> Floats:
    """Return weights (9 * size + 2, 10) of a natural cubic spline from the 10 lines to pixel centres.

    One more pixel on either side of the grid is among them.
    """
    knots = 10
    system = np.diag(np.full(knots, 4.0)) + np.diag(np.ones(knots - 1), 1) + np.diag(np.ones(knots - 1), -1)
    right = 6 * (np.eye(knots, k=1) - 2 * np.eye(knots) + np.eye(knots, k=-1))
    system[[0, -1]], right[[0, -1]] = 0, 0
    system[0, 0] = system[-1, -1] = 1
    second = np.linalg.solve(system, right)  # second derivatives at the knots per unit value
    place = _pixel_centres(size)
    index = np.clip(np.floor(place).astype(int), 0, knots - 2)
    after = (place - index)[:, None]
    before = 1 - after
    unit = np.eye(knots)
    weights = before * unit[index] + after * unit[index + 1]
    weights += ((before**3 - before) * second[index] + (after**3 - after) * second[index + 1]) / 6
    return np.asarray(weights, np.float32)


def _sampling_maps(lattice: Lattice, size: int) -> tuple[Floats, Floats]:
    """Return where each pixel of the straightened grid lies in the picture: x and y, (9 * size, 9 * size)."""
    fitted = fit_homography(CROSSINGS, lattice.crossings.reshape(100, 2))
    homography = np.eye(3) if fitted is None else fitted
    coarse = size // _MAP_STEP if size % _MAP_STEP == 0 else size
    place = _pixel_centres(coarse).astype(np.float32)
    flat = homography.astype(np.float32)
    below = flat[2, 0] * place[None, :] + (flat[2, 1] * place[:, None] + flat[2, 2])
    rest = lattice.crossings - project(CROSSINGS, homography).reshape(10, 10, 2)
    weights = _spline_weights(coarse)
    maps = []
    for axis in range(2):
        along = flat[axis, 0] * place[None, :] + (flat[axis, 1] * place[:, None] + flat[axis, 2])
        along /= below
        along += weights @ rest[..., axis].astype(np.float32) @ weights.T
        maps.append(_enlarged(along, size // coarse))
    return maps[0], maps[1]


def _pixel_centres(size: int) -> NDArray[np.float64]:
    """Return the centres of pixels, *size* to a cell, in lattice units, with one more on either side."""
    return (np.arange(-1, 9 * size + 1) + 0.5) / size


def _enlarged(coarse: Floats, step: int) -> Floats:
    """Return a map of so many times as many pixels, interpolated; one coarse pixel all round is left out."""
    side = step * len(coarse)
    fine = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_LINEAR) if step > 1 else coarse
    return np.asarray(fine[step:-step, step:-step], np.float32)


def _paper(inside: Image) -> Floats:
    """Return the paper of each cell, (81, 10, 10, 3) float32, from the coarse view of its inside."""
    padded = inside.reshape(81, -1, 3).take(_REFLECTED, axis=1).reshape(-1, _PADDED, 3)
    middle = cv2.medianBlur(padded, _PAPER_WINDOW).reshape(81, -1, 3).take(_HELD, axis=1)
    return middle.astype(np.float32).reshape(81, _COARSE, _COARSE, 3)


def _square(places: NDArray[np.int_], side: int) -> NDArray[np.int_]:
    """Return the indices, row by row, of the pixels at these *places* both ways in a square of a *side*."""
    return np.asarray((side * places[:, None] + places).ravel())


_INSIDE = _COARSE - 2 * _RIM
_PAD = _PAPER_WINDOW // 2
_PADDED = _INSIDE + 2 * _PAD
_REFLECTED = _square(np.pad(np.arange(_INSIDE), _PAD, mode="symmetric"), _INSIDE)
"""Of the inside of a cell, the pixels that stand all over it with the surroundings of the median's window."""
_HELD = _square(_PAD + np.pad(np.arange(_INSIDE), _RIM, mode="edge"), _PADDED)
"""Of those, the pixels that stand all over the coarse cell, the outermost ones at its rim, too."""


@lru_cache(maxsize=4)
def _linear_weights(size: int) -> Floats:
    """Return weights (size, 10) of linear interpolation from coarse pixels to fine ones, held at the ends."""
    place = np.clip((np.arange(size) + 0.5) * _COARSE / size - 0.5, 0, _COARSE - 1)
    return np.asarray(np.maximum(0, 1 - np.abs(place[:, None] - np.arange(_COARSE))), np.float32)


@lru_cache(maxsize=4)
def _row_weights(size: int, channels: int) -> Floats:
    """Return the same for rows of several channels, (10 * C, size, C): one multiplication for all of them."""
    along = np.kron(_linear_weights(size).T, np.eye(channels, dtype=np.float32))
    return np.asarray(along.reshape(-1, size, channels), np.float32)


def _magnify(coarse: Floats, size: int, part: slice = _EVERY) -> Floats:
    """Carry (81, 10, 10, C) to (81, size, size, C) by linear interpolation, or to a *part* both ways."""
    channels = coarse.shape[3]
    weights, along = _linear_weights(size)[part], _row_weights(size, channels)[:, part]
    side = len(weights)
    down = np.matmul(weights, coarse.reshape(81, _COARSE, _COARSE * channels))
    full: Floats = down.reshape(81 * side, -1) @ along.reshape(-1, side * channels)
    return full.reshape(81, side, side, channels)


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


def _full_ink(inner: Floats) -> float:
    """Return the full ink of the page: that of its tenth strongest cell, and never less than noise."""
    ranked = np.sort(_top(inner[:, ::_THINNED, ::_THINNED].reshape(81, -1)))
    return max(_MIN_INK, float(ranked[-_STRONG_CELLS]), _FEW_SHARE * float(ranked[-_FEW_CELLS]))


def _top(ink: Floats) -> Floats:
    """Return the full ink of each cell, (81,), from the ink of its pixels (81, N)."""
    place = max(_LEAST_TOP, ink.shape[1] // _TOP)
    full: Floats = np.partition(ink, -place, axis=1)[:, -place]
    return full


def _without_top_line(band: Floats, pieces: int) -> Floats:
    """Subtract the line along the top of each cell from its upper *band* (81, R, S), which may be changed.

    Near the edge the same is done in so many *pieces*. Where paper is lighter than its surroundings it stays
    so, no more and no less.
    """
    size = band.shape[2]
    near = round(_NEAR_BAND * size)
    whole = _low(band[:, :, _CORNER:-_CORNER], _WHOLE_LOW)[:, :, None]
    band -= whole
    length = size // pieces + 1
    for start in (*range(0, length * (pieces - 1), length), size - length):
        piece = band[:, :near, start : start + length]
        piece -= _low(piece, _PIECE_LOW)[:, :, None]
    return np.asarray(np.maximum(band, np.minimum(band + whole, 0)))


def _low(band: Floats, share: float) -> Floats:
    """Return the quantile *share* along each row of (81, R, C), not below zero: (81, R)."""
    place = int(share * band.shape[2])
    low: Floats = np.maximum(np.partition(band, place, axis=2)[..., place], 0)
    return low
