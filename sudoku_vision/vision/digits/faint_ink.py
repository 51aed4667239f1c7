"""Tell stains, creases and shadows from digits by the whole page: how deep its ink is, and how plain.

The ink of a page is about equally deep; what is much fainter than the faintest digits of the page is hardly
one. And a hand that wrote leaves digits that are plain: where several cells look a little written, but none
plainly so, nobody wrote.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sudoku_vision.results import DigitScores, Floats
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements

_PLAIN = 0.99  # probability of ink from which a cell tells how deep the ink of its page is
_FEWEST_PLAIN = 8  # such cells from which the page is known well enough
_FAINT_SHARE = 0.1  # of them whose depth stands for the faintest digits: pencil beside print
# Fitted to 700 cells of drawings, newspaper and calendar photos on which the classifier was undecided. Of
# those with digits 99 in 100 are less than 0.8 below the faintest, of the others 95 in 100 more than 1.1.
_EVEN = -0.63  # difference in log-depth to the faintest digits below which ink is rather a stain
_STEEPNESS = 3.5  # log-odds by which a difference of one more speaks for a stain
_MOST = 5.0  # log-odds by which depth may speak at most

_PLAINLY_WRITTEN = 0.98  # probability of ink of a plainly written cell; 94 in 100 of the calendar's are
_FEWEST_HALF_WRITTEN = 1.5  # cells, summed by probability: more ought to have a plain one among them
_NOBODY_WROTE = 2.8  # log-odds against each of them where there is none: of written cells, 6 in 100 are so


def with_faint_ink_doubted(scores: DigitScores, inks: InkMeasurements) -> DigitScores:
    """Return the scores of 81 cells, ink that is too faint for a digit of this page being less likely one."""
    plain = 1 - np.exp(scores.log_probs[:, 0]) > _PLAIN
    if np.count_nonzero(plain) < _FEWEST_PLAIN:
        return scores
    depth = inks.values[:, 2]
    below = depth - np.sort(depth[plain])[int(_FAINT_SHARE * np.count_nonzero(plain))]
    against = np.clip(_STEEPNESS * (_EVEN - below), 0.0, _MOST)
    return _doubted(scores, against)


def with_half_written_cells_doubted(scores: DigitScores) -> DigitScores:
    """Return the scores of 81 cells, what looks written being doubted where nothing is plainly written."""
    inked = 1 - np.exp(scores.log_probs[:, 0])
    by_hand = scores.written > 0.5
    if not by_hand.any() or inked[by_hand].max() > _PLAINLY_WRITTEN:
        return scores
    if inked[by_hand].sum() < _FEWEST_HALF_WRITTEN:
        return scores
    return _doubted(scores, np.where(by_hand, _NOBODY_WROTE, 0.0))


def _doubted(scores: DigitScores, against: Floats) -> DigitScores:
    """Return the scores with log-odds (81,) *against* there being a digit."""
    if not against.any():
        return scores
    logs = scores.log_probs.astype(np.float64)
    logs[:, 1:] -= against[:, None]
    logs -= np.logaddexp.reduce(logs, axis=1, keepdims=True)
    return replace(scores, log_probs=logs.astype(np.float32))
