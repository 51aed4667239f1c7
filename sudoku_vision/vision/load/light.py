"""Make corrected copies ("second views") of a picture that is too dark, badly lit, overexposed or has bands.

All later stages compare grey levels, and are made for paper in usual light.

* In the dark, or in a hard shadow, lines and digits differ less from the paper around them. So each pixel is
  divided by the brightness of the paper there. This makes lines and digits readable.
* In an overexposed picture, paper is clipped to white. Only a faint rest of the ink is left, often in one
  colour channel alone. This ink is made darker, so that it becomes readable.
* In a photo of a screen, bands may appear. They are removed (:mod:`.moire`).

The first two corrections also make noise stronger, and the first one draws lines along the edges of shadows.
So corrected copies are used only if nothing was solved in the picture itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from sudoku_vision.ranks import quantile
from sudoku_vision.values import Image
from sudoku_vision.vision.load.jpeg import REDUCED_SIDE
from sudoku_vision.vision.load.moire import without_bands
from sudoku_vision.vision.results import Photo, ReducedCopy

COARSE_SIDE = 500
"""Longer side, in pixels, of the small copy of a picture on which the brightness of the paper is measured.

The edges of shadows are still sharp on such a copy. Of 24 pages in hard shadow, 20 were read with 500 pixels,
17 with 250, and 16 with 800.
"""
WIDEST_INK = 17
"""A dark part of the small copy is ink if it is narrower than this, in pixels. Otherwise it is paper."""
GRAIN = 3  # side, in pixels, of the window that smooths noise, so that single noisy pixels aren't ink

PAPER = 230.0  # grey level that the correction of the light gives to all paper
DIM = 60.0
"""Paper of this grey level or less is in poor light: its ink has less than a third of the usual contrast."""
CLIPPED = 250  # paper of this grey level or more is overexposed: some of its pixels are clipped to white
DARKEST, PALE = 0.02, 128.0
"""Limits for the ink on overexposed paper. The level of the ink is the quantile ``DARKEST`` of the grey
levels on this paper. Ink is pale if its level is at least ``PALE``.

In overexposed photos that aren't solved, the level of the ink was 155 or more. On 14 screens and scans with
white paper, it was at most 78, except for two screens or scans with hardly any ink.
"""
POOR_SHARE = 0.1  # light is corrected if at least this share of a picture is in poor light or overexposed
DEEPER = 15.0
"""The faintest ink of an overexposed picture is made darker by this factor; full ink does not change.

Of 96 photos with 2.2 times the right exposure, 42 were solved without this correction. With it, 54 were
solved if the factor was 10, and 56 if it was 15 or 20. No answer was wrong.
"""
BLACK = 32.0
"""A picture is too dark if nearly all its grey levels are at most this. A dark screen has brighter digits."""
_FEW = 0.999
"""A picture is too dark if at least this share of its pixels has at most the grey level ``BLACK``. The
other pixels can be small lights."""


class Light:
    """The light of a photo, measured on its reduced copy. If the photo has no reduced copy, one is made."""

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
    def is_too_dark(self) -> bool:
        """Whether the whole picture is nearly black."""
        return quantile(self._grey, _FEW) <= BLACK

    def second_views(self, *, in_colour: bool = False) -> Iterator[ReducedCopy]:
        """Yield corrected copies of the photo in which more can be read; none if its light is good.

        * If a part of the picture is in poor light: a copy with the same light on all paper.
        * If a part of the picture is overexposed: a grey copy with darker ink. If *in_colour* is true, this
          copy is left out, because it has no colours.
        * If bands are seen: a copy without the bands.
        """
        if quantile(self._paper, POOR_SHARE) <= DIM:
            yield ReducedCopy(self._evened(), self._copy.factor)
        if not in_colour and self._is_overexposed:
            yield ReducedCopy(self._deepened(), self._copy.factor)
        if (plain := without_bands(self._copy.pixels)) is not None:
            yield ReducedCopy(plain, self._copy.factor)

    @property
    def _is_overexposed(self) -> bool:
        """Whether a part of the paper is white, and the ink on this part is pale.

        White paper alone isn't enough: a screen can be white, but its ink is dark.
        """
        clipped = self._paper >= CLIPPED
        return bool(clipped.mean() >= POOR_SHARE) and quantile(self._grey[clipped], DARKEST) >= PALE

    def _evened(self) -> Image:
        pixels = self._copy.pixels
        gain = PAPER / np.maximum(self._paper.astype(np.float32), 1)
        fine = cv2.resize(gain, pixels.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        smooth = cv2.GaussianBlur(pixels.astype(np.float32), (GRAIN, GRAIN), 0)
        return np.asarray(np.clip(smooth * fine[..., None], 0, 255), np.uint8)

    def _deepened(self) -> Image:
        """Return a grey picture (H, W, 3) with darker ink, made from the darkest channel of each pixel."""
        blue, green, red = cv2.split(self._copy.pixels)
        least = cv2.min(cv2.min(blue, green), red)  # several times as fast as NumPy's ``min``
        depth = 1 - cv2.GaussianBlur(least.astype(np.float32), (GRAIN, GRAIN), 0) / 255
        deeper = DEEPER * depth / (1 + (DEEPER - 1) * depth)
        grey = np.asarray(255 * (1 - deeper), np.uint8)
        return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
