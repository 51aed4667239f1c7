"""Cut the glyphs out of cells of clean ink.

A cell is a picture of one of the 81 fields of a grid. Its glyph is the connected ink in its middle, mostly a
digit. The glyph is cut out, centred and scaled to one size. Its size and the strength of its ink are
measured, and a small copy of the whole cell is made. These measurements and the copy help to distinguish
digits from specks, pencil marks and dirt, and print from handwriting.

If a number of this module changes, the digit model must be trained again, and
:data:`sudoku_vision.vision.digits.features.VERSION` must be raised.
"""

from dataclasses import dataclass, fields
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.ranks import weighted_median
from sudoku_vision.values import Bools, Doubles, Floats, Image
from sudoku_vision.vision.digits.segmentation import (
    MIN_PEAK,
    Components,
    InkLevels,
    find_components,
    ink_levels,
    ink_mask,
    without_shadows,
)
from sudoku_vision.vision.rectify.illumination import COARSE

GLYPH = 28  # side of a normalised glyph in pixels

STRENGTHS = 9  # number of measures of each glyph in :attr:`Glyphs.strength`

# Limits for the components (connected areas of ink) of a glyph. Lengths are shares of a cell's side. A
# distance is the larger one of its horizontal and its vertical part.
_MAX_MIDDLE = 0.36
"""A component may belong to a glyph only if its centre of mass is nearer to the cell's middle than this.

Pencil marks in the corners of a cell are farther from its middle.
"""
_MAX_EDGE = 0.22
"""A component may belong to a glyph only if the box around it is nearer to the cell's middle than this."""
_AT_MIDDLE = 0.12
"""Limit for a distance from the cell's middle. It is used for two kinds of components:

* A component that touches the edge of the cell. It is a part of a digit only if the box around it is nearer
  to the cell's middle than this. The boxes of lines and of neighbouring digits are farther.
* A thin component that crosses the whole cell. It is a line if its centre of mass is farther from the cell's
  middle than this. A long 1 crosses the cell, too, but its centre of mass is nearer.
"""
_MAX_THROUGH = 0.3
"""A component that crosses the whole cell is a line only if the shorter side of its box is below this."""
_CENTRE_PULL = 1.6
"""The main part of a digit is the component with the largest area * (1 - _CENTRE_PULL * distance)**2.

The distance, a share of the cell's side, is that from the cell's middle to the component's centre of mass. So
a component far from the cell's middle is hardly ever taken for the main part.
"""
_MIN_SHARE = 0.06
"""A component is a speck, and is left out, if its area is below this share of the main component's area."""
_MIN_AREA = 3  # a component with fewer pixels than this is noise, and is left out
_RIM = 2  # a component touches the edge of its cell if it is at most this many pixels away from the edge

# Numbers for the normalised glyph and for the small copy of the cell.
BODY = 22  # length in pixels of the longer side of a normalised glyph
_MIN_SIDE = 3.0
"""A glyph whose longer side has fewer pixels than this is scaled as if the side had this number of them."""
COARSE_RANGE = (-0.2, 1.5)  # the pixels in the small copy of a cell are clipped to this range of ink levels

# Limits for the measures in :attr:`Glyphs.strength`. Larger measures are clipped to these limits.
PEAK_LIMIT = 2.0  # limit for the ink level of a glyph, relative to full ink
_NOISE_LIMIT = 0.3  # limit for the noise of the paper, relative to full ink
_PARTS_LIMIT = 5  # limit for the number of components of a glyph


@dataclass(frozen=True, eq=False)
class Glyphs:
    """The glyphs of N cells, and other measurements of these cells.

    * ``images`` (N, 28, 28) float32 in 0..1: the glyphs, centred and scaled to one size.
    * ``coarse`` (N, 10, 10) float32: a small copy of each whole cell.
    * ``box`` (N, 4) float32: the left, top, right and bottom of each glyph, as shares of the cell's side.
    * ``typical`` (N, 2) float32: the median width and height of the grid's glyphs, repeated for each cell.
      Glyphs with more ink have more weight in these medians.
    * ``strength`` (N, 9) float32: nine measures of ink and size that don't change when the cell is turned.
    * ``found`` (N,) bool: whether a cell has a glyph.
    """

    images: Floats
    coarse: Floats
    box: Floats
    typical: Floats
    strength: Floats
    found: Bools

    @property
    def area(self) -> Floats:
        """The area (N,) of the ink of each glyph, as a share of the cell's area."""
        return np.asarray(self.strength[:, 3])

    def select(self, index: NDArray[Any]) -> "Glyphs":
        """Return some of the glyphs. *index* holds the numbers of these glyphs, or is a mask (N,)."""
        return Glyphs(*(getattr(self, part.name)[index] for part in fields(self)))


