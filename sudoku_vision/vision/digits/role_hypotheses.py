"""Accounts of the roles of digits: one by shape and ink, and those of what apps alone do.

Apps light up all of one digit, and let a puzzle with rules of its own begin with two digits. The accounts are
weighed against one another in :mod:`~sudoku_vision.vision.digits.print_vs_handwriting`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.ink_mixture import Doubles
from sudoku_vision.vision.digits.lit import LIT
from sudoku_vision.vision.ranks import distinct, median

TYPED = 0.08
"""How common pages are whose entries are typed."""
PRINT = 1e-3
"""How common handwriting is on a page that is all print, or print among what was entered."""
FEWEST_ON_FULL = 2
"""Digits given at least on a full board: puzzles with rules of their own need few."""
MOST_STRAYS = 2
"""Digits in a colour of their own that are taken for strays at most: more have an ink of their own."""
ROLE_STEP = 0.3
"""Difference of two inks in hue, depth or stroke that tells their roles for sure."""

_FEW_GIVEN = 3.0  # log-odds that two black digits on a board full of coloured ones are given, against strays
_LIKE_ENTRIES = 0.02  # how common a digit is that is lit in the ink of the entries
_MOST_LACKING = 2  # digits none of which seems to be given, at most


class Account(NamedTuple):
    """One account of the page: its log-weight, and the probabilities (N,) that its cells were entered.

    ``by_shape``: shapes have a say in it. ``one_ink``: how likely the page is, as a natural logarithm, if it
    is all of one ink; ``looks``: how much of that its looking written is worth.
    """

    log_weight: float
    by_hand: Doubles
    by_shape: bool
    one_ink: float = 0.0
    looks: float = 0.0


def few_given(values: Floats, by_shape: Account) -> list[Account]:
    """Return the account that two neutral digits of a full board are given and the coloured rest entered.

    *values* (N, 4) are the inks of its cells, but for those of a digit that is lit. Two are too few for an
    ink of their own, and would pass for strays. Empty where there are none such.
    """
    colour = np.hypot(values[:, 0], values[:, 1])
    neutral = colour < median(colour) - ROLE_STEP
    if not FEWEST_ON_FULL <= np.count_nonzero(neutral) <= MOST_STRAYS:
        return []
    if colour[~neutral].min() - colour[neutral].max() < ROLE_STEP:
        return []
    by_hand = np.where(neutral, PRINT, 1 - PRINT)
    return [Account(by_shape.log_weight + _FEW_GIVEN, by_hand, by_shape=False)]


def lit_like_entries(best: Account, digits: NDArray[np.intp]) -> list[Account]:
    """Return accounts like the *best* one, but that a digit which was never given is lit in the entries' ink.

    A proper puzzle lacks one digit at most, and mostly none, as the rules will tell. Empty where shapes have
    had a say: no pen lights up a digit.
    """
    entered = best.by_hand > 0.5
    lacking = [digit for digit in distinct(digits[entered]) if entered[digits == digit].all()]
    if best.by_shape or len(lacking) > _MOST_LACKING or entered.all():
        return []
    weight = best.log_weight + float(np.log(_LIKE_ENTRIES))
    return [Account(weight, np.where(digits == lit, LIT, best.by_hand), by_shape=False) for lit in lacking]


def marks_one_digit(part: NDArray[np.bool_], digits: NDArray[np.intp]) -> bool:
    """Tell whether the cells of *part* (N,) are several, and all those and only those of one digit."""
    chosen = digits[part]
    return len(chosen) > 1 and bool((chosen == chosen[0]).all()) and bool(part[digits == chosen[0]].all())
