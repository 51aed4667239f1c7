"""Choose the ink that belongs to the glyph in the middle of each cell, among its connected components.

What is not chosen are pieces of grid lines, of digits next door, of pencil marks in a corner, and specks.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats, Image

# All lengths are shares of a cell's side, and distances are measured across or down, whichever is longer.
_FARTHEST_MIDDLE = 0.36  # from the cell's middle to that of a component: a corner mark's lies farther out
_FARTHEST_EDGE = 0.22  # from the cell's middle to the nearest edge of a component: a digit comes near it
_FARTHEST_EDGE_AT_RIM = 0.12  # the same for a component that runs out of the cell: lines and neighbours do
_THINNEST_THROUGH = 0.3  # a component across the whole cell and thinner than this is a line, ...
_LINE_OFF_MIDDLE = 0.12  # ... if it lies so far off the middle; a long 1 doesn't
_REMAINS_RIM, _REMAINS_THIN, _REMAINS_LONG = 0.05, 0.08, 0.3
"""So near the edge, so thin and so long lies what a line has left."""
_CENTRE_PULL = 1.6  # how fast a component loses weight with the distance of its middle
_LEAST_SHARE = 0.06  # of the main component's area that another must have: the dot of a stroke, not a speck
_LEAST_AREA = 3  # pixels of a component that is more than noise
_RIM = 2  # pixels from the edge of a cell within which a component touches it


@dataclass(frozen=True, eq=False)
class ChosenInk:
    """The ink that belongs to the glyphs of N cells.

    ``kept`` (S, M * (S + 1)) uint8 is 1 where ink belongs to a glyph, in a strip of those ``cells`` (M,)
    alone that hold any ink; ``box`` (N, 4) float32: left, top, right and bottom in cells; ``area`` (N,) in
    pixels; ``parts`` (N,): how many pieces.
    """

    kept: Image
    cells: NDArray[np.intp]
    box: Floats
    area: NDArray[np.float32]
    parts: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Components:
    """The connected components of a strip of cells, background first; lengths in pixels within their cell."""

    cell: NDArray[np.intp]
    left: NDArray[np.int32]
    top: NDArray[np.int32]
    width: NDArray[np.int32]
    height: NDArray[np.int32]
    area: NDArray[np.float64]
    middle: NDArray[np.float64]
    size: int

    @property
    def right(self) -> NDArray[np.int32]:
        """The column after the last one."""
        return self.left + self.width

    @property
    def bottom(self) -> NDArray[np.int32]:
        """The line after the last one."""
        return self.top + self.height

    @property
    def off_middle(self) -> NDArray[np.float64]:
        """How far the middle of each component lies from that of its cell, in cells."""
        return np.asarray(np.abs(self.middle - 0.5).max(axis=1))

    @property
    def nearest_edge(self) -> NDArray[np.float64]:
        """How far from the middle of the cell the nearest edge of a component lies, in cells."""
        return np.maximum(
            np.maximum(self.left / self.size - 0.5, 0.5 - self.right / self.size),
            np.maximum(self.top / self.size - 0.5, 0.5 - self.bottom / self.size),
        )

    def line_remains(self) -> NDArray[np.bool_]:
        """Tell which components are what a grid line has left: thin, and long along the cell's edge."""
        width, height = self.width / self.size, self.height / self.size
        aside = np.minimum(self.left / self.size, 1 - self.right / self.size)
        above = np.minimum(self.top / self.size, 1 - self.bottom / self.size)
        upright = (aside < _REMAINS_RIM) & (width < _REMAINS_THIN)
        flat = (above < _REMAINS_RIM) & (height < _REMAINS_THIN)
        return np.asarray(upright & (height > _REMAINS_LONG) | flat & (width > _REMAINS_LONG))

    def may_be_glyphs(self) -> NDArray[np.bool_]:
        """Tell which components may be part of a glyph by where they lie."""
        last = self.size - _RIM
        leftmost, topmost = self.left <= _RIM, self.top <= _RIM
        rightmost, lowest = self.right >= last, self.bottom >= last
        at_rim = leftmost | topmost | rightmost | lowest
        through = (leftmost & rightmost) | (topmost & lowest)
        thin = np.minimum(self.width, self.height) < _THINNEST_THROUGH * self.size
        off, edge = self.off_middle, self.nearest_edge
        line = through & thin & (off > _LINE_OFF_MIDDLE)
        possible = (edge < _FARTHEST_EDGE) & (off < _FARTHEST_MIDDLE)
        possible &= ~(at_rim & (edge > _FARTHEST_EDGE_AT_RIM)) & ~line
        possible[0] = False  # the background
        return possible


