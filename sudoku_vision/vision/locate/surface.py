"""Grid surfaces: smooth maps from lattice units to pixels, and the flat views that are sampled through them.

A surface follows the bends of a page. A flat view is a small straightened picture of a grid, with a fixed
size. During the search, all measurements are made on flat views. So limits for lengths are the same for all
grids, however large a grid is in the picture.
"""

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision import geometry
from sudoku_vision.geometry import UNIT_SQUARE, Array, Homography, Points, extent, project
from sudoku_vision.values import Floats, Image

DEGREE = 5  # highest degree of the polynomial of a surface: needed near the spine of a thick book
TERMS = tuple((i, n - i) for n in range(DEGREE + 1) for i in range(n + 1))
"""Exponents (i, j) of the monomials u**i * v**j in the polynomial of a surface, the lowest degrees first."""
_MIDDLE = geometry.CELLS / 2  # both coordinates of the grid's middle, in lattice units

CELL = 20  # side of a cell on the flat view, in pixels: a thin line is 1 pixel wide, a digit 12 pixels high
MARGIN = CELL // 2  # width of the paper around the grid, in pixels: it shows whether lines go on outside
SIDE = 9 * CELL + 2 * MARGIN  # side of the flat view, in pixels
RIM = 3
"""On a flat view, the ink of a line can reach this many pixels beyond its expected place, on both sides.

So ink that is nearer than this to a side of a cell can belong to the line. Two proposals are taken for the
same place if their corners are nearer to each other than this.
"""
NEAR_REACH = 0.1
"""After a fit, lines are searched at most this far from their expected places, in cells.

A piece of line that is nearer than this to the edge of the picture counts as lying on the edge.
"""
SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Steps (columns, rows) by one cell: to the right, down, to the left, up."""
LEVEL_LEAD = 0.35
"""A flat view is sampled from a copy of half the size if cells in the picture are at least 31 pixels wide.

