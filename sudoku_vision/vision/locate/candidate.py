"""Grid candidates: proposals of where a grid lies, what is seen there, and what they become when fitted."""

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision import geometry
from sudoku_vision.geometry import Array, Homography, Points, fit_homography, shifted_units
from sudoku_vision.results import Image
from sudoku_vision.vision.locate.flatten import Pyramid, flatten
from sudoku_vision.vision.locate.line_evidence import LineEvidence, find_lines
from sudoku_vision.vision.locate.profiles import line_profiles
from sudoku_vision.vision.locate.surface import CORNERS, CROSSINGS, GridSurface, pieces_inside

SAME_PROPOSAL = 0.15
"""Cells by which the corners of two proposals may differ at most for one of them to be judged alone."""


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

    def is_like(self, other: "Proposal") -> bool:
        """Tell whether nearly the same place is meant, with lines of the same sign."""
        most = SAME_PROPOSAL * geometry.cell_size(other.corners)
        return self.sign == other.sign and bool(np.abs(self.corners - other.corners).max() < most)


@dataclass(frozen=True, eq=False)
class GridView:
    """What a ``surface`` shows of the picture in a ``pyramid``, each measured once, when it is asked for.

    ``sign`` is -1 where lines are lighter than the paper.
    """

    pyramid: Pyramid
    surface: GridSurface
    sign: int
    _found: dict[float, LineEvidence] = field(default_factory=dict)

    @cached_property
    def grey(self) -> Image:
        """The flat view, (SIDE, SIDE) uint8; the negative of it where lines are lighter."""
        view = flatten(self.pyramid, self.surface)
        return view if self.sign > 0 else np.asarray(cv2.bitwise_not(view), np.uint8)

    @cached_property
    def profiles(self) -> Array:
        """The line profiles of the flat view, (2, 9, SIDE)."""
        return line_profiles(self.grey)

    def lines(self, reach: float) -> LineEvidence:
        """Return what is seen of the lines within *reach* cells."""
        if reach not in self._found:
            self._found[reach] = find_lines(self.profiles, reach, self._inside)
        return self._found[reach]

    @cached_property
    def _inside(self) -> NDArray[np.int8]:
        """Where the pieces of line lie in the picture, (2, 10, 9): 1 inside, 0 on its edge, -1 beyond."""
        return pieces_inside(self.surface, self.pyramid.size)


@dataclass(frozen=True, eq=False)
class GridCandidate:
    """A fitted proposal: its surface, its score in 0..1, and the sign of its lines (1 dark, -1 light).

    ``seen``: the view that was scored.
    """

    surface: GridSurface
    score: float
    sign: int = 1
    seen: GridView | None = None

    def view(self, pyramid: Pyramid) -> GridView:
        """Return what its surface shows of the picture in a *pyramid*: what was seen, if anything was."""
        return self.seen or GridView(pyramid, self.surface, self.sign)

    @cached_property
    def corners(self) -> Points:
        """The outer corners (4, 2) in pixels, clockwise."""
        return self.surface(CORNERS)

    @cached_property
    def area(self) -> float:
        """Square pixels that the grid covers."""
        return max(geometry.TINY, geometry.area(self.corners))

    def shifted(self, columns: int, rows: int) -> Proposal:
        """Return the proposal of the same grid moved by whole cells."""
        fitted = fit_homography(geometry.CROSSINGS, self.surface(CROSSINGS))
        flat = self.surface.homography if fitted is None else fitted
        return Proposal(flat @ shifted_units(columns, rows), self.sign)


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
    return float(beyond.mean(axis=1).max() * geometry.CELLS / np.sqrt(candidate.area))


def room_beyond(candidate: GridCandidate, columns: int, rows: int, size: tuple[int, int]) -> float:
    """Return the cells of picture, of *size* (width, height), from the middle of a side on, straight out.

    The side is the one that lies a step of *columns* or *rows* away from the middle of the grid.
    """
    ends = {(1, 0): [1, 2], (-1, 0): [0, 3], (0, 1): [2, 3], (0, -1): [0, 1]}[columns, rows]
    middle = candidate.corners[ends].mean(axis=0)
    step = (middle - candidate.corners.mean(axis=0)) / (geometry.CELLS / 2)
    edge = np.where(step > 0, np.array(size) - 1, 0)
    moving = np.abs(step) > geometry.TINY
    return float(np.min((edge - middle)[moving] / step[moving], initial=np.inf))
