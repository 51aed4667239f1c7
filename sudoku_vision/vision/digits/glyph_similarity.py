"""Tell print by its repeating itself: how like a glyph is to the likest other one of its digit on the page.

A typeface sets every 8 alike, up to what blur and noise do; no hand writes two that are. So where glyphs look
written by their shape, but repeat, the page is print in a typeface that looks like handwriting. What an app
has entered repeats as well: similarity tells a hand from type, and not who typed.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.glyphs import GLYPH, cut_glyphs

Doubles = NDArray[np.float64]

# Distances to the likest glyph as natural logarithms, mean and spread. Medians measured over 7,700 digits of
# 160 calendar photos, and over 160 newspaper photos of VGA size: print 0.014 to 0.025, by hand 0.15 to 0.19.
_PRINT, _HAND = (-3.7, 0.6), (-1.7, 0.5)
_ODD, _ODD_SHARE = (-2.5, 1.5), 0.05  # glyphs crossed by a line or cut off, print or not
_LEAST_DISTANCE = 0.015  # nearer ones, as in screenshots, are as good
_TRUST = 0.5  # exponent of the evidence: two glyphs that are alike are one finding, not two
_SLACK = 1  # pixels of a glyph (28 x 28) by which two may be set off


def similarity_evidence(cells: Floats) -> Doubles:
    """Return the log-odds (N,) by which similarity speaks for each glyph of one digit being written by hand.

    *cells* (N, S, S) float32 of clean ink all hold that digit. Of a single one nothing is known: 0.
    """
    if len(cells) < 2:
        return np.zeros(len(cells))
    logs = np.log(np.maximum(glyph_distances(cut_glyphs(cells).images), _LEAST_DISTANCE))
    odd = np.log(_ODD_SHARE) + _log_normal(logs, *_ODD)
    by_hand = np.logaddexp(_log_normal(logs, *_HAND), odd) - np.logaddexp(_log_normal(logs, *_PRINT), odd)
    return np.asarray(_TRUST * by_hand)


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


def _log_normal(values: Doubles, mean: float, spread: float) -> Doubles:
    """Return log-densities of a normal distribution, a constant left out."""
    return np.asarray(-np.log(spread) - ((values - mean) / spread) ** 2 / 2)
