"""Describe glyphs by what the classifier sees of them.

A glyph is described by its pixels and by histograms of the direction of its edges over a grid of overlapping
windows (after N. Dalal, B. Triggs, "Histograms of oriented gradients for human detection", 2005), by a coarse
view of its whole cell, and by its size and strength, alone and against the other glyphs of the page.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from sudoku_vision.digits.glyphs import COARSE, GLYPH, Glyphs
from sudoku_vision.results import Floats

VERSION = 3
"""Raised whenever the same cells give other features, so that a model of another age is refused."""

_POOLED = 14  # side of the glyph as pixels
_ORIENTATIONS = 8
_WINDOWS = 5  # edge windows on each side of the glyph
_SCALARS = 16
FEATURES = _ORIENTATIONS * _WINDOWS**2 + _POOLED**2 + COARSE**2 + _SCALARS
"""Length of a feature vector."""


def describe(glyphs: Glyphs) -> Floats:
    """Feature vectors (N, FEATURES) float32 of glyphs as they stand."""
    count = len(glyphs.images)
    left, top, right, bottom = glyphs.box.T
    place = np.stack([right - left, bottom - top, (left + right) / 2 - 0.5, (top + bottom) / 2 - 0.5], axis=1)
    page = _against_page(bottom - top, right - left, glyphs.typical)
    return np.concatenate(
        [
            edge_histograms(glyphs.images, _WINDOWS),
            pooled_pixels(glyphs.images),
            glyphs.coarse.reshape(count, -1),
            2 * place,
            page,
            glyphs.strength,
        ],
        axis=1,
    ).astype(np.float32)


def _against_page(height: Floats, width: Floats, typical: Floats) -> Floats:
    """The glyphs against those of the page, (N, 3): heights, and ratios of height and of longer side."""
    longer, page = np.maximum(height, width), np.maximum(typical[:, 0], typical[:, 1])
    ratios = [(height + 0.05) / (typical[:, 1] + 0.05), (longer + 0.05) / (page + 0.05)]
    return np.stack([2 * (height - typical[:, 1]), *(2 * np.log(ratio) for ratio in ratios)], axis=1)


def pooled_pixels(images: Floats) -> Floats:
    """Glyphs (N, 28, 28) at half their size, as vectors (N, 196)."""
    count, step = len(images), GLYPH // _POOLED
    means: Floats = images.reshape(count, _POOLED, step, _POOLED, step).mean(axis=(2, 4))
    return means.reshape(count, -1)


@lru_cache(maxsize=4)
def _windows(number: int) -> Floats:
    """So many triangular windows, (number, 28), along one side of the glyph, overlapping by half."""
    centres = (np.arange(number) + 0.5) * GLYPH / number
    width = GLYPH / number
    place = np.arange(GLYPH) + 0.5
    return np.maximum(0, 1 - np.abs(place - centres[:, None]) / width).astype(np.float32)


def edge_histograms(images: Floats, number: int) -> Floats:
    """Histograms of edge direction in number x number windows, (N, 8 number^2), root-normalised."""
    count = len(images)
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1)))
    smooth = (padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]) / 4
    across = smooth[:, :, 2:] - smooth[:, :, :-2]
    smooth = (padded[:, :, :-2] + 2 * padded[:, :, 1:-1] + padded[:, :, 2:]) / 4
    down = smooth[:, 2:] - smooth[:, :-2]
    windows = _windows(number)
    histograms = np.empty((count, _ORIENTATIONS, number, number), np.float32)
    half = _ORIENTATIONS // 2
    for index, angle in enumerate((np.pi / half * np.arange(half)).astype(np.float32)):
        # The edge's length along a direction, beyond what belongs to the two neighbours of that direction.
        along = np.cos(angle) * across + np.sin(angle) * down
        aside = np.abs(np.cos(angle) * down - np.sin(angle) * across)
        for opposite, share in ((0, along - aside), (half, -along - aside)):
            np.maximum(share, 0, out=share)
            histograms[:, index + opposite] = np.matmul(windows, np.matmul(share, windows.T))
    flat = histograms.reshape(count, -1)
    norm = flat.sum(axis=1, keepdims=True)
    return np.asarray(np.sqrt(flat / np.maximum(norm, 1e-3) * 10), np.float32)
