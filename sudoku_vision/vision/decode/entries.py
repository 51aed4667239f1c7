"""Read the entries of a puzzle, the digits that a person wrote, and find out which entries are unclear.

A clear entry is read as its ink looks, even if it differs from the solution. An unclear entry is read by its
ink and the solution together. Most entries are right, so a digit that differs from the solution becomes less
probable. If the digit of the solution becomes likelier than the digit that the ink looks like, the entry is
read as the digit of the solution. Such an entry is always called unclear, even if its digit is very likely.
"""

from math import exp, lgamma, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.values import Bools, Doubles, Floats
from sudoku_vision.vision.decode.hypotheses import CELLS, Values, normalized
from sudoku_vision.vision.decode.uncertainty import MAX_OPTIONS, MIN_DOUBT
from sudoku_vision.vision.results import DigitScores, Doubt

CLEAR = 0.9  # an entry with a lower probability is unclear: it is never called wrong
RIGHT = 0.9  # prior share of right entries, before the entries of the page are read
RIGHT_WEIGHT = 10.0  # the prior share has the same weight as this number of entries on the page
STEPS = 10  # number of rounds of expectation maximisation


class Entries(NamedTuple):
    """The entries of a board: their likeliest ``digits`` (81 values, 0 for none), and how sure they are.

    ``confidence`` (81,) float32 is the probability that an entry is read right. It is 0 for a cell without an
    entry. ``unclear`` are the cells (0..80) of unclear entries. ``doubts`` name the possible digits of these
    cells, the most doubtful cell first.
    """

    digits: Values
    confidence: Floats
    unclear: tuple[int, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def entry_ink(scores: DigitScores) -> Doubles:
    """Return the probability (81, 10) of each digit as an entry, by the ink; column 0 is for "no entry".

    An entry that was written over or scribbled out may be any digit.
    """
    corrected = scores.corrected[:, None].astype(np.float64)
    ink: Doubles = normalized(scores.log_probs) * (1 - corrected)
    ink[:, 1:] += corrected / 9
    return ink


def weigh_entries(entered: Bools, ink: Doubles, solution: Values | None, confidence: float) -> Entries:
    """Return the likeliest entries, how sure they are, and which other digits they may be.

    *entered* (81,) is True for cells that may have an entry. If such a cell more likely holds a crease, a
    smudge or a mark than a digit, it gets no entry. *ink* (81, 10) comes from :func:`entry_ink`. *solution*
    is the answer of the puzzle, or None. *confidence* is the probability that this answer is right.
    """
    if not entered.any():
        return Entries((0,) * 81, np.zeros(81, np.float32))
    looks_like = 1 + ink[:, 1:].argmax(axis=1)
    weighed = ink
    if solution is not None:
        share = _share_right(ink[entered], np.array(solution)[entered])
        right = confidence * share + (1 - confidence) / 9
        likely = np.full((81, 10), 9 * (1 - right) / 8)
        likely[:, 0] = 1.0
        likely[CELLS, solution] = 9 * right
        weighed = ink * likely
    shares = weighed / weighed.sum(axis=1, keepdims=True)
    kept = np.where(entered, shares.argmax(axis=1), 0)
    sure = np.where(kept > 0, shares[CELLS, kept], 0.0).astype(np.float32)
    unclear = np.flatnonzero((kept > 0) & ((sure < CLEAR) | (kept != looks_like)))
    doubts = []
    for cell in unclear[sure[unclear].argsort(kind="stable")].tolist():
        order = np.argsort(-shares[cell], kind="stable").tolist()
        own = int(looks_like[cell])
        named = list(dict.fromkeys((int(kept[cell]), own, *order)))[:MAX_OPTIONS]
        options = [d for place, d in enumerate(named) if place < 2 or shares[cell, d] >= MIN_DOUBT]
        doubts.append(Doubt(cell, tuple(options), tuple(shares[cell, options].tolist()), own, "entry"))
    return Entries(tuple(kept.tolist()), sure, tuple(unclear.tolist()), tuple(doubts))


def _share_right(ink: Doubles, answers: NDArray[np.int_]) -> float:
    """Return the share of right entries among N entries, by their *ink* (N, 10) and the *answers* (N,).

    The share is found by expectation maximisation (A. Dempster et al., 1977). It begins at :data:`RIGHT` and
    never gets higher than this. Otherwise a wrong entry might be read as right, only because many other
    entries are right.
    """
    own = ink[np.arange(len(ink)), answers]
    others = (ink[:, 1:].sum(axis=1) - own) / 8
    share = RIGHT
    for _ in range(STEPS):
        right = share * own / (share * own + (1 - share) * others)
        share = min(RIGHT, float((RIGHT_WEIGHT * RIGHT + right.sum()) / (RIGHT_WEIGHT + len(right))))
    return share


def odds_of_entries(right: int, wrong: int) -> float:
    """Return a likelihood ratio for the answer of a puzzle, by its numbers of *right* and *wrong* entries.

    The result is the likelihood of these numbers if the answer is right, divided by their likelihood if the
    answer is wrong. If the answer is right, a person's share of right entries is unknown; on average it is
    :data:`RIGHT`. If the answer is wrong, one of nine entries agrees with it by chance.
    """
    before = RIGHT * RIGHT_WEIGHT, (1 - RIGHT) * RIGHT_WEIGHT
    after = before[0] + right, before[1] + wrong
    likely = sum(map(lgamma, after)) - lgamma(sum(after)) - sum(map(lgamma, before)) + lgamma(sum(before))
    return exp(likely - right * log(1 / 9) - wrong * log(8 / 9))