@dataclass(frozen=True, eq=False)
class ChosenInk:
    """The ink that belongs to the glyphs of N cells.

    * ``cells`` (M,): the numbers of the cells that hold ink. Cell 0 is always included, so M is never 0.
    * ``kept`` (S, M * (S + 1)) uint8: these M cells side by side in a strip, 1 for ink of a glyph, else 0.
    * ``box`` (N, 4) float32: the left, top, right and bottom of each glyph, as shares of the cell's side.
    * ``area`` (N,): the area of the ink of each glyph, in pixels.
    * ``parts`` (N,): the number of components of each glyph.
    """

    kept: Image
    cells: NDArray[np.intp]
    box: Floats
    area: Floats
    parts: Floats


def cut_glyphs(cells: Floats) -> Glyphs:
    """Cut the glyphs out of the *cells* (81, S, S) float32 of one grid; 0 is paper, about 1 is full ink."""
    count, size = cells.shape[:2]
    rows = cells.reshape(count * size, size)
    view = cv2.resize(rows, (COARSE, count * COARSE), interpolation=cv2.INTER_AREA)
    coarse = np.asarray(view, np.float32).reshape(count, COARSE, COARSE)
    level = without_shadows(cells, coarse)
    levels = ink_levels(level)
    level[levels.peak < MIN_PEAK] = 0
    ink = choose_components(ink_mask(level, levels.threshold), count, size)
    amount = ink.area * np.clip(levels.peak, 0, PEAK_LIMIT)
    typical = [_typical(side, amount) for side in (ink.box[:, 2:] - ink.box[:, :2]).T]
    return Glyphs(
        _images(cells, ink, levels.peak),
        np.clip(coarse, *COARSE_RANGE),
        ink.box,
        np.tile(np.array(typical, np.float32), (count, 1)),
        _strengths(ink, levels, size),
        ink.area > 0,
    )


def choose_components(strip: Image, count: int, size: int) -> ChosenInk:
    """Return the ink that belongs to the glyph in the middle of each cell.

    *strip* (S, N * (S + 1)) uint8 is the mask of the ink of *count* cells, each with *size* pixels a side. A
    glyph consists of one main component and perhaps smaller ones. The main component is large and near the
    middle of the cell. A smaller component is added if it may be a part of the same glyph. These are
    left out: specks, pieces of grid lines, pieces of neighbouring digits, and pencil marks in a corner.
    """
    cells, labels, found = find_components(strip, count, size)
    keep = _chosen(found, count, size)
    ink = found.by_cell(keep, count)
    box = np.concatenate([ink.low, ink.high], axis=1).astype(np.float32)
    kept = np.take(keep.astype(np.uint8), labels)
    return ChosenInk(kept, cells, box, ink.area.astype(np.float32), ink.number.astype(np.float32))


def _chosen(found: Components, count: int, size: int) -> Bools:
    """Return which components (connected areas of ink) belong to the glyphs of *count* cells."""
    off_middle = np.abs(found.middle - 0.5).max(axis=1)
    possible = _may_be_glyphs(found, off_middle, _RIM / size)
    weight = np.where(possible, found.area * (1 - _CENTRE_PULL * off_middle) ** 2, 0)
    best = np.zeros(count)
    np.maximum.at(best, found.cell, weight)
    main = possible & (weight >= best[found.cell]) & (weight > 0)
    main_area = np.zeros(count)
    np.maximum.at(main_area, found.cell, np.where(main, found.area, 0))
    limit = np.maximum(_MIN_SHARE * main_area[found.cell], _MIN_AREA)
    return np.asarray(possible & (found.area >= limit) & (main_area[found.cell] > 0))


def _may_be_glyphs(found: Components, off_middle: Doubles, rim: float) -> Bools:
    """Return which components (N,) may be part of a glyph, judged by their place in the cell.

    *off_middle* (N,) is the distance of each component from the middle of its cell. A component touches the
    edge of its cell if its distance from the edge is at most *rim*. Both distances are shares of the cell's
    side.
    """
    first, last = found.low <= rim, found.high >= 1 - rim
    at_rim, through = (first | last).any(axis=1), (first & last).any(axis=1)
    thin = found.sides.min(axis=1) < _MAX_THROUGH
    edge = np.maximum(found.low - 0.5, 0.5 - found.high).max(axis=1)
    line = through & thin & (off_middle > _AT_MIDDLE)
    possible = (edge < _MAX_EDGE) & (off_middle < _MAX_MIDDLE)
    possible &= ~(at_rim & (edge > _AT_MIDDLE)) & ~line
    possible[0] = False  # component 0 is the background
    return np.asarray(possible)


