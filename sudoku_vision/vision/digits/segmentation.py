"""Separate ink from paper in cells of clean ink: how strong the ink is, which pixels are ink, its components.

This one segmentation serves glyphs, pencil marks and the measurements of ink. The models were trained with
its numbers: if one changes, the versions of the features must be raised and the models trained again.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.ranks import largest, medians
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.rectify import RIM

MIN_PEAK = 0.12  # weakest ink, relative to the full ink of its page, that may be a glyph

PEAK_SHARE = 50  # one in so many pixels of a cell reaches its peak: a thin 1 covers that much
_NOISE_STEP = 3  # noise is measured at every third pixel, to save time

# Soft edges and slopes that shadows leave are broader than any stroke. So they stay when everything narrow is
# opened away (the white top-hat; J. Serra, "Image analysis and mathematical morphology", 1982).
_TOP_HAT = 0.5  # cells: anything broader in both directions is paper, even where bold strokes meet

# A pixel is ink if it reaches a share of the peak ...
USUAL, _FAINT = 0.42, 0.28  # ... in most cells, and in the faintest ones, where pencil strokes vary
_FAINT_BELOW, _FAINTER = 0.6, 0.4  # a cell with a lower peak is faint, and how fast the share falls
_NOISES = 4.0  # ... and is so many times stronger than the noise, ...
_MIN_INK = 0.1  # ... and has at least this strength
_SMOOTH = 0.02  # blur, in cells, before ink is separated from paper: noise must not break a glyph apart

_REMAINS_RIM, _REMAINS_THIN, _REMAINS_LONG = 0.05, 0.08, 0.3
"""Remains of a line are so near to the edge, so thin and so long, in cells."""


class InkLevels(NamedTuple):
    """Ink levels of N cells: the peak, that is their strongest ink, and the noise, (N,) each."""

    peak: Floats
    noise: Floats

    @property
    def threshold(self) -> Floats:
        """The level from which a pixel of each cell is ink, (N,)."""
        share = np.clip(USUAL - _FAINTER * (_FAINT_BELOW - self.peak), _FAINT, USUAL)
        floor = np.maximum(np.minimum(USUAL * self.peak, _NOISES * self.noise), _MIN_INK)
        return np.asarray(np.maximum(share * self.peak, floor))


def without_shadows(cells: Floats, coarse: Floats) -> Floats:
    """Return cells (N, S, S) with all of their paper at 0; *coarse* (N, C, C) is a coarse view of them."""
    size = cells.shape[1]
    window = np.ones((round(_TOP_HAT * coarse.shape[1]),) * 2, np.uint8)
    opened = cv2.dilate(cv2.erode(np.ascontiguousarray(coarse.transpose(1, 2, 0)), window), window)
    level = cv2.resize(cv2.blur(opened, (3, 3)), (size, size), interpolation=cv2.INTER_LINEAR)
    level = cv2.transpose(level.reshape(size * size, -1))  # in a third of NumPy's time
    return np.asarray(cells - level.reshape(cells.shape), np.float32)


def inside(cells: Floats, rim: float = RIM) -> Floats:
    """Return the pixels (N, P) of cells (N, S, S) without a *rim*, as a share of a cell, on each side."""
    edge = round(rim * cells.shape[1])
    return cells[:, edge:-edge, edge:-edge].reshape(len(cells), -1)


def peak_of(pixels: Floats) -> Floats:
    """Return the peak of each cell, (N,), by its pixels (N, P)."""
    return largest(pixels, max(2, pixels.shape[1] // PEAK_SHARE))


def ink_levels(cells: Floats) -> InkLevels:
    """Measure the levels of the ink and the noise of cells (N, S, S)."""
    pixels = inside(cells)
    return InkLevels(peak_of(pixels), medians(np.abs(pixels[:, ::_NOISE_STEP])))


def ink_mask(cells: Floats, threshold: Floats, smooth: float = _SMOOTH) -> Image:
    """Return the mask of ink in cells (N, S, S) as a strip, (S, N * (S + 1)) uint8, 1 for ink.

    Ink reaches the *threshold* (N,) of its cell after a blur by *smooth* cells. Each cell is followed by an
    empty column.
    """
    count, size = cells.shape[:2]
    strip = np.zeros((size, count, size + 1), np.float32)
    strip[:, :, :size] = (cells / threshold[:, None, None]).transpose(1, 0, 2)
    blurred = cv2.GaussianBlur(strip.reshape(size, count * (size + 1)), (0, 0), smooth * size)
    blurred.reshape(strip.shape)[:, :, size] = 0
    return (blurred > 1).view(np.uint8)


class CellInk(NamedTuple):
    """The ink of N cells: ``low`` and ``high`` (N, 2), the left top and right bottom corners of all of it.

    They are in cells, and the middle for a cell without ink. ``area`` (N,) is in pixels; ``number`` (N,) is
    that of components.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    area: NDArray[np.float64]
    number: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Components:
    """The connected components of a strip of cells, the background first; lengths are in cells.

    ``cell`` (N,): the cell of each; ``low`` and ``high`` (N, 2): its left top and right bottom corner within
    the cell; ``sides`` (N, 2): width and height; ``area`` (N,) in pixels; ``middle`` (N, 2): the centre.
    """

    cell: NDArray[np.intp]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    sides: NDArray[np.float64]
    area: NDArray[np.float64]
    middle: NDArray[np.float64]

    def line_remains(self) -> NDArray[np.bool_]:
        """Return which components are remains of a grid line: thin, and long along the edge of their cell."""
        at_edge = np.minimum(self.low, 1 - self.high) < _REMAINS_RIM
        along_edge = at_edge & (self.sides < _REMAINS_THIN) & (self.sides[:, ::-1] > _REMAINS_LONG)
        return np.asarray(along_edge.any(axis=1))

    def by_cell(self, used: NDArray[np.bool_], count: int) -> CellInk:
        """Add up the components that are *used* (N,) for each of *count* cells."""
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
    """Return the inked cells, labels and components of a *strip* of *count* cells, (S, N * (S + 1)).

    Most cells of a puzzle are blank, so only the first cell and those with any ink are used: the cells (M,).
    The labels (S, M * (S + 1)) are those of a strip of these.
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
