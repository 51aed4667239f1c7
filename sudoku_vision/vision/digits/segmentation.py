"""Decide which pixels of a cell are ink and which are paper.

The cells are pictures of *clean ink*: uneven light and grid lines have been removed. The value of a pixel is
the strength of its ink, from 0 for paper to about 1 for full ink. Noise and blur are still in these pictures.
This module is used for glyphs, for pencil marks and for the measurements of ink. If a number in this module
changes, the models must be trained again, and the versions of the features must be raised.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.ranks import largest, medians
from sudoku_vision.values import Bools, Doubles, Floats, Image
from sudoku_vision.vision.rectify import RIM

MIN_PEAK = 0.12
"""A cell has no glyph if its strongest ink is below this level. The page's full ink has the level 1."""

PEAK_SHARE = 50
"""The peak of a cell is the level of ink that only one pixel in this number of pixels reaches.

A thin 1 covers about 1 in 50 pixels of a cell, so the peak is the level of its ink, not of the paper.
"""
_NOISE_STEP = 3  # noise is measured at every third pixel, to save time

# Shadows leave soft edges and slopes in the paper. These are broader than any stroke. A morphological opening
# removes everything narrow, so its result is the paper with its shadows. This result is then subtracted (the
# white top-hat; J. Serra, "Image analysis and mathematical morphology", 1982).
_TOP_HAT = 0.5
"""Side of the window of the morphological opening, as a share of a cell's side.

Ink is narrower than this everywhere, even where bold strokes meet.
"""

# Limits for the threshold: the level above which a pixel is ink.
USUAL, _FAINT = 0.42, 0.28
"""Two thresholds, as shares of the peak of a cell. A pixel is ink if its level is above the cell's threshold.

The first share is for usual cells. The second share is for the faintest cells. It is lower, because faint ink
may be pencil, and the strength of pencil ink varies within a cell.
"""
_FAINT_BELOW, _FAINTER = 0.6, 0.4
"""A cell is faint if its peak is below the first number. Then its threshold is a lower share of its peak.

The share is ``USUAL``, reduced by the second number times the difference between the first number and the
peak. But the share is at least ``_FAINT``.
"""
_NOISES = 4.0
"""A pixel is ink only if its level is above this number times the noise of the paper.

But the noise doesn't matter if the level of the pixel is above ``USUAL`` times the peak of its cell.
"""
_MIN_INK = 0.1
"""A pixel with a level below this is never ink. Levels are relative to the full ink of the page."""
_SMOOTH = 0.02
"""Standard deviation, as a share of a cell's side, of the blur before ink is separated from paper.

Without the blur, noise would break glyphs apart.
"""

_REMAINS_RIM, _REMAINS_THIN, _REMAINS_LONG = 0.05, 0.08, 0.3
"""Limits for components (connected areas of ink) that are remains of grid lines, as shares of a cell's side.

A component is taken for a piece of a grid line if three conditions hold. It lies nearer to an edge of the
cell than the first number. It is thinner than the second number. It is longer than the third number.
"""


class InkLevels(NamedTuple):
    """Two levels of ink in each of N cells, relative to the full ink of the page.

    ``peak`` (N,) is the level of the strongest ink. ``noise`` (N,) is the median of the absolute levels of
    all pixels. Most pixels are paper, so this median is the noise of the paper.
    """

    peak: Floats
    noise: Floats

    @property
    def threshold(self) -> Floats:
        """The thresholds (N,) of the cells: a pixel above the threshold is ink."""
        share = np.clip(USUAL - _FAINTER * (_FAINT_BELOW - self.peak), _FAINT, USUAL)
        floor = np.maximum(np.minimum(USUAL * self.peak, _NOISES * self.noise), _MIN_INK)
        return np.asarray(np.maximum(share * self.peak, floor))


def without_shadows(cells: Floats, coarse: Floats) -> Floats:
    """Return cells (N, S, S) without shadows: paper in a shadow becomes 0, like paper in the light.

    *coarse* (N, C, C) are small copies of the cells. The shadows are found on these copies.
    """
    size = cells.shape[1]
    window = np.ones((round(_TOP_HAT * coarse.shape[1]),) * 2, np.uint8)
    opened = cv2.dilate(cv2.erode(np.ascontiguousarray(coarse.transpose(1, 2, 0)), window), window)
    level = cv2.resize(cv2.blur(opened, (3, 3)), (size, size), interpolation=cv2.INTER_LINEAR)
    level = cv2.transpose(level.reshape(size * size, -1))  # NumPy would take three times as long
    return np.asarray(cells - level.reshape(cells.shape), np.float32)


def inside(cells: Floats) -> Floats:
    """Return the pixels (N, P) of cells (N, S, S) that don't lie near the edges of the cells."""
    edge = round(RIM * cells.shape[1])
    return cells[:, edge:-edge, edge:-edge].reshape(len(cells), -1)


