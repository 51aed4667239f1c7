"""Tracked grid: what is known of one grid in one frame, and its form for other programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sudoku_vision.values import Value
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Lattice, Reading

TrackState = Literal["reading", "sure", "unsolvable"]
"""How far a grid is read: not enough yet; its one solution is known; it has none, or several."""

FrameState = Literal["sure", "reading", "unsolvable", "looking"]
"""The same for a frame; ``looking`` if no grid is tracked."""

_BLANK = np.zeros((9, 9), np.int8)
_UNREAD = Reading(_BLANK, _BLANK, solution=None, solutions=0, confidence=0.0)


@dataclass(frozen=True, eq=False)
class TrackedGrid(Value):
    """A grid in one frame.

    ``number`` is the same in all frames in which it is tracked. ``result``: what is read so far, with the
    lattice of this frame, clockwise from the puzzle's own top left; None before it was read. Its solution may
    only be shown if ``state`` is ``sure``. ``occluded``: the cells (0..80, as read) that a hand or anything
    else covers in this frame.
    """

    number: int
    state: TrackState
    lattice: Lattice
    result: Grid | None
    occluded: frozenset[int] = frozenset()


def frame_state(grids: Sequence[TrackedGrid]) -> FrameState:
    """Return the state of a frame: that of its best grid."""
    best_first: tuple[TrackState, ...] = ("sure", "reading", "unsolvable")
    return min((grid.state for grid in grids), key=best_first.index, default="looking")


def frame_report(number: int, seconds: float, grids: Sequence[TrackedGrid]) -> dict[str, Any]:
    """Return one frame as a JSON object: its *number* from 0, its time in *seconds*, and its grids.

    A grid has the keys of :meth:`~sudoku_vision.vision.grid.Grid.to_dict`, with its corners in this frame,
    the ``number`` that it keeps while it is tracked, and its ``state``. A grid that was not read yet is
    ``unreadable``, the only status without digits.
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
