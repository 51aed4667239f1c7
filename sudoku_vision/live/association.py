"""Association: whether a grid that was detected is one that is tracked, and which of the two is right."""

from __future__ import annotations

import numpy as np

from sudoku_vision.geometry import project
from sudoku_vision.live.target import SWAPPED_SIMILARITY, Target
from sudoku_vision.live.tracking import Track
from sudoku_vision.results import Floats

SAME_SIMILARITY = 0.6
"""Correlation of the inked cells from which two boards are one and the same."""
ELSEWHERE = 0.3
"""Cells by which the middles of two lattices differ that can't both be right."""


def is_replaced(target: Target, detected: Track, similarity: float, line_score: float) -> bool:
    """Tell whether a tracked grid is given up where another was *detected*, which looks like it so much.

    *line_score*: how much of the lines of the detected one was seen.
    """
    if target.track.coasting:
        return similarity < SWAPPED_SIMILARITY
    better_seen = not target.reading.sure and line_score >= target.line_score
    apart = float(np.linalg.norm(_middle(detected) - _middle(target.track)))
    return better_seen and apart > ELSEWHERE * target.track.lattice.cell_size


def lies_on(track: Track, other: Track) -> bool:
    """Tell whether the middle of one board lies on the *other*."""
    place = project(_middle(track), np.linalg.inv(other.to_frame).astype(np.float64))
    low, high = other.template.crossings.min(axis=0), other.template.crossings.max(axis=0)
    return bool(((place > low) & (place < high)).all())


def _middle(track: Track) -> Floats:
    return np.asarray(track.lattice.crossings.mean(axis=(0, 1)), np.float32)
