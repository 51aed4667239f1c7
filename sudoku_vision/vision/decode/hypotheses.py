"""Compare two hypotheses about the ink of a page: all ink is of one kind, or print and handwriting are mixed.

Print is one kind of ink, handwriting is the other. Each :class:`Hypothesis` holds the probabilities of what
the cells contain if the hypothesis is true. Boards are compared by their *joint likelihood*. For each
hypothesis, its probability is multiplied by the probabilities of what the board has in all 81 cells. The
joint likelihood is the sum of these products.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.values import Bools, Doubles, Floats

Values = tuple[int, ...]  # a board as 81 values in reading order, 0 for a blank cell

ONE_HAND = 20.0
"""Prior odds that all ink of a page is of one kind (print or handwriting), against a mixture of both."""
AGREEMENT = 2.0
"""The log-odds that a cell is handwritten are multiplied by this.

The factor is above 1, because the cells of a page confirm each other.
"""
MIN_RIVAL = 3e-4
"""A hypothesis or board is a rival if its likelihood, divided by that of the likeliest one, is at least this.

A less likely hypothesis is not decoded. A less likely board is not solved; only its probability is estimated.
"""

UNDER_INK, UNDER_BLANK = np.array([0.28, *[0.08] * 9]), np.array([0.0, *[1 / 9] * 9])
"""Two arrays with the probabilities (10,) of what a misread cell really holds: nothing, or a digit 1 to 9.

The first array is for cells that look like a digit, the second for cells that look blank. The first array was
measured on 5,073 misread cells that looked like a digit because a cover was drawn over them: 28 in 100 were
blank. For the other cells, the ink hardly showed which digit they held. So all digits have the same
probability.
"""

_MIN_PROBABILITY = 1e-9  # smaller probabilities are raised to this, because no classifier can be so sure
CELLS = np.arange(81)  # indices of all cells, to pick one value from each row of an array (81, 10)


class Hypothesis(NamedTuple):
    """A hypothesis about the ink of a page.

    ``log_weight`` is the log-probability that the hypothesis is true. ``logs`` (81, 10) are, under this
    hypothesis, the log-probabilities of what each cell contains. Column 0 is for a cell without a clue,
    columns 1 to 9 are for the digit of the clue. ``fixed`` (81,) is True if the digit of a cell is
    handwriting. Such a digit must not be changed into another digit.
    """

    log_weight: float
    logs: Doubles
    fixed: Bools


def normalized(log_probs: Floats) -> Doubles:
    """Convert *log_probs* (81, 10) to probabilities; each row sums to one, and no value is zero."""
    probabilities = np.maximum(np.exp(log_probs.astype(np.float64)), _MIN_PROBABILITY)
    rows: Doubles = probabilities / probabilities.sum(axis=1, keepdims=True)
    return rows


def with_covers(ink: Doubles, hidden: Floats) -> Doubles:
    """Return the probabilities (81, 10) of what each cell holds, if something may cover the cell.

    *ink* (81, 10) are the probabilities if nothing covers a cell. *hidden* (81,) is the probability that a
    cell is misread because something covers it. A misread cell that looks blank may hold any digit
    (:data:`UNDER_BLANK`). A misread cell that looks like a digit may hold any digit or be blank
    (:data:`UNDER_INK`).
    """
    looks_like = ink.argmax(axis=1)
    covered = hidden[:, None].astype(np.float64)
    under = np.where(looks_like[:, None] > 0, UNDER_INK, UNDER_BLANK)
    return np.asarray(np.maximum((1 - covered) * ink + covered * under, _MIN_PROBABILITY))


def without_covers(by_hand: Doubles, ink: Doubles, hidden: Floats) -> Doubles:
    """Return the probabilities (81,) of handwriting; a hidden cell gets the mean probability of the page.

    The reason is that a cover doesn't show whether the digit behind it is handwritten. *by_hand* (81,) are
    the probabilities if nothing is hidden. *hidden* (81,) is the probability that a cell is hidden. *ink*
    (81, 10) are the probabilities of no ink (column 0) and of the digits. The mean is weighted: cells that
    surely have ink, and surely aren't hidden, have the highest weights.
    """
    covered = hidden.astype(np.float64)
    seen = (1 - covered) * (1 - ink[:, 0])
    elsewhere = (seen @ by_hand) / max(float(seen.sum()), _MIN_PROBABILITY)
    return np.asarray((1 - covered) * by_hand + covered * elsewhere)


def lost_chance(hidden: Floats) -> float:
    """Return the probability that at least one of N cells is hidden. *hidden* (N,): for each cell alone."""
    return float(-np.expm1(np.log1p(-np.minimum(hidden.astype(np.float64), 1 - 1e-9)).sum()))


def sharpened(by_hand: Floats) -> Doubles:
    """Return the probabilities (81,) of handwriting, moved nearer to 0 or 1.

    The log-odds of *by_hand* (81,) are multiplied by :data:`AGREEMENT`.
    """
    hand, not_hand = (np.asarray(one, np.float64) ** AGREEMENT for one in (by_hand, 1 - by_hand))
    return np.clip(hand / (hand + not_hand), _MIN_PROBABILITY, 1 - _MIN_PROBABILITY)


def page_hypotheses(ink: Doubles, by_hand: Doubles) -> list[Hypothesis]:
    """Return up to two hypotheses about a page; a very unlikely hypothesis is left out.

    The first says that all ink is of one kind, print or handwriting. The second says that both kinds are
    mixed. *ink* (81, 10) are the probabilities that a cell has no ink (column 0), or holds the digit 1..9.
    *by_hand* (81,) are the probabilities that the ink of a cell is handwriting.
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
    return [one for one in hypotheses if one.log_weight > np.log(MIN_RIVAL)]


class Likelihoods(NamedTuple):
    """The likelihood of a board, and of the same board with another digit in one cell.

    ``joint`` is the logarithm of the board's joint likelihood, which is a sum over H hypotheses (see the top
    of this module). ``log_shares`` (H,) is the logarithm of the share of each hypothesis in this sum.
    ``ratios`` (H, 81, 10) is, for each hypothesis, the likelihood of each digit in each cell, divided by the
    likelihood of the digit that the board has there.
    ``mean_ratios`` (81, 10) is the mean of these ratios over the hypotheses, weighted by their shares.
    """

    joint: float
    log_shares: Doubles
    ratios: Doubles
    mean_ratios: Doubles


def likelihoods(values: Values, hypotheses: Sequence[Hypothesis]) -> Likelihoods:
    """Return the likelihoods of the board *values*, and of the other digits that its cells may hold."""
    logs = np.stack([one.logs for one in hypotheses])
    own = logs[:, CELLS, values]
    joints = np.array([one.log_weight for one in hypotheses]) + own.sum(axis=1)
    joint = log_sum(joints)
    ratios = np.exp(logs - own[:, :, None])
    mean = np.exp(joints - joint) @ ratios.reshape(len(hypotheses), -1)
    return Likelihoods(joint, joints - joint, ratios, mean.reshape(81, 10))


def log_joint(values: Values, hypotheses: Sequence[Hypothesis], cells: NDArray[np.intp] = CELLS) -> float:
    """Return the logarithm of the joint likelihood of the board *values*, by the ink of *cells* alone."""
    digits = np.array(values)[cells]
    return log_sum(one.log_weight + float(one.logs[cells, digits].sum()) for one in hypotheses)


def log_sum(logs: Iterable[float]) -> float:
    """Return the logarithm of a sum; *logs* are the logarithms of the numbers to add."""
    return float(np.logaddexp.reduce(list(logs)))
