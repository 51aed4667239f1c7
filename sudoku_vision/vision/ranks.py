"""Ranks: medians, quantiles and distinct ones of a few hundred numbers; NumPy's own take long to begin.

When they are first called, they load masked arrays, too, which nothing here has a use for.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_SORTED_AT_ONCE = 512
"""Up to so many numbers NumPy sorts without branching, in half the time that it takes to part them."""


def quantile(values: NDArray[Any], share: float) -> float:
    """Return the quantile *share*, 0..1, of all *values*, as :func:`numpy.quantile` has it: interpolated.

    NaN must not be among them; of none at all there is no quantile (:class:`ValueError`).
    """
    place = share * (values.size - 1)
    below = int(place)
    above = min(below + 1, values.size - 1)
    ranked = np.partition(values, (below, above), axis=None)
    low, high = float(ranked[below]), float(ranked[above])
    return low + (high - low) * (place - below)


def median(values: NDArray[Any]) -> float:
    """Return the median of all *values*; the rest is as for :func:`quantile`."""
    return quantile(values, 0.5)


def medians(values: NDArray[Any]) -> NDArray[Any]:
    """Return the medians along the last axis of *values* (..., N), as :func:`numpy.median` has them."""
    count = values.shape[-1]
    below, above = (count - 1) // 2, count // 2
    ranked = np.sort(values, axis=-1)  # takes a third of the time of a partition at two places
    dtype = np.result_type(values, np.float32)  # two bytes come to more than one holds
    return np.asarray(np.add(ranked[..., below], ranked[..., above], dtype=dtype) / 2)


def largest(values: NDArray[Any], place: int) -> NDArray[Any]:
    """Return the largest but *place* - 1 of each row of *values* (N, M), (N,): with 1, the largest.

    The largest of all are among the largest of each part of a row.
    """
    parts = np.array_split(values, -(-values.shape[1] // _SORTED_AT_ONCE), axis=1)
    tops = [np.sort(part, axis=1)[:, -place:] for part in parts]
    return np.asarray(np.sort(np.concatenate(tops, axis=1), axis=1)[:, -place])


def distinct(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the distinct ones of whole *numbers* (N,), none below 0 and none large, in ascending order."""
    return np.flatnonzero(np.bincount(numbers))
