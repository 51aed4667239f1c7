"""Corners: the lattice of a grid whose corners a person has pointed out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import CornersError
from sudoku_vision.geometry import Points, cell_size, corner_turns, homography_of_grid
from sudoku_vision.results import Lattice, Photo
from sudoku_vision.vision.locate.candidate import GridCandidate, Proposal
from sudoku_vision.vision.locate.fit import GOOD_SCORE, MAX_CUT_OFF, best_of, polish, score_proposal
from sudoku_vision.vision.locate.flatten import Pyramid
from sudoku_vision.vision.locate.surface import CROSSINGS, flat_surface

TRUSTED = 0.25
"""Cells by which refining may move a corner: who points well is a tenth of a cell off in either direction."""
MAX_MOVED = 0.7  # the same where nearly all lines are seen: by a line's distance it would be another grid
WORTH_BENDING = 0.25  # share of its lines that must be seen for a lattice to follow them
MIN_CELL = 2.0  # smallest cell, in pixels, that can hold a digit at all
REMEDY = "Give the four outer corners clockwise from the puzzle's top left, in pixels of the upright picture."


def locate_at(photo: Photo, corners: NDArray[Any] | Sequence[Sequence[float]]) -> Lattice:
    """Return the lattice of the grid whose outer *corners* (4, 2) a person has pointed out.

    They run clockwise from the puzzle's own top left, and are (x, y) in photo pixels. The lattice is bent
    along the lines that are seen near it; where too few are, it lies straight between the corners as they
    were pointed out. Its turn is that of the corners.

    Raises :class:`~sudoku_vision.errors.CornersError` for corners that can't be those of a grid here.
    """
    quad = _checked(np.asarray(corners, np.float64), photo)
    grey = np.asarray(cv2.cvtColor(photo.pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    pyramid, homography = Pyramid(grey), homography_of_grid(quad)
    dark, light = (score_proposal(pyramid, Proposal(homography, sign)) for sign in (1, -1))
    best = polish(pyramid, best_of(dark, light))
    moved = np.linalg.norm(best.corners - quad, axis=1).max()
    most_moved = MAX_MOVED if best.score >= GOOD_SCORE else TRUSTED
    if best.score < WORTH_BENDING or moved > most_moved * cell_size(quad):
        best = GridCandidate(flat_surface(homography), best.score)
    crossings = best.surface(CROSSINGS).reshape(10, 10, 2)
    return Lattice(crossings.astype(np.float32), score=best.score)


def _checked(quad: Points, photo: Photo) -> Points:
    """Return the corners, if they can be those of a grid."""
    if quad.shape != (4, 2) or not np.isfinite(quad).all():
        raise CornersError(f"Corners are 4 points of (x, y), these are {quad.shape}.", REMEDY)
    turns = corner_turns(quad)
    if (turns <= 0).any():
        order = (
            "run anti-clockwise" if (turns < 0).all() else "don't make a four-sided outline in their order"
        )
        raise CornersError(f"The corners {order}.", REMEDY)
    cell = cell_size(quad)
    if cell < MIN_CELL:
        raise CornersError(f"The corners lie so close that a cell has {cell:.1f} pixels.", REMEDY)
    height, width = photo.pixels.shape[:2]
    if np.maximum(-quad, quad - (width - 1, height - 1)).max() > MAX_CUT_OFF * cell:
        raise CornersError(f"The corners lie outside the picture of {width} x {height} pixels.", REMEDY)
    return quad
