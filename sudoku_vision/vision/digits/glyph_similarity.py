"""Tell print by its repeating itself: how like a glyph is to the likest other one of its digit on the page.

A typeface sets every 8 alike, up to what blur and noise do; no hand writes two that are. So where glyphs look
written by their shape, but repeat, the page is print in a typeface that looks like handwriting. What an app
has entered repeats as well: similarity tells a hand from type, and not who typed.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY
from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.glyphs import GLYPH, cut_glyphs

Doubles = NDArray[np.float64]

# Distances to the likest glyph as natural logarithms: which one speaks for neither, and the log-odds that a
# unit beyond is worth, up to a limit, as glyphs of either kind are crossed by a line or cut off. Medians of
# 7,700 digits of 160 calendar photos, and of 160 newspaper photos: print 0.014 to 0.025, a hand 0.15 to 0.19.
_NEITHER, _WORTH, _LIMIT = -2.7, 2.1, 2.1
_SLACK = 1  # pixels of a glyph (28 x 28) by which two may be set off


def similarity_evidence(cells: Floats) -> Doubles:
    """Return the log-odds (N,) by which similarity speaks for each glyph of one digit being written by hand.

    *cells* (N, S, S) float32 of clean ink all hold that digit. Of a single one nothing is known: 0.
    """
    if len(cells) < 2:
        return np.zeros(len(cells))
    logs = np.log(np.maximum(glyph_distances(cut_glyphs(cells).images), TINY))
    return np.asarray(np.clip(_WORTH * (logs - _NEITHER), -_LIMIT, _LIMIT))


def glyph_distances(images: Floats) -> Doubles:
    """Return the distance (N,) of each of several glyphs of one digit to the likest other one of them.

    *images* (N, 28, 28) are normalised glyphs. The distance is 1 minus their normalised correlation, the best
    of all shifts by up to one pixel.
    """
    padded = np.pad(images, ((0, 0), (_SLACK, _SLACK), (_SLACK, _SLACK)))
    middle = _of_length_one(images)
    shifts = product(range(2 * _SLACK + 1), repeat=2)
    shifted = (padded[:, down : down + GLYPH, right : right + GLYPH] for down, right in shifts)
    best = np.max([middle @ _of_length_one(glyphs).T for glyphs in shifted], axis=0)
    alike = np.maximum(best, best.T).astype(np.float64)
    np.fill_diagonal(alike, -1)
    return np.asarray(1 - alike.max(axis=1))


def _of_length_one(images: Floats) -> Floats:
    """Return images as vectors (N, P) of mean nought and length one."""
    flat = images.reshape(len(images), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    scaled: Floats = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    return scaled
