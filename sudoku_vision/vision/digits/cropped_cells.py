"""Find cells that run off the picture: what is seen of them counts, but they are not known to be blank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sudoku_vision.geometry import Array
from sudoku_vision.results import DigitScores, Lattice
from sudoku_vision.vision.digits.glare import HIDDEN

_PLACES = np.arange(0.05, 1, 0.1)  # of a cell, in either direction, at which it is asked what is seen
_HARMLESS = 0.15  # share of a cell that may lie beyond the edge: paper beside a digit
_HOPELESS = 0.6  # share from which on what is left says nothing


def share_cut_off(lattice: Lattice, width: int, height: int) -> Array:
    """Return the share, 0..1, of each cell that lies beyond a picture of *width* and *height*, (81,)."""
    corners = lattice.crossings.astype(np.float64)
    if ((corners > -0.5) & (corners < (width - 0.5, height - 0.5))).all():
        return np.zeros(81)
    across, down = _PLACES[None, None, None, :, None], _PLACES[None, None, :, None, None]
    left = corners[:-1, :-1, None, None] * (1 - down) + corners[1:, :-1, None, None] * down
    right = corners[:-1, 1:, None, None] * (1 - down) + corners[1:, 1:, None, None] * down
    points = left * (1 - across) + right * across  # (9, 9, places down, places across, 2)
    inside = (points > -0.5).all(axis=4) & (points < (width - 0.5, height - 0.5)).all(axis=4)
    return np.asarray(1 - inside.mean(axis=(2, 3))).ravel()


def with_cut_off_cells_doubted(scores: DigitScores, share: Array) -> DigitScores:
    """Return the scores of 81 cells, those of which a *share* (81,) is cut off being less sure.

    The more of a cell is cut off the less its ink says; of a cell that isn't seen it is only known that most
    cells are blank.
    """
    unknown = np.clip((share - _HARMLESS) / (_HOPELESS - _HARMLESS), 0, 1)[:, None]
    if not unknown.any():
        return scores
    guess = np.array([1 - HIDDEN] + 9 * [HIDDEN / 9])
    probabilities = (1 - unknown) * np.exp(scores.log_probs.astype(np.float64)) + unknown * guess
    doubted = np.log(probabilities / probabilities.sum(axis=1, keepdims=True))
    logs = np.where(unknown > 0, doubted, scores.log_probs)
    return replace(scores, log_probs=logs.astype(scores.log_probs.dtype))
