"""Find the 3x3 places where the pencil marks of a page stand in their cells.

Pencil marks are small candidate digits in a cell. Apps and many people put the candidates 1..9 in three rows
of three, in the order 1 to 9. Then the place of a mark is evidence of its digit. This module finds where the
nine places are, how far marks lie from them, and how many marks are at the place of their digit. A mixture of
two cases is fitted: a mark is at the place of its digit, or it is at any place where this page has marks. If
hardly any mark is at the place of its digit, places are no evidence. For example, some people fill the
corners of a cell in order. Then marks are often at one of the nine places, but at the place of another digit.
"""

from typing import NamedTuple

import numpy as np

from sudoku_vision.values import Doubles
from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL

_OWN = np.stack(np.divmod(np.arange(9), 3)[::-1], axis=1) - 1.0
"""The column and the row (9, 2) of the place of each digit's marks: -1 is left or top, 0 is the middle."""
_ROUNDS = 8  # rounds of expectation maximisation; 16 rounds gave the same result on 60 screens


class MarkPlaces(NamedTuple):
    """The nine places of the pencil marks of a page.

    Lengths are shares of a cell's side. In arrays of two numbers, the first is horizontal, the second is
    vertical.

    * ``origin`` (2,): the place of the digit 5, from the left and from the top of the cell.
    * ``step`` (2,): the distance from one place to the next.
    * ``slip`` (2,): the standard deviation of the distances of marks from their places.
    * ``share``: the share of the marks that are at the place of their digit.
    * ``common`` (9,): for each place, the share of all marks that are there, whatever their digits.
    """

    origin: Doubles
    step: Doubles
    slip: Doubles
    share: float
    common: Doubles

    def densities(self, middles: Doubles) -> tuple[Doubles, Doubles]:
        """Return the probability densities of marks at these *middles* (N, 2), as two arrays.

        The first array (N, 9) is for marks that are at the place of their digit. It has one density for each
        digit 1..9 that the mark may have. The second array (N,) is for all other marks. It doesn't depend on
        the digit.
        """
        off = (middles[:, None] - self.origin - self.step * _OWN) / self.slip
        kept = np.asarray(np.exp(-(off**2).sum(axis=2) / 2) / (2 * np.pi * self.slip.prod()))
        return kept, kept @ self.common + 1 - self.common.sum()

    def evidence(self, middles: Doubles) -> Doubles:
        """Return the log-likelihoods (N, 9) of the digits 1..9 for marks at these *middles* (N, 2).

        They are relative to the log-likelihood of a mark that is equally likely at any place in the cell.
        """
        kept, other = self.densities(middles)
        return np.asarray(np.log(self.share * kept + (1 - self.share) * other[:, None]))


def fit_places(middles: Doubles, digits: Doubles) -> MarkPlaces:
    """Return the places of the marks of one page.

    *middles* (N, 2) are the middles of the marks, as shares of a cell's side. *digits* (N, 9) are the
    probabilities of the digits 1..9 for each mark by its shape. The fit starts from places in a cell that is
    divided into three equal rows and columns. In the fit, these places have the weight of one mark.
    """
    places = MarkPlaces(np.full(2, 1 / 2), np.full(2, 1 / 3), np.full(2, 1 / 6), 1 / 2, np.zeros(9))
    certain = digits.sum(axis=1)  # for each piece of ink, the probability that it is one of the digits
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
        slip = np.sqrt((weight * off**2).sum(axis=(0, 1)) / total + MARK_CELL**-2)  # a pixel or more
        common = (kept / (1 + kept.sum(axis=1, keepdims=True))).sum(axis=0) / (1 + len(middles))
        places = MarkPlaces(origin, step, slip, float(total / (2 + certain.sum())), common)
    return places
