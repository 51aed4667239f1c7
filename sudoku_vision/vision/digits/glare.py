"""Find glare: where paper is burnt out and ink fades nearby, a blank cell may have lost its digit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import DigitScores, Image
from sudoku_vision.vision.decode.search import MIN_SUPPORT

_RIM = 0.15  # share of a cell on each side that is left out, for the grid lines in it
_INK, _PAPER = 5, 50  # percentiles of the grey levels of a cell that stand for its ink, if any, and its paper
_SATURATED = 252  # grey level from which paper is burnt out, in the darkest of its channels
_LEAST_INK = 20  # grey levels by which ink is darker than its paper
_FADED, _PLAIN = 185, 120  # level of the ink that glare has all but wiped out, and of most of the page's ink
HIDDEN = 8.5 * MIN_SUPPORT
"""Probability that a burnt-out cell which looks blank holds a digit.

More would be true of some; but from 9 times MIN_SUPPORT the decoder would take each of the nine digits for
supported, and make digits up.
"""


def burnt_out(cells: Image) -> NDArray[np.bool_]:
    """Tell in which straightened cells (81, S, S, 3) uint8 glare may have wiped out a digit, (81,).

    Glare adds its light to paper and ink alike. White paper alone is no sign of it, as screens show; it is
    where ink on white paper is nearly white as well, while most of the page's ink is dark.
    """
    if cells.max() < _SATURATED:  # as of most photos; soon told
        return np.zeros(len(cells), np.bool_)
    rim = round(_RIM * cells.shape[1])
    blue, green, red = np.moveaxis(cells[:, rim:-rim, rim:-rim], 3, 0)
    inside = np.minimum(np.minimum(blue, green), red).reshape(len(cells), -1)
    if inside.max() < _SATURATED:
        return np.zeros(len(cells), np.bool_)
    ink, paper = np.percentile(inside, (_INK, _PAPER), axis=1)
    saturated, inked = paper >= _SATURATED, paper - ink > _LEAST_INK
    if not inked.any() or np.median(ink[inked]) > _PLAIN or not (saturated & inked & (ink > _FADED)).any():
        return np.zeros(len(cells), np.bool_)
    return np.asarray(saturated & ~inked)


def with_hidden_digits(scores: DigitScores, burnt: NDArray[np.bool_]) -> DigitScores:
    """Return the scores of 81 cells, none of those *burnt* out (81,) being surely blank any more."""
    logs = scores.log_probs.copy()
    probabilities = np.exp(logs[burnt])
    probabilities = (1 - HIDDEN) * probabilities
    probabilities[:, 1:] += HIDDEN / 9
    logs[burnt] = np.log(probabilities / probabilities.sum(axis=1, keepdims=True))
    return replace(scores, log_probs=logs)
