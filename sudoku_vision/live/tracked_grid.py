"""What is known about a grid in one frame, and its JSON for other programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sudoku_vision.values import Value
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Lattice, Reading

TrackState = Literal["reading", "sure", "unsolvable"]
"""State of a grid. ``reading``: more frames are needed. ``sure``: its only solution is known. ``unsolvable``:
after many frames, there is no solution, or several."""

FrameState = TrackState | Literal["looking"]
"""State of a frame: the state of its best grid, or ``looking`` if no grid is tracked."""

_BLANK = np.zeros((9, 9), np.int8)
_UNREAD = Reading(_BLANK, _BLANK, solution=None, solutions=0, confidence=0.0)


@dataclass(frozen=True, eq=False)
class TrackedGrid(Value):
    """A grid in one frame.

    ``number`` stays the same while the grid is tracked. ``lattice`` has the crossings in this frame.
    ``result`` is the upright grid that was read so far, with its lattice in this frame; None before the first
    reading. Its solution may be shown only if ``state`` is ``sure``. ``occluded``: the cells of the upright
    puzzle (0..80) that something covers in this frame.
    """

    number: int
    state: TrackState
    lattice: Lattice
    result: Grid | None
    occluded: frozenset[int] = frozenset()


def frame_state(grids: Sequence[TrackedGrid]) -> FrameState:
    """Return the state of the best grid in a frame: sure is best, then reading, then unsolvable."""
    best_first: tuple[TrackState, ...] = ("sure", "reading", "unsolvable")
    return min((grid.state for grid in grids), key=best_first.index, default="looking")


def frame_report(number: int, seconds: float, grids: Sequence[TrackedGrid]) -> dict[str, Any]:
    """Return one frame as a JSON object: its *number* from 0, its time in *seconds*, and its grids.

    Each grid has the keys of :meth:`~sudoku_vision.vision.grid.Grid.to_dict`, its ``number`` and its
    ``state``. Before a grid is read, its status is ``unreadable``, because this status allows missing digits.
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
