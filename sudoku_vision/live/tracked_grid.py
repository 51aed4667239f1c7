"""Tracked grid: what the tracker says of one grid in one frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sudoku_vision.results import GridResult, Lattice

GridState = Literal["reading", "sure", "unsolvable"]
"""What is known of a grid: not enough yet; its one solution; that it has none, or several."""


@dataclass(frozen=True, eq=False)
class TrackedGrid:
    """A grid in one frame.

    ``number`` is the same in all frames in which it is tracked. ``result``: what is read so far, its lattice
    that of this frame, clockwise from the puzzle's own top left; None before it was read. Only where
    ``state`` is ``sure`` is its solution to be shown. ``covered``: its cells (0..80, as read) that a hand or
    anything else lies over in this frame.
    """

    number: int
    state: GridState
    lattice: Lattice
    result: GridResult | None
    covered: frozenset[int] = frozenset()
