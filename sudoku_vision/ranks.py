"""Ranks: medians, quantiles and distinct values of a few hundred numbers, faster than in NumPy.

For so few numbers, NumPy's own functions spend most of their time on preparation. Also, the first call of
one of them imports masked arrays. This takes a while.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_SORTED_AT_ONCE = 512
"""At most this many numbers are sorted as a whole. For so few, NumPy takes twice as long for a partition."""


_MANY, _HIGH, _SAMPLED = 10_000, 0.9, 64
"""If there are more than ``_MANY`` values, and the share is higher than ``_HIGH``, only the large values are
ranked. A sample of every ``_SAMPLED``-th value shows which values are large. For 80,000 values and a share of
0.995, this takes a tenth of the time."""


def quantile(values: NDArray[Any], share: float) -> float:
    """Return the quantile *share*, 0..1, of all *values*, interpolated as :func:`numpy.quantile` does it.

    *values* may have any shape, and must not contain NaN. Raises :class:`ValueError` if *values* is empty.
    """
    place = share * (values.size - 1)
    below = int(place)
    above = min(below + 1, values.size - 1)
    if values.size > _MANY and share > _HIGH:
        sample = np.sort(values.ravel()[::_SAMPLED])
        large = values[values >= sample[int((2 * share - 1) * (len(sample) - 1))]]
        left_out = values.size - large.size
        if left_out <= below:
            values, below, above = large, below - left_out, above - left_out
    ranked = np.partition(values, (below, above), axis=None)
    low, high = float(ranked[below]), float(ranked[above])
    return low + (high - low) * (place % 1)


def median(values: NDArray[Any]) -> float:
    """Return the median of all *values*, which must meet the conditions of :func:`quantile`."""
    return quantile(values, 0.5)


def medians(values: NDArray[Any]) -> NDArray[Any]:
    """Return the medians along the last axis of *values* (..., N), as :func:`numpy.median` does."""
    count = values.shape[-1]
    below, above = (count - 1) // 2, count // 2
    ranked = np.sort(values, axis=-1)  # takes a third of the time of numpy.partition at two places
    dtype = np.result_type(values, np.float32)  # because the sum of two uint8 may not fit into uint8
    return np.asarray(np.add(ranked[..., below], ranked[..., above], dtype=dtype) / 2)


def largest(values: NDArray[Any], place: int) -> NDArray[Any]:
    """Return (N,): the *place*-th largest number in each row of *values* (N, M); 1 means the largest.

    Each row is divided into parts, and each part is sorted by itself, because that is quicker. The result is
    one of the *place* largest numbers of its part, so only these are kept.
    """
    parts = np.array_split(values, -(-values.shape[1] // _SORTED_AT_ONCE), axis=1)
    tops = [np.sort(part, axis=1)[:, -place:] for part in parts]
    return np.asarray(np.sort(np.concatenate(tops, axis=1), axis=1)[:, -place])


def distinct(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the distinct values of *numbers* (N,) in ascending order.

    The numbers must not be negative. They must be small, because an array as long as the largest is made.
    """
    return np.flatnonzero(np.bincount(numbers))


def weighted_median(values: NDArray[Any], weights: NDArray[Any], otherwise: float) -> float:
    """Return the weighted median of *values* (N,) with the *weights* (N,); *otherwise* if all weights are 0.

    The values are sorted in ascending order, and their weights are added up one by one. The result is the
    value where this sum reaches half of all weights.
    """
    order = np.argsort(values)
    along = np.cumsum(weights[order])
    if not len(order) or along[-1] <= 0:
        return otherwise
    return float(values[order[np.searchsorted(along, along[-1] / 2)]])
