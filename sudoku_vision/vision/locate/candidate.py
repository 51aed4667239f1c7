"""Grid candidates: proposals of where a grid lies, and what they become when fitted and scored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sudoku_vision import geometry
from sudoku_vision.geometry import Homography, Points, fit_homography, shifted_units
from sudoku_vision.vision.locate.flatten import Pyramid
from sudoku_vision.vision.locate.line_evidence import BOX
from sudoku_vision.vision.locate.surface import CORNERS, CROSSINGS, GridSurface
from sudoku_vision.vision.locate.view import GridView

SAME_PROPOSAL = 0.15
"""Cells by which the corners of two proposals may differ at most for one of them to be judged alone."""
_LEAST_AREA = 1e-6  # square pixels, so that nothing is divided by zero
_LEAST_STEP = 1e-6  # pixels: a direction in which a step doesn't lead


@dataclass(frozen=True, eq=False)
class Proposal:
    """A place where a grid may lie: ``homography`` from lattice units, and the ``sign`` of its lines.

    The sign is 1 for lines darker than the paper, -1 for lighter ones.
    """

    homography: Homography
    sign: int = 1

    @cached_property
    def corners(self) -> Points:
        """The outer corners (4, 2) in pixels, clockwise."""
        return geometry.project(geometry.GRID_CORNERS, self.homography)

    def is_like(self, other: Proposal) -> bool:
        """Tell whether nearly the same place is meant, with lines of the same sign."""
        most = SAME_PROPOSAL * geometry.cell_size(other.corners)
        return self.sign == other.sign and bool(np.abs(self.corners - other.corners).max() < most)


@dataclass(frozen=True, eq=False)
class GridCandidate:
    """A refined proposal: its surface, its score in 0..1, and the sign of its lines (1 dark, -1 light).

    ``boxes_only``: no lines are drawn but those round the boxes. ``seen``: the view that was scored.
    """

    surface: GridSurface
    score: float
    sign: int = 1
    boxes_only: bool = False
    seen: GridView | None = None

    def view(self, pyramid: Pyramid) -> GridView:
        """Return what its surface shows of the picture in a *pyramid*: what was seen, if anything was."""
        return self.seen or GridView(pyramid, self.surface, self.sign)

    @property
    def drawn(self) -> int:
        """One of so many lines is drawn: 1, or 3 where only the boxes are."""
        return BOX if self.boxes_only else 1

    @cached_property
    def corners(self) -> Points:
        """The outer corners (4, 2) in pixels, clockwise."""
        return self.surface(CORNERS)

    @cached_property
    def area(self) -> float:
        """Square pixels that the grid covers."""
        return max(_LEAST_AREA, geometry.area(self.corners))

    def in_cells(self, length: float) -> float:
        """Return a *length* in pixels in cells of this grid."""
        return float(length * geometry.CELLS / np.sqrt(self.area))


def overlap(one: GridCandidate, other: GridCandidate) -> float:
    """Return the area that two candidates share, as part of the smaller one, 0..1."""
    return geometry.shared_area(one.corners, other.corners) / min(one.area, other.area)


def cut_off(candidate: GridCandidate, size: tuple[int, int]) -> float:
    """Return how far a candidate's sides reach beyond a picture of *size* (width, height), in cells.

    The farthest side counts, by the mean of its crossings: it may run out of the picture aslant.
    """
    points = candidate.surface(CROSSINGS).reshape(10, 10, 2)
    sides = np.stack([points[0], points[-1], points[:, 0], points[:, -1]])
    beyond = np.maximum(-sides, sides - (np.array(size) - 1)).max(axis=2)
    return candidate.in_cells(float(beyond.mean(axis=1).max()))


def room_beyond(candidate: GridCandidate, columns: int, rows: int, size: tuple[int, int]) -> float:
    """Return the cells of picture, of *size* (width, height), from the middle of a side on, straight out.

    The side is the one that lies a step of *columns* or *rows* away from the middle of the grid.
    """
    ends = {(1, 0): [1, 2], (-1, 0): [0, 3], (0, 1): [2, 3], (0, -1): [0, 1]}[columns, rows]
    middle = candidate.corners[ends].mean(axis=0)
    step = (middle - candidate.corners.mean(axis=0)) / (geometry.CELLS / 2)
    edge = np.where(step > 0, np.array(size) - 1, 0)
    moving = np.abs(step) > _LEAST_STEP
    return float(np.min((edge - middle)[moving] / step[moving], initial=np.inf))


def shifted(candidate: GridCandidate, columns: int, rows: int) -> Proposal:
    """Return the proposal of a candidate's grid moved by whole cells."""
    return Proposal(_flattened(candidate) @ shifted_units(columns, rows), candidate.sign)


def grids_round_a_box(candidate: GridCandidate) -> list[Proposal]:
    """Return the proposals of the nine grids of which a candidate may be one box."""
    homography = _flattened(candidate)
    places = [(column, row) for row in range(3) for column in range(3)]
    return [
        Proposal(homography @ shifted_units(-9 * column, -9 * row, step=3), candidate.sign)
        for column, row in places
    ]


def _flattened(candidate: GridCandidate) -> Homography:
    """Return the homography closest to a candidate's surface."""
    fitted = fit_homography(geometry.CROSSINGS, candidate.surface(CROSSINGS))
    return candidate.surface.homography if fitted is None else fitted