def _images(cells: Floats, ink: ChosenInk, peak: Floats) -> Floats:
    """Return the glyphs (N, 28, 28) float32 of the cells (N, S, S), centred and scaled to one size.

    The ink levels of each cell are divided by its peak and clipped to 0..1. *peak* (N,) are the peaks: the
    highest ink levels without outliers.
    """
    count, size = cells.shape[:2]
    mask = cv2.dilate(ink.kept, np.ones((3, 3), np.uint8)).reshape(size, -1, size + 1)[:, :, :size]
    masked = cells[ink.cells].transpose(1, 0, 2) * mask
    found = _normalised(masked, ink.box[ink.cells], size)
    found /= np.maximum(peak[ink.cells], MIN_PEAK)[:, None, None]
    images = np.zeros((count, GLYPH, GLYPH), np.float32)
    images[ink.cells] = np.clip(found, 0, 1, out=found)
    return images


def _normalised(masked: Floats, box: Floats, size: int) -> Floats:
    """Return the glyphs (N, 28, 28) of N cells, centred and scaled to one size.

    *box* (N, 4) is the left, top, right and bottom of each glyph. The longer side of a glyph becomes 22
    pixels long. *masked* (S, N, S) holds the ink of the glyphs. The cells lie side by side.
    """
    count = masked.shape[1]
    strip = np.ascontiguousarray(masked).reshape(size, count * size)
    middle = (box[:, :2] + box[:, 2:]) / 2 * size
    longer = np.maximum((box[:, 2:] - box[:, :2]).max(axis=1) * size, _MIN_SIDE)
    step = (longer / BODY)[:, None]
    place = np.arange(GLYPH, dtype=np.float32) - (GLYPH - 1) / 2
    x = middle[:, :1] + place * step - 0.5
    y = middle[:, 1:] + place * step - 0.5
    inside = (x >= -0.5) & (x <= size - 0.5)
    x = np.clip(x, 0, size - 1) + (np.arange(count, dtype=np.float32) * size)[:, None]
    map_x = np.broadcast_to(x[:, None, :], (count, GLYPH, GLYPH)).reshape(count * GLYPH, GLYPH)
    map_y = np.broadcast_to(y[:, :, None], (count, GLYPH, GLYPH)).reshape(count * GLYPH, GLYPH)
    images = cv2.remap(
        strip,
        np.ascontiguousarray(map_x, np.float32),
        np.ascontiguousarray(map_y, np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
    )
    images = np.asarray(images, np.float32).reshape(count, GLYPH, GLYPH)
    images *= inside[:, None, :]
    return images


def _strengths(ink: ChosenInk, levels: InkLevels, size: int) -> Floats:
    """Return nine measures (N, 9) of the ink, the noise, the size and the stroke width of each glyph.

    The last three measures are differences from the median of the page.
    """
    outline = np.zeros(len(ink.area), np.float32)
    outline[ink.cells] = _outline(ink.kept, size)
    stroke = ink.area / np.maximum(outline, 1) / size
    longer = (ink.box[:, 2:] - ink.box[:, :2]).max(axis=1)
    strong = np.clip(levels.peak, 0, PEAK_LIMIT)
    amount = ink.area * strong
    return np.stack(
        [
            strong,
            np.log(np.maximum(levels.peak, MIN_PEAK)),
            np.minimum(levels.noise, _NOISE_LIMIT),
            ink.area / size**2,
            stroke,
            np.minimum(ink.parts, _PARTS_LIMIT),
            strong - _typical(strong, amount),
            stroke - _typical(stroke, amount),
            longer - _typical(longer, amount),
        ],
        axis=1,
    ).astype(np.float32)


def _outline(kept: Image, size: int) -> Floats:
    """Return the length (N,), in pixels, of the ink's outline in each cell of *kept*, a strip of cells."""
    core = np.asarray(cv2.erode(kept, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))), np.uint8)
    columns = np.asarray(cv2.reduce(kept - core, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32F), np.float32)
    return np.asarray(columns.reshape(-1, size + 1)[:, :-1].sum(axis=1))


def _typical(values: NDArray[np.floating[Any]], amount: NDArray[np.floating[Any]]) -> float:
    """Return the median of *values* (N,), weighted by the *amount* (N,) of ink, or 0 if there is no ink."""
    return weighted_median(values, amount, otherwise=0.0)
