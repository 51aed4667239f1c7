"""Find the 3x3 places of the pencil marks of a page: where each digit has its own, the place tells it again.

Apps, and many people, put the candidates 1..9 where the digits of a keypad are. The page itself shows where
these places are, how far marks slip from them, and how many marks keep to them. They are found as a mixture:
each mark is either at the place of its digit or anywhere in its cell. On a page without such an order hardly
any mark is at its place, so places say nothing.
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
    (2,): the standard deviation of marks from their places. ``share``: of the marks that keep to places.
    """

    origin: Doubles
    step: Doubles
    slip: Doubles
    share: float

    def densities(self, middles: Doubles) -> Doubles:
        """Return the densities (N, 9) of the *middles* (N, 2) of marks that keep to the places of 1..9."""
        off = (middles[:, None] - self.origin - self.step * _OWN) / self.slip
        return np.asarray(np.exp(-(off**2).sum(axis=2) / 2) / (2 * np.pi * self.slip.prod()))

    def evidence(self, middles: Doubles) -> Doubles:
        """Return the log-likelihoods (N, 9) of the digits 1..9 of marks, relative to a mark anywhere."""
        return np.asarray(np.log(self.share * self.densities(middles) + 1 - self.share))


def fit_places(middles: Doubles, digits: Doubles) -> MarkPlaces:
    """Return the places of the marks of one page.

    *middles* (N, 2) are those of its marks, in cells; *digits* (N, 9) are the probabilities of their digits
    by shape. The search starts from the middles of nine parts of a cell; this start counts as one mark.
    """
    places = MarkPlaces(np.full(2, 1 / 2), np.full(2, 1 / 3), np.full(2, 1 / 6), 1 / 2)
    for _ in range(_ROUNDS):
        at_place = places.share * places.densities(middles)
        weight = (digits * at_place / (at_place + 1 - places.share))[:, :, None]
        total = 1 + weight.sum()
        mean = (weight * _OWN).sum(axis=(0, 1)) / total
        own = _OWN - mean
        middle = (places.origin + (weight * middles[:, None]).sum(axis=(0, 1))) / total
        pull = (weight * own * (middles[:, None] - middle)).sum(axis=(0, 1))
        step = (places.step + pull) / (1 + (weight * own**2).sum(axis=(0, 1)))
        origin = middle - step * mean
        off = middles[:, None] - origin - step * _OWN
        slip = np.sqrt((weight * off**2).sum(axis=(0, 1)) / total + MARK_CELL**-2)  # seen to a pixel at best
        places = MarkPlaces(origin, step, slip, float(total / (2 + digits.sum())))
    return places
