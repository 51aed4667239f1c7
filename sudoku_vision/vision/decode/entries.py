"""Weigh entries: how surely each digit that a person wrote is read, and which of them are unclear.

An entry stays what its ink says, right or wrong. But how sure that is depends on what else it may be: most
entries are right, so a doubtful digit beside the one that the solution has there is doubted the more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudoku_vision.results import Doubt, Floats
from sudoku_vision.vision.decode.hypotheses import CELLS, Doubles, Values
from sudoku_vision.vision.decode.uncertainty import MAX_OPTIONS, MIN_OPTION

CLEAR = 0.9  # confidence below which an entry is unclear: it is neither called wrong nor built upon
RIGHT = 0.9  # share of entries that are right, as far as anybody knows before looking at the ink
NONE = 0.5
"""Probability of no digit at all above which what looked like an entry is a crease, a smudge or a mark."""


class Entries(NamedTuple):
    """The entries of a board: their ``digits`` (81 values, 0 for none), and how sure they are.

    ``confidence`` (81,) float32: the probability that an entry is read right; 0 where there is none.
    ``unclear``: the cells (0..80) of entries that may well be something else; ``doubts``: what they may be,
    most doubtful first.
    """

    digits: Values
    confidence: Floats
    unclear: tuple[int, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def weigh_entries(digits: Values, ink: Doubles, solution: Values | None, confidence: float) -> Entries:
    """Return the entries *digits* with what each may be; those that are likelier none are left out.

    *ink* (81, 10): probabilities of the digits by the ink alone, 0 for none, pencil marks included.
    *solution* is the answer, right with the probability *confidence*.
    """
    if not any(digits):
        return Entries(digits, np.zeros(81, np.float32))
    likely = np.ones((81, 10))
    if solution is not None:
        right = confidence * RIGHT + (1 - confidence) / 9
        likely[:, 1:] = 9 * (1 - right) / 8
        likely[CELLS, solution] = 9 * right
    weighed = ink * likely
    shares = weighed / weighed.sum(axis=1, keepdims=True)
    kept = np.where(shares[:, 0] > NONE, 0, np.array(digits))
    sure = np.where(kept > 0, shares[CELLS, kept], 0.0).astype(np.float32)
    unclear = np.flatnonzero((kept > 0) & (sure < CLEAR))
    doubts = []
    for cell in unclear[sure[unclear].argsort(kind="stable")].tolist():
        own, others = int(kept[cell]), np.argsort(-shares[cell], kind="stable").tolist()
        others.remove(own)
        likely_others = [d for place, d in enumerate(others) if place == 0 or shares[cell, d] >= MIN_OPTION]
        options = (own, *likely_others[: MAX_OPTIONS - 1])
        doubts.append(Doubt(cell, options, tuple(shares[cell, list(options)].tolist()), own, "entry"))
    return Entries(tuple(kept.tolist()), sure, tuple(unclear.tolist()), tuple(doubts))
