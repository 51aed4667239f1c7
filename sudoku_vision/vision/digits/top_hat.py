"""Level the paper of cells: shadows, creases and light that varies within a cell are no ink.

:func:`~sudoku_vision.vision.rectify.even` divides out the paper of a cell as far as it can be told from photo
pixels; what is left are soft edges and slopes, as strong as a pencil's light strokes. They are broader than
any stroke, so they stay when everything narrow is opened away (the white top-hat of mathematical morphology;
J. Serra, "Image analysis and mathematical morphology", 1982).
"""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.results import Floats

_WINDOW = 0.5
"""In cells: what is broader both ways is paper. No stroke is, nor where the strokes of bold digits meet."""


def paper_level(coarse: Floats) -> Floats:
    """Return how dark the paper is in a coarse view (S, S, N) of cells, their digits opened away.

    Each value of the view should be the mean of many pixels, so that noise does not pass for paper.
    """
    window = np.ones((round(_WINDOW * len(coarse)),) * 2, np.uint8)
    opened = cv2.dilate(cv2.erode(coarse, window), window)
    return np.asarray(cv2.blur(opened, (3, 3)), np.float32)


def levelled(cells: Floats, coarse: Floats) -> Floats:
    """Return cells (N, S, S) with their paper at 0 throughout; *coarse* (N, C, C) is a view of them."""
    size = cells.shape[1]
    paper = paper_level(np.ascontiguousarray(coarse.transpose(1, 2, 0)))
    level = cv2.resize(paper, (size, size), interpolation=cv2.INTER_LINEAR)
    level = cv2.transpose(level.reshape(size * size, -1))  # in a third of NumPy's time
    return np.asarray(cells - level.reshape(cells.shape), np.float32)