def choose_components(strip: Image, count: int, size: int) -> ChosenInk:
    """Return the ink that belongs to the glyph in the middle of each cell.

    *strip* (S, N * (S + 1)) uint8: the thresholded cells side by side, one empty column after each. The main
    component is the largest and most central one; smaller ones join it if they may be parts of a glyph.
    """
    cells, labels, found = all_components(strip, count, size)
    keep = _chosen(found, count)
    cell = found.cell[keep]
    box = np.tile(np.array([1, 1, 0, 0], np.float32), (count, 1))
    np.minimum.at(box[:, 0], cell, (found.left[keep] / size).astype(np.float32))
    np.minimum.at(box[:, 1], cell, (found.top[keep] / size).astype(np.float32))
    np.maximum.at(box[:, 2], cell, (found.right[keep] / size).astype(np.float32))
    np.maximum.at(box[:, 3], cell, (found.bottom[keep] / size).astype(np.float32))
    area = np.zeros(count, np.float32)
    np.add.at(area, cell, found.area[keep].astype(np.float32))
    parts = np.zeros(count, np.float32)
    np.add.at(parts, cell, 1)
    box[area == 0] = 0.5  # what is not there is a point in the middle
    return ChosenInk(np.take(keep.astype(np.uint8), labels), cells, box, area, parts)


def all_components(strip: Image, count: int, size: int) -> tuple[NDArray[np.intp], NDArray[Any], Components]:
    """Return cells, labels and components of *count* cells in a thresholded *strip*, (S, N * (S + 1)).

    The cells (M,) are the first one and those that hold any ink, for most of a puzzle are blank; the labels
    (S, M * (S + 1)) are of the strip of these alone.
    """
    bears_ink = strip.max(axis=0).reshape(count, -1).any(axis=1)
    bears_ink[0] = True
    cells = np.flatnonzero(bears_ink)
    inked = strip.reshape(size, count, size + 1)[:, cells].reshape(size, -1)
    _, labels, measured, centres = cv2.connectedComponentsWithStats(inked, connectivity=8)
    stats = np.asarray(measured, np.int32)
    place = np.minimum((stats[:, 0] // (size + 1)), len(cells) - 1)
    start = place * (size + 1)
    found = Components(
        cell=cells[place],
        left=stats[:, 0] - start,
        top=stats[:, 1],
        width=stats[:, 2],
        height=stats[:, 3],
        area=stats[:, 4].astype(np.float64),
        middle=np.stack([(centres[:, 0] - start + 0.5) / size, (centres[:, 1] + 0.5) / size], axis=1),
        size=size,
    )
    return cells, np.asarray(labels), found


def _chosen(found: Components, count: int) -> NDArray[np.bool_]:
    """Tell which components belong to the glyphs of *count* cells."""
    possible = found.may_be_glyphs()
    weight = np.where(possible, found.area * (1 - _CENTRE_PULL * found.off_middle) ** 2, 0)
    best = np.zeros(count)
    np.maximum.at(best, found.cell, weight)
    main = possible & (weight >= best[found.cell]) & (weight > 0)
    main_area = np.zeros(count)
    np.maximum.at(main_area, found.cell, np.where(main, found.area, 0))
    least = np.maximum(_LEAST_SHARE * main_area[found.cell], _LEAST_AREA)
    return np.asarray(possible & (found.area >= least) & (main_area[found.cell] > 0))
