"""Flatten: a grid of a picture, warped by its surface to a small upright view of fixed size.

All that is measured of a grid while it is searched for is measured on this view, so no length depends on
how large the grid is in the picture.
"""

import cv2
import numpy as np

from sudoku_vision.geometry import UNIT_SQUARE, extent
from sudoku_vision.results import Floats, Image
from sudoku_vision.vision.locate.surface import GridSurface, Net

CELL = 20  # side of a cell on the flat view, in pixels: a thin line is still one of them, a digit twelve high
MARGIN = CELL // 2  # paper kept around the grid, in pixels: half a cell, in which lines that run on are seen
SIDE = 9 * CELL + 2 * MARGIN  # side of the flat view, in pixels
LEVEL_LEAD = 0.35
"""In octaves, how much before a level fits exactly it is taken: a cell of 31 px is the first to be halved."""
MAX_LEVEL = 5  # most halvings of a picture: no grid of a picture of 20,000 pixels needs more
_KNOTS_ACROSS = 25  # places along a side at which the surface itself is asked: two or three to a cell
_KNOT_UNITS = np.linspace(-MARGIN / CELL, (SIDE - 1 - MARGIN) / CELL, _KNOTS_ACROSS)
_KNOTS = Net.spanned(_KNOT_UNITS, _KNOT_UNITS)
_VIEW_CORNERS: Floats = (SIDE - 1) * UNIT_SQUARE.astype(np.float32)
_CORNERS = Net((_VIEW_CORNERS.astype(np.float64) - MARGIN) / CELL)
_PLACES = np.linspace(0, _KNOTS_ACROSS - 1, SIDE)
_BETWEEN_KNOTS: Floats = np.maximum(0, 1 - np.abs(_PLACES[:, None] - np.arange(_KNOTS_ACROSS))).astype(
    np.float32
)
"""Weights (SIDE, knots) of linear interpolation between the knots."""


class Pyramid:
    """A grey picture (H, W) uint8 and its halvings, so that a warp never skips over thin lines."""

    def __init__(self, grey: Image) -> None:
        self.levels = [grey]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        height, width = self.levels[0].shape
        return width, height

    def level(self, cell: float) -> int:
        """Return the level on which a cell of *cell* pixels has about as many pixels as on the flat view."""
        octaves = np.log2(max(cell, 1) / CELL)
        wanted = int(np.clip(np.floor(octaves + LEVEL_LEAD), 0, MAX_LEVEL))
        while len(self.levels) <= wanted:
            last = self.levels[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self.levels.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8))
        return wanted


def flatten(pyramid: Pyramid, surface: GridSurface) -> Image:
    """Return the flat view of a grid, (SIDE, SIDE) uint8 grey levels.

    A bent surface is evaluated on a coarse net of knots and interpolated between them.
    """
    points = surface(_CORNERS if surface.is_flat else _KNOTS)
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