def peak_of(pixels: Floats) -> Floats:
    """Return the peak (N,) of each cell: the level of ink that one in 50 of its *pixels* (N, P) reaches."""
    return largest(pixels, max(2, pixels.shape[1] // PEAK_SHARE))


def ink_levels(cells: Floats) -> InkLevels:
    """Measure the level of the strongest ink and the noise of the paper in each of N cells (N, S, S)."""
    pixels = inside(cells)
    return InkLevels(peak_of(pixels), medians(np.abs(pixels[:, ::_NOISE_STEP])))


def ink_mask(cells: Floats, threshold: Floats, smooth: float = _SMOOTH) -> Image:
    """Return the mask of the ink in cells (N, S, S) as a strip, (S, N * (S + 1)) uint8, in which ink is 1.

    First the cells are blurred. *smooth* is the standard deviation of the blur, as a share of a cell's side.
    Then each pixel above the *threshold* (N,) of its cell is ink. In the strip, the cells lie side by side,
    and each cell is followed by an empty column.
    """
    count, size = cells.shape[:2]
    strip = np.zeros((size, count, size + 1), np.float32)
    strip[:, :, :size] = (cells / threshold[:, None, None]).transpose(1, 0, 2)
    blurred = cv2.GaussianBlur(strip.reshape(size, count * (size + 1)), (0, 0), smooth * size)
    blurred.reshape(strip.shape)[:, :, size] = 0
    return (blurred > 1).view(np.uint8)


class CellInk(NamedTuple):
    """The place and the amount of the ink of N cells.

    * ``low`` and ``high`` (N, 2): the top left and the bottom right corner of the box around all ink of a
      cell, as (x, y) in shares of the cell's side. For a cell without ink, both are the middle of the cell.
    * ``area`` (N,): the area of the ink, in pixels.
    * ``number`` (N,): the number of components (connected areas) of the ink.
    """

    low: Doubles
    high: Doubles
    area: Doubles
    number: Doubles


@dataclass(frozen=True, eq=False)
class Components:
    """The N components (connected areas of ink) of cells that lie side by side. Component 0 is background.

    * ``cell`` (N,): the number of the cell of each component.
    * ``low`` and ``high`` (N, 2): the top left and bottom right corner of the box around a component, as (x,
      y) from the top left of its cell, in shares of the cell's side.
    * ``sides`` (N, 2): the width and height of the box, in shares of the cell's side.
    * ``area`` (N,): the area of a component, in pixels.
    * ``middle`` (N, 2): the centre of mass of a component, as (x, y) in shares of the cell's side.
    """

    cell: NDArray[np.intp]
    low: Doubles
    high: Doubles
    sides: Doubles
    area: Doubles
    middle: Doubles

    def line_remains(self) -> Bools:
        """Return which components (N,) are remains of grid lines: long and thin, along an edge of a cell."""
        at_edge = np.minimum(self.low, 1 - self.high) < _REMAINS_RIM
        along_edge = at_edge & (self.sides < _REMAINS_THIN) & (self.sides[:, ::-1] > _REMAINS_LONG)
        return np.asarray(along_edge.any(axis=1))

    def by_cell(self, used: Bools, count: int) -> CellInk:
        """Return the ink of each of *count* cells, without components that are False in *used* (N,)."""
        cell = self.cell[used]
        low, high = np.ones((count, 2)), np.zeros((count, 2))
        np.minimum.at(low, cell, self.low[used])
        np.maximum.at(high, cell, self.high[used])
        area, number = np.zeros(count), np.zeros(count)
        np.add.at(area, cell, self.area[used])
        np.add.at(number, cell, 1)
        low[number == 0] = high[number == 0] = 0.5
        return CellInk(low, high, area, number)


def find_components(strip: Image, count: int, size: int) -> tuple[NDArray[np.intp], NDArray[Any], Components]:
    """Find the components (connected areas of ink) of *count* cells, each with *size* pixels a side.

    *strip* (S, N * (S + 1)) holds the cells side by side. Most cells of a puzzle are blank. To save time,
    only M cells are searched: those with ink. The first cell is searched in any case, so M is at least 1.
    Return the numbers (M,) of the searched cells, the labels (S, M * (S + 1)) of their pixels, and the
    components. A label is the number of the component to which a pixel belongs.
    """
    bears_ink = strip.max(axis=0).reshape(count, -1).any(axis=1)
    bears_ink[0] = True
    cells = np.flatnonzero(bears_ink)
    inked = strip.reshape(size, count, size + 1)[:, cells].reshape(size, -1)
    _, labels, measured, centres = cv2.connectedComponentsWithStats(inked, connectivity=8)
    stats = np.asarray(measured, np.int32)
    place = np.minimum((stats[:, 0] // (size + 1)), len(cells) - 1)
    start = np.stack([place * (size + 1), np.zeros_like(place)], axis=1)
    low = stats[:, :2] - start
    sides, area, middle = stats[:, 2:4], stats[:, 4].astype(np.float64), (centres - start + 0.5) / size
    found = Components(cells[place], low / size, (low + sides) / size, sides / size, area, middle)
    return cells, np.asarray(labels), found
