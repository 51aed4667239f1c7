"""Find the digit that an app lights up: all of one digit, given or entered, in a colour of their own.

Such a colour says nothing of who put the digits there, and would pass for the ink of the entries.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import DigitScores, Floats
from sudoku_vision.vision.ranks import distinct

LIT = 0.4
"""Probability that a lit digit was entered: rather not, as the clues of a puzzle are all needed."""

_FEWEST = 2  # cells that are lit at least; a lone odd one is a stray
_GIVEN = 1e-3  # the same where nothing else was entered either
_NEXT_TO_ALL = 0.9  # share of the other digits that are entered from which lit ones are, too
_APART = 0.3  # difference in hue between lit digits and all others, at least


def lit_digit(hues: Floats, digits: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which cells (N,) hold the digit that is lit up; none where no digit is.

    *hues* (N, 2) are those of the cells' ink, *digits* (N,) what they hold. The lit cells are nearer to one
    another than to any other cell, and coloured.
    """
    coloured = np.hypot(hues[:, 0], hues[:, 1]) > _APART
    for digit in distinct(digits[coloured]):
        own = digits == digit
        if np.count_nonzero(own) < _FEWEST or own.all() or not coloured[own].all():
            continue
        across = _distances(hues[own], hues[own]).max()
        if _distances(hues[own], hues[~own]).min() > max(_APART, across):
            return np.asarray(own)
    return np.zeros(len(digits), np.bool_)


def with_lit(scores: DigitScores, lit: NDArray[np.intp], others: NDArray[np.intp]) -> DigitScores:
    """Return the scores, of the cells with a *lit* digit as good as nothing being known.

    Where the *others* are all given, or next to all entered, so are they.
    """
    entered = float((scores.written[others] > 0.5).mean())
    by_hand = _GIVEN if entered == 0 else LIT if entered < _NEXT_TO_ALL else 1 - _GIVEN

    def on_page(written: Floats) -> Floats:
        written = written.copy()
        written[lit] = by_hand
        return written

    roles = tuple(replace(one, written=on_page(one.written)) for one in scores.roles)
    return replace(scores, written=on_page(scores.written), roles=roles)


def _distances(some: Floats, others: Floats) -> Floats:
    """Return the distances (A, B) of hues (A, 2) to others (B, 2)."""
    return np.asarray(np.linalg.norm(some[:, None] - others[None], axis=2))
