"""Ranks: medians, quantiles and distinct values of a few hundred numbers, quicker than NumPy's own.

For so few numbers, NumPy's functions spend most of their time on preparation, and their first call imports
masked arrays, which takes time, too.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_SORTED_AT_ONCE = 512
"""Most numbers that NumPy sorts without branches; sorting so few takes half the time of a partition."""


def quantile(values: NDArray[Any], share: float) -> float:
    """Return the quantile *share*, 0..1, of all *values*, interpolated as by :func:`numpy.quantile`.

    *values* may have any shape, and must not contain NaN. Raises :class:`ValueError` if *values* is empty.
    """
    place = share * (values.size - 1)
    below = int(place)
    above = min(below + 1, values.size - 1)
    ranked = np.partition(values, (below, above), axis=None)
    low, high = float(ranked[below]), float(ranked[above])
    return low + (high - low) * (place - below)


def median(values: NDArray[Any]) -> float:
    """Return the median of all *values*; the conditions are those of :func:`quantile`."""
    return quantile(values, 0.5)


def medians(values: NDArray[Any]) -> NDArray[Any]:
    """Return the medians along the last axis of *values* (..., N), as :func:`numpy.median` does."""
    count = values.shape[-1]
    below, above = (count - 1) // 2, count // 2
    ranked = np.sort(values, axis=-1)  # sorting takes a third of the time of numpy.partition at two places
    dtype = np.result_type(values, np.float32)  # the sum of two uint8 may not fit into uint8
    return np.asarray(np.add(ranked[..., below], ranked[..., above], dtype=dtype) / 2)


def largest(values: NDArray[Any], place: int) -> NDArray[Any]:
    """Return the *place*-th largest number in each row of *values* (N, M), as (N,); 1 means the largest.

    Each row is divided into parts, which are sorted by themselves: that is quicker. Only the *place* largest
    numbers of each part can be the result.
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
    """Return the weighted median of *values* (N,): at it, half of the sum of the *weights* (N,) is reached.

    Return *otherwise* if there are no values, or if all weights are 0.
    """
    order = np.argsort(values)
    along = np.cumsum(weights[order])
    if not len(order) or along[-1] <= 0:
        return otherwise
    return float(values[order[np.searchsorted(along, along[-1] / 2)]])
