"""Weigh how the ink of a page came about: all by one hand, or print mixed with handwriting.

Each :class:`Hypothesis` says what the cells hold if it is true; boards are compared by their *joint
likelihood*: that of the hypothesis and of the ink of all 81 cells together.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Values = tuple[int, ...]  # A board as 81 values in reading order, 0 for blank

ONE_HAND = 20.0
"""Prior odds that all ink of a page is by one hand, against each cell being independent of the others."""
AGREEMENT = 2.0
"""Factor on the log-odds that cells are handwritten: the marks of one page vouch for one another."""
MIN_HYPOTHESIS = 1e-6
"""A hypothesis less likely than this is not decoded: nothing that it explains could count."""

UNDER_INK, UNDER_BLANK = np.array([0.28, *[0.08] * 9]), np.array([0.0, *[1 / 9] * 9])
"""Probabilities (10,) of what a misread cell really holds, if it looks like a digit, and if it looks blank.

Measured on 5,073 misread cells under drawn covers that looked like a digit: 28 in 100 were blank. The ink of
the others hardly showed which digit they held.
"""

_LEAST_PROBABILITY = 1e-9  # probabilities below this are taken for this: no classifier knows so well
_LEAST_HANDWRITTEN = 1e-4  # likewise of handwriting, so that its odds stay finite
CELLS = np.arange(81)  # all cells in reading order, to look one value up in each row of (81, 10)


class Hypothesis(NamedTuple):
    """One way in which the ink of a page came about: its probability, and what it makes of the cells.

    ``logs`` (81, 10): log-probabilities of no printed digit (column 0) and of the printed digits. ``fixed``
    (81,): cells whose digit, taken as handwriting, must not change into another digit.
    """

    log_weight: float
    logs: Doubles
    fixed: NDArray[np.bool_]


def normalized(log_probs: NDArray[np.float32]) -> Doubles:
    """Return probabilities (81, 10) of log-probabilities, each row summing to one, none quite zero."""
    probabilities = np.maximum(np.exp(log_probs.astype(np.float64)), _LEAST_PROBABILITY)
    rows: Doubles = probabilities / probabilities.sum(axis=1, keepdims=True)
    return rows


def veiled(ink: Doubles, hidden: NDArray[np.float32]) -> Doubles:
    """Return *ink* (81, 10) with the doubt of what may lie over the cells.

    *hidden* (81,) is the probability that a cell is misread because something covers it. A misread cell that
    looks blank holds any digit (:data:`UNDER_BLANK`); one that looks like a digit holds anything.
    """
    looks = ink.argmax(axis=1)
    covered = hidden[:, None].astype(np.float64)
    return np.asarray((1 - covered) * ink + covered * np.where(looks[:, None] > 0, UNDER_INK, UNDER_BLANK))


def as_elsewhere(by_hand: Doubles, ink: Doubles, hidden: NDArray[np.float32]) -> Doubles:
    """Return probabilities of handwriting (81,), those of *hidden* cells drawn to the mean of the page.

    What covers a cell says nothing about how the digit below was written. *ink* (81, 10) weighs the mean.
    """
    covered = hidden.astype(np.float64)
    seen = (1 - covered) * (1 - ink[:, 0])
    elsewhere = (seen @ by_hand) / max(float(seen.sum()), _LEAST_PROBABILITY)
    return np.asarray((1 - covered) * by_hand + covered * elsewhere)


def lost_chance(hidden: NDArray[np.float32]) -> float:
    """Return the probability that at least one of some cells (N,) is hidden."""
    return float(-np.expm1(np.log1p(-np.minimum(hidden.astype(np.float64), 1 - 1e-9)).sum()))


def sharpened(written: NDArray[np.float32]) -> Doubles:
    """Return probabilities of handwriting (81,), made firmer since cells of a page agree with one another."""
    clipped = np.clip(written.astype(np.float64), _LEAST_HANDWRITTEN, 1 - _LEAST_HANDWRITTEN)
    odds = (clipped / (1 - clipped)) ** AGREEMENT
    firmer: Doubles = odds / (1 + odds)
    return firmer


def page_hypotheses(ink: Doubles, by_hand: Doubles) -> list[Hypothesis]:
    """Return the hypotheses about a page, leaving out what is most unlikely.

    *ink* (81, 10): probabilities of the digits, 0 for no ink; *by_hand* (81,): that ink is handwriting.
    """
    inked = 1 - ink[:, 0]
    all_print = float(inked @ np.log1p(-by_hand))
    all_hand = float(inked @ np.log(by_hand))
    one_hand = np.log(ONE_HAND) + np.logaddexp(all_print, all_hand)
    whole = float(np.logaddexp(one_hand, 0.0))
    handwriting = by_hand > 0.5
    nothing = np.zeros(81, np.bool_)

    mixed_ink = ink * (1 - by_hand)[:, None]
    mixed_ink[:, 0] = 1 - mixed_ink[:, 1:].sum(axis=1)
    hypotheses = [
        Hypothesis(float(one_hand) - whole, np.log(ink), handwriting if all_print > all_hand else nothing),
        Hypothesis(-whole, np.log(mixed_ink), handwriting),
    ]
    return [one for one in hypotheses if one.log_weight > np.log(MIN_HYPOTHESIS)]


class Likelihoods(NamedTuple):
    """How likely a board is, and its cells read otherwise.

    ``joint``: its log-likelihood under all hypotheses together; ``log_shares`` (H,): that of each, against
    it. ``ratios`` (H, 81, 10): how likely each cell is to be each digit, against that of the board, under
    each; ``mean_ratios`` (81, 10): under all of them.
    """

    joint: float
    log_shares: Doubles
    ratios: Doubles
    mean_ratios: Doubles


def likelihoods(values: Values, hypotheses: Sequence[Hypothesis]) -> Likelihoods:
    """Compare a board with what else its cells may hold."""
    logs = np.stack([one.logs for one in hypotheses])
    own = logs[:, CELLS, values]
    joints = np.array([one.log_weight for one in hypotheses]) + own.sum(axis=1)
    joint = log_sum(joints)
    ratios = np.exp(logs - own[:, :, None])
    mean = np.exp(joints - joint) @ ratios.reshape(len(hypotheses), -1)
    return Likelihoods(joint, joints - joint, ratios, mean.reshape(81, 10))


def log_joint(values: Values, hypotheses: Sequence[Hypothesis], cells: NDArray[np.intp] = CELLS) -> float:
    """Return the log-likelihood of a board under all hypotheses together, by the ink of some *cells*."""
    digits = np.array(values)[cells]
    return log_sum(one.log_weight + float(one.logs[cells, digits].sum()) for one in hypotheses)


def log_sum(logs: Iterable[float]) -> float:
    """Return the logarithm of the sum of numbers given by their logarithms."""
    return float(np.logaddexp.reduce(list(logs)))
