"""Tell the pages that plainly bear print of one ink: most puzzles that nobody has written into yet.

Of such a page nothing has to be weighed: any other account of it (``print_vs_handwriting``) comes to
nothing, by dozens of log-odds. What is plain here is a matter of a few sums; wherever it isn't, all accounts
are weighed.
"""

from __future__ import annotations

import numpy as np

from sudoku_vision.results import Floats
from sudoku_vision.vision.ranks import medians

# By these limits 130 of 163 newspaper puzzles are plain, of 900 pages 234: photos, screens, and drawings of
# all that makes roles hard to tell. Of none of them did the accounts tell an entry, a stray, or open roles.
_PRINTED = 0.005  # probability of handwriting, of each cell by its shape, up to which all is print
_FARTHEST = 4.0  # spreads up to which no ink lies off the page's
_PARTED = 0.85  # share of the squares that two parts explain, from which they are two


def is_plain_print(values: Floats, spread: Floats, shapes: Floats) -> bool:
    """Tell whether all cells look printed, and their inks are alike.

    *values* and *spread* (N, 4) are the inks of the cells, *shapes* (N,) the probabilities of handwriting by
    shape alone.

    * No shape looks written, not even a little.
    * No ink is far off in any quantity, and none of these quantities falls into two parts, however near: the
      inks of a screen are exact.
    """
    if shapes.max() > _PRINTED:
        return False
    if (np.abs(values - medians(values.T)) > _FARTHEST * spread).any():
        return False
    return bool(parted(values).max() <= _PARTED)


def parted(values: Floats) -> Floats:
    """Return how well two parts explain each column of *values* (N, K), as shares of its squares, (K,).

    The best division by size counts (N. Otsu, "A threshold selection method from gray-level histograms",
    1979): near 1 for two clusters, 0.64 for one normal distribution, 0 where all is the same.
    """
    count = len(values)
    ranked = np.sort(values - values.mean(axis=0), axis=0)
    below = np.arange(1, count)[:, None]
    between = ranked.cumsum(axis=0)[:-1] ** 2 * count / (below * (count - below))
    total = (ranked**2).sum(axis=0)
    return np.asarray(between.max(axis=0) / np.maximum(total, np.finfo(np.float32).tiny))
