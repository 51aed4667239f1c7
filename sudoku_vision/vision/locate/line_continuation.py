"""Line continuation: whether lines go on beyond a side of a grid, as those of a larger table do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array
from sudoku_vision.vision.locate.candidate import GridCandidate, GridView, room_beyond
from sudoku_vision.vision.locate.flatten import Pyramid
from sudoku_vision.vision.locate.line_evidence import LineEvidence
from sudoku_vision.vision.locate.profiles import lines_beyond
from sudoku_vision.vision.locate.score import MIN_STRENGTH
from sudoku_vision.vision.locate.surface import flat_surface
from sudoku_vision.vision.ranks import median

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Steps (columns, rows) beyond the right, left, bottom and top side."""
RUNS_ON = 0.8  # share of the pieces of line just beyond one side that tells a larger table from a sudoku
RUN_ON_DEPTH = 0.4
"""Depth of such a piece, as a share of that of its neighbour: at least this, and the other way round."""
LEAST_ROOM = 0.4  # cells of paper that must lie beyond a side for lines to be seen to run on there
NEAR_REACH = 0.1
"""How far from its place, in cells, a line is looked for on a surface that has been fitted to the lines."""
BEYOND_REACH = 0.2  # the same beyond a side, where nothing has been fitted


def side_run_over(pyramid: Pyramid, candidate: GridCandidate) -> tuple[int, int] | None:
    """Return the step (columns, rows) to a side where the lines run on by a whole row or column, or None.

    Lines that run on to the picture's edge count: there a grid is cut off, and a part of it was taken.
    """
    view = candidate.view(pyramid)
    depth = view.lines(NEAR_REACH).strength
    ends = np.stack([depth[0, :, -1], depth[0, :, 0], depth[1, :, -1], depth[1, :, 0]])
    typical = median(depth)
    beyond = is_same_line(lines_beyond(view.grey), ends, typical)
    for side, lines, near in zip(SIDES, beyond, ends, strict=True):
        if lines.mean() < RUNS_ON or room_beyond(candidate, *side, pyramid.size) < LEAST_ROOM:
            continue
        next_to_it = flat_surface(candidate.shifted(*side).homography)
        evidence = GridView(pyramid, next_to_it, candidate.sign).lines(BEYOND_REACH)
        if _is_row_of_cells(evidence, side, near, depth, typical):
            return side
    return None


def _is_row_of_cells(
    evidence: LineEvidence, side: tuple[int, int], near: Array, depth: Array, typical: float
) -> bool:
    """Tell whether one more row or column of cells is drawn beyond a *side*.

    *evidence* is that of the grid shifted there, *depth* (2, 10, 9) that of the grid itself, *near* (10,) the
    depth of the ten lines where they end at that side. Its outer line must be seen, and the lines across.
    """
    last = -1 if sum(side) > 0 else 0
    along = 1 if side[0] else 0  # which lines run along that side: column lines or row lines
    outside = evidence.inside <= 0
    border = evidence.strength[along, last] > run_on_depth(depth[along, last], typical)
    across = is_same_line(evidence.strength[1 - along, :, last], near, typical)
    border |= outside[along, last]
    across |= outside[1 - along, :, last]
    return bool(border.mean() > RUNS_ON and across.mean() > RUNS_ON)


def is_same_line(beyond: Array, near: Array, typical: float) -> NDArray[np.bool_]:
    """Tell whether lines of the depth *near* run on as those *beyond*: print beside a grid is much deeper."""
    return (beyond > run_on_depth(near, typical)) & (beyond < near / RUN_ON_DEPTH)


def run_on_depth(near: Array, typical: float) -> Array:
    """Return the depth from which a line runs on beyond pieces of the depth *near*.

    Glare and shadow fade both alike, so it is a share of that depth, but never less than noise.
    """
    return np.asarray(np.maximum(RUN_ON_DEPTH * np.minimum(near, typical), MIN_STRENGTH))
