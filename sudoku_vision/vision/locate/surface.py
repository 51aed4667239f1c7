"""Grid surfaces: smooth maps from lattice units to pixels, which follow the bends of a page."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_vision import geometry
from sudoku_vision.geometry import Array, Homography, Points, extent, project

DEGREE = 5  # highest degree of a surface: what the steep end of a page by the spine of a thick book needs
TERMS = tuple((i, n - i) for n in range(DEGREE + 1) for i in range(n + 1))
"""Exponents (of u, of v) of a surface's monomials, lowest degrees first."""
EDGE = 0.12
"""How near the picture's edge, in cells, a piece of line is neither in nor out: about a line's width."""
_MIDDLE = geometry.CELLS / 2  # of the grid, in lattice units


class Net:
    """Places on the lattice, ``units`` (N, 2) of (u, v), with the monomials of a surface at each, (N, 21).

    The monomials are those of ``TERMS``, of (u, v) centred and scaled to -1..1.
    """

    def __init__(self, units: Points) -> None:
        self.units = units
        u, v = ((units - _MIDDLE) / _MIDDLE).T
        self.terms = np.stack([u**i * v**j for i, j in TERMS], axis=1)

    @classmethod
    def spanned(cls, u: Array, v: Array) -> "Net":
        """Return the net of all places of some *u* (M,) and some *v* (N,), row by row."""
        return cls(np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2))


_LINES: Array = np.arange(10, dtype=np.float64)
_MIDDLES: Array = _LINES[:9] + 0.5

CROSSINGS = Net(geometry.CROSSINGS)  # the hundred crossings, row line by row line
CORNERS = Net(geometry.GRID_CORNERS)  # the outer corners, clockwise
CENTRE = Net(np.array([[_MIDDLE, _MIDDLE]]))  # the middle of the grid
ROW_PIECES = Net.spanned(_MIDDLES, _LINES)  # the middles of the 90 pieces of row lines, line by line
COLUMN_PIECES = Net(ROW_PIECES.units[:, ::-1])  # the middles of the 90 pieces of column lines, line by line
PIECES = Net(np.concatenate([ROW_PIECES.units, COLUMN_PIECES.units]))
"""The middles of all 180 pieces of line, those of row lines first."""


@dataclass(frozen=True, eq=False)
class GridSurface:
    """A smooth map from lattice units to pixels: a homography after a polynomial displacement.

    ``bend`` (K, 2) are the coefficients of the displacement in u and in v, in cells, of the first monomials
    of ``TERMS``: as many as its degree has, none where it is flat.
    """

    homography: Homography
    bend: Array

    @property
    def is_flat(self) -> bool:
        """Whether nothing is displaced: the homography is all."""
        return len(self.bend) == 0

    def __call__(self, net: Net) -> Points:
        """Map the places of a *net* to pixels (N, 2) of (x, y)."""
        moved = net.units if self.is_flat else net.units + net.terms[:, : len(self.bend)] @ self.bend
        return project(moved, self.homography)

    def bent(self, by: Array) -> "GridSurface":
        """Return the surface displaced *by* coefficients (K, 2) more."""
        total = np.zeros((max(len(self.bend), len(by)), 2))
        total[: len(self.bend)] = self.bend
        total[: len(by)] += by
        return GridSurface(self.homography, total)


def flat_surface(homography: Homography) -> GridSurface:
    """Return the surface of a *homography* from lattice units to pixels, without any bend."""
    return GridSurface(homography, np.zeros((0, 2)))


def pieces_inside(surface: GridSurface, size: tuple[int, int]) -> NDArray[np.int8]:
    """Return where the pieces of line lie in a picture of *size* (width, height), (2, 10, 9).

    1 is inside, 0 on its very edge, -1 beyond. The first index is 0 for row lines, 1 for column lines.
    """
    points = surface(PIECES)
    edge = EDGE * max(extent(points) / geometry.CELLS, geometry.TINY)
    x, y = points.T.copy()
    if min(x.min(), y.min(), size[0] - 1 - x.max(), size[1] - 1 - y.max()) > edge:
        return np.ones((2, 10, 9), np.int8)
    depth = np.minimum(points, np.array(size) - 1 - points).min(axis=1)
    place = (depth > edge).astype(np.int8) - (depth <= -edge)
    return np.asarray(place, np.int8).reshape(2, 10, 9)
