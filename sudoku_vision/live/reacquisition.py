"""Reacquisition: what was read of a grid that is lost is its own again when it comes back in a moment."""

from __future__ import annotations

from dataclasses import dataclass

from sudoku_vision.live.accumulation import AccumulatedReading
from sudoku_vision.live.association import SAME_SIMILARITY
from sudoku_vision.live.occlusion import BoardColours
from sudoku_vision.live.target import Target
from sudoku_vision.live.template import Template, best_turn
from sudoku_vision.live.tracking import start_track

REMEMBERED = 5.0
"""Seconds after which a lost puzzle is forgotten."""


@dataclass(frozen=True, eq=False)
class _LostGrid:
    """A grid that is no longer seen: what it looked like, and when it was seen last, in seconds."""

    number: int
    template: Template
    reading: AccumulatedReading
    seen_at: float
    colours: BoardColours | None


class LostGrids:
    """The grids that were lost a moment ago."""

    def __init__(self) -> None:
        self._lost: list[_LostGrid] = []

    def forget_old(self, time: float) -> None:
        """Forget those that have been lost for :data:`REMEMBERED` seconds."""
        self._lost = [lost for lost in self._lost if time - lost.seen_at < REMEMBERED]

    def add(self, target: Target) -> None:
        """Remember a target that is given up, if anything was read of it."""
        if target.reading.frames:
            template = target.track.template
            lost = _LostGrid(target.number, template, target.reading, target.seen_at, target.colours)
            self._lost.append(lost)

    def reacquire(self, target: Target) -> None:
        """Give a new target, in place, what was read of a lost grid that looks the same in any turn."""
        for lost in reversed(self._lost):
            turn, similarity = best_turn(target.track.template, lost.template)
            lattice = target.track.lattice.turned(turn)
            track = start_track(target.track.frame, lattice) if similarity >= SAME_SIMILARITY else None
            if track is not None:
                self._lost.remove(lost)
                target.number, target.reading, target.track = lost.number, lost.reading, track
                target.smoothed, target.colours = lattice.crossings, lost.colours
                return

    def reacquire_number(self, target: Target) -> None:
        """Give a target, in place, the number of a lost grid that was surely read as the same puzzle."""
        for lost in self._lost:
            if lost.reading.is_same_puzzle(target.reading):
                target.number = lost.number
                self._lost.remove(lost)
                return
