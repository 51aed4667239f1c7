"""Find two weights of one typeface on a page: bold digits and regular ones of the same ink.

Strokes differ from digit to digit by as much as from bold to regular. So each digit has a width of its own,
near the usual one, and the bold ones of all digits are wider than the regular ones by the same factor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.vision.digits.ink_mixture import Doubles
from sudoku_vision.vision.ranks import distinct

# Median log-width of the strokes of each digit over 230 pages, less the mean of all, and how far it varies.
_USUAL = np.array([0.0, 0.05, -0.05, -0.05, 0.08, 0.0, 0.02, -0.04, 0.03, 0.02])
_USUAL_SPREAD = 0.06
_SPREAD = 0.03  # of log-widths of one digit in one weight: 0.015 in screenshots, 0.03 in photos
_MOST_OFF = 4.0  # spreads beyond which a cell is no further off: it is smeared, or crossed by a line
_LEAST_VARIETY = 0.06  # spread of log-widths within the digits of a page that is worth a closer look
_STEPS = (0.2, 0.3, 0.4)  # differences of bold and regular log-widths to begin with
_LEAST_STEP, _LEAST_RATIO = 0.15, 6.0  # from regular to bold: log-width, and that in spreads of one weight
_ROUNDS = 3
_CREDIT = 0.5  # exponent of the evidence: cells of one page err together
_MOST = 8.0  # log-odds for two weights at most: the rules of sudoku can say no


class Weights(NamedTuple):
    """Two weights on a page: log-odds for there being two at all, and which cells (N,) are regular."""

    log_odds: float
    regular: NDArray[np.bool_]


def two_weights(strokes: Doubles, digits: NDArray[np.intp]) -> Weights | None:
    """Return the division of cells into bold and regular ones, None where all may be of one weight.

    *strokes* (N,) are logarithms of the widths of strokes, *digits* (N,) what stands in the cells.
    """
    mean = np.bincount(digits, strokes, minlength=10) / np.maximum(np.bincount(digits, minlength=10), 1)
    if (strokes - mean[digits]).std() < _LEAST_VARIETY:
        return None
    groups = [np.flatnonzero(digits == digit) for digit in distinct(digits)]
    usual = strokes - _USUAL[digits]
    none = np.zeros((1, len(strokes)), np.bool_)
    middle = float(usual.mean())
    one = sum(float(_costs(usual[group], none[:, group], 0.0, middle)[0]) for group in groups)
    cost, step, regular = min((_divided(usual, groups, step) for step in _STEPS), key=lambda fit: fit[0])
    if step < _LEAST_STEP or regular.all() or not regular.any():
        return None
    raised = usual + step * regular
    rest = np.concatenate([raised[group] - raised[group].mean() for group in groups]).std()
    if step < _LEAST_RATIO * rest:
        return None
    share = regular.mean()
    doubt = -len(strokes) * (share * np.log(share) + (1 - share) * np.log1p(-share))
    return Weights(min(float(_CREDIT * ((one - cost) / 2 - doubt)), _MOST), regular)


def _divided(
    usual: Doubles, groups: list[NDArray[np.intp]], step: float
) -> tuple[float, float, NDArray[np.bool_]]:
    """Return the cost of the best division near a *step*, that step, and which cells (N,) are regular.

    *usual* (N,): log-widths less what is usual of each digit. *groups*: the cells of each digit.
    """
    regular = usual < usual.max() - step
    orders = [group[np.argsort(usual[group], kind="stable")] for group in groups]
    for _ in range(_ROUNDS):
        middle = float((usual + step * regular).mean())
        divided = np.zeros(len(usual), np.bool_)
        for order in orders:
            splits = np.tri(len(order) + 1, len(order), -1, dtype=np.bool_)
            divided[order] = splits[_costs(usual[order], splits, step, middle).argmin()]
        step = _step(usual, groups, divided) or step
        if np.array_equal(divided, regular):
            break
        regular = divided
    middle = float((usual + step * regular).mean())
    cost = sum(float(_costs(usual[group], regular[None, group], step, middle)[0]) for group in groups)
    return cost, step, regular


def _costs(usual: Doubles, regular: NDArray[np.bool_], step: float, middle: float) -> Doubles:
    """Return -2 times the log-likelihoods (K,) of the log-widths (N,) of one digit, up to a constant.

    *regular* (K, N): ways to divide its cells into bold and regular ones.
    """
    raised = usual + step * regular - middle
    trust = (_SPREAD / _USUAL_SPREAD) ** 2  # what is usual counts for so many cells
    own = raised.sum(axis=1) / (len(usual) + trust)
    off = np.minimum(((raised - own[:, None]) / _SPREAD) ** 2, _MOST_OFF**2)
    return np.asarray(off.sum(axis=1) + (own / _USUAL_SPREAD) ** 2)


def _step(usual: Doubles, groups: list[NDArray[np.intp]], regular: NDArray[np.bool_]) -> float:
    """Return the mean difference of bold and regular cells of the same digits, 0 where no digit has both."""
    mixed = [group for group in groups if 0 < regular[group].sum() < len(group)]
    steps = [usual[group][~regular[group]].mean() - usual[group][regular[group]].mean() for group in mixed]
    return float(np.mean(steps)) if steps else 0.0
