"""Thresholds: ways to tell ink from paper by what surrounds each pixel."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.results import Image

SMOOTHED = 3
"""Side, in pixels, of the smoothing before a threshold: single noisy pixels are no ink."""


@dataclass(frozen=True)
class Threshold:
    """One way to tell ink from paper.

    ``window`` is the side of the surroundings that a pixel is compared with, as a share of the picture's
    longer side, ``offset`` by how many grey levels it must differ; gaps up to ``close`` pixels, as those of
    dotted lines, are closed.
    """

    window: float
    offset: float
    light_on_dark: bool = False
    close: int = 0

    @property
    def sign(self) -> int:
        """The sign of its lines: 1 where they are darker than the paper, -1 where lighter."""
        return -1 if self.light_on_dark else 1


THRESHOLDS = (
    Threshold(1 / 20, 7),
    Threshold(1 / 45, 4),
    Threshold(1 / 10, 12),
    Threshold(1 / 20, 7, light_on_dark=True),
    Threshold(1 / 45, 3, light_on_dark=True),
    Threshold(1 / 25, 5, close=9),
)
"""The most promising first: usual print, faint or small, uneven paper; screens at night; dotted lines."""


def ink_mask(grey: Image, threshold: Threshold) -> Image:
    """Return a mask of ink (H, W) uint8: 255 where a pixel is darker (or lighter) than its surroundings."""
    smooth = cv2.GaussianBlur(grey, (SMOOTHED, SMOOTHED), 0)
    side = max(3, round(threshold.window * max(grey.shape))) | 1
    if threshold.light_on_dark:
        kind, offset = cv2.THRESH_BINARY, -threshold.offset
    else:
        kind, offset = cv2.THRESH_BINARY_INV, threshold.offset
    mask = cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, side, offset)
    if threshold.close:
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((threshold.close, threshold.close), np.uint8))
    return np.asarray(mask, np.uint8)
