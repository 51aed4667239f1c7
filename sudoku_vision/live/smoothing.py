"""Smoothing: the noise of a camera must not make drawn digits tremble, nor may they lag when they move.

The smoothing factor grows with the step, as the cutoff of the "1 euro filter" grows with speed (G. Casiez,
N. Roussel, D. Vogel, 2012); here all crossings of a grid step together.
"""

from __future__ import annotations

import numpy as np

from sudoku_vision.results import Floats

MIN_FACTOR = 0.2
"""Share of a step of no length that is taken in one frame: the noise of about nine frames is averaged."""
UNSMOOTHED_STEP = 0.6
"""Pixels of a step, root mean square over a grid, by which the share grows by one: noise stays below half."""


def smooth(previous: Floats, measured: Floats) -> Floats:
    """Return where to draw crossings (10, 10, 2), in pixels, that are *measured* in this frame.

    *previous* is what was returned for the frame before.
    """
    step = measured - previous
    length = float(np.sqrt((step * step).sum(axis=2).mean()))
    factor = min(1.0, MIN_FACTOR + length / UNSMOOTHED_STEP)
    return np.asarray(previous + np.float32(factor) * step, np.float32)
