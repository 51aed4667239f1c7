"""Weigh how the ink of a page came about: all by one hand, or print mixed with handwriting.

Each :class:`Hypothesis` gives the probabilities of the cells if it is true. Boards are compared by their
*joint likelihood*: that of the hypothesis and of the ink of all 81 cells together.
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
"""Factor on the log-odds that cells are handwritten: the cells of one page confirm one another."""
MIN_HYPOTHESIS = 1e-6
"""A hypothesis with a smaller probability is not decoded: no board that it explains could matter."""

UNDER_INK, UNDER_BLANK = np.array([0.28, *[0.08] * 9]), np.array([0.0, *[1 / 9] * 9])
"""Probabilities (10,) of what a misread cell really holds, if it looks like a digit, and if it looks blank.

Measured on 5,073 misread cells under drawn covers that looked like a digit: 28 in 100 were blank. The ink of
the others hardly showed which digit they held.
"""

_MIN_PROBABILITY = 1e-9  # smaller probabilities are raised to this: no classifier is that sure
_MIN_BY_HAND = 1e-4  # the same for handwriting, so that its odds stay finite
CELLS = np.arange(81)  # all cells in reading order, to look one value up in each row of (81, 10)


class Hypothesis(NamedTuple):
    """One way in which the ink of a page came about: its log-probability, and those of the cells under it.

    ``logs`` (81, 10): log-probabilities of no printed digit (column 0) and of the printed digits. ``fixed``
    (81,): cells whose digit was taken as handwriting, and so must not change into another digit.
    """

    log_weight: float
    logs: Doubles
    fixed: NDArray[np.bool_]


def normalized(log_probs: NDArray[np.float32]) -> Doubles:
    """Return the probabilities (81, 10) of log-probabilities; each row sums to one, and none is zero."""
    probabilities = np.maximum(np.exp(log_probs.astype(np.float64)), _MIN_PROBABILITY)
    rows: Doubles = probabilities / probabilities.sum(axis=1, keepdims=True)
    return rows


def with_covers(ink: Doubles, hidden: NDArray[np.float32]) -> Doubles:
    """Return *ink* (81, 10), mixed with what cells hold if something covers them.

    *hidden* (81,) is the probability that a cell is misread because something covers it. A misread cell that
    looks blank holds any digit (:data:`UNDER_BLANK`); one that looks like a digit holds anything.
    """
    looks_like = ink.argmax(axis=1)
    covered = hidden[:, None].astype(np.float64)
    return np.asarray(
        (1 - covered) * ink + covered * np.where(looks_like[:, None] > 0, UNDER_INK, UNDER_BLANK)
    )


def without_covers(by_hand: Doubles, ink: Doubles, hidden: NDArray[np.float32]) -> Doubles:
    """Return probabilities of handwriting (81,); those of *hidden* cells are moved to the mean of the page.

    A cover doesn't show how the digit below it was written. *ink* (81, 10) gives the weights of the mean.
    """
    covered = hidden.astype(np.float64)
    seen = (1 - covered) * (1 - ink[:, 0])
    elsewhere = (seen @ by_hand) / max(float(seen.sum()), _MIN_PROBABILITY)
    return np.asarray((1 - covered) * by_hand + covered * elsewhere)


def lost_chance(hidden: NDArray[np.float32]) -> float:
    """Return the probability that at least one of some cells (N,) is hidden."""
    return float(-np.expm1(np.log1p(-np.minimum(hidden.astype(np.float64), 1 - 1e-9)).sum()))


def sharpened(by_hand: NDArray[np.float32]) -> Doubles:
    """Return probabilities of handwriting (81,), made firmer because the cells of a page agree."""
    clipped = np.clip(by_hand.astype(np.float64), _MIN_BY_HAND, 1 - _MIN_BY_HAND)
    odds = (clipped / (1 - clipped)) ** AGREEMENT
    firmer: Doubles = odds / (1 + odds)
    return firmer


def page_hypotheses(ink: Doubles, by_hand: Doubles) -> list[Hypothesis]:
    """Return the hypotheses about a page; the most unlikely ones are left out.

    *ink* (81, 10): probabilities of no ink (column 0) and of the digits; *by_hand* (81,): probabilities that
    the ink is handwriting.
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
    """How likely a board is, and how likely it is with single cells read otherwise.

    ``joint``: its log-likelihood under all hypotheses together; ``log_shares`` (H,): the logarithm of the
    share that each hypothesis has in it. ``ratios`` (H, 81, 10): the likelihood of each digit in each cell,
    divided by that of the board's own digit, under each hypothesis; ``mean_ratios`` (81, 10): under all.
    """

    joint: float
    log_shares: Doubles
    ratios: Doubles
    mean_ratios: Doubles


def likelihoods(values: Values, hypotheses: Sequence[Hypothesis]) -> Likelihoods:
    """Compare a board with the other digits that its cells may hold."""
    logs = np.stack([one.logs for one in hypotheses])
    own = logs[:, CELLS, values]
    joints = np.array([one.log_weight for one in hypotheses]) + own.sum(axis=1)
    joint = log_sum(joints)
    ratios = np.exp(logs - own[:, :, None])
    mean = np.exp(joints - joint) @ ratios.reshape(len(hypotheses), -1)
    return Likelihoods(joint, joints - joint, ratios, mean.reshape(81, 10))


def log_joint(values: Values, hypotheses: Sequence[Hypothesis], cells: NDArray[np.intp] = CELLS) -> float:
    """Return the log-likelihood of a board under all hypotheses together, by the ink of these *cells*."""
    digits = np.array(values)[cells]
    return log_sum(one.log_weight + float(one.logs[cells, digits].sum()) for one in hypotheses)


def log_sum(logs: Iterable[float]) -> float:
    """Return the logarithm of the sum of numbers given by their logarithms."""
    return float(np.logaddexp.reduce(list(logs)))
