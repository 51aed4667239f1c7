"""Places where a grid may lie, and candidates: places that were fitted to the lines, with their scores."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision import geometry
from sudoku_vision.geometry import Array, Points, fit_homography, shifted_units
from sudoku_vision.values import Image
from sudoku_vision.vision.locate.lines import LineEvidence, clean_profiles, find_lines, line_profiles
from sudoku_vision.vision.locate.surface import (
    CELL,
    CORNERS,
    CROSSINGS,
    RIM,
    GridSurface,
    Pyramid,
    flatten,
    pieces_inside,
)


@dataclass(frozen=True, eq=False)
class GridView:
    """A place in a picture where a grid may lie, and its flat view: a small straightened copy of this place.

    ``pyramid`` holds the whole picture. ``surface`` is the map from the grid to the whole picture. ``sign``
    is -1 if the lines are lighter than the paper, otherwise 1. Each property is computed once, when it is
    first used.
    """

    pyramid: Pyramid
    surface: GridSurface
    sign: int = 1
    _found: dict[float, LineEvidence] = field(default_factory=dict)

    @cached_property
    def corners(self) -> Points:
        """The outer corners (4, 2) in pixels, clockwise."""
        return self.surface(CORNERS)

    @cached_property
    def area(self) -> float:
        """The area of the grid in square pixels."""
        return max(geometry.TINY, geometry.area(self.corners))

    def is_like(self, other: "GridView") -> bool:
        """Return whether two places have nearly the same corners, and lines of the same sign.

        If so, only one of the two is scored.
        """
        most = RIM / CELL * geometry.cell_size(other.corners)
        return self.sign == other.sign and bool(np.abs(self.corners - other.corners).max() < most)

    def shifted(self, columns: float, rows: float) -> "GridView":
        """Return this place, shifted by *columns* and *rows* of cells. The surface of the result is flat."""
        fitted = fit_homography(geometry.CROSSINGS, self.surface(CROSSINGS))
        flat = self.surface.homography if fitted is None else fitted
        return GridView(self.pyramid, GridSurface(flat @ shifted_units(columns, rows)), self.sign)

    @cached_property
    def grey(self) -> Image:
        """The flat view (SIDE, SIDE) uint8 in grey levels; if the lines are light, it is inverted."""
        view = flatten(self.pyramid, self.surface)
        return view if self.sign > 0 else np.asarray(cv2.bitwise_not(view), np.uint8)

    @cached_property
    def profiles(self) -> Array:
        """The depth (darkness) of lines along each row and column of cells, as in :func:`.line_profiles`."""
        return (clean_profiles if self.pyramid.is_clean else line_profiles)(self.grey)

    def lines(self, reach: float) -> LineEvidence:
        """Return what is seen of each piece of line. For *reach*, see :func:`.find_lines`."""
        if reach not in self._found:
            self._found[reach] = find_lines(self.profiles, reach, self._inside)
        return self._found[reach]

    @cached_property
    def _inside(self) -> NDArray[np.int8]:
        """Whether each piece of line (2, 10, 9) lies in the picture: 1 inside, 0 on its edge, -1 outside."""
        return pieces_inside(self.surface, self.pyramid.size)


class GridCandidate(NamedTuple):
    """A place that was fitted to the lines; its ``score`` (0..1) is high if the lines of a grid are seen."""

    view: GridView
    score: float


def overlap(one: GridView, other: GridView) -> float:
    """Return the overlap (0..1) of two grids: the shared area, divided by the area of the smaller grid."""
    return geometry.shared_area(one.corners, other.corners) / min(one.area, other.area)


def cut_off(view: GridView) -> float:
    """Return how far a grid goes beyond the edge of the picture, in cells; negative if all is inside.

    The side of the grid that goes farthest counts. A side can be oblique to the edge of the picture. So the
    result is the mean distance from the edge to the ten points where lines of the grid meet this side.
    """
    points = view.surface(CROSSINGS).reshape(10, 10, 2)
    sides = np.stack([points[0], points[-1], points[:, 0], points[:, -1]])
    beyond = np.maximum(-sides, sides - (np.array(view.pyramid.size) - 1)).max(axis=2)
    return float(beyond.mean(axis=1).max() * geometry.CELLS / np.sqrt(view.area))


def room_beyond(view: GridView, columns: int, rows: int) -> float:
    """Return the distance, in cells, between one side of a grid and the edge of the picture.

    It is measured from the middle of the side, away from the middle of the grid. (*columns*, *rows*) names
    the side: (1, 0) is the right side, (0, 1) the bottom.
    """
    ends = {(1, 0): [1, 2], (-1, 0): [0, 3], (0, 1): [2, 3], (0, -1): [0, 1]}[columns, rows]
    middle = view.corners[ends].mean(axis=0)
    step = (middle - view.corners.mean(axis=0)) / (geometry.CELLS / 2)
    edge = np.where(step > 0, np.array(view.pyramid.size) - 1, 0)
    moving = np.abs(step) > geometry.TINY
    return float(np.min((edge - middle)[moving] / step[moving], initial=np.inf))
