"""Association: whether a grid that was detected is one that is tracked, and which of the two is right."""

from __future__ import annotations

from enum import Enum, auto

import numpy as np

from sudoku_vision.geometry import project
from sudoku_vision.live.target import SWAPPED_SIMILARITY, Target
from sudoku_vision.live.template import best_turn
from sudoku_vision.live.tracking import Track

SAME_SIMILARITY = 0.6
"""Correlation of the inked cells from which two boards are one and the same."""
SHARPER = 1.15
"""How much sharper a detected grid must be seen for its lattice to be taken instead of the tracked one."""
ELSEWHERE = 0.3
"""Cells by which the crossings of two lattices differ, on average, that can't both be right."""


class TargetUpdate(Enum):
    """What becomes of a tracked grid where another was detected."""

    KEEP = auto()
    """It stays as it is tracked."""
    CORRECT = auto()
    """It is the same, and better seen: its lattice is the detected one, what was read stays."""
    REPLACE = auto()
    """It is given up: the detected one is another."""


def decide_update(target: Target, detected: Track, line_score: float) -> tuple[TargetUpdate, int]:
    """Decide what becomes of a tracked grid where another was *detected*.

    Returns that, and by how many quarter turns the detected board has to be turned to lie as the
    tracked one. *line_score*: how much of the lines of the detected one was seen.
    """
    turn, similarity = best_turn(detected.template, target.track.template)
    coasting = target.track.coasting
    if coasting and similarity < SWAPPED_SIMILARITY:
        return TargetUpdate.REPLACE, turn
    if not coasting and _distance(detected, target.track) > ELSEWHERE:
        wrong = not target.reading.sure and line_score >= target.line_score
        return (TargetUpdate.REPLACE if wrong else TargetUpdate.KEEP), turn
    if similarity < SAME_SIMILARITY:
        return TargetUpdate.KEEP, turn
    sharper = detected.template.sharpness > SHARPER * target.track.template.sharpness
    return (TargetUpdate.CORRECT if coasting or sharper else TargetUpdate.KEEP), turn


def lies_on(track: Track, other: Track) -> bool:
    """Tell whether the middle of one board lies on the *other*."""
    middle = track.lattice.crossings.reshape(-1, 2).mean(axis=0)
    place = project(middle, np.linalg.inv(other.to_frame).astype(np.float64))
    low, high = other.template.crossings.min(axis=0), other.template.crossings.max(axis=0)
    return bool(((place > low) & (place < high)).all())


def _distance(track: Track, other: Track) -> float:
    """Return by how many cells the crossings of two boards differ, on average, in the turn of least."""
    lattice = other.lattice
    return min(
        float(np.linalg.norm(track.lattice.turned(turn).crossings - lattice.crossings, axis=2).mean())
        for turn in range(4)
    ) / max(1e-6, lattice.cell_size)