31 is CELL, the width of a cell on the flat view, times 2 ** (1 - LEVEL_LEAD). Each time the cells are twice
as wide, the copy is halved once more.
"""
CLEAN = 0.6  # a picture has no noise if at least this share of its pixels equals the next pixel in the row


class Net:
    """Places on the lattice of a grid, and the values of the monomials of a surface at these places.

    ``units`` (N, 2) are the places (u, v) in lattice units. ``terms`` (N, 21) are the values of the monomials
    in ``TERMS``. For these values, u and v are moved and scaled, so that they go from -1 to 1 over the grid.
    """

    def __init__(self, units: Points) -> None:
        self.units = units
        u, v = ((units - _MIDDLE) / _MIDDLE).T
        self.terms = np.stack([u**i * v**j for i, j in TERMS], axis=1)

    @classmethod
    def spanned(cls, u: Array, v: Array) -> "Net":
        """Return the net of all pairs of *u* (M,) and *v* (N,): first the pairs with the first *v*."""
        return cls(np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2))


CROSSINGS = Net(geometry.CROSSINGS)  # the hundred crossings of the grid lines, one row line after another
CORNERS = Net(geometry.GRID_CORNERS)  # the outer corners, clockwise
CENTRE = Net(np.array([[_MIDDLE, _MIDDLE]]))  # the middle of the grid
ROW_PIECES = Net.spanned(np.arange(0.5, 9), np.arange(10.0))
"""The middles of the 90 pieces of row lines, line by line."""
COLUMN_PIECES = Net(ROW_PIECES.units[:, ::-1])  # the middles of the 90 pieces of column lines, line by line
PIECES = Net(np.concatenate([ROW_PIECES.units, COLUMN_PIECES.units]))
"""The middles of all 180 pieces of line: first those of the row lines, then those of the column lines."""

_KNOTS_ACROSS = 25
"""Number of knots along a side of the flat view. A bent surface is computed only at the knots, and
interpolated between them."""
_KNOT_UNITS = np.linspace(-MARGIN / CELL, (SIDE - 1 - MARGIN) / CELL, _KNOTS_ACROSS)
_KNOTS = Net.spanned(_KNOT_UNITS, _KNOT_UNITS)
_VIEW_CORNERS: Floats = (SIDE - 1) * UNIT_SQUARE.astype(np.float32)
_CORNERS_OF_VIEW = Net((_VIEW_CORNERS.astype(np.float64) - MARGIN) / CELL)
_PLACES = np.linspace(0, _KNOTS_ACROSS - 1, SIDE)
_BETWEEN_KNOTS: Floats = np.maximum(0, 1 - np.abs(_PLACES[:, None] - np.arange(_KNOTS_ACROSS))).astype(
    np.float32
)
"""Weights (SIDE, _KNOTS_ACROSS) of the knots for each pixel along a side: linear interpolation."""


@dataclass(frozen=True, eq=False)
class GridSurface:
    """A smooth map from lattice units to pixels: a polynomial displacement, then a homography.

    The displacement moves places on the lattice. ``homography`` (3, 3) maps the moved places to pixels.
    ``bend`` (K, 2) holds the coefficients of the displacement, in cells, for the first K monomials of
    ``TERMS``. Its two columns are for u and for v. By default, K is 0, and the surface is flat.
    """

    homography: Homography
    bend: Array = field(default_factory=lambda: np.zeros((0, 2)))

    @property
    def is_flat(self) -> bool:
        """Whether the surface has no displacement, so that it is only a homography."""
        return len(self.bend) == 0

    def __call__(self, net: Net) -> Points:
        """Map the places of a *net* to points (N, 2) in pixels."""
        moved = net.units if self.is_flat else net.units + net.terms[:, : len(self.bend)] @ self.bend
        return project(moved, self.homography)

    def bent(self, by: Array) -> "GridSurface":
        """Return the surface after *by* (K, 2) was added to the coefficients of its displacement."""
        total = np.zeros((max(len(self.bend), len(by)), 2))
        total[: len(self.bend)] = self.bend
        total[: len(by)] += by
        return GridSurface(self.homography, total)


def pieces_inside(surface: GridSurface, size: tuple[int, int]) -> NDArray[np.int8]:
    """Return where each piece of line lies (2, 10, 9): 1 inside the picture, 0 on its edge, -1 outside.

    *size* is the (width, height) of the picture. The first index of the result is 0 for row lines, 1 for
    column lines.
    """
    points = surface(PIECES)
    edge = NEAR_REACH * max(extent(points) / geometry.CELLS, geometry.TINY)
    x, y = points.T.copy()
    if min(x.min(), y.min(), size[0] - 1 - x.max(), size[1] - 1 - y.max()) > edge:
        return np.ones((2, 10, 9), np.int8)
    depth = np.minimum(points, np.array(size) - 1 - points).min(axis=1)
    place = (depth > edge).astype(np.int8) - (depth <= -edge)
    return np.asarray(place, np.int8).reshape(2, 10, 9)


class Pyramid:
    """A grey picture (H, W) uint8, and copies of the picture that are 2, 4, 8 ... times smaller.

    A flat view is sampled from the copy in which cells are about as large as on the flat view. If it were
    sampled from a larger copy, thin lines would be lost.
    """

    def __init__(self, grey: Image) -> None:
        self.levels = [grey]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        height, width = self.levels[0].shape
        return width, height

    @cached_property
    def is_clean(self) -> bool:
        """Whether the picture has no noise, like a screenshot."""
        grey = self.levels[0]
        return bool(np.count_nonzero(grey[:, 1:] == grey[:, :-1]) >= CLEAN * grey.size)

    def level(self, cell: float) -> int:
        """Return the number of the level in which cells are about as large as on the flat view.

        *cell* is the side of a cell in the picture itself, in pixels. The picture itself is level 0. Each
        further level is half as large as the one before.
        """
        smallest = np.log2(min(self.size))
        wanted = int(np.clip(np.floor(np.log2(max(cell, 1) / CELL) + LEVEL_LEAD), 0, smallest))
        while len(self.levels) <= wanted:
            last = self.levels[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self.levels.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8))
        return wanted


def flatten(pyramid: Pyramid, surface: GridSurface) -> Image:
    """Return the flat view (SIDE, SIDE) uint8 of a grid: a small straightened grey picture of it.

    *pyramid* holds the picture. *surface* is the map from the grid to the picture. A bent surface is computed
    only at some knots, and interpolated between them.
    """
    points = surface(_CORNERS_OF_VIEW if surface.is_flat else _KNOTS)
    level = pyramid.level(extent(points) / (SIDE / CELL))
    grey = pyramid.levels[level]
    points = ((points + 0.5) / 2**level - 0.5).astype(np.float32)
    if surface.is_flat:
        view = cv2.warpPerspective(
            grey,
            cv2.getPerspectiveTransform(_VIEW_CORNERS, points),
            (SIDE, SIDE),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    else:
        knots = points.reshape(_KNOTS_ACROSS, _KNOTS_ACROSS, 2)
        map_x, map_y = (_BETWEEN_KNOTS @ knots[..., axis] @ _BETWEEN_KNOTS.T for axis in range(2))
        view = cv2.remap(grey, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8)
