"""Tracked grid: what the tracker says of one grid in one frame, and how other programs read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sudoku_vision.results import GridResult, Lattice, Reading, Value

GridState = Literal["reading", "sure", "unsolvable"]
"""What is known of a grid: not enough yet; its one solution; that it has none, or several."""

FrameState = Literal["sure", "reading", "unsolvable", "looking"]
"""What is known of a frame; ``looking`` where no grid is tracked."""

_BLANK = np.zeros((9, 9), np.int8)
_UNREAD = Reading(_BLANK, _BLANK, solution=None, solutions=0, confidence=0.0)


@dataclass(frozen=True, eq=False)
class TrackedGrid(Value):
    """A grid in one frame.

    ``number`` is the same in all frames in which it is tracked. ``result``: what is read so far, its lattice
    that of this frame, clockwise from the puzzle's own top left; None before it was read. Only where
    ``state`` is ``sure`` is its solution to be shown. ``occluded``: its cells (0..80, as read) that a hand or
    anything else lies over in this frame.
    """

    number: int
    state: GridState
    lattice: Lattice
    result: GridResult | None
    occluded: frozenset[int] = frozenset()


def frame_state(grids: Sequence[TrackedGrid]) -> FrameState:
    """Return the state of a frame, that of its best grid: a sure one, one that may still become so, any."""
    best_first: tuple[GridState, ...] = ("sure", "reading", "unsolvable")
    return min((grid.state for grid in grids), key=best_first.index, default="looking")


def frame_report(number: int, seconds: float, grids: Sequence[TrackedGrid]) -> dict[str, Any]:
    """Return one frame as a JSON object: its ``number`` from 0, when it was seen, and what is in it.

    ``grids`` are as :meth:`~sudoku_vision.results.GridResult.to_dict` tells them, with the corners of this
    frame; also ``number``, which a grid keeps while it is tracked, and ``state``, its own. One that was not
    read yet is ``unreadable``, the one status without digits.
    """
    return {
        "frame": number,
        "seconds": round(seconds, 4),
        "state": frame_state(grids),
        "grids": [
            {"number": grid.number, "state": grid.state}
            | (grid.result or GridResult("unreadable", grid.lattice, _UNREAD)).to_dict()
            for grid in grids
        ],
    }
