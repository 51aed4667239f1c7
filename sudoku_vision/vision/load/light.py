"""Light: a second view of a dark or badly lit picture, as if its paper had the same light everywhere.

All later stages compare grey levels, and are made for paper in usual light. In the dark, or in a hard shadow,
lines and digits differ from their paper by less than that. Dividing a picture by its own paper brings them
back. It also brings out grain, and lines along the edge of a shadow, so it is a second try alone.
"""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.ranks import quantile
from sudoku_vision.vision.load.jpeg import REDUCED_SIDE
from sudoku_vision.vision.results import Photo, ReducedCopy

COARSE_SIDE = 500
"""Longer side, in pixels, of the copy on which paper is found: the edge of a shadow stays sharp on it.

Of 24 pages in hard shadow 20 were read with it; with half of it 17, with 800 pixels 16.
"""
WIDEST_INK = 17  # pixels of that copy: darker parts that are narrower than this are ink, wider ones paper
SOFTENED = 5  # pixels of that copy over which the light is averaged
GRAIN = 3  # side, in pixels, of the smoothing against grain, which gets as much brighter as the paper

PAPER = 230.0  # grey level that all paper gets
DIM = 60.0
"""Paper of this grey level or less is in poor light: ink on it differs by less than a third of the usual."""
DIM_SHARE = 0.1  # share of a picture that must be in poor light to be worth a second try
BLACK = 32.0
"""A picture is too dark if hardly any part is brighter than this: an eighth of full light.

A screen with a dark background has brighter digits.
"""
_FEW = 0.999  # quantile of the grey levels of a picture that only stray lights exceed


class Light:
    """The light of a photo, measured on a copy of at most :data:`REDUCED_SIDE` pixels a side."""

    def __init__(self, photo: Photo) -> None:
        copy = photo.reduced
        if copy is None:
            factor = -(-max(photo.size) // REDUCED_SIDE)
            size = tuple(max(1, side // factor) for side in photo.size)
            pixels = cv2.resize(photo.pixels, size, interpolation=cv2.INTER_AREA)
            copy = ReducedCopy(np.asarray(pixels, np.uint8), factor)
        self._copy = copy
        height, width = copy.pixels.shape[:2]
        scale = min(1.0, COARSE_SIDE / max(height, width))
        small = max(1, round(scale * width)), max(1, round(scale * height))
        coarse = cv2.resize(copy.pixels, small, interpolation=cv2.INTER_AREA)
        self._grey = cv2.medianBlur(cv2.cvtColor(coarse, cv2.COLOR_BGR2GRAY), GRAIN)
        widest = np.ones((WIDEST_INK, WIDEST_INK), np.uint8)
        self._paper = cv2.morphologyEx(self._grey, cv2.MORPH_CLOSE, widest)

    @property
    def is_poor(self) -> bool:
        """Whether a part of the picture is in poor light, so that an even light may show more."""
        return quantile(self._paper, DIM_SHARE) <= DIM

    @property
    def is_too_dark(self) -> bool:
        """Whether the whole picture is nearly black."""
        return quantile(self._grey, _FEW) <= BLACK

    def evened(self) -> ReducedCopy:
        """Return a copy of the photo with the same light on all its paper."""
        pixels = self._copy.pixels
        paper = cv2.blur(self._paper.astype(np.float32), (SOFTENED, SOFTENED))
        gain = PAPER / np.maximum(paper, 1)
        fine = cv2.resize(gain, pixels.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        smooth = cv2.GaussianBlur(pixels.astype(np.float32), (GRAIN, GRAIN), 0)
        bright = np.clip(smooth * fine[..., None], 0, 255)
        return ReducedCopy(np.asarray(bright, np.uint8), self._copy.factor)
