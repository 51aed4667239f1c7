"""Report: what is seen in a frame, as other programs read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from sudoku_vision.live.tracker import Seen, State
from sudoku_vision.results import GridResult, Reading

FrameState = Literal["sure", "reading", "unsolvable", "looking"]
"""What is known of a frame; ``looking`` where no grid is followed."""

_BEST_FIRST: tuple[State, ...] = ("sure", "reading", "unsolvable")

_BLANK = np.zeros((9, 9), np.int8)
_UNREAD = Reading(_BLANK, _BLANK, solution=None, solutions=0, confidence=0.0)


def frame_state(seen: Sequence[Seen]) -> FrameState:
    """The state of a frame is that of its best grid: a sure one, one that may still become so, any."""
    states = {grid.state for grid in seen}
    return next((state for state in _BEST_FIRST if state in states), "looking")


def frame_report(number: int, seconds: float, seen: Sequence[Seen]) -> dict[str, Any]:
    """One frame as a JSON object: its ``number`` from 0, when it was seen, and what is in it.

    ``grids`` are as :meth:`~sudoku_vision.results.GridResult.to_dict` tells them, with the corners of this
    frame; also ``number``, which a grid keeps while it is followed, and ``state``, its own.
    """
    return {
        "frame": number,
        "seconds": round(seconds, 4),
        "state": frame_state(seen),
        "grids": [_grid_report(grid) for grid in seen],
    }


def _grid_report(seen: Seen) -> dict[str, Any]:
    """A grid that has not been looked at yet is told as ``unreadable``, the one status without digits."""
    grid = seen.grid or GridResult("unreadable", seen.lattice, _UNREAD)
    return {"number": seen.number, "state": seen.state, **grid.to_dict()}
