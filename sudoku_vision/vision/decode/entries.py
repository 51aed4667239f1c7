"""Weigh entries: how surely each digit that a person wrote is read, and which of them are unclear.

A clear entry is what its ink says, right or wrong. How sure that is depends on what else it may be: most
entries are right, so a doubtful digit beside the one that the solution has there is doubted the more. Where
the solution's is then the likelier one, it is what was read; but it stays unclear whatever its probability.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import DigitScores, Doubt, Floats
from sudoku_vision.vision.decode.hypotheses import CELLS, Doubles, Values, normalized
from sudoku_vision.vision.decode.uncertainty import MAX_OPTIONS, MIN_OPTION

CLEAR = 0.9  # confidence below which an entry is unclear: it is neither called wrong nor built upon
RIGHT = 0.9  # share of entries that are right, as far as anybody knows before looking at the ink
FORMER = 10.0  # entries of other pages that this expectation counts for, against those of the page itself
STEPS = 10  # of expectation and maximisation


class Entries(NamedTuple):
    """The entries of a board: their likeliest ``digits`` (81 values, 0 for none), and how sure they are.

    ``confidence`` (81,) float32: the probability that an entry is read right; 0 where there is none.
    ``unclear``: the cells (0..80) of entries that may well be something else; ``doubts``: what they may be,
    most doubtful first.
    """

    digits: Values
    confidence: Floats
    unclear: tuple[int, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def entry_ink(scores: DigitScores) -> Doubles:
    """Return the probabilities (81, 10) of entries by the ink alone: a corrected one may be any digit."""
    corrected = scores.corrected[:, None].astype(np.float64)
    ink: Doubles = normalized(scores.log_probs) * (1 - corrected)
    ink[:, 1:] += corrected / 9
    return ink


def weigh_entries(
    entered: NDArray[np.bool_], ink: Doubles, solution: Values | None, confidence: float
) -> Entries:
    """Return the likeliest digits of the cells *entered* (81,), and what else each may be.

    What is likelier none, a crease, a smudge or a mark, is left out. *ink* (81, 10): that of
    :func:`entry_ink`. *solution* is the answer, right with the probability *confidence*.
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
        options = [d for place, d in enumerate(named) if place < 2 or shares[cell, d] >= MIN_OPTION]
        doubts.append(Doubt(cell, tuple(options), tuple(shares[cell, options].tolist()), own, "entry"))
    return Entries(tuple(kept.tolist()), sure, tuple(unclear.tolist()), tuple(doubts))


def _share_right(ink: Doubles, answers: NDArray[np.int_]) -> float:
    """Return the share of entries that are right, by their *ink* (N, 10) and the *answers* (N,) there.

    It is found by expectation and maximisation (A. Dempster et al., 1977), from :data:`RIGHT` on, which it
    never exceeds: no other entry excuses a wrong one.
    """
    own = ink[np.arange(len(ink)), answers]
    others = (ink[:, 1:].sum(axis=1) - own) / 8
    share = RIGHT
    for _ in range(STEPS):
        right = share * own / (share * own + (1 - share) * others)
        share = min(RIGHT, float((FORMER * RIGHT + right.sum()) / (FORMER + len(right))))
    return share
