"""Tracked grid: what is known about one grid in one frame, and its JSON for other programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sudoku_vision.values import Value
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Lattice, Reading

TrackState = Literal["reading", "sure", "unsolvable"]
"""``reading``: the grid is not read well enough yet. ``sure``: its one solution is known. ``unsolvable``: it
has no solution, or several."""

FrameState = Literal["sure", "reading", "unsolvable", "looking"]
"""The state of the best grid in a frame; ``looking`` if no grid is tracked."""

_BLANK = np.zeros((9, 9), np.int8)
_UNREAD = Reading(_BLANK, _BLANK, solution=None, solutions=0, confidence=0.0)


@dataclass(frozen=True, eq=False)
class TrackedGrid(Value):
    """A grid in one frame.

    ``number`` stays the same in all frames in which the grid is tracked. ``result`` is what has been read so
    far; None before the first reading. Its lattice has the corners in this frame, clockwise from the puzzle's
    own top left. Its solution may only be shown if ``state`` is ``sure``. ``occluded`` has the cells, 0 to 80
    row by row as people read, that a hand or anything else covers in this frame.
    """

    number: int
    state: TrackState
    lattice: Lattice
    result: Grid | None
    occluded: frozenset[int] = frozenset()


def frame_state(grids: Sequence[TrackedGrid]) -> FrameState:
    """Return the state of the best grid in a frame: sure, else reading, else unsolvable."""
    best_first: tuple[TrackState, ...] = ("sure", "reading", "unsolvable")
    return min((grid.state for grid in grids), key=best_first.index, default="looking")


def frame_report(number: int, seconds: float, grids: Sequence[TrackedGrid]) -> dict[str, Any]:
    """Return one frame as a JSON object: its *number* from 0, its time in *seconds*, and its grids.

    A grid has the keys of :meth:`~sudoku_vision.vision.grid.Grid.to_dict`, with its corners in this frame,
    the ``number`` that it keeps while it is tracked, and its ``state``. A grid that was not read yet has
    the status ``unreadable``, the only status without digits.
    """
    return {
        "frame": number,
        "seconds": round(seconds, 4),
        "state": frame_state(grids),
        "grids": [
            {"number": grid.number, "state": grid.state}
            | (grid.result or Grid("unreadable", grid.lattice, _UNREAD)).to_dict()
            for grid in grids
        ],
    }
