"""Make a second view of a dark or badly lit picture, as if its paper had the same light everywhere.

All later stages compare grey levels, and are made for paper in usual light. In the dark, or in a hard shadow,
lines and digits differ less from their paper. So the picture is divided by the brightness of its own paper,
and lines and digits become readable. But the division also makes grain stronger, and draws lines along the
edges of shadows. So it is only done if nothing was solved without it.
"""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.ranks import quantile
from sudoku_vision.vision.load.jpeg import REDUCED_SIDE
from sudoku_vision.vision.results import Photo, ReducedCopy

COARSE_SIDE = 500
"""Longer side, in pixels, of the coarse copy on which the brightness of paper is measured.

The edges of shadows are still sharp on such a copy. Of 24 pages in hard shadow, 20 were read with 500 pixels,
17 with 250, and 16 with 800.
"""
WIDEST_INK = 17
"""Dark parts of the coarse copy that are narrower than this, in pixels, count as ink, wider ones as paper."""
SOFTENED = 5  # side, in pixels of the coarse copy, of the square over which the light is averaged
GRAIN = 3  # side, in pixels, of the window that smooths grain, which gets stronger where paper is brightened

PAPER = 230.0  # grey level that all paper has in the second view
DIM = 60.0
"""Paper of this grey level or less is in poor light: its ink has less than a third of the usual contrast."""
DIM_SHARE = 0.1  # smallest share of a picture that must be in poor light for a second try
BLACK = 32.0
"""A picture is too dark if hardly any part has a higher grey level than this, an eighth of full light.

A screen with a dark background is not too dark, because its digits are brighter.
"""
_FEW = 0.999
"""Share of the pixels of a picture that must be as dark as BLACK, so that the picture is too dark.

The other pixels may show a few small lights.
"""


class Light:
    """The light of a photo, measured on its reduced copy; if the photo has no such copy, it is made."""

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
        """Whether a part of the picture is in poor light, so that more may be read in even light."""
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
