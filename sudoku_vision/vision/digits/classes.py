"""Fold the classes of the digit model into what a page says: ten answers a cell, and print or handwriting.

The classes are the blank cell, the printed digits 1..9, the written digits 1..9, and *junk*: a glyph that is
no upright digit, such as one that lies on its side. Junk is spread evenly over the ten answers, so a board
read the wrong way round loses in total log-probability.
"""

import numpy as np

from sudoku_vision.results import DigitScores, Floats

CLASSES = ("blank", *(f"printed {d}" for d in range(1, 10)), *(f"written {d}" for d in range(1, 10)), "junk")
"""The classes of the model, in the order of its outputs."""

BLANK, PRINTED, WRITTEN, JUNK = slice(0, 1), slice(1, 10), slice(10, 19), slice(19, 20)  # their columns

LEAST_PROBABILITY = 1e-6  # no answer is ever held to be less likely than this: a label may be wrong, too

EXTENTS = (0.002, 0.05, 0.2, 0.4, 0.6, 0.8, 0.998)  # shares of the ink of a page that may be handwriting

_EXTENT_PRIOR = (0.6, 0.08, 0.08, 0.08, 0.08, 0.04, 0.04)  # how common each of the EXTENTS is
_PAGE_TRUST = 0.7  # exponent of a cell's evidence for print or handwriting
_LEAST_SHARE = 1e-4  # added to the probabilities of print and of handwriting before their ratio is taken


def page_scores(probabilities: Floats, written_share: float) -> DigitScores:
    """Return the scores of 81 cells from their classes (81, 20), in view of the whole page.

    A cell alone may be written with the *written_share* that written digits had in training; on a page that
    is plainly all print, a smudge is no faint writing.
    """
    printed, written = probabilities[:, PRINTED], probabilities[:, WRITTEN]
    share, extent = written_on_page(printed.sum(axis=1), written.sum(axis=1), written_share)
    digits = printed * np.float32((1 - extent) / (1 - written_share))
    digits = digits + written * np.float32(extent / written_share)
    answers = np.concatenate([probabilities[:, BLANK], digits], axis=1)
    answers += probabilities[:, JUNK] / 10
    answers /= answers.sum(axis=1, keepdims=True)
    answers = (answers + LEAST_PROBABILITY) / (1 + 10 * LEAST_PROBABILITY)
    return DigitScores(np.log(answers).astype(np.float32), share)


def written_on_page(printed: Floats, written: Floats, prior: float) -> tuple[Floats, float]:
    """Return the probability (81,) that the ink of each cell is written, knowing the other cells of the page.

    *printed* and *written* (81,) are what the classifier says of each cell alone, having met the share
    *prior* of written digits in training. Most pages bear print alone, some are filled in to some extent: the
    extent is weighed by all cells together, which silences a lone doubtful one; its mean is handed back, too.
    Cells in one typeface err together, so their evidence is counted for less than if each were on its own.
    """
    ratio = ((written + _LEAST_SHARE) / (printed + _LEAST_SHARE)) * ((1 - prior) / prior)
    ratio = np.exp(_PAGE_TRUST * np.log(ratio))
    extents = np.array(EXTENTS)[:, None]
    mixed = extents * ratio + (1 - extents)
    inked = printed + written
    weight = np.log(np.array(_EXTENT_PRIOR)) + (inked * np.log(mixed)).sum(axis=1)
    weight = np.exp(weight - weight.max())
    weight /= weight.sum()
    share: Floats = (weight @ (extents * ratio / mixed)).astype(np.float32)
    return share, float(weight @ extents[:, 0])
