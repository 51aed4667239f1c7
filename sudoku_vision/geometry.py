"""Plane geometry for the whole package: homographies, quadrilaterals and lattice units.

* *Points* are arrays (..., 2) of (x, y), where y grows downwards. *Corners* are four points, clockwise from
  the top left.
* A *homography* is a (3, 3) float64 matrix. It maps a point (x, y) to a point (x', y'): the product of the
  matrix and (x, y, 1) is a multiple of (x', y', 1).
* *Lattice units* are coordinates (u, v) in a grid, measured in cells. (0, 0) is the top left corner of the
  grid, and (9, 9) is the bottom right corner. u grows along the rows, and v down the columns.
"""

from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]  # points (x, y), an array (..., 2)
Homography = NDArray[np.float64]  # a projective map of the plane, a matrix (3, 3)
Real = TypeVar("Real", np.float32, np.float64)
Anywhere = NDArray[Any]  # points (..., 2) as numbers of any type
Array = NDArray[np.float64]  # an array of any shape
CELLS = 9  # number of cells along a side of a grid
TINY = 1e-6  # a number that is added to a divisor, so that it is never 0
UNIT_SQUARE: Points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
"""The corners (4, 2) of the square of side 1."""
GRID_CORNERS: Points = CELLS * UNIT_SQUARE  # the corners (4, 2) of a grid in lattice units
CROSSINGS: Points = np.stack(np.meshgrid(np.arange(10.0), np.arange(10.0)), axis=-1).reshape(100, 2)
"""The crossings (100, 2) of the grid lines in lattice units, row by row from the left."""
QUARTER_TURN: Homography = np.array([[0.0, -1, CELLS], [1, 0, 0], [0, 0, 1]])
"""The map that turns lattice units clockwise by 90 degrees about the centre of the grid."""
MIRROR: Homography = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]])
"""The map that exchanges rows and columns in lattice units."""


def project(points: NDArray[Real], homography: Homography) -> NDArray[Real]:
    """Map *points* (..., 2) by a homography. The result has the same shape and dtype as *points*."""
    if not points.size:
        return points
    exact = points.astype(np.float64, copy=False).reshape(-1, 1, 2)
    seen = cv2.perspectiveTransform(exact, homography).reshape(points.shape)
    return np.asarray(seen, points.dtype)


def sampled(picture: NDArray[np.uint8], to_picture: Homography, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return a new picture of *size* (width, height), whose pixels are sampled from *picture*.

    *to_picture* maps the new picture to *picture*. Outside of *picture*, its edge pixels are repeated.
    """
    flags, edge = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, cv2.BORDER_REPLICATE
    seen = cv2.warpPerspective(picture, to_picture, size, flags=flags, borderMode=edge)
    return np.asarray(seen, np.uint8)


def is_in_front(points: Anywhere, homography: Homography) -> bool:
    """Return whether all *points* (N, 2) are in front of the camera; *homography* maps them to a photo."""
    depth = points @ homography[2, :2] + homography[2, 2]
    return bool((depth * depth[0] > 0).all())


def homography_between(source: Anywhere, target: Anywhere) -> Homography:
    """Return the homography that maps four *source* points (4, 2) to four *target* points (4, 2)."""
    found = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    return np.asarray(found, np.float64)


def homography_of_square(corners: Anywhere) -> Homography:
    """Return the homography that maps the unit square to *corners* (4, 2)."""
    return homography_between(UNIT_SQUARE, corners)


def homography_of_grid(corners: Anywhere) -> Homography:
    """Return the homography from lattice units to the plane where the grid has these *corners* (4, 2)."""
    return homography_between(GRID_CORNERS, corners)


def fit_homography(source: Anywhere, target: Anywhere) -> Homography | None:
    """Return the least-squares homography from *source* (N, 2) to *target* (N, 2); None if none is found."""
    found = cv2.findHomography(source, target, 0)[0]
    return None if found is None else np.asarray(found, np.float64)


def fit_homography_robustly(
    source: Anywhere, target: Anywhere, stray: float
) -> tuple[Homography, NDArray[np.bool_]] | None:
    """Return the homography that maps as many *source* points (N, 2) as possible close to *target* (N, 2).

    RANSAC finds the homography. The second result is (N,) bool: whether the distance of a mapped point from
    its target is at most *stray*. Returns None if the points determine no homography.
    """
    found, agreeing = cv2.findHomography(source, target, cv2.RANSAC, stray)
    if found is None or not np.isfinite(found).all():
        return None
    return np.asarray(found, np.float64), np.asarray(agreeing).ravel() != 0


def shifted_units(columns: float, rows: float) -> Homography:
    """Return the map from lattice units (u, v) to (u + *columns*, v + *rows*)."""
    return np.array([[1.0, 0, columns], [0, 1, rows], [0, 0, 1]])


def cross(one: NDArray[Real], other: NDArray[Real]) -> NDArray[Real]:
    """Return the cross products (...) of the vectors *one* and *other* (..., 2).

    A product is positive if the turn from *one* to *other* is clockwise, as seen in the picture.
    """
    return one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]


def corner_turns(corners: Points) -> NDArray[np.float64]:
    """Return the cross product of each side of an outline (N, 2) and the next side, as an array (N,).

    The product is positive for a clockwise turn. A quadrilateral with four products of equal sign is convex.
    """
    sides = np.concatenate([corners[1:], corners[:1]]) - corners
    return cross(sides, np.concatenate([sides[1:], sides[:1]]))


def side_lengths(corners: NDArray[Real]) -> NDArray[Real]:
    """Return the lengths (N,) of the sides of an outline (N, 2); the first side begins at the last point."""
    before = np.concatenate([corners[-1:], corners[:-1]])
    return np.asarray(np.linalg.norm(corners - before, axis=1), corners.dtype)


def is_convex(corners: Anywhere) -> bool:
    """Return whether an outline (N, 2) is convex and does not cross itself."""
    return bool(cv2.isContourConvex(corners.astype(np.float32)))


def is_clockwise(corners: Anywhere) -> bool:
    """Return whether an outline (N, 2) runs clockwise, as seen in the picture."""
    return bool(cv2.contourArea(corners.astype(np.float32), oriented=True) > 0)


def area(outline: Anywhere) -> float:
    """Return the area within an outline (N, 2) or (N, 1, 2)."""
    return float(cv2.contourArea(outline.astype(np.float32, copy=False)))


def shared_area(one: Anywhere, other: Anywhere) -> float:
    """Return the area of the intersection of two convex outlines (N, 2)."""
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])


def cell_size(corners: Anywhere) -> float:
    """Return the mean side length of the cells of a grid with these *corners* (4, 2)."""
    return float(np.sqrt(area(corners))) / CELLS


def mean_spacing(crossings: NDArray[np.float32]) -> float:
    """Return the mean distance of neighbouring *crossings* (10, 10, 2) of the lines of a grid."""
    across = np.linalg.norm(np.diff(crossings, axis=1), axis=2).mean()
    down = np.linalg.norm(np.diff(crossings, axis=0), axis=2).mean()
    return float((across + down) / 2)


def extent(points: Anywhere) -> float:
    """Return the square root of the area of the upright bounding box of *points* (N, 2)."""
    x, y = np.ptp(points.T.copy(), axis=1)  # ptp is three times as fast on a copy
    return float(np.sqrt(x * y))
