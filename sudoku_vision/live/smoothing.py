"""Keep still what is still: the noise of a camera must not make drawn digits tremble, nor lag when they move.

The share of a step that is followed at once grows with the step, as the cutoff of the "1 euro filter" grows
with speed (G. Casiez, N. Roussel, D. Vogel, 2012); here all crossings of a grid step together.
"""

from __future__ import annotations

import numpy as np

from sudoku_vision.results import Floats

LEAST = 0.2
"""Share of a step of no length that is followed in one frame."""
FREE = 0.6
"""Pixels of a step, root mean square over a grid, by which the share grows to one: noise stays below half."""


def steadied(shown: Floats, seen: Floats) -> Floats:
    """Where to draw the crossings (10, 10, 2) that were *shown* in the last frame and are *seen* in this."""
    step = seen - shown
    length = float(np.sqrt((step * step).sum(axis=2).mean()))
    share = min(1.0, LEAST + length / FREE)
    return np.asarray(shown + np.float32(share) * step, np.float32)
