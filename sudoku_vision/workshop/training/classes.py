"""Work with the classes of cells as numbers: which digit each is, and what a turned picture makes of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats

Classes = NDArray[np.int64]

BLANK, WRITTEN, JUNK = 0, 10, 19
"""BLANK; printed d is d; written d is WRITTEN - 1 + d; JUNK, a glyph that is no upright digit."""

_LOOK_ALIKE = {1: (8,), 2: (1, 2, 5, 8), 3: (8,)}
"""Digits that may still look like themselves, by quarter turns: too unsettled to be learnt from."""


def is_printed(classes: Classes) -> NDArray[np.bool_]:
    """Tell which classes (N,) are printed digits."""
    return np.asarray((classes > BLANK) & (classes < WRITTEN))


def is_written(classes: Classes) -> NDArray[np.bool_]:
    """Tell which classes (N,) are written digits."""
    return np.asarray((classes >= WRITTEN) & (classes < JUNK))


def digits_of(classes: Classes) -> Classes:
    """Return the digit 0..9 of each class; junk counts as 0."""
    return np.where(classes == JUNK, 0, np.where(classes >= WRITTEN, classes - WRITTEN + 1, classes))


def turned_classes(classes: Classes, quarter_turns: int) -> Classes:
    """Return what digits become when turned: another digit, junk, or -1 where that is not settled."""
    digit = digits_of(classes)
    result = np.full(len(classes), JUNK, np.int64)
    result[digit == 0] = BLANK
    result[np.isin(digit, _LOOK_ALIKE[quarter_turns])] = -1
    if quarter_turns == 2:
        result[digit == 6] = classes[digit == 6] + 3
        result[digit == 9] = classes[digit == 9] - 3
    return result


def ten_answers(probabilities: Floats) -> Floats:
    """Fold the classes (N, 20) into blank and the nine digits, (N, 10); junk is spread evenly."""
    answers = np.concatenate([probabilities[:, :1], probabilities[:, 1:10] + probabilities[:, 10:19]], axis=1)
    return np.asarray(answers + probabilities[:, 19:] / 10, np.float32)
