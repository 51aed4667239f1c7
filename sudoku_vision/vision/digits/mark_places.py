"""Find the 3x3 places of the pencil marks of a page: where each digit has its own, the place tells it again.

Apps, and many people, put the candidates 1..9 where the digits of a keypad are. The page itself shows where
these places are, how far marks slip from them, and how many marks keep to them. They are found as a mixture:
each mark is either at the place of its digit, or at any place that marks of this page have, whatever its
digit. If hardly any mark is at the place of its digit, places are no evidence: marks that are sorted into the
corners of their cells are often at a place, but of another digit.
"""

from typing import NamedTuple

import numpy as np

from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL
from sudoku_vision.vision.digits.mixture import Doubles

_OWN = np.stack(np.divmod(np.arange(9), 3)[::-1], axis=1) - 1.0  # column and row of 1..9, from -1 to 1
_ROUNDS = 8  # of expectation and maximisation; on 60 screens twice as many change nothing


class MarkPlaces(NamedTuple):
    """The places of the marks of a page; lengths are in cells, across and down.

    The place of the 5 is the ``origin`` (2,); a ``step`` (2,) leads from one place to the next. ``slip``
    (2,): the standard deviation of marks from their places. ``share``: of the marks that keep to the place of
    their digit. ``common`` (9,): the share of marks at each place, whatever their digits.
    """

    origin: Doubles
    step: Doubles
    slip: Doubles
    share: float
    common: Doubles

    def densities(self, middles: Doubles) -> tuple[Doubles, Doubles]:
        """Return the densities of *middles* (N, 2) at the places of 1..9, (N, 9), and in no order, (N,)."""
        off = (middles[:, None] - self.origin - self.step * _OWN) / self.slip
        kept = np.asarray(np.exp(-(off**2).sum(axis=2) / 2) / (2 * np.pi * self.slip.prod()))
        return kept, kept @ self.common + 1 - self.common.sum()

    def evidence(self, middles: Doubles) -> Doubles:
        """Return the log-likelihoods (N, 9) of the digits 1..9 of marks, relative to ink anywhere."""
        kept, other = self.densities(middles)
        return np.asarray(np.log(self.share * kept + (1 - self.share) * other[:, None]))


def fit_places(middles: Doubles, digits: Doubles) -> MarkPlaces:
    """Return the places of the marks of one page.

    *middles* (N, 2) are those of its marks, in cells; *digits* (N, 9) are the probabilities of their digits
    by shape. The search starts from the middles of nine parts of a cell; this start counts as one mark.
    """
    places = MarkPlaces(np.full(2, 1 / 2), np.full(2, 1 / 3), np.full(2, 1 / 6), 1 / 2, np.zeros(9))
    certain = digits.sum(axis=1)  # the probability that it is a mark at all
    for _ in range(_ROUNDS):
        kept, other = places.densities(middles)
        at_place = places.share * digits * kept
        either = at_place.sum(axis=1) + (1 - places.share) * other * certain
        weight = (at_place * (certain / either)[:, None])[:, :, None]
        total = 1 + weight.sum()
        mean = (weight * _OWN).sum(axis=(0, 1)) / total
        own = _OWN - mean
        middle = (places.origin + (weight * middles[:, None]).sum(axis=(0, 1))) / total
        pull = (weight * own * (middles[:, None] - middle)).sum(axis=(0, 1))
        step = (places.step + pull) / (1 + (weight * own**2).sum(axis=(0, 1)))
        origin = middle - step * mean
        off = middles[:, None] - origin - step * _OWN
        slip = np.sqrt((weight * off**2).sum(axis=(0, 1)) / total + MARK_CELL**-2)  # seen to a pixel at best
        common = (kept / (1 + kept.sum(axis=1, keepdims=True))).sum(axis=0) / (1 + len(middles))
        places = MarkPlaces(origin, step, slip, float(total / (2 + certain.sum())), common)
    return places
